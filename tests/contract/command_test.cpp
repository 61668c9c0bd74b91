// The command as a user meets it: output, formats, exit codes, messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>
#include <vector>

#include "delassus/delassus/algorithm.hpp"
#include "delassus/io/scene_recipes.hpp"
#include "support/command.hpp"

namespace delassus {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::run_command;
using testing::TemporaryFolder;
using Json = nlohmann::json;

/// A point mass of 2 kg on a massless arm of 0.5 m, turning about y: everything has a formula.
constexpr const char* kPendulum = R"(<robot name="pendulum">
  <link name="base"/>
  <link name="bob">
    <inertial><origin xyz="0 0 -0.5"/><mass value="2"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>
  </link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="bob"/><axis xyz="0 1 0"/></joint>
</robot>)";

/// What the reference format says of it at angle a and speed w: M = m l², bias = m g l sin a (the joint's sense lifts
/// the bob for positive angles towards -x), point at the bob.
Json pendulum_reference(double a, double w, double tau) {
  const double m = 2, l = 0.5, g = 9.81, M = m * l * l, bias = m * g * l * std::sin(a);
  const double s = std::sin(a), c = std::cos(a);
  const Json J = {{-l * c}, {0.0}, {l * s}};
  return {{"name", "pendulum"},
          {"model", "pendulum.urdf"},
          {"nq", 1},
          {"nv", 1},
          {"mass", m},
          {"gravity", {0, 0, -g}},
          {"joints", {{{"name", "hinge"}, {"type", "hinge"}, {"body", "bob"}, {"q", 0}, {"v", 0}}}},
          {"bodies",
           {{{"name", "base"}, {"mass", 0}, {"com", {0, 0, 0}}, {"inertia", {0, 0, 0, 0, 0, 0}}},
            {{"name", "bob"}, {"mass", m}, {"com", {0, 0, -l}}, {"inertia", {0, 0, 0, 0, 0, 0}}}}},
          {"qpos0", {0}},
          {"points", {{{"body", "bob"}, {"local", {0, 0, -l}}}}},
          {"configs",
           {{{"qpos", {a}},
             {"qvel", {w}},
             {"tau", {tau}},
             {"M_upper", {M}},
             {"qfrc_bias", {bias}},
             {"qacc_tau", {(tau - bias) / M}},
             {"com", {-l * s, 0, -l * c}},
             {"xpos", {{0, 0, 0}, {0, 0, 0}}},
             {"xquat", {{1, 0, 0, 0}, {std::cos(a / 2), 0, std::sin(a / 2), 0}}},
             {"points_pos", {{-l * s, 0, -l * c}}},
             {"points_J", J},
             {"points_Jdotv", {l * s * w * w, 0, l * c * w * w}},
             {"points_Linv_upper", {l * c * l * c / M, 0, -l * s * l * c / M, 0, 0, l * s * l * s / M}}}}}};
}

class Check : public ::testing::Test {
 protected:
  void SetUp() override { folder.write("pendulum.urdf", kPendulum); }
  CommandResult check(const Json& reference, const std::string& flags = "") {
    return run_command("check " + folder.write("reference.json", reference.dump()) + " --models " + folder.path("") +
                       " " + flags);
  }
  TemporaryFolder folder;
};

TEST_F(Check, AcceptsWhatIsRight) {
  const CommandResult r = check(pendulum_reference(0.3, 1.2, 0.7));
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_THAT(r.output,
              AllOf(HasSubstr("ok    pendulum"), HasSubstr("points_Linv[dense]"), HasSubstr("1 of 1 files ok")));
}

TEST_F(Check, FindsEveryWrongQuantity) {
  for (const char* key : {"M_upper", "qfrc_bias", "qacc_tau", "com", "xpos", "xquat", "points_pos", "points_J",
                          "points_Jdotv", "points_Linv_upper"}) {
    Json reference = pendulum_reference(0.3, 1.2, 0.7);
    Json* value = &reference["configs"][0][key];
    while ((*value)[0].is_array()) value = &(*value)[0];
    (*value)[0] = (*value)[0].get<double>() + 1e-6;
    const CommandResult r = check(reference);
    EXPECT_EQ(r.exit_code, 1) << key;
    EXPECT_THAT(r.output, HasSubstr("FAIL  pendulum")) << key;
  }
}

