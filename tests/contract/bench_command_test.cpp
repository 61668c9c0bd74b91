// `delassus bench` as a user meets it: tables, JSON, messages, drawings. Nothing here asserts a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/command.hpp"
#include "support/matplotlib.hpp"

namespace delassus {
namespace {

using testing::CommandResult;
using ::testing::HasSubstr;
using testing::run_command;
using testing::TemporaryFolder;
using Json = nlohmann::json;

constexpr const char* kVerbs[] = {"product_from_q", "product",      "solve_from_q",
                                  "solve",          "redamp_solve", "redamp_contacts_solve"};

/// What the command wrote into a file .json.
Json bench(const std::string& arguments, const TemporaryFolder& folder) {
  const std::string path = folder.path("bench.json");
  const CommandResult result = run_command("bench " + arguments + " --quick -o " + path);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  return Json::parse(testing::read_bytes(path), nullptr, false);
}

/// An operator has products, and most solve as well; what one does not have is null.
void expect_complete(const Json& op, bool solves) {
  EXPECT_GT(op.at("bytes"), 0);
  EXPECT_TRUE(op.at("cache_lines").is_null());
  for (const std::string verb : kVerbs) {
    if (!solves && verb.find("solve") != std::string::npos) {
      EXPECT_TRUE(op.at(verb + "_us").is_null()) << verb;
      EXPECT_TRUE(op.at("ops").at(verb).is_null()) << verb;
      continue;
    }
    EXPECT_GT(op.at(verb + "_us"), 0.0) << verb;
    EXPECT_GT(op.at("ops").at(verb), 0) << verb;
  }
}

TEST(BenchCommand, SaysWhichProgramIsMissing) {
  const TemporaryFolder folder;
  const std::string alone = folder.path("delassus");
  ASSERT_EQ(testing::run_shell("cp '" DELASSUS_COMMAND "' " + alone).exit_code, 0);
  for (const char* command : {" bench table1", " opcount --list"}) {
    const CommandResult result = testing::run_shell(alone + command + " 2>&1");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.output, ::testing::AllOf(HasSubstr(folder.path("delassus-bench")), HasSubstr("`make bench`")));
  }
}

TEST(BenchCommand, Table1HasAllFieldsOfEveryOperator) {
  const TemporaryFolder folder;
  const Json json = bench("table1 go2-standing cassie", folder);
  ASSERT_EQ(json.at("scenes").size(), 2U);
  const Json& scene = json.at("scenes")[0];
  EXPECT_EQ(scene.at("name"), "go2-standing");
  EXPECT_EQ(scene.at("nv"), 18);
  EXPECT_EQ(scene.at("contacts"), 4);
  EXPECT_EQ(scene.at("rows"), 12);
  for (const char* name : {"condensed", "matrix-free", "lcaba", "lcaba-published", "ltl", "pv-osimr", "dense", "kkt"}) {
    SCOPED_TRACE(name);
    expect_complete(scene.at("operators").at(name), name != std::string("matrix-free"));
  }
  EXPECT_EQ(json.at("scenes")[1].at("name"), "cassie");
}

/// A product from q is a factorization and a product, and so on.
TEST(BenchCommand, OperationsAddUp) {
  const TemporaryFolder folder;
  const Json json = bench("table1 go2-fallen", folder);
  for (const auto& [name, op] : json.at("scenes")[0].at("operators").items()) {
    const Json& ops = op.at("ops");
    if (ops.at("solve").is_null()) continue;
    EXPECT_LT(ops.at("product"), ops.at("product_from_q")) << name;
    EXPECT_LT(ops.at("solve"), ops.at("redamp_solve")) << name;
    EXPECT_LT(ops.at("redamp_solve"), ops.at("solve_from_q")) << name;
  }
}

TEST(BenchCommand, Table1StandsBesideThePaper) {
  const CommandResult result = run_command("bench table1 --quick go2-standing");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, HasSubstr("go2-standing: nv 18, 4 contacts, 12 rows"));
  EXPECT_THAT(result.output, HasSubstr("paper: matrix-free"));
  EXPECT_THAT(result.output, HasSubstr("1.55 (0.50)"));  // 1.55 µs against 3.11
}

