// Contact problems as files, as a user meets them: `simulate --capture` writes them, `bench contact --problems` solves them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/contact_file.hpp"
#include "support/command.hpp"

namespace delassus {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using testing::run_command;
using testing::run_shell;
using testing::TemporaryFolder;
using Json = nlohmann::json;
using Vector = std::vector<double>;

/// A kilogram that meets the floor with 1 m/s and moves along it with `sideways` m/s: it sticks below 0.5 m/s.
std::string one_contact(double sideways, double dt = 1e-3) {
  io::StoredProblem problem;
  problem.matrix = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  problem.free_velocity = {-1, sideways, 0};
  problem.compliance = problem.start = {0, 0, 0};
  problem.spans = {{0, 0, 3, 0, 0, 0, 0}};
  problem.sets = {{SetKind::kFrictionCone}};
  problem.sets[0].mu = 0.5;
  problem.time_step = dt;
  return io::write_contact_problem(problem);
}

Json solve_problems(const std::string& arguments) {
  const CommandResult result = run_shell("delassus bench contact --quick --json --problems " + arguments);
  EXPECT_EQ(result.exit_code, 0) << arguments;
  return Json::parse(result.output, nullptr, false);
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) out.push_back(entry.path().filename().string());
  std::ranges::sort(out);
  return out;
}

TEST(ContactProblems, HaveAnEntryForEachSolver) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("inner"));
  folder.write("inner/slides.npz", one_contact(2));
  folder.write("sticks.npz", one_contact(0.3));
  folder.write("notes.txt", "no problem");
  const Json json = solve_problems(folder.path(""));
  EXPECT_EQ(json.at("tolerance_m_s"), 1e-7);
  const Json& entries = json.at("entries");
  const std::size_t solvers = json.at("summary").size();
  ASSERT_GE(solvers, 3U);
  ASSERT_EQ(entries.size(), 2 * solvers);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Json& entry = entries[k];
    SCOPED_TRACE(entry.dump());
    EXPECT_EQ(entry.at("problem"), k < solvers ? "inner/slides" : "sticks");
    EXPECT_EQ(entry.at("solver"), json.at("summary")[k % solvers].at("solver"));
    EXPECT_EQ(entry.at("rows"), 3);
    EXPECT_EQ(entry.at("free_velocity"), k < solvers ? 2 : 1);
    EXPECT_EQ(entry.at("status"), "solved");
    EXPECT_EQ(entry.at("solved"), true);
    EXPECT_LE(entry.at("residual"), 1e-7);
    EXPECT_GE(entry.at("iterations"), 1);
    EXPECT_GT(entry.at("time_us"), 0);
  }
  for (const Json& tally : json.at("summary")) {
    EXPECT_EQ(tally.at("problems"), 2);
    EXPECT_EQ(tally.at("solved"), 2);
  }
}

/// With fewer iterations than it takes nothing is solved, and the certificate says so whatever the solver believes.
TEST(ContactProblems, AreJudgedByOneCertificate) {
  const TemporaryFolder folder;
  const std::string file = folder.write("slides.npz", one_contact(2));
  const Json one = solve_problems(file + " --solver admm --iterations 1").at("entries")[0];
  EXPECT_EQ(one.at("problem"), "slides");
  EXPECT_EQ(one.at("solved"), false);
  EXPECT_EQ(one.at("status"), "iterations ran out");
  EXPECT_EQ(one.at("iterations"), 1);
  EXPECT_GT(one.at("residual"), 1e-7);
  EXPECT_EQ(one.at("residual"),
            std::max(one.at("velocity_residual").get<double>(), one.at("dual_residual").get<double>()));
  EXPECT_EQ(one.at("relative_residual").get<double>(), one.at("residual").get<double>() / 2);
  // A tolerance that lets this pass.
  EXPECT_EQ(solve_problems(file + " --solver admm --iterations 1 --tolerance 10").at("entries")[0].at("solved"), true);
}

/// Problems of others are judged relative to their largest free velocity.
TEST(ContactProblems, OfOthersHaveNoUnits) {
  const std::string file = DELASSUS_SOURCE_DIR "/tests/corpus/contact_problem/sparse.npz";
  const Json json = solve_problems(file + " --relative-tolerance 1e-6");
  for (const Json& entry : json.at("entries")) {
    EXPECT_EQ(entry.at("has_units"), false);
    EXPECT_EQ(entry.at("free_velocity"), 2);
    EXPECT_EQ(entry.at("tolerance"), 2e-6);
    EXPECT_EQ(entry.at("solved"), true) << entry.dump();
  }
}