TEST_F(Check, AsksEveryOperator) {
  const Json json = Json::parse(check(pendulum_reference(0.3, 1.2, 0.7), "--json --algorithm all").output);
  const Json& errors = json.at("files").at(0).at("errors").at("points_Linv");
  EXPECT_EQ(errors.size(), kAlgorithms.size());
  for (const Algorithm a : kAlgorithms) EXPECT_LT(errors.at(std::string(name_of(a))).get<double>(), 1e-14);
  const CommandResult near = check(pendulum_reference(0.3, 1.2, 0.7), "--algorithm lcabba");
  EXPECT_EQ(near.exit_code, 2);
  EXPECT_THAT(near.output, AllOf(HasSubstr("did you mean 'lcaba'?"), HasSubstr("all")));
}

TEST_F(Check, SpeaksJson) {
  const CommandResult r = check(pendulum_reference(-1, 0.5, 0), "--json --algorithm dense");
  const Json json = Json::parse(r.output);
  const Json& file = json.at("files").at(0);
  EXPECT_EQ(file.at("name"), "pendulum");
  EXPECT_EQ(file.at("ok"), true);
  EXPECT_LT(file.at("errors").at("M").get<double>(), 1e-14);
  EXPECT_LT(file.at("errors").at("points_Linv").at("dense").get<double>(), 1e-14);
}

TEST_F(Check, BadFilesFailWithTheirPlace) {
  Json reference = pendulum_reference(0.3, 1.2, 0.7);
  reference["configs"][0].erase("com");
  EXPECT_THAT(check(reference).output, AllOf(HasSubstr("FAIL"), HasSubstr("/configs/0: has no 'com'")));
  reference["joints"][0]["name"] = "hige";
  EXPECT_THAT(check(reference).output, HasSubstr("did you mean 'hinge'?"));
  reference["model"] = "absent.urdf";
  EXPECT_THAT(check(reference).output, HasSubstr("absent.urdf"));
  EXPECT_EQ(check(Json::array()).exit_code, 1);
  EXPECT_EQ(run_command("check " + folder.path("nowhere.json")).exit_code, 1);
  EXPECT_EQ(run_command("check").exit_code, 2);
}

TEST_F(Check, DoesNotWaitForPipes) {
  ASSERT_EQ(mkfifo(folder.path("pipe.json").c_str(), 0600), 0);
  for (const std::string& path : {folder.path("pipe.json"), folder.path("")}) {
    const CommandResult r = run_command("check " + path);
    EXPECT_EQ(r.exit_code, 1);
    EXPECT_THAT(r.output, HasSubstr("is not a regular file"));
  }
}

// One weld of a free body to the world, a third of a turn about (1, 1, 1) away from its goal: e = (1/2, 1/2, 1/2, 1/2)
// as w, x, y, z. With R2 = 1, the rows are half of e_w ω + ω × e_v, and ω is R times the velocity in the body.
TEST_F(Check, RowsOfWeldsAreThoseOfMujoco) {
  folder.write("cube.xml", R"(<mujoco><worldbody><body name="cube"><freejoint name="root"/>
    <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody>
    <equality><weld body1="cube" torquescale="2"/></equality></mujoco>)");
  const Json diagonal = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1};
  // ω = (w3, w1, w2) of the body's w; scale/2 (e_w + · × e_v) = [[½ ½ -½] [-½ ½ ½] [½ -½ ½]].
  const Json J = {{1, 0, 0, 0, 0, 0},        {0, 1, 0, 0, 0, 0},        {0, 0, 1, 0, 0, 0},
                  {0, 0, 0, 0.5, -0.5, 0.5}, {0, 0, 0, 0.5, 0.5, -0.5}, {0, 0, 0, -0.5, 0.5, 0.5}};
  const Json A = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0.75, -0.25, -0.25, 0.75, -0.25, 0.75};
  const Json zero = {0, 0, 0, 0, 0, 0};
  Json reference = {
      {"name", "cube"},
      {"model", "cube.xml"},
      {"mass", 1},
      {"gravity", {0, 0, 0}},
      {"joints", {{{"name", "root"}, {"type", "free"}, {"body", "cube"}, {"q", 0}, {"v", 0}}}},
      {"bodies", {{{"name", "cube"}, {"mass", 1}, {"com", {0, 0, 0}}, {"inertia", {1, 1, 1, 0, 0, 0}}}}},
      {"qpos0", {0, 0, 0, 1, 0, 0, 0}},
      {"points", Json::array()},
      {"equalities",
       {{{"type", "weld"}, {"obj1", "cube"}, {"obj2", "world"}, {"data", {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2}}}}},
      {"configs",
       {{{"qpos", {0, 0, 0, 0.5, 0.5, 0.5, 0.5}},
         {"qvel", zero},
         {"tau", zero},
         {"M_upper", diagonal},
         {"qfrc_bias", zero},
         {"qacc_tau", zero},
         {"com", {0, 0, 0}},
         {"xpos", {{0, 0, 0}}},
         {"xquat", {{0.5, 0.5, 0.5, 0.5}}},
         {"eq_J", J},
         {"eq_pos", {0, 0, 0, 0.5, 0.5, 0.5}},
         {"eq_A_upper", A}}}}};
  EXPECT_EQ(check(reference).exit_code, 0) << check(reference).output;
  // The other quaternion of the same rotation.
  for (int r = 3; r < 6; ++r) {
    reference["configs"][0]["eq_pos"][r] = -0.5;
    for (Json& x : reference["configs"][0]["eq_J"][r]) x = -x.get<double>();
  }
  EXPECT_EQ(check(reference).exit_code, 0) << check(reference).output;
  reference["configs"][0]["eq_pos"][3] = 0.5;
  EXPECT_EQ(check(reference).exit_code, 1);
}