TEST(BenchCommand, ScenesHaveTheNamesOfTheLibraryToo) {
  EXPECT_THAT(run_command("bench table1 --quick cassie-standing").output, HasSubstr("cassie: nv 32"));
}

const Json* find_engine(const Json& scene, const std::string& name) {
  for (const Json& engine : scene.at("engines")) {
    if (engine.at("engine") == name) return &engine;
  }
  return nullptr;
}

/// The stack stands, and its forces are as exact as asked for; another engine is judged by the same certificate, and its contacts give way.
TEST(BenchCommand, SimulationJudgesEnginesAlike) {
  const TemporaryFolder folder;
  const Json scene = bench("simulation boxes --dt 1e-3 --tolerance 1e-8", folder).at("scenes")[0];
  EXPECT_EQ(scene.at("scene"), "boxes");
  EXPECT_EQ(scene.at("dt_s"), 1e-3);
  const Json& own = scene.at("engines")[0];
  EXPECT_EQ(own.at("engine"), "delassus, 1e-08");
  EXPECT_EQ(own.at("most_contacts"), 120);
  // As asked for, and a tenth for velocities that are added up in another way.
  EXPECT_LT(own.at("residuals").at("velocity_m_s"), 1.1e-8);
  EXPECT_LT(own.at("drift_m"), 1e-8);  // a fifth of a second at that residual, and room
  EXPECT_GT(own.at("median_us"), 0);
  EXPECT_EQ(own.at("inexact"), 0);
  ASSERT_EQ(own.at("required").size(), 2U);  // times are required of coarser ones
  EXPECT_EQ(own.at("required")[0].at("name"), "inexact");
  EXPECT_EQ(own.at("required")[1].at("name"), "failed runs");
  for (const Json& line : own.at("required")) EXPECT_TRUE(line.at("met")) << line;
  for (const std::string name : {"MuJoCo, Newton", "MuJoCo, CG"}) {
    const Json* other = find_engine(scene, name);
    if (!other) GTEST_SKIP() << "without MuJoCo";
    EXPECT_EQ(other->at("most_contacts"), 120);
    EXPECT_GT(other->at("penetration_m"), 1e-4);
    EXPECT_LT(other->at("residuals").at("velocity_m_s"), 0.1);  // forces are those of the boxes' weight all the same
  }
}

TEST(BenchCommand, SimulationKeepsTheTimeOfEveryStep) {
  const TemporaryFolder folder;
  const Json scene = bench("simulation go2-stands --dt 2e-3 --tolerance 1e-4 --tolerance 1e-6", folder).at("scenes")[0];
  for (const Json& engine : scene.at("engines")) {
    SCOPED_TRACE(engine.at("engine"));
    EXPECT_EQ(engine.at("steps"), 150);  // a fifth of 1.5 s
    int counted = 0;
    for (const int count : engine.at("histogram").at("counts")) counted += count;
    EXPECT_EQ(counted, 150);
    EXPECT_LE(engine.at("median_us"), engine.at("p999_us"));
    EXPECT_LE(engine.at("p999_us"), engine.at("most_us"));
    EXPECT_TRUE(engine.at("energy_rise_j").is_null());  // motors give energy
    EXPECT_LT(engine.at("drift_m"), 0.05);              // it stands
  }
  // One certificate for all, by velocities and forces: it agrees with what each solver was asked for, and a tenth as above.
  EXPECT_LT(scene.at("engines")[0].at("residuals").at("velocity_m_s"), 1.1e-4);
  EXPECT_LT(scene.at("engines")[1].at("residuals").at("velocity_m_s"), 1.1e-6);
}

TEST(BenchCommand, EnvironmentsAreCountedAndJudged) {
  const TemporaryFolder folder;
  const Json scene =
      bench("environments go2-stands --environments 20 --threads 2 --tolerance 1e-4", folder).at("scenes")[0];
  EXPECT_EQ(scene.at("environments"), 20);
  EXPECT_EQ(scene.at("threads"), 2);
  const Json& own = scene.at("engines")[0];
  EXPECT_EQ(own.at("failed"), 0);
  EXPECT_EQ(own.at("share_in_lanes"), 1);  // feet are spheres on a plane, and legs stay apart
  EXPECT_LT(own.at("residual"), 1e-4);     // as it was asked for
  EXPECT_LT(own.at("kilobytes_each"), 16);
  for (const Json& engine : scene.at("engines")) EXPECT_GT(engine.at("steps_per_second"), 0) << engine;
}

