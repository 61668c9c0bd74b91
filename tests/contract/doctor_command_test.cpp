// `delassus doctor` as a user meets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "delassus/scenes/load_named.hpp"
#include "delassus/solvers/doctor.hpp"
#include "support/command.hpp"

namespace delassus {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using testing::run_command;
using ::testing::StartsWith;
using Json = nlohmann::json;

TEST(DoctorCommand, PrintsWhatTheLibrarySays) {
  const Scene scene = load_named("cassie-standing", {});
  const CommandResult r = run_command("doctor cassie-standing");
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_EQ(r.output, to_text(diagnose(scene.model, scene.constraints, scene.q, scene.v)));
  EXPECT_THAT(r.output,
              AllOf(StartsWith("redundant, but solvable: 24 rows with rank 20\n"), HasSubstr("What to do: ")));
}

TEST(DoctorCommand, ExitCodeSaysWhetherSomethingWasFound) {
  EXPECT_EQ(run_command("doctor go2-standing --exit-code").exit_code, 0);
  EXPECT_EQ(run_command("doctor g1-standing").exit_code, 0);
  EXPECT_EQ(run_command("doctor g1-standing --exit-code").exit_code, 1);
}

TEST(DoctorCommand, TakesContacts) {
  const Json one = Json::parse(run_command("doctor go2 --contact FL_foot --json").output);
  EXPECT_EQ(one.at("health"), "healthy");
  EXPECT_EQ(one.at("mobility"), 15);
  const Json twice = Json::parse(run_command("doctor go2 --contact FL_foot --contact FL_foot --json").output);
  EXPECT_EQ(twice.at("health"), "redundant");
  EXPECT_EQ(twice.at("rank"), 3);
  ASSERT_EQ(twice.at("dependencies").size(), 3U);
  EXPECT_EQ(twice.at("dependencies")[0].at("rows"), (Json{3, 0}));
}

TEST(DoctorCommand, AModelWithoutConstraintsIsHealthy) {
  const CommandResult r = run_command("doctor go2 --exit-code");
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_THAT(r.output, AllOf(StartsWith("healthy: there are no constraints\n"), HasSubstr("18 of 18 degrees")));
}

TEST(DoctorCommand, ToleranceSaysWhatIsLetPass) {
  const Json loose = Json::parse(run_command("doctor cassie-standing --tolerance 0.5 --json").output);
  EXPECT_EQ(loose.at("position_tolerance"), 0.5);
  EXPECT_EQ(loose.at("velocity_tolerance"), 0.5);
  for (const char* wrong : {"0", "-1", "some", "nan", "inf", "1e-3m"}) {
    const CommandResult r = run_command(std::string("doctor cassie-standing --tolerance=") + wrong);
    EXPECT_EQ(r.exit_code, 2) << wrong;
    EXPECT_THAT(r.output, HasSubstr("is not a number greater than zero")) << wrong;
  }
}

/// A distance from a point to itself has no direction.
TEST(DoctorCommand, WithoutADiagnosisThereAreNoNumbers) {
  const testing::TemporaryFolder folder;
  const std::string scene = folder.write("scene.json", R"({"format": "delassus-scene", "version": 1,
    "model": {"robot": "four_bar"}, "constraints": [{"type": "distance", "name": "rod", "length": 1,
    "first": {"frame": "crank"}, "second": {"frame": "crank"}}]})");
  const Json report = Json::parse(run_command("doctor " + scene + " --json").output);
  EXPECT_EQ(report.at("health"), "unknown");
  for (const char* number : {"dofs", "rank", "mobility", "condition", "damping", "rank_tolerance"}) {
    EXPECT_TRUE(report.at(number).is_null()) << number;
  }
  EXPECT_EQ(report.at("findings")[0].at("kind"), "no_diagnosis");
}

TEST(DoctorCommand, MistakesAreExplained) {
  const CommandResult r = run_command("doctor go22");
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.output, HasSubstr("did you mean 'go2'?"));
}

}  // namespace
}  // namespace delassus
