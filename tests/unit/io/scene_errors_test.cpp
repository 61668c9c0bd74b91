// Wrong scenes: every message names the file and the place.
#include <gtest/gtest.h>

#include <sstream>

#include <nlohmann/json.hpp>

#include "delassus/io/scene.hpp"
#include "unit/io/corpus.hpp"

namespace delassus {
namespace {

using io_test::contains;
using io_test::corpus;
using io_test::error_of;
using nlohmann::json;

/// One change of the good scene, and what is said about it.
struct Change {
  std::string pointer;
  std::string value;  // JSON; empty: the key is removed
  std::string message;
};

std::string changed(const Change& change) {
  static const json kGood = json::parse(io_test::read_file(corpus() / "scene" / "good" / "every_constraint.json"));
  json scene = kGood;
  const json::json_pointer pointer(change.pointer);
  if (change.value.empty()) {
    scene[pointer.parent_pointer()].erase(pointer.back());
  } else {
    scene[pointer] = json::parse(change.value);
  }
  return scene.dump();
}

TEST(SceneErrors, EveryChangeOfAGoodSceneIsNamed) {
  const std::string s = "s.json: ";
  const std::vector<Change> changes{
      // Top level.
      {"/extra", "1", s + "/: unknown key 'extra'; known keys: format, version, recipe, model, state, constraints"},
      {"/constrants", "[]", s + "/: unknown key 'constrants' (did you mean 'constraints'?)"},
      {"/format", "", s + "/: the key 'format' is missing; add it"},
      {"/format", "\"other\"", s + "/format: must be 'delassus-scene'; is it a scene?"},
      {"/version", "2", s + "/version: this version of the library reads version 1 only"},
      {"/version", "\"1\"", s + "/version: must be a number, and is the string '1'"},
      {"/model", "", s + "/: the key 'model' is missing"},
      {"/model", "[]", s + "/model: must be an object, and is an array"},
      {"/constraints", "{}", s + "/constraints: must be an array, and is an object"},
      // Model.
      {"/model/urdf", "\"a.urdf\"",
       s + "/model: unknown key 'bodies'; known keys: urdf, base, floating_joint_name, strict"},
      {"/model", R"({"urdf":3})", s + "/model/urdf: must be a string, and is 3"},
      {"/model", R"({"urdf":"no.urdf","base":"fluid"})",
       s + "/model/base: 'fluid' is unknown here; known words: fixed, floating"},
      {"/model", R"({"urdf":"no.urdf","strict":1})", s + "/model/strict: must be true or false, and is 1"},
      {"/model", R"({"urdf":"no.urdf"})", s + "/model/urdf: no.urdf: there is no such file"},
      {"/model/name", "null", s + "/model/name: must be a string, and is null"},
      {"/model/gravity", "[0,0]", s + "/model/gravity: must hold 3 numbers, and holds 2"},
      {"/model/gravity/1", "\"a\"", s + "/model/gravity/1: must be a number, and is the string 'a'"},
      {"/model/bodies/1/parent", "\"arn\"", s + "/model/bodies/1/parent: no body 'arn' stands before this place"},
      {"/model/bodies/0/parent", "\"arm\"", s + "/model/bodies/0/parent: no body 'arm' stands before this place"},
      {"/model/bodies/1/name", "\"base\"", s + "/model/bodies/1: another body has the name 'base'; rename one of them"},
      {"/model/frames/0/name", "\"world\"",
       s + "/model: model 'every constraint' cannot be built:\n  frame 'world' has the name of another one"},
      {"/model/bodies/1/joints/0/kind", "\"hinge\"",
       s + "/model/bodies/1/joints/0/kind: 'hinge' is unknown here; known words: revolute, prismatic"},
      {"/model/bodies/1/joints/0/axis", "[0,0,0]", "joint 'shoulder' has a zero axis"},
      {"/model/bodies/1/joints/0/dofs", "[{},{},{},{},{},{},{}]",
       s + "/model/bodies/1/joints/0/dofs: must hold no more than six objects"},
      {"/model/bodies/1/joints/0/dofs/0/upper", "\"infinite\"",
       s + "/model/bodies/1/joints/0/dofs/0/upper: must be a number, "},
      {"/model/bodies/1/joints/0/dofs/0/damping", "\"inf\"",
       s + "/model/bodies/1/joints/0/dofs/0/damping: must be a number"},
      {"/model/bodies/1/inertial/mass", "-1", "body 'arm' has a negative mass"},
      {"/model/bodies/1/inertial/inertia/zz", "", s + "/model/bodies/1/inertial/inertia: the key 'zz' is missing"},
      {"/model/bodies/1/placement", R"({"rotation":[1,0,0,0,1,0,0,0,1],"rpy":[0,0,0]})",
       s + "/model/bodies/1/placement: has both 'rotation' and 'rpy'"},
      {"/model/bodies/1/placement", R"({"rotation":[1,0,0,0,2,0,0,0,1]})",
       "body 'arm' has a placement whose matrix is not a rotation"},
      {"/model/frames/0/body", "\"hand\"", s + "/model/frames/0/body: no body 'hand' stands before this place"},
      {"/model/shapes/0/kind", "\"cube\"", s + "/model/shapes/0/kind: 'cube' is unknown here"},
      {"/model/shapes/0/size", "[1]", s + "/model/shapes/0/size: the size of a capsule has 2 numbers"},
      {"/model/shapes/0/size", "", s + "/model/shapes/0: the key 'size' is missing"},
      {"/model/shapes/0/size", "[0,0]", "has a size that is not positive"},
      // State.
      {"/state/q", "[0]", s + "/state/q: q has size 1, but model 'every constraint' needs 8"},
      {"/state/v", "[0]", s + "/state/v: v has size 1, but model 'every constraint' needs 7"},
      {"/state/q", "[0,0,0,0,0,0,0,0]", s + "/state/q: the quaternion of joint 'float' is zero"},
      {"/state/q", "[0,0,0,1e200,0,0,0,0]", s + "/state/q: the quaternion of joint 'float' is zero, or too large"},
      {"/state/q/2", "\"inf\"", s + "/state/q/2: must be a number, and is the string 'inf'"},
      {"/state/a", "[]", s + "/state: unknown key 'a'"},
      // Constraints.
      {"/constraints/0/type", "", s + "/constraints/0: the key 'type' is missing"},
      {"/constraints/0/type", "\"contacts\"",
       s + "/constraints/0/type: 'contacts' is unknown here (did you mean 'contact'?); known words: contact, "
           "loop, distance, limit, friction, coupling, centre_of_mass, custom"},
      {"/constraints/3/x", "1",
       s + "/constraints/3: unknown key 'x'; known keys: type, name, joint, dof, side, bound, set"},
      {"/constraints/0/a/frame", "\"fot\"",
       s + "/constraints/0/a/frame: the model has no frame 'fot' (did you mean 'foot'?)"},
      {"/constraints/0/a/rotation", "[1,0,0,0,1,0,0,0,-1]",
       s + "/constraints/0: contact constraint 'touch' has an attachment whose matrix is not a rotation"},
      {"/constraints/0/b", "\"here\"", s + "/constraints/0/b: the model has no frame 'here'"},
      {"/constraints/0/axes", "[1,1,1,1,1,1,1,1,1]",
       s + "/constraints/0: contact constraint 'touch' needs axes n, t1, t2"},
      {"/constraints/0/kind", "\"sticky\"",
       s + "/constraints/0/kind: 'sticky' is unknown here; known words: frictionless, sliding, torsional, "
           "rolling"},
      {"/constraints/0/set/kind", "\"cone\"", s + "/constraints/0/set/kind: 'cone' is unknown here"},
      {"/constraints/0/set/mu", "-0.5",
       s + "/constraints/0: contact constraint 'touch' has a coefficient of friction that is negative"},
      {"/constraints/0/set/mu_across", "-0.5",
       s + "/constraints/0: contact constraint 'touch' has a coefficient of friction that is negative"},
      {"/constraints/1/free_angular", "\"xx\"",
       s + "/constraints/1/free_angular: must be some of the letters xyz, each once"},
      {"/constraints/1/free_angular", "\"a\"", s + "/constraints/1/free_angular: must be some of the letters xyz"},
      {"/constraints/1/axes", "\"world\"", s + "/constraints/1: loop constraint 'hinge' has free axes"},
      {"/constraints/2/length", "0", s + "/constraints/2: distance constraint 'rope' needs a length above zero"},
      {"/constraints/3/joint", "\"sholder\"",
       s + "/constraints/3/joint: the model has no joint 'sholder' (did you mean 'shoulder'?)"},
      {"/constraints/3/joint", "\"float\"",
       s + "/constraints/3: limit constraint 'stop' acts on a coordinate of joint 'float'"},
      {"/constraints/3/dof", "1", s + "/constraints/3/dof: must be a whole number from 0 to 0, and is 1"},
      {"/constraints/3/dof", "0.5", s + "/constraints/3/dof: must be a whole number from 0 to 0, and is 0.5"},
      {"/constraints/3/side", "\"left\"", s + "/constraints/3/side: 'left' is unknown here; known words: lower, upper"},
      {"/constraints/4/joint", "7", s + "/constraints/4/joint: must be a string, and is 7"},
      {"/constraints/5/terms", "[]", s + "/constraints/5: coupling constraint 'gear' couples no joints"},
      {"/constraints/5/terms/0/weight", "", s + "/constraints/5/terms/0: the key 'weight' is missing"},
      {"/constraints/6/target", "[1,2]", s + "/constraints/6/target: must hold 3 numbers"},
      {"/constraints/7/rows", "0", s + "/constraints/7/rows: must be a whole number from 1 to"},
      {"/constraints/7/rows", "1e10", s + "/constraints/7/rows: must be a whole number from 1 to"},
      {"/constraints/7/bodies/0/K", "[1]",
       s + "/constraints/7: custom constraint 'own' needs six entries of K for each row"},
      {"/constraints/7/dofs/0/weights", "[]",
       s + "/constraints/7: custom constraint 'own' needs one weight for each row"},
  };
  for (const Change& change : changes) {
    SCOPED_TRACE(change.pointer + " = " + change.value);
    const std::string text = changed(change);
    EXPECT_TRUE(contains(error_of([&] { parse_scene(text, "s.json", ""); }), change.message));
  }
}

TEST(SceneErrors, GoodSceneIsGood) {
  const Scene scene = load_scene((corpus() / "scene" / "good" / "every_constraint.json").string());
  EXPECT_EQ(scene.constraints.size(), 8U);
  for (std::size_t i = 0; i < scene.constraints.size(); ++i) EXPECT_EQ(scene.constraints[i].index(), i);
}

TEST(SceneErrors, CorpusOfBadFiles) {
  const auto files = io_test::files_with(corpus() / "scene" / "bad", ".json");
  ASSERT_GT(files.size(), 8U);
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename().string());
    auto beside = path;
    const std::string expected = io_test::read_file(beside.replace_extension(".expect"));
    ASSERT_FALSE(expected.empty());
    const std::string message = error_of([&] { load_scene(path.string()); });
    std::istringstream lines(expected);
    for (std::string line; std::getline(lines, line);) EXPECT_TRUE(contains(message, line));
  }
}

TEST(SceneErrors, Bombs) {
  const std::string open(200'000, '[');
  EXPECT_EQ(error_of([&] { parse_scene(open, "s.json", ""); }), "s.json: is nested more than 64 deep; is it a scene?");
  std::string objects;
  for (int i = 0; i < 200'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(error_of([&] { parse_scene(objects, "s.json", ""); }),
            "s.json: is nested more than 64 deep; is it a scene?");
  std::string many = "[";
  for (int i = 0; i < 4'000'000; ++i) many += "0,";
  EXPECT_EQ(error_of([&] { parse_scene(many + "0]", "s.json", ""); }),
            "s.json: holds more than 4000000 values; is it a scene?");
  EXPECT_EQ(error_of([&] { parse_scene(std::string(65U << 20U, ' '), "s.json", ""); }),
            "s.json: is 65 MiB large, and the limit is 64 MiB; is it a robot description?");
  EXPECT_EQ(error_of([&] { parse_scene("", "s.json", ""); }), "s.json: is empty");
  EXPECT_LT(error_of([&] { parse_scene("\"" + std::string(1'000'000, 'x'), "s.json", ""); }).size(), 400U);
}

}  // namespace
}  // namespace delassus