/// Two hinges of one body aside of its origin, a slide and a ball, with springs and damping: what is written for MuJoCo moves as ours does. In
/// free fall both take Euler's steps, and differ by what those miss: springs swing by 0.3 rad in 0.3 s, so by a thousandth. The moments of the second
/// body break the triangle inequality, as those of a flat one do by rounding: MuJoCo would take their mean, and its base would fall farther by
/// 2 mm.
TEST(BenchCommand, SimulationWritesTheSameMechanismForMujoco) {
  const TemporaryFolder folder;
  const std::string file = folder.write("swing.xml", R"(<mujoco><compiler angle="radian"/><worldbody><body pos="0 0 1">
    <freejoint/><inertial mass="1" pos="0.02 0 0" diaginertia="0.01 0.02 0.03"/>
    <body pos="0.1 0 0"><joint pos="0.03 0 0" axis="0 1 0" stiffness="4" springref="0.6" damping="0.01"/>
      <joint pos="0 0.02 0" axis="1 0 0" stiffness="3" springref="-0.5" damping="0.02"/>
      <inertial mass="0.8" pos="0.1 0.05 0" diaginertia="0.01 0.01 0.0201"/>
      <body pos="0.2 0 0"><joint type="slide" axis="0 1 1" stiffness="50" springref="0.05"/>
        <inertial mass="0.5" pos="0 0 0" diaginertia="0.01 0.01 0.01"/>
        <body pos="0 0 0.1"><joint type="ball" damping="0.05"/>
          <inertial mass="0.3" pos="0 0.1 0" diaginertia="0.01 0.01 0.01"/></body></body></body></body></worldbody></mujoco>)");
  const Json scene = bench("simulation " + file + " --dt 1e-3 --tolerance 1e-6", folder).at("scenes")[0];
  const Json& own = scene.at("engines")[0];
  const double fall = 9.81 * 1e-6 * 300 * 301 / 2;
  EXPECT_GT(std::abs(own.at("drift_m").get<double>() - fall), 0.01);  // springs move the base as well
  const Json* other = find_engine(scene, "MuJoCo, Newton");
  if (!other) GTEST_SKIP() << "without MuJoCo";
  EXPECT_NEAR(own.at("drift_m"), other->at("drift_m"), 1e-3 * fall);
}

TEST(BenchCommand, SimulationSaysWhatIsWrong) {
  const CommandResult scene = run_command("bench simulation g1-fall");
  EXPECT_EQ(scene.exit_code, 2);
  EXPECT_THAT(scene.output, HasSubstr("did you mean 'g1-falls'?"));
  const CommandResult humanoid =
      testing::run_shell("env -u DELASSUS_ROBOTS '" DELASSUS_COMMAND "' bench simulation humanoid-falls 2>&1");
  EXPECT_EQ(humanoid.exit_code, 2);
  EXPECT_THAT(humanoid.output, HasSubstr("DELASSUS_ROBOTS"));
  EXPECT_EQ(run_command("bench simulation boxes --tolerance 0").exit_code, 2);
  EXPECT_EQ(run_command("bench simulation boxes --plot boxes.gif").exit_code, 2);
}

TEST(BenchCommand, SimulationDrawsHistograms) {
  const TemporaryFolder folder;
  const std::string drawing = folder.path("simulation.svg");
  const CommandResult result =
      run_command("bench simulation go2-stands --dt 2e-3 --tolerance 1e-6 --quick --plot " + drawing);
  EXPECT_THAT(result.output, HasSubstr("\ngo2-stands, 2 ms, 1 x 150 steps\n"));
  EXPECT_THAT(result.output, HasSubstr("  required, 1e-06: "));
  if (!testing::has_matplotlib()) GTEST_SKIP() << "matplotlib is not there: no drawing to look at";
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(testing::read_bytes(drawing), HasSubstr("go2-stands, 2 ms"));
}

