// Meshes and height fields of MJCF: where their points are, what they weigh, and what is refused.
#include <gtest/gtest.h>

#include <limits>

#include "delassus/io/mjcf.hpp"
#include "delassus/model/surface.hpp"
#include "support/height_file.hpp"
#include "unit/io/corpus.hpp"

namespace delassus::io_test {
namespace {

/// Some roundings of numbers near one.
constexpr double kRounding = 1e-14;

/// An L of 5 m³: a square of 3 by 3 without its outer square of 2 by 2, and 1 high.
const std::string kL = R"(vertex="0 0 0  3 0 0  3 1 0  1 1 0  1 3 0  0 3 0  0 0 1  3 0 1  3 1 1  1 1 1  1 3 1  0 3 1"
  face="0 2 1 0 3 2 0 4 3 0 5 4  6 7 8 6 8 9 6 9 10 6 10 11  0 1 7 0 7 6  1 2 8 1 8 7
        2 3 9 2 9 8  3 4 10 3 10 9  4 5 11 4 11 10  5 0 6 5 6 11")";
/// The box of 1 by 2 by 3 at the origin.
const std::string kBox = R"(vertex="0 0 0 1 0 0 0 2 0 1 2 0 0 0 3 1 0 3 0 2 3 1 2 3")";

std::string text_of(const std::string& assets, const std::string& geom, const std::string& before = "") {
  return "<mujoco>" + before + "<asset>" + assets + "</asset><worldbody>\n<body name='b'><freejoint/>" + geom +
         "</body></worldbody></mujoco>";
}
Scene on_body(const std::string& assets, const std::string& geom, const std::string& before = "") {
  return parse_mjcf(text_of(assets, geom, before), "m.xml", "");
}
Scene on_world(const std::string& assets, const std::string& geom, const std::string& folder = "") {
  return parse_mjcf("<mujoco><asset>" + assets + "</asset><worldbody>" + geom + "</worldbody></mujoco>", "m.xml",
                    folder);
}
std::string refusal(const std::string& asset, const std::string& geom = "<geom type='mesh' mesh='m'/>") {
  return error_of([&] { on_body(asset, geom); });
}
std::string hfield_refusal(const std::string& attributes, const std::string& folder = "") {
  return error_of(
      [&] { on_world("<hfield name='h' " + attributes + "/>", "<geom type='hfield' hfield='h'/>", folder); });
}

const ShapeDescription& only_shape(const Scene& scene) {
  EXPECT_EQ(scene.model.description().shapes.size(), 1U);
  return scene.model.description().shapes.at(0);
}
const Inertial& inertial(const Scene& scene) { return scene.model.description().bodies.at(0).inertial; }

bool is_ignored(const Scene& scene, const std::string& what) {
  for (const Ignored& i : scene.report.ignored) {
    if (i.what == what) return true;
  }
  return false;
}

void expect_near(const Vec3<double>& got, const Vec3<double>& want) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(got[i], want[i], kRounding) << i;
}

TEST(MjcfMesh, IsItsConvexHull) {
  const Scene scene = on_body("<mesh name='m' " + kL + "/>", "<geom name='g' mesh='m' pos='1 2 3'/>");
  const ShapeDescription& shape = only_shape(scene);
  EXPECT_EQ(shape.kind, ShapeKind::kHull);
  expect_near(shape.placement.p, {{1, 2, 3}});
  ASSERT_NE(shape.surface, nullptr);
  EXPECT_EQ(shape.surface->vertices().size(), 10U);  // the corners of the dent are no corners of the hull
  expect_near(shape.surface->low(), {{0, 0, 0}});
  expect_near(shape.surface->high(), {{3, 3, 1}});
  EXPECT_TRUE(scene.report.warnings.empty() && scene.report.ignored.empty()) << to_text(scene.report);
}

TEST(MjcfMesh, IsShiftedThenTurnedThenScaled) {
  // refquat is a quarter of a turn about z, which is undone: x y of the file go to y -x.
  const Scene scene = on_body("<mesh name='m' " + kBox + " refpos='1 0 0' refquat='1 0 0 1' scale='10 1 2'/>",
                              "<geom type='mesh' mesh='m'/>");
  expect_near(only_shape(scene).surface->low(), {{0, 0, 0}});
  expect_near(only_shape(scene).surface->high(), {{20, 1, 6}});
}

TEST(MjcfMesh, ScaleComesFromItsClass) {
  const std::string classes =
      "<default><mesh scale='2 2 2'/><default class='c'><mesh scale='3 3 3'/></default></default>";
  const auto high = [&](const std::string& given) {
    const Scene scene = on_body("<mesh name='m' " + given + kBox + "/>", "<geom type='mesh' mesh='m'/>", classes);
    return only_shape(scene).surface->high()[0];
  };
  EXPECT_EQ(high(""), 2);
  EXPECT_EQ(high("class='c' "), 3);
  EXPECT_EQ(high("scale='4 1 1' "), 4);
}

TEST(MjcfMesh, WeighsWhatABoxDoes) {
  const Scene scene = on_body("<mesh name='m' " + kBox + "/>", "<geom type='mesh' mesh='m' density='2' pos='1 0 0'/>");
  EXPECT_NEAR(inertial(scene).mass, 12, 12 * kRounding);
  expect_near(inertial(scene).com, {{1.5, 1, 1.5}});
  const double moments[3] = {4 + 9, 1 + 9, 1 + 4};  // times m / 12
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(inertial(scene).inertia(r, c), r == c ? moments[r] : 0, 20 * kRounding);
  }
}

