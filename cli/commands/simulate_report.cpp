#include "cli/commands/simulate_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/commands/collision_doubts.hpp"
#include "delassus/scenes/classic.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace {

struct StepTimes {
  double mean = 0, median = 0, longest = 0;  // microseconds
};

StepTimes times_of(const RunRecord& run) {
  if (run.step_times.empty()) return {};
  std::vector<float> sorted = run.step_times;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  const double median = *middle, longest = *std::ranges::max_element(sorted);
  return {1e6 * run.step_time / run.steps, 1e6 * median, 1e6 * longest};
}

std::vector<Observation> observations(const std::string& scene, const SimulationSetup& setup, const RunRecord& run) {
  const bool same = is_classic_scene(scene) && static_cast<int>(run.q.size()) == setup.model.nq();
  return same && run.failure.empty() ? observe_classic_scene(scene, run.time, run.q, run.v)
                                     : std::vector<Observation>{};
}

/// "damping -1.2, contacts -30 J": of those that did any.
std::string work_text(const StepEnergy& energy) {
  std::string out;
  for (const WorkAccount& account : kWorkAccounts) {
    const double work = energy.*account.work;
    if (work != 0) out += fmt::format("{}{} {:.4g} J", out.empty() ? "" : ", ", account.name, work);
  }
  return out.empty() ? "none" : out;
}

nlohmann::json work_json(const StepEnergy& energy) {
  nlohmann::json out;
  for (const WorkAccount& account : kWorkAccounts) out[account.name] = energy.*account.work;
  return out;
}

nlohmann::json captured_json(const RunRecord& run) {
  if (!run.captured) return nullptr;
  return {{"folder", run.captured->folder}, {"hard_steps", run.captured->hard_steps}, {"files", run.captured->files}};
}

double mean_iterations(const RunRecord& run) { return run.steps == 0 ? 0 : run.iterations.sum / run.steps; }

}  // namespace

std::string as_text(const std::string& scene, const SimulationSetup& setup, const RunRecord& run) {
  const SimulationOptions& o = setup.options;
  const StepTimes times = times_of(run);
  const std::size_t bodies = setup.model.description().bodies.size();
  std::string out =
      fmt::format("{}: {} {}, nv {}; contacts {}, operator {}, steps of {:g} s\n", printable(scene), bodies,
                  bodies == 1 ? "body" : "bodies", setup.model.nv(), name_of(o.model), name_of(o.algorithm), o.dt);
  out += fmt::format("simulated      {:g} s in {}{}\n", run.time, counted(run.steps, "step"),
                     run.interrupted       ? ", then interrupted"
                     : run.failure.empty() ? ""
                                           : ", then stopped");
  out += fmt::format("real time      {:.3g} times as fast\n", run.real_time_factor());
  out += fmt::format("step           {:.3g} us in the mean, {:.3g} us median, {:.3g} us the longest\n", times.mean,
                     times.median, times.longest);
  out += fmt::format("contacts       {} at the end, at most {}\n", run.last_contacts, run.contacts.most);
  if (!can_collide(setup.model)) out += "collision      nothing that moves has a shape, so nothing collides\n";
  out += fmt::format("iterations     {:.1f} in the mean, at most {}\n", mean_iterations(run), run.iterations.most);
  out += fmt::format("penetration    at most {:.2g} m\n", run.penetration.most);
  out += fmt::format("residual       at most {:.2g} m/s, {:.2g} N; {} inexact\n", run.velocity_residual.most,
                     run.force_residual.most, counted(run.inexact_steps, "step"));
  out += fmt::format("energy         kinetic {:.6g} J, then {:.6g} J; potential {:.6g} J, then {:.6g} J\n",
                     run.before.kinetic, run.after.kinetic, run.before.potential, run.after.potential);
  out += fmt::format("work           {}\n", work_text(run.energy));
  out += fmt::format(
      "balance        integrator {:+.3g} J; overlaps taken back and solves {:+.3g} J, at most {:.3g} J in a step\n",
      run.energy.drift, run.solve_gain.sum, run.solve_gain.most);
  if (run.captured) {
    out += fmt::format("captured       {} of {}, in {}\n", run.captured->files,
                       counted(run.captured->hard_steps, "hard step"), in_quotes(run.captured->folder));
  }
  for (const Observation& x : observations(scene, setup, run)) {
    out += fmt::format("{}: {:.6g} {}, by theory {:.6g} {}\n", x.what, x.measured, x.unit, x.theory, x.unit);
  }
  return out;
}

nlohmann::json as_json(const std::string& scene, const SimulationSetup& setup, const RunRecord& run) {
  using nlohmann::json;
  const StepTimes times = times_of(run);
  const auto energy = [](const Energy& e) { return json{{"kinetic_j", e.kinetic}, {"potential_j", e.potential}}; };
  json theory = json::array();
  for (const Observation& x : observations(scene, setup, run)) {
    theory.push_back({{"what", x.what}, {"unit", x.unit}, {"measured", x.measured}, {"theory", x.theory}});
  }
  return {{"scene", scene},
          {"bodies", setup.model.description().bodies.size()},
          {"nv", setup.model.nv()},
          {"solver", name_of(setup.options.model)},
          {"algorithm", name_of(setup.options.algorithm)},
          {"dt_s", setup.options.dt},
          {"tolerance_m_s", setup.options.tolerance},
          {"time_s", run.time},
          {"steps", run.steps},
          {"failure", run.failure},
          {"interrupted", run.interrupted},
          {"warnings", run.warnings},
          {"collides", can_collide(setup.model)},
          {"real_time_factor", run.real_time_factor()},
          {"step_us", {{"mean", times.mean}, {"median", times.median}, {"longest", times.longest}}},
          {"contacts", {{"end", run.last_contacts}, {"most", static_cast<int>(run.contacts.most)}}},
          {"iterations", {{"mean", mean_iterations(run)}, {"most", static_cast<int>(run.iterations.most)}}},
          {"penetration_m", run.penetration.most},
          {"velocity_residual_m_s", run.velocity_residual.most},
          {"force_residual_n", run.force_residual.most},
          {"inexact_steps", run.inexact_steps},
          {"energy", {{"before", energy(run.before)}, {"after", energy(run.after)}}},
          {"work_j", work_json(run.energy)},
          {"drift_j", run.energy.drift},
          {"solve_gain_j", {{"sum", run.solve_gain.sum}, {"most", run.solve_gain.most}}},
          {"gained_j", {{"end", run.gained()}, {"most", run.most_gained}, {"most_at_s", run.most_gained_at}}},
          {"captured", captured_json(run)},
          {"theory", theory},
          {"q", run.q},
          {"v", run.v}};
}

}  // namespace delassus::cli
