// Time steps of piles and robots: how long they take, how exact they are, and MuJoCo beside them, judged by the same certificate.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/io/scene.hpp"
#include "delassus/solvers/contact_problem.hpp"

namespace delassus::cli {

/// One contact point of a step, from whatever engine.
struct JudgedContact {
  int body_a = -1, body_b = kWorld;  // as in the model's description
  Vec3<double> position{};           // world
  Vec3<double> normal{};             // from b to a
  Vec3<double> force{};              // on a, newtons, world axes
  double gap = 0;
  double mu = 0;
};

/// What an engine did in its last step: where it began, and what acted.
struct JudgedStep {
  std::vector<double> q, v;
  double dt = 0;
  std::vector<JudgedContact> contacts;
};

/// How far a step of free bodies is from Coulomb's law for rigid ones: bodies that do not approach beyond their gap, forces that do not pull, no work but
/// that of friction against the slip. Penetrations that are there already are nobody's fault.
ContactResiduals judge_step(const Model& model, const JudgedStep& step);

/// An engine with a scene in it.
class BenchEngine {
 public:
  virtual ~BenchEngine() = default;
  /// Throws an Error if it fails.
  virtual void step() = 0;
  /// How far the last step is from its law.
  virtual ContactResiduals residuals() const = 0;
  virtual int contacts() const = 0;
  virtual std::vector<double> q() const = 0;
  virtual double penetration() const = 0;
};

/// Its two solvers that piles do not overwhelm: which is faster depends on the pile.
enum class MujocoMethod : std::uint8_t { kNewton, kConjugateGradients };
/// Piles of free boxes on the ground only. Built where MuJoCo is found.
std::unique_ptr<BenchEngine> make_mujoco_engine(const Scene& scene, double dt, MujocoMethod method);

struct SimulationBenchOptions {
  double seconds = 2;  // simulated; the second half is measured
  double dt = 1e-3;
};

struct SimulationBenchRow {
  std::string engine;
  double median_us = 0, mean_us = 0, most_us = 0;  // of a step
  double real_time = 0;                            // seconds simulated per second, by the mean
  ContactResiduals residuals{};                    // worst of the steps that were judged
  double penetration = 0, drift = 0;  // metres: deepest, and farthest that a free body moved in the second half
  int contacts = 0;
};

std::vector<std::string> simulation_bench_scenes();
std::vector<SimulationBenchRow> measure_simulation(const std::string& scene, const SimulationBenchOptions& options);
std::string as_text(const std::string& scene, const std::vector<SimulationBenchRow>& rows);
nlohmann::json as_json(const std::string& scene, const std::vector<SimulationBenchRow>& rows);

}  // namespace delassus::cli
