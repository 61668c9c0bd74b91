#include "bench/constrained/constrained_report.hpp"

#include <algorithm>

#include "bench/measure/number.hpp"
#include "delassus/math/error.hpp"

namespace delassus::cli {
namespace {

/// A solver and what was measured of it so far.
struct Entrant {
  SolverTimes times;
  std::unique_ptr<ConstrainedSolver> solver;
  std::array<std::optional<TimedCall>, kConstrainedCalls.size()> calls;
};

constexpr std::size_t index_of(ConstrainedCall call) { return static_cast<std::size_t>(call); }

void begin(Entrant& entrant, const ConstrainedSolverEntry& entry, const ConstrainedBench& bench) {
  entrant.times.name = entry.name;
  entrant.solver = entry.make(bench);
  entrant.times.residuals = entrant.solver->residuals();
  entrant.times.iterations = entrant.solver->iterations();
}

/// All calls before it, so that it finds what it needs.
void calibrate(Entrant& entrant, ConstrainedCall call, const Effort& effort) {
  ConstrainedSolver* solver = entrant.solver.get();
  if (!solver->has(call)) return;
  TimedCall& timed = entrant.calls[index_of(call)].emplace(std::string(name_of(call)), [=](std::int64_t calls) {
    for (std::int64_t k = 0; k < calls; ++k) solver->call(call);
  });
  timed.calibrate(effort);
}

/// A solver that fails on the way has no times at all.
template <class Work>
void try_on(Entrant& entrant, Work&& work) {
  if (!entrant.times.left_out.empty()) return;
  try {
    work();
  } catch (const Error& e) {
    entrant.times.left_out = e.what();
  }
}

SolverTimes finish(const Entrant& entrant) {
  SolverTimes out = entrant.times;
  if (!out.left_out.empty()) return out;
  for (std::size_t k = 0; k < out.calls.size(); ++k) {
    const std::optional<TimedCall>& call = entrant.calls[k];
    if (call) out.calls[k] = {call->median_us(), call->least_us()};
  }
  return out;
}

std::optional<double> median_of(const SolverTimes& times, ConstrainedCall call) {
  const auto& measured = times.calls[index_of(call)];
  return measured ? std::optional(measured->median_us) : std::nullopt;
}

std::string solver_line(const SolverTimes& times, const SolverTimes& baseline) {
  std::string text = fmt::format("  {:<12}", times.name);
  for (const ConstrainedCall call : kConstrainedCalls) {
    text += fmt::format("{:>17}", with_ratio(median_of(times, call), median_of(baseline, call)));
    if (call != ConstrainedCall::kDynamics) continue;
    text += fmt::format("{:>8}{:>6}{:>9.0e}{:>9.0e}", three_digits(times.calls[0]->least_us), times.iterations,
                        times.residuals.forces, times.residuals.rows);
  }
  return text + "\n";
}

nlohmann::json solver_json(const SolverTimes& times) {
  nlohmann::json out = nlohmann::json::object();
  for (const ConstrainedCall call : kConstrainedCalls) {
    const auto& measured = times.calls[index_of(call)];
    const std::string name(name_of(call));
    out[name + "_us"] = or_null(median_of(times, call));
    out[name + "_least_us"] = measured ? nlohmann::json(measured->least_us) : nlohmann::json(nullptr);
  }
  if (!times.left_out.empty()) return out["left_out"] = times.left_out, out;
  out["iterations"] = times.iterations;
  out["force_residual"] = times.residuals.forces;
  out["row_residual"] = times.residuals.rows;
  return out;
}

}  // namespace

std::vector<ConstrainedSolverEntry> constrained_solvers() {
  std::vector<ConstrainedSolverEntry> out = constrained_forms();
  const auto add = [&](const std::vector<ConstrainedSolverEntry>& more) {
    out.insert(out.end(), more.begin(), more.end());
  };
  add(eigen_solvers());
#ifdef DELASSUS_HAS_MUJOCO
  add(mujoco_solvers());
#endif
  return out;
}

ConstrainedResult measure_constrained(const HeldSet& set, const Effort& effort) {
  const ConstrainedBench bench(set);
  const std::vector<ConstrainedSolverEntry> entries = constrained_solvers();
  std::vector<Entrant> entrants(entries.size());
  for (std::size_t k = 0; k < entries.size(); ++k) {
    try_on(entrants[k], [&] { begin(entrants[k], entries[k], bench); });
  }
  const auto on_all = [&](auto&& work) {
    for (const ConstrainedCall call : kConstrainedCalls) {
      for (Entrant& e : entrants) try_on(e, [&] { work(e, call); });
    }
  };
  on_all([&](Entrant& e, ConstrainedCall call) { calibrate(e, call, effort); });
  for (int round = 0; round < effort.rounds; ++round) {
    on_all([&](Entrant& e, ConstrainedCall call) {
      if (e.calls[index_of(call)]) e.calls[index_of(call)]->sample(effort);
    });
  }
  ConstrainedResult out{set, bench.scene.name, bench.scene.model.nv(), bench.scene.rows, {}};
  for (const Entrant& e : entrants) out.solvers.push_back(finish(e));
  return out;
}

std::string constrained_head() {
  std::string text =
      "times of one call in µs, medians of runs that take turns; in brackets the ratio to dense; least: of dynamics\n"
      "dynamics: from q, v and tau to accelerations and forces; forces, rows: what is left of both equations, "
      "relative\n"
      "KKT: [[M, J'], [J, -damping]] factored; matrices: what of it does not depend on the damping; solve: one right "
      "side\n"
      "dense: Eigen's LLT of M, then of J M^-1 J' + damping; the others factor the KKT matrix as a whole\n\n";
  text += fmt::format("{:<14}", "");
  for (const ConstrainedCall call : kConstrainedCalls) {
    text += fmt::format("{:>17}", title_of(call));
    if (call == ConstrainedCall::kDynamics)
      text += fmt::format("{:>8}{:>6}{:>9}{:>9}", "least", "iter", "forces", "rows");
  }
  return text + "\n";
}

std::string as_text(const ConstrainedResult& result) {
  std::string text = fmt::format("{}: nv {}, {} rows\n", result.name, result.nv, result.rows);
  const SolverTimes& baseline = *std::ranges::find(result.solvers, kDenseSolver, &SolverTimes::name);
  for (const SolverTimes& times : result.solvers) {
    text += times.left_out.empty() ? solver_line(times, baseline)
                                   : fmt::format("  {:<12}left out: {}\n", times.name, times.left_out);
  }
  return text;
}

nlohmann::json as_json(const ConstrainedResult& result) {
  nlohmann::json out{{"name", result.name}, {"robot", result.about.robot}, {"contacts", result.about.name},
                     {"nv", result.nv},     {"rows", result.rows},         {"operators", nlohmann::json::object()}};
  for (const SolverTimes& times : result.solvers) out["operators"][std::string(times.name)] = solver_json(times);
  return out;
}

}  // namespace delassus::cli