TEST_F(Check, ReferenceFilesOfOtherEnginesAgree) {
  const std::filesystem::path robots = DELASSUS_TEST_ROBOTS_DIR;
  if (!std::filesystem::is_directory(robots / "oracle"))
    GTEST_SKIP() << "no reference files here (see CONTRIBUTING.md)";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(robots / "oracle")) {
    if (!entry.path().string().ends_with(".json")) continue;
    ++files;
    const CommandResult r = run_command("check " + entry.path().string() + " --models " + robots.string());
    EXPECT_EQ(r.exit_code, 0) << r.output;
  }
  EXPECT_GT(files, 0);
}

TEST(Info, ShowsAnEmbeddedRobot) {
  const CommandResult r = run_command("info g1");
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_THAT(r.output, AllOf(HasSubstr("nq 36, nv 35"), HasSubstr("revolute 'left_knee_joint'"), HasSubstr("33.34")));
}

TEST(Info, ShowsAnEmbeddedRobotWithLoops) {
  const CommandResult r = run_command("info cassie --strict");
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_THAT(r.output, AllOf(HasSubstr("nq 35, nv 32"), HasSubstr("4 loops, 4 constraints with 12 rows")));
}

TEST(Info, AnEmbeddedMjcfModelSaysItselfHowItIsHeld) {
  const CommandResult r = run_command("info panda --floating");
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.output, AllOf(HasSubstr("'panda' is an MJCF model"), HasSubstr("leave out --floating")));
}

TEST(Info, SaysWhereTheNamesAreWhenThereIsNoFile) {
  const CommandResult r = run_command("info g02-standing");
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.output, AllOf(HasSubstr("neither a file nor an embedded robot or scene"),
                              HasSubstr("did you mean 'go2-standing'?"), HasSubstr("`delassus list`")));
}

TEST(Info, CountsInWordsAndNumbersWhatHasNoName) {
  TemporaryFolder folder;
  const std::string scene = folder.write("scene.json", R"({"format": "delassus-scene", "version": 1,
    "model": {"name": "one", "bodies": [{"name": "ball", "parent": "world", "joints": [{"name": "x", "kind": "prismatic"}],
      "inertial": {"mass": 1}}]},
    "constraints": [{"type": "contact", "a": {"frame": "ball"}}, {"type": "friction", "joint": "x", "name": "rub"}]})");
  const CommandResult r = run_command("info " + scene);
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_THAT(r.output,
              AllOf(HasSubstr("one: 1 body on 1 link,"), HasSubstr("0 loops, 2 constraints with 4 rows, 0 shapes"),
                    HasSubstr("contact #0: 3 rows"), HasSubstr("friction 'rub': 1 row\n")));
}

