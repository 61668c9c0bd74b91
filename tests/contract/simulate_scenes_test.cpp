// Every robot and scene of `delassus list`, simulated: to the end, or with one sentence that says why not; and never with more energy than it was given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/command.hpp"

namespace delassus {
namespace {

using testing::CommandResult;
using ::testing::HasSubstr;
using testing::lines_of;
using testing::run_shell;
using ::testing::StartsWith;
using testing::TemporaryFolder;
using Json = nlohmann::json;

std::vector<std::string> listed_names() {
  std::vector<std::string> out;
  const Json groups = Json::parse(run_shell("delassus list --json").output);
  for (const Json& group : groups) {
    for (const Json& entry : group) out.push_back(entry.at("name"));
  }
  return out;
}

/// Share of its energy that a run may have gained in the end.
double allowed_gain(const std::string& name) {
  // A coin on its rim tilts by 2 % more in a second: steps are of first order where points of contact move over bodies
  // (docs/simulation.md; tests/oracle/classic_spins_test.cpp bounds it).
  if (name.starts_with("eulers-disk")) return 5e-3;
  // Semi-implicit Euler keeps an energy that differs from that of a swing by h omega / 2 of what moves, here 3e-4 of a hundredth of all.
  if (name.starts_with("cradle")) return 5e-6;
  // What tolerances of solves (1e-7 m/s) lift in 2 s.
  return 1e-6;
}

/// A run comes to its end without a gain, or stops and says why. One that stops may have gained what the bounds of a step let it (asimo-ftf: 1 J).
void expect_honest(const std::string& name, const std::string& options) {
  SCOPED_TRACE(name);
  const TemporaryFolder folder;
  const std::string words = folder.path("stderr.txt");
  const CommandResult result = run_shell("delassus simulate " + name + " --quiet --json " + options + " 2>" + words);
  const std::vector<std::string> said = lines_of(testing::read_bytes(words));
  if (result.exit_code != 0) {
    ASSERT_FALSE(said.empty());
    EXPECT_THAT(said.back(), StartsWith("delassus: "));  // behind warnings, if there are
    EXPECT_TRUE(result.output.empty() || !Json::parse(result.output).at("failure").get<std::string>().empty());
    return;
  }
  const Json run = Json::parse(result.output);
  EXPECT_EQ(run.at("failure"), "");
  const Json &before = run.at("energy").at("before"), &gained = run.at("gained_j");
  const double size = std::abs(before.at("potential_j").get<double>()) + before.at("kinetic_j").get<double>();
  // And roundings of nothing.
  EXPECT_LE(gained.at("end").get<double>(), allowed_gain(name) * size + 1e-9);
}

TEST(SimulateScenes, ClosedLinkagesStartClosedAndGainNothing) {
  for (const char* name : {"cassie", "delta", "shadow-ball", "stewart"}) expect_honest(name, "--seconds 0.1");
}

TEST(SimulateScenes, AStartThatCannotBeHadIsNamed) {
  const CommandResult result = run_shell("delassus simulate shadow-tips 2>&1");
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.output, HasSubstr("rh_THJ1"));
}

TEST(SimulateScenes, GainsInBetweenAreSaid) {
  const CommandResult result = run_shell("delassus simulate asimo-onefoot --seconds 0.7 --quiet 2>&1");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, HasSubstr("came out of nothing"));
}

TEST(LongSimulateScenes, AllRunOrSayWhyNotAndNoneGains) {
  const std::vector<std::string> names = listed_names();
  ASSERT_GT(names.size(), 60U);
  for (const std::string& name : names) expect_honest(name, "");
}

}  // namespace
}  // namespace delassus
