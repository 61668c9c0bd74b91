// --json of every command: what stands on stdout, in a file, and in docs/command.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/command.hpp"
#include "support/pendulum.hpp"

namespace delassus {
namespace {

using testing::CommandResult;
using ::testing::HasSubstr;
using testing::run_shell;
using testing::TemporaryFolder;
using Json = nlohmann::json;

/// What a line prints on stdout, which has to be one line of JSON and nothing else.
Json json_of(const std::string& arguments) {
  const CommandResult r = run_shell("delassus " + arguments + " --json 2>/dev/null");
  EXPECT_EQ(r.exit_code, 0) << arguments;
  EXPECT_EQ(r.output.find('\n'), r.output.size() - 1) << arguments;
  return Json::parse(r.output, nullptr, false);
}

/// Every field of the object stands in the document as code.
void expect_documented(const Json& object, const std::string& what) {
  static const std::string kDocument = testing::read_bytes(DELASSUS_SOURCE_DIR "/docs/command.md");
  ASSERT_TRUE(object.is_object()) << what;
  EXPECT_FALSE(object.empty()) << what;
  for (const auto& [key, value] : object.items()) {
    EXPECT_THAT(kDocument, HasSubstr("`" + key + "`")) << what << " has a field that docs/command.md does not";
  }
}

TEST(JsonOutput, Version) {
  const Json version = json_of("--version");
  expect_documented(version, "--version");
  EXPECT_GE(version.at("cores"), 1);
  for (const char* key : {"version", "commit", "compiler", "build_type", "flags", "vectors", "isa", "cpu", "os"}) {
    EXPECT_FALSE(version.at(key).get<std::string>().empty()) << key;
  }
  EXPECT_EQ(testing::run_command("--version").output.rfind("delassus " + version.at("version").get<std::string>(), 0),
            0U);
}

TEST(JsonOutput, List) {
  const Json list = json_of("list");
  expect_documented(list, "list");
  expect_documented(list.at("robots")[0], "a robot");
  expect_documented(list.at("generated")[0], "a generated scene");
}

TEST(JsonOutput, Info) {
  const Json info = json_of("info cassie-standing");
  expect_documented(info, "info");
  expect_documented(info.at("report"), "its report");
  expect_documented(info.at("constraints")[0], "a constraint");
  expect_documented(info.at("bodies")[0], "a body");
  EXPECT_EQ(info.at("recipe"), "delassus scene cassie-standing");
  int nv = 0, rows = 0;
  double mass = 0;
  for (const Json& body : info.at("bodies")) {
    mass += body.at("mass").get<double>();
    for (const Json& joint : body.at("joints")) {
      expect_documented(joint, "a joint");
      nv += joint.at("nv").get<int>();
      EXPECT_EQ(joint.at("lower").size(), joint.at("nv"));
    }
  }
  for (const Json& constraint : info.at("constraints")) {
    EXPECT_EQ(constraint.at("first_row"), rows);
    rows += constraint.at("rows").get<int>();
  }
  EXPECT_EQ(info.at("nv"), nv);
  EXPECT_EQ(info.at("rows"), rows);
  EXPECT_NEAR(info.at("mass"), mass, 1e-12 * mass);  // the same sum in another order
}

TEST(JsonOutput, InfoHasWhatTheFileHadThatWasNotRead) {
  const TemporaryFolder folder;
  const std::string urdf = folder.write("odd.urdf", R"(<robot name="odd"><link name="a" colour="red"/></robot>)");
  const Json ignored = json_of("info " + urdf).at("report").at("ignored");
  ASSERT_EQ(ignored.size(), 1U);
  expect_documented(ignored[0], "what was ignored");
  EXPECT_EQ(ignored[0].at("what"), "link@colour");
}

TEST(JsonOutput, ComputeTakesContactsAsInfoDoes) {
  const Json compute = json_of("compute go2 --contact FL_foot"), info = json_of("info go2 --contact FL_foot");
  expect_documented(compute, "compute");
  EXPECT_EQ(compute.at("constraints"), info.at("constraints"));
  EXPECT_EQ(compute.at("delassus").size(), 3U);
}

TEST(JsonOutput, Doctor) {
  const Json report = json_of("doctor cassie-standing");
  expect_documented(report, "doctor");
  expect_documented(report.at("rows")[0], "a row");
  expect_documented(report.at("dependencies")[0], "a dependency");
  expect_documented(report.at("constraints")[0], "a constraint");
  expect_documented(report.at("findings")[0], "a finding");
}

TEST(JsonOutput, Simulate) {
  const Json run = json_of("simulate incline --seconds 0.01");
  expect_documented(run, "simulate");
  for (const char* part : {"step_us", "contacts", "iterations", "energy"}) expect_documented(run.at(part), part);
  expect_documented(run.at("energy").at("after"), "an energy");
  expect_documented(run.at("theory")[0], "a comparison");
}

TEST(JsonOutput, Opcount) {
  const Json study = json_of("opcount allwelded");
  expect_documented(study, "opcount");
  expect_documented(study.at("points")[0], "a point");
  expect_documented(study.at("points")[0].at("algorithms").at("ltl"), "a count");
  expect_documented(study.at("slopes")[0], "a slope");
  expect_documented(json_of("opcount asimo-hf").at("points")[0], "a point with zeros");
  const Json cases = json_of("opcount --list");
  expect_documented(cases, "opcount --list");
  EXPECT_EQ(cases.at("cases")[0].at("name"), "stem");
}

TEST(JsonOutput, Bench) {
  const Json table = json_of("bench table1 go2-standing --quick");
  expect_documented(table, "bench table1");
  Json version = json_of("--version");
  version.erase("viewer");  // no condition of a measurement
  EXPECT_EQ(table.at("conditions"), version);
  expect_documented(table.at("scenes")[0], "a scene");
  expect_documented(table.at("scenes")[0].at("operators").at("ltl"), "an operator");
  expect_documented(json_of("bench once cassie ltl solve"), "bench once");
  const Json scaling = json_of("bench scaling --quick");
  expect_documented(scaling, "bench scaling");
  expect_documented(scaling.at("points")[0], "a size");
  expect_documented(scaling.at("quantities")[0], "a quantity");
}

TEST(JsonOutput, ASceneIsJsonAnyway) {
  const std::string scene = run_shell("delassus scene go2-fallen").output;
  EXPECT_EQ(run_shell("delassus scene go2-fallen --json").output, scene);
  EXPECT_EQ(Json::parse(scene).at("format"), "delassus-scene");
}

// All recipes anew take a minute.
TEST(LongJsonOutput, SceneListsTheFilesOfAll) {
  const TemporaryFolder folder;
  const Json all = json_of("scene --all " + folder.path(""));
  expect_documented(all, "scene --all");
  ASSERT_FALSE(all.at("files").empty());
  for (const std::string path : all.at("files")) EXPECT_FALSE(testing::read_bytes(path).empty()) << path;
}

TEST(JsonOutput, Check) {
  const TemporaryFolder folder;
  folder.write("pendulum.urdf", testing::kPendulum);
  const std::string file = folder.write("good.json", testing::pendulum_reference(0.3, 1.2, 0.7).dump());
  const std::string call = "check " + file + " --models " + folder.path("");
  const Json good = json_of(call);
  expect_documented(good, "check");
  expect_documented(good.at("files")[0], "a file");
  EXPECT_EQ(good.at("ok"), true);
  const CommandResult bad = run_shell("delassus check --json " + folder.path("absent.json"));
  EXPECT_EQ(bad.exit_code, 1);
  const Json failed = Json::parse(bad.output);
  EXPECT_EQ(failed.at("ok"), false);
  expect_documented(failed.at("files")[0], "a file that failed");
}

/// A file that ends in .json is what --json prints; another has the text.
TEST(JsonOutput, FilesHaveWhatStdoutHas) {
  const TemporaryFolder folder;
  for (const std::string call :
       {"list", "info go2", "compute go2-standing", "doctor go2-standing", "opcount hand", "opcount --list"}) {
    const std::string json = folder.path("out.json"), text = folder.path("out.txt");
    EXPECT_EQ(run_shell("delassus " + call + " -o " + json).output, "") << call;
    EXPECT_EQ(testing::read_bytes(json), run_shell("delassus " + call + " --json").output) << call;
    EXPECT_EQ(run_shell("delassus " + call + " --output " + text).output, "") << call;
    EXPECT_EQ(testing::read_bytes(text), run_shell("delassus " + call).output) << call;
  }
}

}  // namespace
}  // namespace delassus
