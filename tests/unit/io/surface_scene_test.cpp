// Surfaces in scene files, and meshes of robot descriptions.
#include <gtest/gtest.h>

#include "delassus/io/scene.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/model/surface.hpp"
#include "support/surfaces.hpp"
#include "unit/io/urdf_text.hpp"

namespace delassus::testing {
namespace {

using io_test::contains;
using io_test::error_of;
using io_test::TemporaryFolder;

/// A tetrahedron with sides of one along the axes, and a square of two triangles.
const std::string kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const std::string kSticker = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";

Scene scene_with(ShapeKind kind, SurfacePointer surface) {
  ModelBuilder builder("surfaces");
  ShapeDescription shape;
  shape.name = "shape";
  shape.body = builder.add_body("body", kWorld, delassus::joint(JointKind::kFree, "free"), sphere_inertial(1, 1));
  shape.kind = kind;
  shape.surface = std::move(surface);
  builder.add_shape(shape);
  return Scene{builder.make_model()};
}

std::string scene_text(const std::string& kind, const std::string& surface) {
  return R"({"format": "delassus-scene", "version": 1, "model": {"name": "m", "bodies": [], "shapes": [)"
         R"({"name": "s", "body": "world", "kind": ")" +
         kind + R"(", "surface": )" + surface + "}]}}";
}

const Surface& first_surface(const Scene& scene) { return *scene.model.description().shapes.at(0).surface; }

TEST(SurfaceScene, WriteAndReadIsExact) {
  const SurfacePointer ball = ball_surface(0.1, 5),
                       field = height_field(0.7, 4, [](double x, double y) { return x / 3 + y * y; });
  const std::pair<ShapeKind, SurfacePointer> cases[] = {
      {ShapeKind::kMesh, ball}, {ShapeKind::kHull, make_hull(ball->vertices())}, {ShapeKind::kHeightField, field}};
  for (const auto& [kind, surface] : cases) {
    const Scene scene = scene_with(kind, surface);
    const Scene again = parse_scene(write_scene(scene), "again.json", "");
    EXPECT_EQ(again.model.description(), scene.model.description()) << name_of(kind);
    EXPECT_EQ(first_surface(again), *surface) << name_of(kind);
    EXPECT_EQ(write_scene(again), write_scene(scene)) << name_of(kind);
  }
}

TEST(SurfaceScene, FilesAreBesideTheScene) {
  const TemporaryFolder folder;
  folder.file("part.obj", kTetrahedron);
  const std::string file = folder.file("scene.json", scene_text("hull", R"({"file": "part.obj", "scale": [1, 2, 3]})"));
  const Scene scene = load_scene(file);
  EXPECT_EQ(first_surface(scene).high(), (Vec3<double>{{1, 2, 3}}));
  // What is written has the triangles, so that it needs no other file.
  EXPECT_EQ(parse_scene(write_scene(scene), "elsewhere.json", "").model.description(), scene.model.description());
  const std::string missing = folder.file("missing.json", scene_text("hull", R"({"file": "part.stl"})"));
  EXPECT_TRUE(contains(error_of([&] { load_scene(missing); }), folder.path("part.stl") + ": there is no such file"));
}

TEST(SurfaceScene, ErrorsNameThePlace) {
  const auto message = [](const std::string& kind, const std::string& surface) {
    return error_of([&] { parse_scene(scene_text(kind, surface), "a.json", ""); });
  };
  const std::string three = R"({"vertices": [0, 0, 0, 1, 0, 0, 0, 1, 0], "triangles": )";
  EXPECT_TRUE(contains(message("mesh", three + "[0, 1, 3]}"), "triangle 0 names no vertex; give numbers from 0 to 2"));
  EXPECT_TRUE(contains(message("mesh", three + "[0, 1]}"), "has 2 numbers; give three for each triangle"));
  EXPECT_TRUE(contains(message("mesh", three + "[]}"), "a surface needs at least one triangle"));
  EXPECT_TRUE(contains(message("mesh", three + "[0, 1, 2e30]}"), "names no vertex"));
  EXPECT_TRUE(contains(message("heightfield", R"({"rows": 2, "columns": 2, "half": [1, 1], "heights": [0, 0, 0]})"),
                       "3 heights for 2 rows of 2; give 4"));
  for (const std::string& text : {message("mesh", three + "[0, 1, 3]}"), message("mesh", three + "[]}")})
    EXPECT_TRUE(contains(text, "surface"));
}

/// A link with two meshes, one of which has no volume.
TEST(SurfaceScene, FlatMeshOfALinkIsLeftOut) {
  const TemporaryFolder folder;
  folder.file("solid.obj", kTetrahedron);
  folder.file("sticker.obj", kSticker);
  const auto collision = [](const std::string& file) {
    return "<collision><geometry>\n<mesh filename='" + file + "'/></geometry></collision>";
  };
  const std::string urdf = folder.file(
      "robot.urdf",
      io_test::robot("<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>" +
                     collision("sticker.obj") + collision("solid.obj") + "</link>"));
  const Scene scene = load_urdf(urdf, io_test::floating());
  ASSERT_EQ(scene.model.description().shapes.size(), 1U);
  EXPECT_EQ(scene.model.description().shapes[0].kind, ShapeKind::kHull);
  EXPECT_EQ(first_surface(scene).vertices().size(), 4U);
  ASSERT_EQ(scene.report.warnings.size(), 1U);
  EXPECT_EQ(scene.report.warnings[0].line, 3);
  EXPECT_TRUE(contains(scene.report.warnings[0].message, "<mesh> is left out: "));
  EXPECT_TRUE(contains(scene.report.warnings[0].message, "sticker.obj: 4 points that lie in one plane"));
}

}  // namespace
}  // namespace delassus::testing