TEST(MjcfMesh, ScaleThatMirrorsKeepsTheMassPositive) {
  const Scene scene =
      on_body("<mesh name='m' inertia='exact' scale='-1 1 1' " + kL + "/>", "<geom type='mesh' mesh='m' density='1'/>");
  EXPECT_NEAR(inertial(scene).mass, 5, 10 * kRounding);
  expect_near(inertial(scene).com, {{-1.1, 1.1, 0.5}});
}

TEST(MjcfMesh, MassOfAMeshWithADent) {
  const auto mass = [](const std::string& mesh, const std::string& compiler = "") {
    return inertial(on_body("<mesh name='m' " + mesh + kL + "/>", "<geom type='mesh' mesh='m' density='1'/>", compiler))
        .mass;
  };
  EXPECT_NEAR(mass("", "<compiler exactmeshinertia='true'/>"), 5, 10 * kRounding);
  EXPECT_NEAR(mass("inertia='exact' "), 5, 10 * kRounding);
  EXPECT_NEAR(mass("inertia='convex' "), 7, 10 * kRounding);  // half of the square of 2 by 2 is in the hull
  // From the centre of the surface, at x = y = 25/22, the two walls of the dent, of 2 m², are seen from behind; their
  // pyramids, of 1/11 m³ each, are added where they should be taken off. That moves the centre of mass, from 1.1 on, and
  // from there the volume is summed again.
  const double middle = 25.0 / 22, moment = 5 * 1.1 + 2.0 / 11 * ((3 + middle) / 4 + (6 + middle) / 4);
  const double centre = moment / (5 + 4.0 / 11);
  EXPECT_NEAR(mass(""), 5 + 2 * 2 * (2 * (centre - 1) / 3), 10 * kRounding);
}

TEST(MjcfMesh, FilesAreLookedForInTheFolderOfMeshes) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("parts"));
  folder.file("parts/tip.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 6\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  for (const char* compiler : {"<compiler meshdir='parts'/>", "<compiler assetdir='parts'/>",
                               "<compiler meshdir='parts' assetdir='elsewhere'/>"}) {
    const Scene scene = parse_mjcf(text_of("<mesh file='tip.obj'/>", "<geom type='mesh' mesh='tip'/>", compiler),
                                   "m.xml", folder.path(""));
    EXPECT_EQ(only_shape(scene).surface->high()[2], 6) << compiler;
    EXPECT_NEAR(inertial(scene).mass, 1000, 1000 * kRounding);
  }
}

