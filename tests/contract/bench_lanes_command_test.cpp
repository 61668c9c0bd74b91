// `delassus bench lanes` and `delassus bench batch` as a user meets them. Nothing here asserts a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "support/command.hpp"
#include "support/matplotlib.hpp"

namespace delassus {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using testing::run_command;
using testing::TemporaryFolder;
using Json = nlohmann::json;

/// What the command wrote into a file .json.
Json report_of(const std::string& arguments, const TemporaryFolder& folder) {
  const std::string path = folder.path("report.json");
  const CommandResult result = run_command("bench " + arguments + " --quick -o " + path);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  return Json::parse(testing::read_bytes(path), nullptr, false);
}

void expect_positive(const Json& number) {
  ASSERT_TRUE(number.is_number()) << number;  // JSON has no other numbers than finite ones
  EXPECT_GT(number.get<double>(), 0);
}

void expect_drawing(const CommandResult& result, const std::string& drawing) {
  if (!testing::has_matplotlib()) {
    EXPECT_THAT(result.output, HasSubstr("python3-matplotlib"));
    GTEST_SKIP() << "matplotlib is not there: no drawing to look at";
  }
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(testing::read_bytes(drawing), HasSubstr("<svg"));
}

/// Four legs of three links lie side by side on one trunk.
TEST(BenchLanes, HasTimesOfBothFormsAndTheirShareOfThePeak) {
  const TemporaryFolder folder;
  const Json report = report_of("lanes go2-standing", folder);
  expect_positive(report.at("peak_gflops"));
  EXPECT_TRUE(report.at("conditions").contains("isa"));
  const Json& scene = report.at("scenes").at(0);
  EXPECT_EQ(scene.at("name"), "go2-standing");
  EXPECT_EQ(scene.at("rows"), 12);
  EXPECT_EQ(scene.at("links"), 13);
  EXPECT_EQ(scene.at("fold_links"), 4);
  EXPECT_EQ(scene.at("in_lanes"), true);
  for (const std::string call : {"product_from_q", "product", "solve_from_q", "solve", "redamp_solve"}) {
    SCOPED_TRACE(call);
    expect_positive(scene.at("ops").at(call));
    expect_positive(scene.at("ratio").at(call));
    for (const char* form : {"condensed", "limbs"}) {
      const Json& times = scene.at("operators").at(form);
      expect_positive(times.at(call + "_us"));
      expect_positive(times.at("share_of_peak").at(call));
    }
  }
}

/// A chain has no limbs.
TEST(BenchLanes, SaysWhereThereAreNoLanes) {
  const TemporaryFolder folder;
  const Json report = report_of("lanes swimmer", folder);
  const Json& scene = report.at("scenes").at(0);
  EXPECT_TRUE(scene.at("fold_links").is_null());
  EXPECT_EQ(scene.at("in_lanes"), false);
}

TEST(BenchLanes, PrintsATableThatStatesThePeakAndDraws) {
  const TemporaryFolder folder;
  const std::string drawing = folder.path("lanes.svg");
  const CommandResult result = run_command("bench lanes go2-standing --quick --plot " + drawing);
  EXPECT_THAT(result.output, AllOf(HasSubstr("billion operations per second"), HasSubstr("times faster"),
                                   HasSubstr("go2-standing: nv 18, 12 rows, 13 links, 4 side by side; in lanes")));
  expect_drawing(result, drawing);
}

TEST(BenchLanes, NamesTheSceneThatWasMeant) {
  const CommandResult result = run_command("bench lanes go2-standin");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("go2-standing"));
}

TEST(BenchBatch, HasThroughputOfEveryContender) {
  const TemporaryFolder folder;
  const Json report = report_of("batch go2-standing --sizes 1,9 --threads 1,2 --float", folder);
  expect_positive(report.at("peak_gflops"));
  expect_positive(report.at("lanes"));
  const Json& scene = report.at("scenes").at(0);
  EXPECT_EQ(scene.at("nv"), 18);
  EXPECT_EQ(scene.at("rows"), 12);
  std::set<std::string> contenders;
  for (const Json& point : scene.at("points")) {
    SCOPED_TRACE(point.dump());
    EXPECT_FALSE(point.contains("left_out"));
    contenders.insert(point.at("contender"));
    const bool is_batch = point.at("contender") == "batch";
    for (const auto& [name, call] : point.at("calls").items()) {
      EXPECT_TRUE(!is_batch || call.is_object()) << name;
      if (call.is_null()) continue;
      expect_positive(call.at("us"));
      expect_positive(call.at("per_second"));
      if (point.at("contender") != "mj_forward loop") expect_positive(call.at("share_of_peak"));
      EXPECT_NEAR(call.at("us").get<double>() * call.at("per_second").get<double>(), 1e6, 1e-3);
    }
  }
  for (const char* name : {"batch", "condensed loop", "limbs loop"}) EXPECT_TRUE(contenders.contains(name)) << name;
  for (const char* call : {"product_from_q", "solve_from_q", "matrix_from_q", "forward_dynamics", "inverse_dynamics"}) {
    expect_positive(scene.at("ops").at(call));
  }
}

/// Without constraints there are dynamics alone.
TEST(BenchBatch, TakesModelsWithoutConstraints) {
  const TemporaryFolder folder;
  const Json report = report_of("batch go2 --sizes 3 --threads 1", folder);
  const Json& calls = report.at("scenes").at(0).at("points").at(0).at("calls");
  EXPECT_TRUE(calls.at("product_from_q").is_null());
  EXPECT_TRUE(calls.at("matrix_from_q").is_null());
  expect_positive(calls.at("forward_dynamics").at("us"));
}

TEST(BenchBatch, PrintsATableThatStatesThePeakAndDraws) {
  const TemporaryFolder folder;
  const std::string drawing = folder.path("batch.svg");
  const CommandResult result =
      run_command("bench batch go2-standing --sizes 2,8 --threads 1 --quick --plot " + drawing);
  EXPECT_THAT(result.output, AllOf(HasSubstr("billion operations per second"), HasSubstr("double, 1 thread"),
                                   HasSubstr("go2-standing: nv 18, 12 rows, 8 environments")));
  expect_drawing(result, drawing);
}

TEST(BenchBatch, ErrorsNameTheOptionAndTheScene) {
  for (const char* sizes : {"0", "8,,64", "8,x", "''", "2000000"}) {
    const CommandResult result = run_command(std::string("bench batch --sizes ") + sizes);
    EXPECT_EQ(result.exit_code, 2) << sizes;
    EXPECT_THAT(result.output, AllOf(HasSubstr("--sizes"), HasSubstr("whole number from 1 to"))) << sizes;
  }
  EXPECT_THAT(run_command("bench batch --threads none").output, HasSubstr("--threads"));
  const CommandResult scene = run_command("bench batch go2-standin --sizes 1 --quick");
  EXPECT_EQ(scene.exit_code, 2);
  EXPECT_THAT(scene.output, HasSubstr("go2-standing"));
}

/// Where there is a card, `make test-gpu` looks at more.
TEST(BenchGpu, MeasuresOrSaysWhatIsMissing) {
  const CommandResult result = run_command("bench gpu go2-standing --quick --json");
  if (result.exit_code == 0) {
    EXPECT_THAT(result.output, HasSubstr("per_second"));
  } else {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.output, HasSubstr("CUDA"));
  }
}

}  // namespace
}  // namespace delassus
