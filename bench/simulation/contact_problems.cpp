#include "bench/simulation/contact_problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <type_traits>

#include "bench/measure/number.hpp"
#include "delassus/solvers/admm.hpp"
#include "delassus/solvers/contact_interior_point.hpp"
#include "delassus/solvers/contact_newton.hpp"
#include "delassus/solvers/pgs.hpp"
#include "model/wording.hpp"
#include "simulation/stored_problem.hpp"

namespace delassus::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Solvers stop by mobilities that they estimate, and the certificate knows them: they are asked for half.
constexpr double kAskedFor = 0.5;
/// Options that have to be positive and count for nothing.
constexpr double kNone = 1e-300;

/// Runs until the median is one, or time is over: a solve of seconds is measured once.
struct Patience {
  int runs;
  double seconds;
};
constexpr Patience kQuickRuns{3, 0.05}, kFullRuns{9, 1};

struct Case {
  const io::StoredProblem& stored;
  ContactProblem problem;
  GivenDelassus<double> op;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

template <class Solver>
ProblemEntry run(Case& at, double tolerance, const ProblemOptions& options) {
  std::remove_cvref_t<decltype(std::declval<Solver>().options())> asked;
  asked.tolerance = std::max(kAskedFor * tolerance, kNone);
  asked.relative_tolerance = 0;
  if (options.iterations > 0) asked.iterations = options.iterations;
  Solver solver(asked);
  solver.reserve(static_cast<int>(at.stored.sets.size()), at.stored.rows());
  const Patience& patience = options.quick ? kQuickRuns : kFullRuns;
  std::vector<double> lambda, times;
  double spent = 0;
  while (static_cast<int>(times.size()) < patience.runs && spent < patience.seconds) {
    lambda = at.stored.start;
    if constexpr (requires { solver.set_penalty(0); }) solver.set_penalty(0);  // each run begins as the first one
    const Clock::time_point before = Clock::now();
    (void)solver.solve(at.op, at.problem, lambda);  // the certificate has what it says
    times.push_back(std::chrono::duration<double>(Clock::now() - before).count());
    spent += times.back();
  }
  ProblemEntry out;
  out.iterations = solver.certificate().iterations;
  out.dampings = solver.certificate().dampings;
  out.runs = static_cast<int>(times.size());
  out.median_us = 1e6 * median(std::move(times));
  CertificateWork work;
  out.residuals = certify(at.op, at.problem, lambda, work);
  out.status = name_of(solver.certificate().reason);
  out.solved = is_within(out.residuals, tolerance);
  return out;
}

/// All solvers: a line each.
struct NamedSolver {
  const char* name;
  ProblemEntry (*run)(Case& at, double tolerance, const ProblemOptions& options);
};
constexpr std::array kSolvers{
    NamedSolver{"admm", run<Admm>},
    NamedSolver{"interior-point", run<ContactInteriorPoint>},
    NamedSolver{"newton", run<ContactNewton>},
    NamedSolver{"pgs", run<Pgs>},
};

bool is_wanted(const std::string& solver, const ProblemOptions& options) {
  return options.solvers.empty() || std::ranges::find(options.solvers, solver) != options.solvers.end();
}

/// What one solver did with all problems.
struct SolverTally {
  std::string solver{};
  int problems = 0, solved = 0, most_iterations = 0;
  std::vector<double> iterations{}, times{};  // of those that it solved
};

std::vector<SolverTally> tallies_of(const std::vector<ProblemResult>& results) {
  std::vector<SolverTally> out;
  for (const ProblemResult& result : results) {
    for (const ProblemEntry& entry : result.entries) {
      auto tally = std::ranges::find(out, entry.solver, &SolverTally::solver);
      if (tally == out.end()) tally = out.insert(out.end(), SolverTally{.solver = entry.solver});
      ++tally->problems;
      if (!entry.solved) continue;
      ++tally->solved;
      tally->most_iterations = std::max(tally->most_iterations, entry.iterations);
      tally->iterations.push_back(entry.iterations);
      tally->times.push_back(entry.median_us);
    }
  }
  return out;
}

}  // namespace

const std::vector<std::string>& problem_solvers() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const NamedSolver& solver : kSolvers) names.emplace_back(solver.name);
    return names;
  }();
  return kNames;
}

std::vector<std::string> find_problems(const std::string& folder) {
  std::error_code failure;
  if (fs::is_regular_file(folder, failure)) return {folder};
  if (!fs::is_directory(folder, failure))
    throw Error(fmt::format("--problems {}: there is no such folder", in_quotes(folder)));
  std::vector<std::string> out;
  for (fs::recursive_directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure)) {
    if (at->path().extension() == ".npz" && at->is_regular_file()) out.push_back(at->path().string());
  }
  if (failure) throw Error(fmt::format("--problems {}: cannot be read: {}", in_quotes(folder), failure.message()));
  if (out.empty()) throw Error(fmt::format("--problems {}: there are no .npz files in it", in_quotes(folder)));
  std::ranges::sort(out);
  return out;
}