TEST(Info, ControlCharactersDoNotReachTheTerminal) {
  TemporaryFolder folder;
  const std::string urdf = folder.write("evil.urdf",
                                        "<robot name=\"e\x1b[31mvil\"><link name=\"a\xc2\x9b"
                                        "2J\"/></robot>");
  for (const std::string& call :
       {"info " + urdf, "compute " + urdf, std::string("info \"$(printf 'no\\033[31mfile')\"")}) {
    const std::string output = run_command(call).output;
    EXPECT_THAT(output, AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\xc2\x9b")))) << call;
  }
}

/// The texts of a drawing.
std::vector<std::string> texts_of(const std::string& svg) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(svg.c_str())) << svg.substr(0, 400);
  EXPECT_STREQ(document.document_element().name(), "svg");
  std::vector<std::string> out;
  for (const pugi::xml_node text : document.document_element().children("text")) out.emplace_back(text.text().get());
  return out;
}

TEST(Info, DrawsTheTree) {
  TemporaryFolder folder;
  const std::string path = folder.path("cassie.svg");
  ASSERT_EQ(run_command("info cassie-standing --svg " + path).exit_code, 0);
  const std::string svg = testing::read_bytes(path);
  const std::vector<std::string> texts = texts_of(svg);
  const Scene scene = load_embedded_scene("cassie-standing");
  for (const BodyDescription& body : scene.model.description().bodies) EXPECT_THAT(texts, Contains(body.name));
  EXPECT_THAT(texts, AllOf(Contains("world"), Contains("spherical"), Contains("2 contacts"), Contains("1 loop"),
                           Contains("4 contacts, 4 loops")));
  EXPECT_THAT(svg, HasSubstr("class=\"constraint\""));
  ASSERT_EQ(run_command("info cassie-standing --svg " + path).exit_code, 0);
  EXPECT_EQ(testing::read_bytes(path), svg);
}

TEST(Info, DrawsNamesOfAnyContentAndNeverOverItsInput) {
  TemporaryFolder folder;
  const std::string urdf =
      folder.write("odd.urdf", "<robot name=\"r\"><link name=\"a &lt;b&gt; &amp; &quot;c&quot;\"/></robot>");
  ASSERT_EQ(run_command("info " + urdf + " --svg " + folder.path("odd.svg")).exit_code, 0);
  EXPECT_THAT(texts_of(testing::read_bytes(folder.path("odd.svg"))), Contains("a <b> & \"c\""));
  const CommandResult r = run_command("info " + urdf + " --svg " + urdf);
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.output, HasSubstr("names the model's own file"));
  EXPECT_EQ(run_command("info " + urdf + " --svg /nowhere/at/all.svg").exit_code, 2);
}

TEST(List, EveryNameWorks) {
  const Json list = Json::parse(run_command("list --json").output);
  const std::string text = run_command("list").output;
  for (const char* kind : {"robots", "scenes", "generated"}) {
    EXPECT_FALSE(list.at(kind).empty());
    for (const Json& entry : list.at(kind)) {
      const std::string name = entry.at("name");
      EXPECT_THAT(text, HasSubstr("  " + name + " "));
      EXPECT_FALSE(entry.at("description").get<std::string>().empty()) << name;
      const CommandResult info = run_command("info " + name);
      EXPECT_EQ(info.exit_code, 0) << info.output;
      EXPECT_THAT(info.output, HasSubstr("nv " + std::to_string(entry.at("nv").get<int>()) + ",")) << name;
      if (entry.at("rows") == 0) continue;
      const CommandResult compute = run_command("compute " + name + " --format json");
      EXPECT_EQ(Json::parse(compute.output).at("rows"), entry.at("rows")) << name;
    }
  }
}

TEST(MakeScene, WritesWhatComputeReads) {
  TemporaryFolder folder;
  ASSERT_EQ(run_command("scene stem:2x1 -o " + folder.path("stem.json")).exit_code, 0);
  EXPECT_EQ(run_command("compute " + folder.path("stem.json")).output, run_command("compute stem:2x1").output);
  EXPECT_THAT(run_command("scene go2-standing").output, HasSubstr("\"model\": {\"robot\": \"go2\"}"));
  EXPECT_EQ(run_command("scene").exit_code, 2);
  const CommandResult r = run_command("scene stemm");
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.output, HasSubstr("did you mean 'stem'?"));
}

