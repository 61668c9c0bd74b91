#include "bench/simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "bench/measure/number.hpp"
#include "cli/shell/output_file.hpp"
#include "delassus/scenes/load_named.hpp"
#include "delassus/simulation/simulator.hpp"

namespace delassus::cli {
namespace {

/// Every so many steps one is judged.
constexpr int kJudgeEvery = 50;

class OwnEngine final : public BenchEngine {
 public:
  OwnEngine(const Scene& scene, double dt)
      : scene_model_(scene.model), simulator_(scene.model, scene.constraints, options(dt)) {
    simulator_.set_state(scene.q, scene.v);
  }

  void step() override {
    q_ = simulator_.q();
    v_ = simulator_.v();
    const StepStatus status = simulator_.step();
    if (!status.ok()) throw Error(simulator_.describe(status));
  }
  std::vector<double> q() const override { return simulator_.q(); }
  double penetration() const override { return simulator_.report().penetration; }

  /// As for other engines where that can be said of contacts alone; joints have forces of their own, and there the solver's certificate counts.
  ContactResiduals residuals() const override {
    const bool free =
        std::ranges::all_of(scene_model_.links(), [](const Link& l) { return l.kind == JointKind::kFree; });
    if (free) return judge_step(scene_model_, last_step());
    return simulator_.report().certificate;
  }
  int contacts() const override { return static_cast<int>(simulator_.contacts().size()); }

 private:
  JudgedStep last_step() const {
    JudgedStep out{q_, v_, simulator_.options().dt, {}};
    const CollisionWorld& world = simulator_.collision();
    for (std::size_t c = 0; c < simulator_.contacts().size(); ++c) {
      const ContactState& contact = simulator_.contacts()[c];
      const WorldContact& point = world.contacts()[c];
      out.contacts.push_back({contact.body_a, contact.body_b, contact.position, contact.normal, contact.force,
                              contact.gap, world.material(point.shape_a, point.shape_b).friction[0]});
    }
    return out;
  }

