#include "bench/simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <numeric>

#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/kinematics/kinematics.hpp"

namespace delassus::cli {
namespace {

/// Of so many steps one is judged. Turns are short beside what disturbs a machine, and long enough for caches to be those of the engine.
constexpr int kJudgeEvery = 20, kTurn = 20;

double processor_time_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

/// NaN is the largest, and stays.
void take(ContactResiduals& worst, const ContactResiduals& one) {
  for (double ContactResiduals::*residual :
       {&ContactResiduals::primal, &ContactResiduals::dual, &ContactResiduals::complementarity,
        &ContactResiduals::force, &ContactResiduals::velocity}) {
    if (!(one.*residual <= worst.*residual) && !std::isnan(worst.*residual)) worst.*residual = one.*residual;
  }
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

/// Of motion, weight and springs at joints, from the state alone: the same for all engines.
class EnergyOf {
 public:
  explicit EnergyOf(const Model& model) : model_(model), kin_(model), vel_(model) {}

  double operator()(const std::vector<double>& q, const std::vector<double>& v) {
    update_kinematics<double>(model_, q, kin_);
    update_velocities<double>(model_, kin_, v, vel_);
    double energy = kinetic_energy(model_, kin_, vel_) + potential_energy(model_, kin_);
    for (const Link& link : model_.links()) {
      if (link.nv != 1) continue;
      const DofProperties& dof = model_.dofs()[static_cast<std::size_t>(link.v)];
      energy += 0.5 * dof.stiffness * std::pow(q[static_cast<std::size_t>(link.q)] - dof.spring_reference, 2);
    }
    return energy;
  }

 private:
  Model model_;
  Kinematics<double> kin_;
  Velocities<double> vel_;
};

/// An engine, and what was seen of it so far.
struct Entrant {
  SimulationBenchRow row;
  std::unique_ptr<BenchEngine> engine;
  std::vector<double> settled{}, velocities{};  // configuration when measuring began; residuals
  double lowest = 0;                            // energy
  bool runs = true;                             // in this run, nothing failed yet
};

class Measurement {
 public:
  Measurement(const StepScene& scene, double dt, const SimulationBenchOptions& options)
      : scene_(scene), setup_(scene.setup), options_(options), energy_(scene.setup.model) {
    setup_.options.dt = dt;
    for (const double tolerance : options.tolerances)
      add({fmt::format("delassus, {:.0e}", tolerance), tolerance}, make_own_engine(setup_, tolerance));
#ifdef DELASSUS_HAS_MUJOCO
    add({"MuJoCo, Newton"}, make_mujoco_engine(setup_, MujocoMethod::kNewton));
    if (scene.kind == StepSceneKind::kPileRests)
      add({"MuJoCo, CG"}, make_mujoco_engine(setup_, MujocoMethod::kConjugateGradients));
#endif
  }

  SimulationBenchResult result() {
    const int runs = options_.quick ? 1 : scene_.runs;
    warm_up();
    for (int run = 0; run < runs; ++run) go(run);
    SimulationBenchResult out{scene_.name, setup_.options.dt, !setup_.actuators.empty(), runs, {}};
    for (Entrant& entrant : entrants_) {
      finish(entrant);
      out.engines.push_back(std::move(entrant.row));
    }
    find_requirements(scene_.kind, out);
    return out;
  }

 private:
  void add(SimulationBenchRow row, std::unique_ptr<BenchEngine> engine) {
    entrants_.push_back({std::move(row), std::move(engine)});
  }

  int steps_in(double seconds) const {
    constexpr double kQuickShare = 0.2;
    return static_cast<int>(std::lround((options_.quick ? kQuickShare : 1) * seconds / setup_.options.dt));
  }

  /// Pages of code and memory are there from then on. What settles does that by itself.
  void warm_up() {
    if (scene_.settle > 0) return;
    for (Entrant& entrant : entrants_) {
      entrant.engine->begin(setup_.q, push(scene_, 0));
      try {
        for (int k = 0; k < steps_in(setup_.seconds); ++k) entrant.engine->step();
      } catch (const Error&) {  // and again when it is measured
      }
    }
  }

  void go(int run) {
    const int steps = steps_in(setup_.seconds), before = steps_in(scene_.settle);
    for (Entrant& entrant : entrants_) {
      entrant.runs = true;
      entrant.engine->begin(setup_.q, push(scene_, run));
      for (int k = 0; k < before && entrant.runs; ++k) step(entrant, run, k - before);
      entrant.settled = entrant.engine->q();
      entrant.lowest = energy_(entrant.settled, entrant.engine->v());
    }
    for (int first = 0; first < steps; first += kTurn) {
      for (Entrant& entrant : entrants_) {
        for (int k = first; k < std::min(first + kTurn, steps) && entrant.runs; ++k) {
          entrant.row.times_us.push_back(step(entrant, run, k));
          if (entrant.runs) look_at(entrant, run, k);
        }
      }
    }
    for (Entrant& entrant : entrants_)
      entrant.row.drift = std::max(entrant.row.drift, drift(setup_.model, entrant.settled, entrant.engine->q()));
  }

  /// Its processor time. A step that fails ends the run of its engine.
  static double step(Entrant& entrant, int run, int k) {
    const double begin = processor_time_us();
    try {
      entrant.engine->step();
    } catch (const Error& error) {
      entrant.runs = false;
      if (entrant.row.failure.empty()) entrant.row.failure = error.what();
      entrant.row.inexact.push_back({run, k, std::string(kFailedStep), std::numeric_limits<double>::infinity()});
    }
    return processor_time_us() - begin;
  }

  void look_at(Entrant& entrant, int run, int k) {
    SimulationBenchRow& row = entrant.row;
    const BenchEngine& engine = *entrant.engine;
    row.penetration = std::max(row.penetration, engine.penetration());
    row.most_contacts = std::max(row.most_contacts, engine.contacts());
    const double energy = energy_(engine.q(), engine.v());
    row.energy_rise = std::max(row.energy_rise, energy - entrant.lowest);
    entrant.lowest = std::min(entrant.lowest, energy);
    const ContactCertificate certificate = engine.certificate();
    if (certificate.reason != StopReason::kNone && !certificate.solved())
      row.inexact.push_back({run, k, std::string(name_of(certificate.reason)), certificate.worst()});
    if (k % kJudgeEvery != 0) return;
    const ContactResiduals residuals = judge_step(setup_.model, engine.last_step());
    take(row.residuals, residuals);
    entrant.velocities.push_back(residuals.worst());
  }

  void finish(Entrant& entrant) const {
    SimulationBenchRow& row = entrant.row;
    if (row.times_us.empty()) return;
    std::vector<double> times = row.times_us;
    std::ranges::sort(times);
    std::ranges::sort(entrant.velocities);
    const auto n = static_cast<double>(times.size());
    row.mean_us = std::accumulate(times.begin(), times.end(), 0.0) / n;
    row.median_us = times[times.size() / 2];
    row.p999_us = times[static_cast<std::size_t>(std::ceil(0.999 * n)) - 1];
    row.most_us = times.back();
    row.real_time = 1e6 * setup_.options.dt / row.mean_us;
    if (!entrant.velocities.empty()) row.median_velocity = entrant.velocities[entrant.velocities.size() / 2];
  }

  const StepScene& scene_;
  SimulationSetup setup_;
  const SimulationBenchOptions& options_;
  EnergyOf energy_;
  std::vector<Entrant> entrants_;
};

}  // namespace

SimulationBenchResult measure_simulation(const StepScene& scene, double dt, const SimulationBenchOptions& options) {
  return Measurement(scene, dt, options).result();
}

}  // namespace delassus::cli
