// The scene format: what is written is read back to the bit, and what is wrong is named by its place.
#include "delassus/io/scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "delassus/io/load.hpp"
#include "delassus/model/builder.hpp"
#include "unit/io/corpus.hpp"
#include "unit/io/random_scene.hpp"

namespace delassus {
namespace {

using io_test::contains;
using io_test::corpus;
using io_test::error_of;
using io_test::random_scene;
using io_test::TemporaryFolder;

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(Scene, WriteAndReadIsExact) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const Scene scene = random_scene(seed);
    const std::string text = write_scene(scene);
    const Scene again = parse_scene(text, "again.json", "");
    EXPECT_EQ(again.model.description(), scene.model.description());
    EXPECT_TRUE(same_bits(again.q, scene.q));
    EXPECT_TRUE(same_bits(again.v, scene.v));
    EXPECT_TRUE(same_bits(again.tau, scene.tau));
    ASSERT_EQ(again.constraints.size(), scene.constraints.size());
    for (std::size_t i = 0; i < scene.constraints.size(); ++i) {
      EXPECT_EQ(again.constraints[i], scene.constraints[i]) << kind_of(scene.constraints[i]) << " " << i;
    }
    EXPECT_EQ(write_scene(again), text);
    // A zero of the other sign than its default, which == does not tell apart.
    EXPECT_TRUE(std::signbit(again.model.dofs()[0].armature));
    EXPECT_TRUE(std::signbit(set_of(again.constraints[0]).mu_torsion));
    EXPECT_TRUE(std::signbit(set_of(again.constraints[0]).mu_across));
  }
}

TEST(Scene, UnusedFieldsAreKept) {
  // They have no meaning, but a description is written and read back exactly.
  ModelDescription description;
  description.name = "odd";
  JointDescription turn = revolute("turn", {{0, 0, 1}});
  turn.axis2 = {{1, 2, 3}};
  turn.pitch = 4;
  turn.dofs[5].damping = 5;
  description.bodies.push_back({"body", kWorld, {turn}, Pose<double>::identity(), {}});
  description.shapes.push_back({"ball", 0, ShapeKind::kSphere, {{1, 0, 7}}, Pose<double>::identity()});
  const Scene scene{Model(description)};
  EXPECT_EQ(parse_scene(write_scene(scene), "a.json", "").model.description(), description);
}

TEST(Scene, LayoutIsForPeople) {
  ModelBuilder builder("one");
  builder.add_body("b", kWorld, revolute("j", {{0, 0, 1}}), sphere_inertial(2, 1));
  const std::string expected = R"({
  "format": "delassus-scene",
  "version": 1,
  "model": {
    "name": "one",
    "gravity": [0.0, 0.0, -9.81],
    "bodies": [
      {
        "name": "b",
        "parent": "world",
        "joints": [{"name": "j", "kind": "revolute"}],
        "inertial": {"mass": 2.0, "inertia": {"xx": 0.8, "yy": 0.8, "zz": 0.8}}
      }
    ]
  },
  "state": {"q": [0.0], "v": [0.0], "tau": [0.0]},
  "constraints": []
}
)";
  EXPECT_EQ(write_scene(Scene(builder.make_model())), expected);
}

TEST(Scene, SaveAndLoad) {
  const TemporaryFolder folder;
  const Scene scene = random_scene(7);
  save_scene(scene, folder.path("scene.json"));
  const Scene again = load_scene(folder.path("scene.json"));
  EXPECT_EQ(write_scene(again), write_scene(scene));
  EXPECT_EQ(again.report.file, folder.path("scene.json"));
  EXPECT_TRUE(
      contains(error_of([&] { save_scene(scene, folder.path("no/folder.json")); }), "check that the folder exists"));
}

/// A tetrahedron.
constexpr const char* kStone = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n";

