// The command as a user meets it: output, formats, exit codes, messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>
#include <vector>

#include "delassus/io/load.hpp"
#include "support/command.hpp"
#include "support/pendulum.hpp"

namespace delassus {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::kPendulum;
using ::testing::Not;
using testing::run_command;
using testing::run_shell;
using testing::TemporaryFolder;
using Json = nlohmann::json;

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
  EXPECT_THAT(r.output, AllOf(HasSubstr("neither a file nor a robot or scene that is known by name"),
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
  ASSERT_EQ(run_command("info cassie-standing --plot " + path).exit_code, 0);
  const std::string svg = testing::read_bytes(path);
  const std::vector<std::string> texts = texts_of(svg);
  const Scene scene = load_embedded_scene("cassie-standing");
  for (const BodyDescription& body : scene.model.description().bodies) EXPECT_THAT(texts, Contains(body.name));
  EXPECT_THAT(texts, AllOf(Contains("world"), Contains("spherical"), Contains("2 contacts"), Contains("1 loop"),
                           Contains("4 contacts, 4 loops")));
  EXPECT_THAT(svg, HasSubstr("class=\"constraint\""));
  ASSERT_EQ(run_command("info cassie-standing --plot " + path).exit_code, 0);
  EXPECT_EQ(testing::read_bytes(path), svg);
}

TEST(Info, DrawsNamesOfAnyContentAndNeverOverItsInput) {
  TemporaryFolder folder;
  const std::string urdf =
      folder.write("odd.urdf", R"(<robot name="r"><link name="a &lt;b&gt; &amp; &quot;c&quot;"/></robot>)");
  ASSERT_EQ(run_command("info " + urdf + " --plot " + folder.path("odd.svg")).exit_code, 0);
  EXPECT_THAT(texts_of(testing::read_bytes(folder.path("odd.svg"))), Contains("a <b> & \"c\""));
  const std::string before = testing::read_bytes(urdf);
  const CommandResult r = run_command("info " + urdf + " --plot " + urdf);
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.output, HasSubstr("has to end in .svg"));
  EXPECT_EQ(testing::read_bytes(urdf), before);
  EXPECT_EQ(run_command("info " + urdf + " --plot /nowhere/at/all.svg").exit_code, 2);
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
      const CommandResult compute = run_command("compute " + name + " --json");
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

struct Compute : ::testing::Test {
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

  const Json json = Json::parse(run_command(call + " --json").output);
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
              HasSubstr("--output: cannot write '/nowhere/at/all.npy': there is no folder '/nowhere/at'"));
  const CommandResult near = run_command("compute " + model + " --algorithm condensd");
  EXPECT_EQ(near.exit_code, 2);
  EXPECT_THAT(near.output, AllOf(HasSubstr("did you mean 'condensed'?"), HasSubstr("kkt"), HasSubstr("auto")));
}

TEST_F(Compute, EveryOperatorGivesTheSameMatrix) {
  const auto entries_of = [](const std::string& algorithm) {
    const Json json = Json::parse(run_command("compute cassie-standing --json --algorithm " + algorithm).output);
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

/// Code from the cache, or made now; without a compiler the library's numbers, and a reason on stderr.
TEST_F(Compute, CompilesCode) {
  const auto matrix = [](const std::string& before, const std::string& algorithm) {
    const CommandResult r = run_shell(before + " delassus compute go2-standing --json --algorithm " + algorithm);
    EXPECT_EQ(r.exit_code, 0);
    return Json::parse(r.output);
  };
  const std::string cache = "DELASSUS_CACHE=" + folder.path("cache");
  const auto want = matrix("", "dense").at("delassus").get<std::vector<std::vector<double>>>();
  const auto expect_near = [&](const Json& got) {
    const auto entries = got.at("delassus").get<std::vector<std::vector<double>>>();
    ASSERT_EQ(entries.size(), want.size());
    for (std::size_t r = 0; r < want.size(); ++r) {
      for (std::size_t c = 0; c < want.size(); ++c) EXPECT_NEAR(entries[r][c], want[r][c], 1e-12 * want[0][0]);
    }
  };
  if (testing::has_program("cc")) {
    for (int k = 0; k < 2; ++k) {
      const Json made = matrix(cache, "generated");
      EXPECT_EQ(made.at("algorithm"), "generated");
      expect_near(made);
    }
    EXPECT_FALSE(std::filesystem::is_empty(folder.path("cache")));
  }
  const CommandResult none =
      run_shell(cache + " CC=/nowhere/cc delassus compute go2-standing --algorithm generated 2>&1");
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_THAT(none.output,
              HasSubstr("no generated code: there is no compiler '/nowhere/cc', which the variable CC names"));
  const Json fallen = matrix("2>/dev/null " + cache + " CC=/nowhere/cc", "generated");
  EXPECT_EQ(fallen.at("algorithm"), "limbs");
  expect_near(fallen);
}

TEST_F(Compute, ExplainsForTheWorkloadThatIsWanted) {
  const std::string call = "compute g1-standing --explain -o " + folder.path("a.npy");
  EXPECT_THAT(run_command(call).output, AllOf(HasSubstr(" us for the matrix with 24 rows"), HasSubstr("kkt")));
  EXPECT_THAT(run_command(call + " --products 100").output, HasSubstr(" us for 100 products with"));
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

}  // namespace
}  // namespace delassus
