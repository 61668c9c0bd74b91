// `delassus check` as a user meets it: what agrees, what does not, and files that cannot be compared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "delassus/operators/algorithm.hpp"
#include "support/command.hpp"
#include "support/pendulum.hpp"

namespace delassus {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using testing::kPendulum;
using testing::pendulum_reference;
using testing::run_command;
using testing::TemporaryFolder;
using Json = nlohmann::json;

struct Check : ::testing::Test {
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
  EXPECT_EQ(errors.size(), kAllAlgorithms.size());
  for (const Algorithm a : kAllAlgorithms) EXPECT_LT(errors.at(std::string(name_of(a))).get<double>(), 1e-14);
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

}  // namespace
}  // namespace delassus