TEST(Scene, NeverTakesThePlaceOfWhatItWasReadFrom) {
  const TemporaryFolder folder;
  const std::string stone = folder.file("stone.obj", kStone);
  const std::string parts = folder.file("parts.xml", R"(<mujoco><asset><mesh file="stone.obj"/></asset></mujoco>)");
  const std::string model = folder.file("model.xml", R"(<mujoco><include file="parts.xml"/><worldbody>
    <body><freejoint/><geom type="mesh" mesh="stone"/></body></worldbody></mujoco>)");
  const Scene scene = load_mjcf(model);
  EXPECT_EQ(scene.report.files, (std::vector<std::string>{model, parts, stone}));
  std::filesystem::create_symlink(stone, folder.path("link"));
  std::filesystem::create_hard_link(parts, folder.path("hard"));
  for (const std::string& file : {model, parts, stone, folder.path("link"), folder.path("hard")}) {
    EXPECT_TRUE(contains(error_of([&] { save_scene(scene, file); }), "the scene was read from it; choose another name"))
        << file;
  }
  // A scene is read back and written anew, as a document is.
  const std::string saved = folder.path("scene.json");
  save_scene(scene, saved);
  save_scene(load_scene(saved), saved);
}

TEST(Scene, KnowsTheFilesThatItRefersTo) {
  const TemporaryFolder folder;
  const std::string stone = folder.file("stone.obj", kStone);
  const std::string urdf = folder.file("stone.urdf", R"(<robot name="stone"><link name="stone"><collision><geometry>
    <mesh filename="stone.obj"/></geometry></collision></link></robot>)");
  const std::string scene =
      folder.file("scene.json", R"({"format": "delassus-scene", "version": 1, "model": {"urdf": "stone.urdf"}})");
  EXPECT_EQ(load(scene).report.files, (std::vector<std::string>{scene, urdf, stone}));
  EXPECT_TRUE(contains(error_of([&] { save_scene(load(scene), urdf); }), "the scene was read from it"));
}

TEST(Scene, DefaultsAreNeutral) {
  const Scene scene = parse_scene(R"({"format":"delassus-scene","version":1,"model":{"name":"m","bodies":[
    {"name":"b","parent":"world","joints":[{"name":"j","kind":"free"}],"inertial":{"mass":1}}]}})",
                                  "s.json", "");
  EXPECT_EQ(scene.q, (std::vector<double>{0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(scene.v, std::vector<double>(6, 0.0));
  EXPECT_EQ(scene.tau, std::vector<double>(6, 0.0));
  EXPECT_EQ(scene.model.gravity()[2], -9.81);
  EXPECT_TRUE(scene.constraints.empty());
}

TEST(Scene, ReadsRpy) {
  const Scene scene = parse_scene(R"({"format":"delassus-scene","version":1,"model":{"name":"m","bodies":[
    {"name":"b","parent":"world","placement":{"position":[1,2,3],"rpy":[0.1,0.2,0.3]}}]}})",
                                  "s.json", "");
  EXPECT_EQ(scene.model.description().bodies[0].placement.R, rotation_from_rpy({{0.1, 0.2, 0.3}}));
  EXPECT_EQ(scene.model.description().bodies[0].placement.p, (Vec3<double>{{1, 2, 3}}));
}

TEST(Scene, ModelByReference) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(corpus() / "urdf" / "good" / "gears.urdf", folder.path("gears.urdf"));
  const std::string path = folder.file("scene.json", R"({"format":"delassus-scene","version":1,
    "model":{"urdf":"gears.urdf"},"state":{"q":[1,2,3,4]},
    "constraints":[{"type":"contact","name":"mine","a":{"frame":"finger"}}]})");
  const Scene scene = load_scene(path);
  const Scene urdf = load_urdf(folder.path("gears.urdf"));
  EXPECT_EQ(scene.model.description(), urdf.model.description());
  ASSERT_EQ(scene.constraints.size(), urdf.constraints.size() + 1);
  EXPECT_TRUE(std::equal(urdf.constraints.begin(), urdf.constraints.end(), scene.constraints.begin()));
  EXPECT_EQ(name_of(scene.constraints.back()), "mine");

  // Written, it stands alone.
  std::filesystem::remove(folder.path("gears.urdf"));
  const Scene alone = parse_scene(write_scene(scene), "alone.json", "");
  EXPECT_EQ(alone.model.description(), scene.model.description());
  EXPECT_EQ(alone.constraints, scene.constraints);
  EXPECT_EQ(alone.q, (std::vector<double>{1, 2, 3, 4}));

  EXPECT_EQ(error_of([&] { load_scene(path); }),
            path + ": /model/urdf: " + folder.path("gears.urdf") + ": there is no such file");
}