TEST(Info, OnlyAUrdfIsToldHowItsBaseIsHeld) {
  TemporaryFolder folder;
  const std::string mjcf =
      folder.write("ball.xml", "<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>");
  for (const char* flag : {" --floating", " --fixed"}) {
    for (const std::string& model : {mjcf, std::string("cassie")}) {
      const CommandResult r = run_command("info " + model + flag);
      EXPECT_EQ(r.exit_code, 2);
      EXPECT_THAT(r.output, AllOf(HasSubstr("is an MJCF model"), HasSubstr("<freejoint/>")));
    }
  }
}

TEST(Info, StrictRejectsDoubtfulData) {
  TemporaryFolder folder;
  const std::string thin = folder.write("thin.urdf", R"(<robot name="thin"><link name="a"><inertial><mass value="1"/>
    <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="1"/></inertial></link></robot>)");
  const CommandResult lenient = run_command("info " + thin), strict = run_command("info --strict " + thin);
  EXPECT_EQ(lenient.exit_code, 0);
  EXPECT_THAT(lenient.output, HasSubstr("triangle inequality"));
  EXPECT_EQ(strict.exit_code, 2);
  EXPECT_THAT(strict.output, AllOf(HasSubstr("thin.urdf"), HasSubstr("triangle inequality")));
}

class Compute : public ::testing::Test {
 protected:
  void SetUp() override { model = folder.write("pendulum.urdf", kPendulum); }
  TemporaryFolder folder;
  std::string model;
};

TEST_F(Compute, WritesTextJsonAndNpy) {
  // At angle zero the bob moves along -x only: Λ⁻¹ = l²/(m l²) = 1/2 on the row along x.
  const std::string call = "compute " + model + " --contact bob:0,0,-0.5";
  std::istringstream text(run_command(call).output);
  std::vector<double> entries(std::istream_iterator<double>(text), {});
  ASSERT_EQ(entries.size(), 9u);
  EXPECT_DOUBLE_EQ(entries[4], 0.5);
  EXPECT_EQ(entries[0], 0);

  const Json json = Json::parse(run_command(call + " --format json").output);
  EXPECT_EQ(json.at("rows"), 3);
  EXPECT_DOUBLE_EQ(json.at("delassus").at(1).at(1).get<double>(), 0.5);
  EXPECT_EQ(json.at("constraints").at(0).at("rows"), 3);

  ASSERT_EQ(run_command(call + " -o " + folder.path("a.npy")).exit_code, 0);
  const std::string bytes = testing::read_bytes(folder.path("a.npy"));
  ASSERT_EQ(bytes.size(), 128 + 9 * sizeof(double));
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_THAT(bytes, HasSubstr("'shape': (3, 3)"));
  EXPECT_EQ(bytes[127], '\n');
  double entry = 0;
  std::memcpy(&entry, bytes.data() + 128 + 4 * sizeof(double), sizeof entry);
  EXPECT_DOUBLE_EQ(entry, 0.5);
}

TEST_F(Compute, SavedScenesStandAlone) {
  const std::string scene = folder.path("scene.json");
  const CommandResult first = run_command("compute " + model + " --contact bob:0,0,-0.5 --save-scene " + scene);
  std::filesystem::remove(model);
  const CommandResult again = run_command("compute " + scene);
  EXPECT_EQ(again.exit_code, 0) << again.output;
  EXPECT_EQ(again.output, first.output);
}

TEST_F(Compute, SaysWhatIsMissing) {
  const CommandResult none = run_command("compute " + model);
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.output, AllOf(HasSubstr("has no constraints"), HasSubstr("--contact FRAME")));
  EXPECT_THAT(run_command("compute " + model + " --contact bop").output, HasSubstr("did you mean 'bob'?"));
  EXPECT_THAT(run_command("compute " + model + " --contact bob:1,2").output, HasSubstr("three numbers are needed"));
  EXPECT_THAT(run_command("compute " + model + " --contact bob -o /nowhere/at/all.npy").output,
              HasSubstr("cannot write '/nowhere/at/all.npy'"));
  const CommandResult near = run_command("compute " + model + " --algorithm condensd");
  EXPECT_EQ(near.exit_code, 2);
  EXPECT_THAT(near.output, AllOf(HasSubstr("did you mean 'condensed'?"), HasSubstr("kkt"), HasSubstr("auto")));
}