TEST(MjcfMesh, MissingFilesAreInTheReport) {
  const std::string geoms = "<geom type='mesh' mesh='m'/><geom size='1'/>";
  const Scene scene = on_body("<mesh name='m' file='none.stl'/>", geoms);
  EXPECT_TRUE(is_ignored(scene, "asset/mesh (its file is not there)")) << to_text(scene.report);
  EXPECT_TRUE(is_ignored(scene, "geom (its mesh is not read)")) << to_text(scene.report);
  EXPECT_EQ(only_shape(scene).kind, ShapeKind::kSphere);
  ASSERT_EQ(scene.report.warnings.size(), 1U);
  EXPECT_TRUE(contains(scene.report.warnings[0].message, "add no mass"));
  // One for display alone is not looked for.
  const Scene shown = on_body("<mesh name='m' file='none.stl'/>",
                              "<geom mesh='m' contype='0' conaffinity='0' density='0'/><geom size='1'/>");
  EXPECT_FALSE(is_ignored(shown, "asset/mesh (its file is not there)")) << to_text(shown.report);
  EXPECT_TRUE(shown.report.warnings.empty());
}

TEST(MjcfMesh, Refusals) {
  EXPECT_EQ(refusal("<mesh name='foot' " + kBox + "/>", "<geom type='mesh' mesh='fot'/>"),
            "m.xml:2: geom of body 'b': there is no <mesh> 'fot' in <asset> (did you mean 'foot'?)");
  EXPECT_TRUE(contains(refusal("", "<geom type='mesh'/>"), "has no attribute mesh"));
  EXPECT_TRUE(contains(refusal("<mesh name='m'/>"), "m.xml:1: mesh 'm': needs either a file or vertex"));
  EXPECT_TRUE(contains(refusal("<mesh/>"), "neither a name nor a file"));
  EXPECT_TRUE(contains(refusal("<mesh name='m' " + kBox + "/><mesh name='m' " + kBox + "/>"), "its name is taken"));
  EXPECT_TRUE(contains(refusal("<mesh name='m' vertex='1 2'/>"), "mesh 'm': 2 numbers as vertex"));
  EXPECT_TRUE(contains(refusal("<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 1 1 0'/>"), "lie in one plane"));
  EXPECT_TRUE(
      contains(refusal("<mesh name='m' face='0 1 8' " + kBox + "/>"), "face 0 names vertex 8; there are 0 to 7"));
  EXPECT_TRUE(contains(refusal("<mesh name='m' scale='1 0 1' " + kBox + "/>"), "its scale has a zero"));
  EXPECT_TRUE(contains(refusal("<mesh name='m' refquat='0 0 0 0' " + kBox + "/>"), "attribute refquat is zero"));
}

TEST(MjcfMesh, BrokenFilesAreNamedWithTheLineOfTheMesh) {
  const TemporaryFolder folder;
  folder.file("bad.obj", "v 0 0 x\n");
  const std::string message =
      error_of([&] { on_world("<mesh name='m' file='bad.obj'/>", "<geom type='mesh' mesh='m'/>", folder.path("")); });
  EXPECT_TRUE(contains(message, "m.xml:1: mesh 'm': ")) << message;
  EXPECT_TRUE(contains(message, "bad.obj:1: 'v' needs three numbers")) << message;
}

// ------------------------------------------------------------------------------------------- height fields

using delassus::testing::height_file;

TEST(MjcfHeightField, ElevationStandsAsOnAMap) {
  const Scene scene = on_world("<hfield name='h' nrow='2' ncol='3' size='1 2 0.5 0.1' elevation='1 2 3 4 5 9'/>",
                               "<geom type='hfield' hfield='h' pos='0 0 7'/>");
  const ShapeDescription& shape = only_shape(scene);
  EXPECT_EQ(shape.kind, ShapeKind::kHeightField);
  expect_near(shape.placement.p, {{0, 0, 7}});
  const HeightGrid* grid = shape.surface->grid();
  ASSERT_NE(grid, nullptr);
  EXPECT_EQ(grid->rows, 2);
  EXPECT_EQ(grid->columns, 3);
  EXPECT_EQ(grid->half_x, 1);
  EXPECT_EQ(grid->half_y, 2);
  // From 1 to 9 becomes 0 to 0.5; the first row of the text is at high y. All are sums of powers of two.
  EXPECT_EQ(grid->heights, (std::vector<double>{0.1875, 0.25, 0.5, 0, 0.0625, 0.125}));
}