TEST(Scene, ReferenceOptions) {
  const TemporaryFolder folder;
  folder.file("a.urdf", "<robot name='r'><link name='a'/></robot>");
  const auto scene = [&](const std::string& options) {
    return load_scene(
        folder.file("s.json", R"({"format":"delassus-scene","version":1,"model":{"urdf":"a.urdf")" + options + "}}"));
  };
  EXPECT_EQ(scene("").model.nv(), 0);
  EXPECT_EQ(scene(R"(,"base":"floating")").model.joint_name(0), "__root__");
  EXPECT_EQ(scene(R"(,"base":"floating","floating_joint_name":"f")").model.joint_name(0), "f");
  EXPECT_FALSE(scene(R"(,"base":"floating")").report.warnings.empty());  // no mass
  EXPECT_TRUE(contains(error_of([&] { scene(R"(,"base":"floating","strict":true)"); }),
                       "1 warning, which strict reading refuses"));
}

TEST(Scene, ExamplesOfTheDocumentation) {
  const std::string document =
      io_test::read_file(std::filesystem::path(DELASSUS_SOURCE_DIR) / "docs" / "scene-format.md");
  std::vector<std::string> blocks;
  const std::string start = "```json\n", end = "```\n";
  for (std::size_t at = document.find(start); at != std::string::npos; at = document.find(start, at + 1)) {
    const std::size_t first = at + start.size();
    blocks.push_back(document.substr(first, document.find(end, first) - first));
  }
  ASSERT_EQ(blocks.size(), 2U);
  const Scene scene = parse_scene(blocks[0], "example.json", "");
  EXPECT_EQ(scene.q, (std::vector<double>{0.1}));
  EXPECT_EQ(scene.constraints.size(), 3U);
  EXPECT_EQ(set_of(scene.constraints[0]).mu, 0.8);
  EXPECT_TRUE(scene.report.warnings.empty());

  const TemporaryFolder folder;
  folder.file("pendulum.urdf", "<robot name='p'><link name='rod'/></robot>");
  EXPECT_EQ(load_scene(folder.file("scene.json", blocks[1])).constraints.size(), 1U);
}

TEST(Scene, WritingRefusesWhatCannotBeReadBack) {
  const auto message = [](auto change) {
    Scene scene = random_scene(1);
    change(scene);
    return error_of([&] { write_scene(scene); });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(message([](Scene& s) { s.q.pop_back(); }), "q has size"));
  EXPECT_TRUE(contains(message([&](Scene& s) { s.v[0] = nan; }), "v has an entry that is not finite"));
  EXPECT_TRUE(contains(message([](Scene& s) { std::fill(s.q.begin(), s.q.end(), 0.0); }),
                       "quaternion of joint 'spherical' is zero"));
  EXPECT_TRUE(contains(message([](Scene& s) { std::get<PointContact>(s.constraints[0]).a.offset.R[0] = 2; }),
                       "not a rotation"));
  EXPECT_TRUE(contains(message([](Scene& s) { std::get<PointContact>(s.constraints[0]).a.frame = 99; }),
                       "frame that does not exist"));
  EXPECT_TRUE(contains(message([](Scene& s) { std::get<PointContact>(s.constraints[0]).set.mu = -1; }),
                       "coefficient of friction"));
  EXPECT_TRUE(contains(message([](Scene& s) { std::get<PointContact>(s.constraints[0]).name = "\xFF"; }), "not UTF-8"));
}

TEST(Scene, WarningsOfAnEmbeddedModel) {
  const Scene scene = parse_scene(R"({"format":"delassus-scene","version":1,"model":{"name":"m","bodies":[
    {"name":"b","parent":"world","inertial":{"mass":1,"inertia":{"xx":1,"yy":1,"zz":9}}}]}})",
                                  "s.json", "");
  ASSERT_EQ(scene.report.warnings.size(), 1U);
  EXPECT_EQ(scene.report.warnings[0].element, "body 'b'");
  EXPECT_TRUE(contains(to_text(scene.report), "s.json: warning: body 'b': has moments"));
}

}  // namespace
}  // namespace delassus