ProblemResult measure_problem(const std::string& path, const std::string& name, const ProblemOptions& options) {
  io::StoredProblem stored;
  try {
    stored = io::load_contact_problem(path);
  } catch (const Error& error) {
    return {.name = name, .unreadable = error.what()};
  }
  Case at{stored, view_of(stored), make_operator(stored)};
  std::vector<ForceBlock> blocks;
  list_force_blocks(at.problem, blocks);
  ProblemResult out{name, stored.rows(), static_cast<int>(stored.sets.size()), stored.has_units, 0, 0, {}};
  (void)measure_free_velocity(at.problem, blocks, stored.start, out.free_velocity);  // all of it is finite
  out.tolerance = stored.has_units ? options.tolerance : options.relative_tolerance * out.free_velocity;
  for (const NamedSolver& solver : kSolvers) {
    if (!is_wanted(solver.name, options)) continue;
    out.entries.push_back(solver.run(at, out.tolerance, options));
    out.entries.back().solver = solver.name;
  }
  return out;
}

std::string problems_head(const ProblemOptions& options) {
  return fmt::format(
      "forces from the start that the file has; times in µs, medians; residuals by one certificate, velocity and dual "
      "in m/s,\n"
      "relative to the largest free velocity. Solved: both within {:g} m/s; without units within {:g} of that "
      "velocity\n\n"
      "{:<16}{:>10}{:>7}{:>10}{:>10}{:>10}{:>10}  {}\n",
      options.tolerance, options.relative_tolerance, "", "time", "iter", "dampings", "velocity", "dual", "relative",
      "ended");
}

std::string as_text(const ProblemResult& result) {
  if (!result.unreadable.empty())
    return fmt::format("{}: not read: {}\n", printable(result.name), printable(result.unreadable));
  std::string text = fmt::format("{}: {} rows of {} constraints, free velocity {:.2g}\n", printable(result.name),
                                 result.rows, result.constraints, result.free_velocity);
  for (const ProblemEntry& e : result.entries) {
    const double relative = result.free_velocity > 0 ? e.residual() / result.free_velocity : 0;
    text += fmt::format("  {:<14}{:>10}{:>7}{:>10}{:>10.1e}{:>10.1e}{:>10.1e}  {}{}\n", e.solver,
                        three_digits(e.median_us), e.iterations, e.dampings, e.residuals.velocity, e.residuals.dual,
                        relative, e.solved ? "" : "not solved: ", e.status);
  }
  return text;
}

nlohmann::json as_json(const ProblemResult& result) {
  nlohmann::json out = nlohmann::json::array();
  if (!result.unreadable.empty())
    out.push_back({{"problem", result.name}, {"status", result.unreadable}, {"solved", false}});
  for (const ProblemEntry& e : result.entries) {
    const bool moves = result.free_velocity > 0;
    out.push_back({{"problem", result.name},
                   {"solver", e.solver},
                   {"rows", result.rows},
                   {"constraints", result.constraints},
                   {"has_units", result.has_units},
                   {"free_velocity", result.free_velocity},
                   {"tolerance", result.tolerance},
                   {"iterations", e.iterations},
                   {"dampings", e.dampings},
                   {"time_us", e.median_us},
                   {"runs", e.runs},
                   {"residual", e.residual()},
                   {"velocity_residual", e.residuals.velocity},
                   {"dual_residual", e.residuals.dual},
                   {"relative_residual", moves ? nlohmann::json(e.residual() / result.free_velocity) : nullptr},
                   {"status", e.status},
                   {"solved", e.solved}});
  }
  return out;
}

std::string summary_text(const std::vector<ProblemResult>& results) {
  std::string text = fmt::format("{:<16}{:>14}{:>12}{:>10}{:>10}\n", "solver", "solved", "iterations", "most", "time");
  for (const SolverTally& t : tallies_of(results)) {
    text += fmt::format("  {:<14}{:>14}", t.solver, fmt::format("{} of {}", t.solved, t.problems));
    if (t.solved > 0)
      text += fmt::format("{:>12}{:>10}{:>10}", median(t.iterations), t.most_iterations, three_digits(median(t.times)));
    text += '\n';
  }
  return text + "iterations and times: medians of what was solved\n";
}

nlohmann::json summary_json(const std::vector<ProblemResult>& results) {
  nlohmann::json out = nlohmann::json::array();
  for (const SolverTally& t : tallies_of(results)) {
    const bool any = t.solved > 0;
    out.push_back({{"solver", t.solver},
                   {"problems", t.problems},
                   {"solved", t.solved},
                   {"median_iterations", any ? nlohmann::json(median(t.iterations)) : nullptr},
                   {"most_iterations", any ? nlohmann::json(t.most_iterations) : nullptr},
                   {"median_time_us", any ? nlohmann::json(median(t.times)) : nullptr}});
  }
  return out;
}

}  // namespace delassus::cli