TEST_F(Compute, EveryOperatorGivesTheSameMatrix) {
  const auto entries_of = [](const std::string& algorithm) {
    const Json json = Json::parse(run_command("compute cassie-standing --format json --algorithm " + algorithm).output);
    EXPECT_EQ(json.at("algorithm"), algorithm);
    return json.at("delassus").get<std::vector<std::vector<double>>>();
  };
  const auto want = entries_of("dense");
  double largest = 0;
  for (std::size_t r = 0; r < want.size(); ++r) largest = std::max(largest, want[r][r]);
  for (const char* algorithm : {"ltl", "kkt", "lcaba", "condensed"}) {
    const auto got = entries_of(algorithm);
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t r = 0; r < want.size(); ++r) {
      for (std::size_t c = 0; c < want.size(); ++c) EXPECT_NEAR(got[r][c], want[r][c], 1e-12 * largest) << algorithm;
    }
  }
}

TEST_F(Compute, ExplainsForTheWorkloadThatIsWanted) {
  const std::string call = "compute g1-standing --explain -o " + folder.path("a.npy");
  EXPECT_THAT(run_command(call).output, AllOf(HasSubstr("operations for the matrix with 24 rows"), HasSubstr("kkt")));
  EXPECT_THAT(run_command(call + " --products 100").output, HasSubstr("operations for 100 products with"));
  EXPECT_THAT(run_command(call + " --solves 30 --dampings 4").output,
              AllOf(HasSubstr("for 4 dampings and 30 solves with"), HasSubstr("re-damping"),
                    HasSubstr("links feel constraints"), HasSubstr("joint by joint")));
  EXPECT_EQ(run_command(call + " --products -1").exit_code, 2);
}

TEST_F(Compute, NeverWritesOverItsInputOrBothOutputsToOneFile) {
  const std::string scene = folder.path("scene.json");
  ASSERT_EQ(run_command("compute " + model + " --contact bob:0,0,-0.5 --save-scene " + scene).exit_code, 0);
  const std::string before = testing::read_bytes(scene);
  EXPECT_THAT(run_command("compute " + scene + " -o " + scene).output, HasSubstr("names the model's own file"));
  EXPECT_THAT(run_command("compute " + model + " --contact bob -o " + scene + " --save-scene " + scene).output,
              HasSubstr("name the same file"));
  EXPECT_EQ(run_command("compute " + model + " --contact nobody --save-scene " + scene).exit_code, 2);
  EXPECT_EQ(testing::read_bytes(scene), before);
}

TEST_F(Compute, DoubtsGoToStderrAndOverflowIsAnError) {
  const std::string doubtful =
      folder.write("doubtful.urdf", R"(<robot name="d"><link name="a"/><link name="b"><inertial>
    <mass value="1"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="1"/></inertial></link>
    <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axes xyz="0 1 0"/><axis xyz="0 0 1"/></joint></robot>)");
  const CommandResult r = run_command("compute " + doubtful + " --contact b:1,0,0");
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_THAT(r.output, AllOf(HasSubstr("warning:"), HasSubstr("triangle inequality"), HasSubstr("not read")));
  const CommandResult overflow = run_command("compute " + model + " --contact bob:1e200,0,1e200");
  EXPECT_EQ(overflow.exit_code, 2);
  EXPECT_THAT(overflow.output, HasSubstr("not a finite number"));
}

TEST_F(Compute, MasslessMechanismsAreToldByName) {
  const std::string ghost = folder.write("ghost.urdf", R"(<robot name="ghost"><link name="a"/><link name="b"/>
    <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>)");
  const CommandResult r = run_command("compute " + ghost + " --contact b:0,0,1");
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.output, AllOf(HasSubstr("model 'ghost'"), HasSubstr("singular")));
}

TEST(Usage, LostOutputIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  EXPECT_EQ(run_command("info go2 > /dev/full").exit_code, 2);
}

TEST(Usage, HelpAndMistakes) {
  EXPECT_EQ(run_command("--help").exit_code, 0);
  EXPECT_EQ(run_command("--version").exit_code, 0);
  const CommandResult r = run_command("comptue go2");
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.output, AllOf(HasSubstr("there is no command 'comptue' (did you mean 'compute'?)"),
                              HasSubstr("info, compute"), HasSubstr("`delassus --help`")));
  EXPECT_EQ(run_command("").exit_code, 2);
}

}  // namespace
}  // namespace delassus