TEST(BenchCommand, MergesCacheLines) {
  const TemporaryFolder folder;
  const std::string counts = folder.write(
      "counts.json", R"({"go2-standing": {"lcaba": {"solve_from_q": {"instructions": 9, "cache_lines": 1234}}}})");
  const Json json = bench("table1 go2-standing --cache-lines " + counts, folder);
  const Json& operators = json.at("scenes")[0].at("operators");
  EXPECT_EQ(operators.at("lcaba").at("cache_lines"), 1234);
  EXPECT_EQ(operators.at("lcaba").at("callgrind").at("solve_from_q").at("instructions"), 9);
  EXPECT_TRUE(operators.at("ltl").at("cache_lines").is_null());

  const std::string wrong = folder.write("wrong.json", "[1");
  const CommandResult result = run_command("bench table1 --cache-lines " + wrong);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("scripts/count-instructions"));
}

/// Both equations hold by every form of the library, with redundant rows as well: 1e-10 of their largest terms, which is what
/// the tests of constrained dynamics ask for.
TEST(BenchCommand, ConstrainedHasTimesAndResidualsOfEveryForm) {
  const TemporaryFolder folder;
  const Json scenes = bench("constrained solo_like icub_like", folder).at("scenes");
  ASSERT_EQ(scenes.size(), 3U);
  EXPECT_EQ(scenes[0].at("robot"), "solo_like");
  EXPECT_EQ(scenes[0].at("nv"), 18);
  EXPECT_EQ(scenes[1].at("contacts"), "feet welded");
  EXPECT_EQ(scenes[1].at("rows"), 12);
  EXPECT_EQ(scenes[2].at("rows"), 24);
  for (const Json& scene : scenes) {
    for (const char* name : {"condensed", "kkt", "aba", "dense", "dense LDLT", "dense LU"}) {
      SCOPED_TRACE(name);
      const Json& op = scene.at("operators").at(name);
      EXPECT_GT(op.at("dynamics_us"), 0.0);
      EXPECT_LE(op.at("dynamics_least_us"), op.at("dynamics_us"));
      EXPECT_GT(op.at("iterations"), 0);
      EXPECT_LT(op.at("force_residual"), 1e-10);
      EXPECT_LT(op.at("row_residual"), 1e-10);
      const bool factors = name != std::string("condensed") && name != std::string("aba");
      for (const char* call : {"matrices_us", "factor_us", "redamp_us", "solve_us"}) {
        EXPECT_EQ(op.at(call).is_number(), factors) << call;
      }
    }
  }
}

TEST(BenchCommand, ConstrainedPrintsATableForEachContactSet) {
  const CommandResult result = run_command("bench constrained --quick anymal_like");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, HasSubstr("\nanymal_like, feet: nv 18, 12 rows\n  condensed "));
  EXPECT_THAT(result.output, HasSubstr("\n  sparse LDLT "));
  EXPECT_THAT(run_command("bench constrained talos_lik").output, HasSubstr("did you mean 'talos_like'?"));
}

/// What solvers are asked for by default: 1e-8 m/s.
TEST(BenchCommand, ContactHasTimesAndResidualsOfEverySolver) {
  const TemporaryFolder folder;
  const Json scenes = bench("contact go2-standing g1-standing", folder).at("scenes");
  ASSERT_EQ(scenes.size(), 2U);
  EXPECT_EQ(scenes[0].at("rows"), 12);
  EXPECT_EQ(scenes[1].at("constraints"), 8);
  for (const Json& scene : scenes) {
    ASSERT_EQ(scene.at("solvers").size(), 8U);
    for (const Json& solver : scene.at("solvers")) {
      SCOPED_TRACE(solver.dump());
      EXPECT_EQ(solver.at("reason"), "solved");
      EXPECT_LE(solver.at("velocity_residual"), 1e-8);
      EXPECT_LE(solver.at("dual_residual"), 1e-8);
      EXPECT_GT(solver.at("iterations"), 0);
      EXPECT_LE(solver.at("step_least_us"), solver.at("step_us"));
    }
  }
  EXPECT_THAT(run_command("bench contact g1-standin").output, HasSubstr("did you mean 'g1-standing'?"));
}