  static SimulationOptions options(double dt) {
    SimulationOptions out;
    out.dt = dt;
    return out;
  }
  const Model& scene_model_;
  Simulator simulator_;
  std::vector<double> q_, v_;
};

void take(ContactResiduals& worst, const ContactResiduals& one) {
  worst.primal = std::max(worst.primal, one.primal);
  worst.dual = std::max(worst.dual, one.dual);
  worst.complementarity = std::max(worst.complementarity, one.complementarity);
  worst.force = std::max(worst.force, one.force);
  worst.velocity = std::max(worst.velocity, one.velocity);
}

/// Farthest that the base of a tree moved.
double drift(const Model& model, const std::vector<double>& from, const std::vector<double>& to) {
  double most = 0;
  for (const Link& link : model.links()) {
    if (link.kind != JointKind::kFree) continue;
    double square = 0;
    for (std::size_t k = 0; k < 3; ++k)
      square += std::pow(to[static_cast<std::size_t>(link.q) + k] - from[static_cast<std::size_t>(link.q) + k], 2);
    most = std::max(most, std::sqrt(square));
  }
  return most;
}

struct Entrant {
  SimulationBenchRow row;
  std::unique_ptr<BenchEngine> engine;
  std::vector<double> times_us, settled;
};

void step(Entrant& entrant) {
  const auto begin = std::chrono::steady_clock::now();
  entrant.engine->step();
  entrant.times_us.push_back(
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
}

void finish(Entrant& entrant, const Model& model, double dt) {
  std::vector<double>& times = entrant.times_us;
  SimulationBenchRow& row = entrant.row;
  std::ranges::sort(times);
  row.median_us = times[times.size() / 2];
  row.mean_us = std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
  row.most_us = times.back();
  row.real_time = 1e6 * dt / row.mean_us;
  row.drift = drift(model, entrant.settled, entrant.engine->q());
}

std::vector<Entrant> make_entrants(const Scene& scene, [[maybe_unused]] const std::string& name, double dt) {
  std::vector<Entrant> out;
  out.push_back({{"delassus"}, std::make_unique<OwnEngine>(scene, dt), {}, {}});
#ifdef DELASSUS_HAS_MUJOCO
  if (name == "boxes" || name == "pyramid") {
    out.push_back({{"MuJoCo, Newton"}, make_mujoco_engine(scene, dt, MujocoMethod::kNewton), {}, {}});
    out.push_back({{"MuJoCo, CG"}, make_mujoco_engine(scene, dt, MujocoMethod::kConjugateGradients), {}, {}});
  }
#endif
  return out;
}

}  // namespace

std::vector<std::string> simulation_bench_scenes() {
  return {"boxes", "pyramid", "go2-fallen", "g1-fallen", "cassie-standing"};
}

/// The engines take turns, step by step, so that a disturbance meets all.
std::vector<SimulationBenchRow> measure_simulation(const std::string& name, const SimulationBenchOptions& options) {
  const Scene scene = load_named(name);
  require_unread(scene.report);
  std::vector<Entrant> entrants = make_entrants(scene, name, options.dt);
  const int half = std::max(1, static_cast<int>(std::lround(options.seconds / options.dt / 2)));
  for (Entrant& entrant : entrants) {
    for (int k = 0; k < half; ++k) entrant.engine->step();
    entrant.settled = entrant.engine->q();
  }
  for (int k = 0; k < half; ++k) {
    for (Entrant& entrant : entrants) {
      step(entrant);
      entrant.row.penetration = std::max(entrant.row.penetration, entrant.engine->penetration());
      if (k % kJudgeEvery != 0) continue;
      take(entrant.row.residuals, entrant.engine->residuals());
      entrant.row.contacts = entrant.engine->contacts();
    }
  }
  std::vector<SimulationBenchRow> rows;
  for (Entrant& entrant : entrants) {
    finish(entrant, scene.model, options.dt);
    rows.push_back(std::move(entrant.row));
  }
  return rows;
}

std::string as_text(const std::string& scene, const std::vector<SimulationBenchRow>& rows) {
  std::string text =
      fmt::format("{}\n  {:<16}{:>10}{:>10}{:>10}{:>10}{:>10}{:>11}{:>11}{:>15}{:>11}\n", scene, "", "median us",
                  "mean us", "most us", "real time", "contacts", "m/s missed", "N missed", "penetration m", "drift m");
  for (const SimulationBenchRow& row : rows) {
    text += fmt::format("  {:<16}{:>10}{:>10}{:>10}{:>10}{:>10}{:>11.1e}{:>11.1e}{:>15.1e}{:>11.1e}\n", row.engine,
                        three_digits(row.median_us), three_digits(row.mean_us), three_digits(row.most_us),
                        three_digits(row.real_time), row.contacts, row.residuals.velocity, row.residuals.force,
                        row.penetration, row.drift);
  }
  return text;
}

nlohmann::json as_json(const std::string& scene, const std::vector<SimulationBenchRow>& rows) {
  nlohmann::json engines = nlohmann::json::array();
  for (const SimulationBenchRow& row : rows) {
    const ContactResiduals& r = row.residuals;
    engines.push_back({{"engine", row.engine},
                       {"median_us", row.median_us},
                       {"mean_us", row.mean_us},
                       {"most_us", row.most_us},
                       {"real_time_factor", row.real_time},
                       {"contacts", row.contacts},
                       {"residuals",
                        {{"primal_n", r.primal},
                         {"dual_m_s", r.dual},
                         {"complementarity_j", r.complementarity},
                         {"force_n", r.force},
                         {"velocity_m_s", r.velocity}}},
                       {"penetration_m", row.penetration},
                       {"drift_m", row.drift}});
  }
  return {{"scene", scene}, {"engines", engines}};
}

}  // namespace delassus::cli