TEST(ContactProblems, AreATableForPeople) {
  const TemporaryFolder folder;
  folder.write("sticks.npz", one_contact(0.3));
  const CommandResult result = run_command("bench contact --quick --solver pgs --problems " + folder.path(""));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, AllOf(HasSubstr("sticks: 3 rows of 1 constraints"), HasSubstr("\n  pgs "),
                                   HasSubstr("1 of 1"), HasSubstr("solved")));
}

TEST(ContactProblems, MistakesAreExplained) {
  const TemporaryFolder folder;
  const auto expect = [](const std::string& arguments, const std::string& message) {
    const CommandResult result = run_command("bench contact " + arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_THAT(result.output, HasSubstr(message)) << arguments;
  };
  expect("--problems " + folder.path("none"), "there is no such folder");
  expect("--problems " + folder.path(""), "there are no .npz files in it");
  expect("--solver admm", "--problems");
  expect("boxes --problems " + folder.path(""), "--problems");
  expect("--solver adm --problems " + folder.path(""), "did you mean 'admm'?");
  const std::string good = one_contact(0.3);
  folder.write("good.npz", good);
  expect("--problems " + folder.path("good.npz") + " -o " + folder.path("good.npz"), "good.npz");
  EXPECT_EQ(testing::read_bytes(folder.path("good.npz")), good);
}

/// One that cannot be read is said to be so, and does not stop the others.
TEST(ContactProblems, TheUnreadableAreNamedAndTheOthersMeasured) {
  const TemporaryFolder folder;
  const std::string good = one_contact(0.3);
  folder.write("a.npz", good);
  const std::string bad = folder.write("b.npz", good.substr(0, good.size() / 2));
  folder.write("c.npz", good);
  const std::string call = "bench contact --quick --solver admm --problems " + folder.path(""),
                    message = bad + ": is no .npz file as numpy.savez writes it, or cut short";
  const CommandResult json = run_shell("delassus " + call + " --json 2>/dev/null"), text = run_command(call);
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_THAT(text.output, AllOf(HasSubstr("delassus: " + message), HasSubstr("b: not read: " + message),
                                 HasSubstr("2 of 2"), HasSubstr("c: 3 rows of 1 constraints")));
  const Json report = Json::parse(json.output, nullptr, false), &entries = report.at("entries");
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[1], Json({{"problem", "b"}, {"status", message}, {"solved", false}}));
  for (const int k : {0, 2}) EXPECT_EQ(entries[k].at("solved"), true);
  EXPECT_EQ(report.at("summary")[0].at("problems"), 2);
}

/// A matrix that no masses have, so that forces grow beyond all numbers: nothing about that is a residual of zero, or a matter of time.
TEST(ContactProblems, NumbersThatAreNoneAreNotHidden) {
  io::StoredProblem problem;
  problem.matrix = {1, 0, 0, 3, 0, 0,  //
                    0, 1, 0, 0, 0, 0,  //
                    0, 0, 1, 0, 0, 0,  //
                    3, 0, 0, 1, 0, 0,  //
                    0, 0, 0, 0, 1, 0,  //
                    0, 0, 0, 0, 0, 1};
  problem.free_velocity = {-1, 0, 0, 1, 0, 0};
  problem.compliance = problem.start = Vector(6);
  problem.spans = {{0, 0, 3, 0, 0, 0, 0}, {0, 3, 3, 0, 0, 0, 0}};
  problem.sets.resize(2);
  problem.time_step = 1e-3;
  const TemporaryFolder folder;
  const std::string file = folder.write("no_masses.npz", io::write_contact_problem(problem));
  const Json one = solve_problems(file + " --solver pgs").at("entries")[0];
  EXPECT_EQ(one.at("status"), "failed");
  EXPECT_EQ(one.at("solved"), false);
  EXPECT_TRUE(one.at("residual").is_null() || one.at("residual") > 1) << one.dump();
}

