// `delassus opcount` as a user meets it: cases, JSON, messages, drawings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "delassus/operators/algorithm.hpp"
#include "support/command.hpp"
#include "support/matplotlib.hpp"

namespace delassus {
namespace {

using testing::CommandResult;
using testing::has_matplotlib;
using ::testing::HasSubstr;
using testing::run_command;
using testing::TemporaryFolder;
using Json = nlohmann::json;

Json opcount(const std::string& arguments) {
  const CommandResult result = run_command("opcount --json " + arguments);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  return Json::parse(result.output, nullptr, false);
}

std::int64_t sum_of(const Json& count) {
  std::int64_t sum = 0;
  for (const char* kind : {"add", "mul", "div", "sqrt"}) sum += count.at(kind).get<std::int64_t>();
  return sum;
}

/// A total is the sum of its kinds and of its stages.
void expect_adds_up(const Json& point, const std::string& algorithm) {
  SCOPED_TRACE(point.at("label").get<std::string>() + ", " + algorithm);
  const Json& count = point.at("algorithms").at(algorithm);
  EXPECT_EQ(count.at("total"), sum_of(count));
  EXPECT_GT(count.at("total"), 0);
  EXPECT_EQ(count.at("trig"), 0);  // kinematics is counted apart
  std::int64_t stages = 0;
  for (const Json& stage : point.at("stages").at(algorithm)) stages += stage.at("total").get<std::int64_t>();
  EXPECT_EQ(count.at("total"), stages);
}

std::vector<std::string> listed_cases() {
  std::istringstream lines(run_command("opcount --list").output);
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) names.push_back(line.substr(0, line.find(' ')));
  return names;
}

TEST(OpcountCommand, ListsTheCasesOfThePapers) {
  EXPECT_THAT(listed_cases(),
              ::testing::ElementsAre("stem", "k2chain", "k2loops", "allwelded", "atlas-feet6", "atlas-feet12",
                                     "atlas-feet-hands", "hand", "atlas-hand", "atlas-hands", "atlas-hands-feet",
                                     "asimo-hf", "asimo-hfh", "asimo-ftf", "asimo-arms", "asimo-legs", "asimo-hands",
                                     "asimo-limbs", "asimo-onefoot", "humanoid24"));
}

TEST(OpcountCommand, EveryCaseHasAllAlgorithmsAndAddsUp) {
  for (const std::string& name : listed_cases()) {
    if (name == "k2chain" || name == "k2loops") continue;  // seconds with sanitizers; the next test has what is special
    for (const char* frames : {"world", "local", "folded"}) {
      const Json study = opcount(name + " --frames " + frames);
      ASSERT_TRUE(study.is_object()) << name;
      EXPECT_EQ(study.at("case"), name);
      EXPECT_EQ(study.at("frames"), frames);
      for (const Json& point : study.at("points")) {
        for (const char* key : {"k", "n", "m", "depth"}) EXPECT_TRUE(point.at(key).is_number_integer()) << key;
        EXPECT_EQ(point.at("algorithms").size(), kExplicitAlgorithms.size());
        for (const Algorithm a : kExplicitAlgorithms) expect_adds_up(point, std::string(name_of(a)));
      }
    }
  }
}

TEST(OpcountCommand, LongChainsKeepAllAlgorithmsUpToSixteen) {
  const Json study = opcount("k2chain");
  for (const Json& point : study.at("points")) {
    const int k = point.at("k");
    EXPECT_EQ(point.at("n"), k * k);
    EXPECT_EQ(point.at("m"), 6 * k);
    if (k <= 16) {
      EXPECT_EQ(point.at("algorithms").size(), kExplicitAlgorithms.size());
    }
    const std::size_t left_out = point.contains("left_out") ? point.at("left_out").size() : 0;
    EXPECT_EQ(point.at("algorithms").size() + left_out, kExplicitAlgorithms.size());
  }
  EXPECT_EQ(study.at("points").back().at("k"), 48);
  const CommandResult text = run_command("opcount k2chain");
  EXPECT_THAT(text.output, HasSubstr("left out, as counting would take long: dense"));
  EXPECT_THAT(text.output, HasSubstr("8 to 16"));
}

/// Sec. V of the EFPA paper: 67 and 56 % with hands and feet, 73 % of the inertia matrix with two more arms and legs.
TEST(OpcountCommand, AsimoHasTheZerosOfThePaper) {
  const Json hands_feet = opcount("asimo-hf").at("points")[0], limbs = opcount("asimo-limbs").at("points")[0];
  EXPECT_NEAR(hands_feet.at("zeros_J"), 0.67, 0.01);
  EXPECT_NEAR(hands_feet.at("zeros_H"), 0.56, 0.005);
  EXPECT_NEAR(limbs.at("zeros_H"), 0.73, 0.005);
}

TEST(OpcountCommand, TableMarksTheCheapest) {
  const CommandResult result = run_command("opcount atlas-hands");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, HasSubstr("by stage"));
  const std::int64_t best = opcount("atlas-hands").at("points")[0].at("algorithms").at("pv-osimr").at("total");
  EXPECT_THAT(result.output, HasSubstr(std::to_string(best) + "*"));
}

TEST(OpcountCommand, InverseIsAStageMore) {
  const Json with = opcount("asimo-hf --frames local --inverse"), without = opcount("asimo-hf --frames local");
  EXPECT_EQ(with.at("inverse"), true);
  EXPECT_EQ(without.at("inverse"), false);
  EXPECT_EQ(with.at("points")[0].at("algorithms").size(), 3U);
  for (const char* name : {"dense", "ltl", "efpa"}) {
    expect_adds_up(with.at("points")[0], name);
    Json stages = with.at("points")[0].at("stages").at(name);
    EXPECT_EQ(stages.back().at("name"), "consistent inverse");
    stages.erase(stages.size() - 1);
    EXPECT_EQ(stages, without.at("points")[0].at("stages").at(name));
  }
  EXPECT_EQ(opcount("asimo-hf --inverse").at("points")[0].at("algorithms").size(), kExplicitAlgorithms.size());
  EXPECT_THAT(run_command("opcount humanoid24 --inverse --frames local").output, HasSubstr("and from Λ to J̄"));
}

TEST(OpcountCommand, SaysWhatIsWrong) {
  EXPECT_EQ(run_command("opcount atlas-hans").exit_code, 2);
  EXPECT_THAT(run_command("opcount atlas-hans").output, HasSubstr("did you mean 'atlas-hand'?"));
  EXPECT_THAT(run_command("opcount").output, HasSubstr("--list"));
  EXPECT_EQ(run_command("opcount hand --frames body").exit_code, 2);
  EXPECT_THAT(run_command("opcount hand --plot hand.gif").output, HasSubstr(".svg, .png or .pdf"));
}

TEST(OpcountCommand, Plots) {
  const TemporaryFolder folder;
  for (const char* name : {"hand", "stem", "allwelded"}) {
    const std::string path = folder.path(std::string(name) + ".svg");
    const CommandResult result = run_command("opcount " + std::string(name) + " --plot " + path);
    if (!has_matplotlib()) {
      EXPECT_EQ(result.exit_code, 2);
      EXPECT_THAT(result.output, HasSubstr("python3-matplotlib"));
      continue;
    }
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_THAT(testing::read_bytes(path), HasSubstr("<svg"));
  }
  if (!has_matplotlib()) GTEST_SKIP() << "matplotlib is not there: no drawing to look at";
  const CommandResult nowhere = run_command("opcount hand --plot " + folder.path("none/hand.svg"));
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.output, HasSubstr("there is no folder"));
}

}  // namespace
}  // namespace delassus