TEST(BenchCommand, PlannerComparesChoicesWithTheFastest) {
  const TemporaryFolder folder;
  const Json json = bench("planner go2-standing chain:7", folder);
  ASSERT_EQ(json.at("scenes").size(), 2U);
  for (const Json& scene : json.at("scenes")) {
    ASSERT_EQ(scene.at("workloads").size(), 6U);
    for (const Json& work : scene.at("workloads")) {
      EXPECT_GT(work.at("predicted_us"), 0.0);
      EXPECT_GE(work.at("choice_us"), work.at("best_us"));
      EXPECT_EQ(work.at("choice") == work.at("best"), work.at("choice_us") == work.at("best_us"));
    }
  }
  EXPECT_THAT(run_command("bench planner chain:7 --quick").output, HasSubstr("worst ratio: "));
}

/// Written as the library reads it: a line for each call of which costs are told apart.
TEST(LongBenchCommand, PlannerWritesCosts) {
  const TemporaryFolder folder;
  const std::string path = folder.path("cost_table.hpp");
  ASSERT_EQ(run_command("bench planner --quick --calibrate " + path).exit_code, 0);
  const std::string text = testing::read_bytes(path);
  EXPECT_THAT(text, HasSubstr("#pragma once"));
  for (const char* line : {"// efpa factor\n", "// explicit product\n", "// limbs solve\n"})
    EXPECT_THAT(text, HasSubstr(line));
}

TEST(BenchCommand, OnceCallsEveryVerb) {
  for (const std::string verb : kVerbs) {
    EXPECT_EQ(run_command("bench once go2-standing lcaba " + verb).exit_code, 0) << verb;
  }
  EXPECT_THAT(run_command("bench once go2-standing ltl sove").output, HasSubstr("did you mean 'solve'?"));
  EXPECT_THAT(run_command("bench once go2-standing lcaab solve").output, HasSubstr("did you mean 'lcaba'?"));
}

TEST(BenchCommand, SaysWhatIsWrong) {
  const CommandResult scene = run_command("bench table1 pyramyd");
  EXPECT_EQ(scene.exit_code, 2);
  EXPECT_THAT(scene.output, HasSubstr("did you mean 'pyramid'?"));
  const CommandResult table = run_command("bench tabel1");
  EXPECT_EQ(table.exit_code, 2);
  EXPECT_THAT(table.output, HasSubstr("did you mean 'table1'?"));
  EXPECT_THAT(run_command("bench swimmer --plot swimmer.gif").output, HasSubstr(".svg, .png or .pdf"));
}

TEST(LongBenchCommand, ScalingPrintsTablesWithSlopes) {
  const CommandResult result = run_command("bench scaling --quick");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, HasSubstr("\n  slope "));
  EXPECT_THAT(result.output, HasSubstr("1 of "));  // progress, as this is no terminal
}

/// One run for the file and the drawing, as it takes seconds.
TEST(LongBenchCommand, SwimmerGrowsWithItsLinks) {
  const TemporaryFolder folder;
  const std::string json = folder.path("swimmer.json"), drawing = folder.path("swimmer.svg");
  const CommandResult result = run_command("bench swimmer --quick -o " + json + " --plot " + drawing);
  const Json study = Json::parse(testing::read_bytes(json), nullptr, false);
  EXPECT_EQ(study.at("points").front().at("size"), 3);
  EXPECT_EQ(study.at("points").back().at("size"), 300);
  EXPECT_EQ(study.at("points").front().at("nv"), 5);
  EXPECT_EQ(study.at("points").front().at("rows"), 18);
  EXPECT_NEAR(study.at("slopes").at("lcaba").at("bytes"), 1, 0.1);  // memory is linear, and no time
  EXPECT_GT(study.at("slopes").at("ltl").at("bytes"), 1.5);
  if (!testing::has_matplotlib()) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.output, HasSubstr("python3-matplotlib"));
    GTEST_SKIP() << "matplotlib is not there: no drawing to look at";
  }
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(testing::read_bytes(drawing), HasSubstr("<svg"));
}

}  // namespace
}  // namespace delassus