/// Stones that slide apart: each step is work for a solver.
TEST(Capture, WritesProblemsThatCanBeSolvedAndChangesNoMotion) {
  const TemporaryFolder folder;
  const std::string call = "delassus simulate arch:0.2 --seconds 0.01 --json";
  const Json alone = Json::parse(run_shell(call).output);
  EXPECT_TRUE(alone.at("captured").is_null());
  const std::string hard = folder.path("hard");
  const Json seen = Json::parse(run_shell(call + " --capture-above 0 --capture-most 3 --capture " + hard).output);
  EXPECT_EQ(seen.at("q"), alone.at("q"));
  EXPECT_EQ(seen.at("v"), alone.at("v"));
  EXPECT_EQ(seen.at("captured").at("folder"), hard);
  EXPECT_EQ(seen.at("captured").at("files"), 3);
  EXPECT_GT(seen.at("captured").at("hard_steps"), 3);
  EXPECT_THAT(names_in(hard),
              ::testing::ElementsAre("arch-0.2-000001.npz", "arch-0.2-000002.npz", "arch-0.2-000003.npz"));
  const Json solved = solve_problems(hard + " --solver admm");
  for (const Json& entry : solved.at("entries")) {
    EXPECT_EQ(entry.at("has_units"), true);
    EXPECT_EQ(entry.at("solved"), true) << entry.dump();
  }
}

/// Steps that are easy leave nothing.
TEST(Capture, TellsHardStepsFromEasyOnes) {
  const TemporaryFolder folder;
  const std::string easy = folder.path("easy");
  const CommandResult result =
      run_command("simulate box-stack:2 --seconds 0.01 --capture-above 1000000 --capture " + easy);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, HasSubstr("captured       0 of 0 hard steps, in"));
  EXPECT_TRUE(names_in(easy).empty());
}

TEST(Capture, WritesOverNothing) {
  const TemporaryFolder folder;
  const std::string hard = folder.path("hard"),
                    call = "simulate box-stack:2 --seconds 0.002 --capture-above 0 --capture ";
  std::filesystem::create_directory(hard);
  const std::string own = folder.write("hard/box-stack-2-000777.npz", "mine");
  const CommandResult result = run_command(call + hard);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("has 'box-stack-2-000777.npz' already; remove it, or name another folder"));
  EXPECT_EQ(testing::read_bytes(own), "mine");
  EXPECT_EQ(names_in(hard).size(), 1U);
  EXPECT_EQ(run_command("simulate box-stack:3 --seconds 0.002 --capture-above 0 --capture " + hard).exit_code, 0);
  EXPECT_GT(names_in(hard).size(), 1U);  // those of another scene
  EXPECT_THAT(run_command(call + folder.path("none/hard")).output, HasSubstr("the folder cannot be made"));
  EXPECT_THAT(run_command("simulate incline --capture-above 3").output, HasSubstr("--capture"));
}

/// numpy is the other reader of these files. Velocities of the law with W = J M^-1 J^T of boxes on a floor: W is symmetric by its format, and
/// no eigenvalue is below zero by more than rounding.
TEST(Capture, NumpyReadsIt) {
  if (run_shell("/usr/bin/python3 -c 'import numpy' 2>/dev/null").exit_code != 0) GTEST_SKIP() << "there is no numpy";
  const TemporaryFolder folder;
  const std::string hard = folder.path("hard");
  ASSERT_EQ(run_command("simulate box-stack:2 --seconds 0.001 --capture-above 0 --capture " + hard).exit_code, 0);
  const CommandResult result = run_shell(
      "/usr/bin/python3 -c 'import numpy as np, sys; z = np.load(sys.argv[1]); n = int(z[\"n\"]); W = np.zeros((n, "
      "n)); "
      "W[np.tril_indices(n)] = z[\"W_lower\"]; W += np.tril(W, -1).T; e = np.linalg.eigvalsh(W); "
      "print(n, len(z[\"kind\"]), set(z[\"kind\"]) == {3}, sum(z[\"rows\"]), float(z[\"dt\"]), e[0] > -1e-12 * "
      "e[-1])' " +
      hard + "/box-stack-2-000001.npz");
  EXPECT_EQ(result.output, "24 8 True 24 0.001 True\n");
}

/// Steps of a walking machine and problems of Siconos that lie beside the repository: small ones, by all solvers.
TEST(ContactProblems, BesideTheRepository) {
  const std::string folder = DELASSUS_SOURCE_DIR "/../shared/contact-problems";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "there is no " << folder;
  for (const char* name : {"/captured/cassie-0.npz", "/siconos/Rover4396.npz"}) {
    int solved = 0;
    const Json json = solve_problems(folder + name);
    for (const Json& entry : json.at("entries")) solved += entry.at("solved").get<bool>();
    EXPECT_GE(solved, 1) << name;
  }
}

}  // namespace
}  // namespace delassus