TEST(MjcfHeightField, FilesBeginAtLowY) {
  const TemporaryFolder folder;
  folder.file("ground.bin", height_file(2, 3, {1, 2, 3, 4, 5, 9}));
  const Scene scene = on_world("<hfield file='ground.bin' size='1 2 0.5 0.1'/>",
                               "<geom type='hfield' hfield='ground'/>", folder.path(""));
  EXPECT_EQ(only_shape(scene).surface->grid()->heights, (std::vector<double>{0, 0.0625, 0.125, 0.1875, 0.25, 0.5}));
}

TEST(MjcfHeightField, IsFlatWithoutElevation) {
  for (const char* elevation : {"", "elevation='3 3 3 3'"}) {
    const Scene scene = on_world("<hfield name='h' nrow='2' ncol='2' size='1 1 1 1' " + std::string(elevation) + "/>",
                                 "<geom type='hfield' hfield='h'/>");
    EXPECT_EQ(only_shape(scene).surface->grid()->heights, std::vector<double>(4, 0.0)) << elevation;
  }
}

TEST(MjcfHeightField, MissingFilesAreInTheReport) {
  const Scene scene = on_world("<hfield name='h' size='1 1 1 1' file='none.bin'/>", "<geom type='hfield' hfield='h'/>");
  EXPECT_TRUE(scene.model.description().shapes.empty());
  EXPECT_TRUE(is_ignored(scene, "asset/hfield (its file is not there)")) << to_text(scene.report);
  EXPECT_TRUE(is_ignored(scene, "geom (its height field is not read)")) << to_text(scene.report);
}

TEST(MjcfHeightField, Refusals) {
  EXPECT_TRUE(
      contains(hfield_refusal("size='1 1 1 1' file='hills.png'"), "'hills.png' is a picture, which is not read"));
  EXPECT_TRUE(
      contains(hfield_refusal("size='1 1 0 1' nrow='2' ncol='2'"), "m.xml:1: hfield 'h': has a size that is not"));
  EXPECT_TRUE(contains(hfield_refusal("size='1 1 1 1' nrow='1' ncol='2'"), "has 1 rows and 2 columns"));
  EXPECT_TRUE(contains(hfield_refusal("size='1 1 1 1' nrow='1e9' ncol='1e9'"), "points are the most"));
  EXPECT_TRUE(
      contains(hfield_refusal("size='1 1 1 1' nrow='2' ncol='2' elevation='1 2 3'"), "3 numbers as elevation; give 4"));
  EXPECT_TRUE(contains(hfield_refusal("size='1 1 1 1' nrow='2' ncol='2' file='a.bin'"), "both a file and nrow"));
  EXPECT_TRUE(
      contains(refusal("<hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/>", "<geom type='hfield' hfield='h'/>"),
               "is a height field on a body that moves"));
}

TEST(MjcfHeightField, BrokenFiles) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& data) {
    folder.file("h.bin", data);
    return hfield_refusal("size='1 1 1 1' file='h.bin'", folder.path(""));
  };
  EXPECT_TRUE(contains(message("abc"), "has no number of rows"));
  EXPECT_TRUE(contains(message(height_file(2, 2, {1, 2, 3})), "has 20 bytes, but 2 rows of 2 heights are 24"));
  EXPECT_TRUE(contains(message(height_file(-1, 2, {})), "has -1 rows"));
  EXPECT_TRUE(contains(message(height_file(2, 2, {1, 2, 3, std::numeric_limits<float>::infinity()})),
                       "height 3 is not finite"));
}

}  // namespace
}  // namespace delassus::io_test
