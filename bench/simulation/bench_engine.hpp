// Engines that `delassus bench simulation` compares, and the certificate that judges their steps.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "delassus/simulation/simulation_setup.hpp"

namespace delassus::cli {

/// One contact point of a step, from whatever engine.
struct JudgedContact {
  int link_a = kWorld, link_b = kWorld;  // a is never the world
  Vec3<double> position{};               // world
  Vec3<double> normal{};                 // from b to a
  Vec3<double> force{};                  // on a, newtons, world axes
  double gap = 0;
  double mu = 0;  // zero: without friction
};

/// What an engine did in its last step: where it began, what acted at contacts, and with which velocities it ended, in the axes of its start.
struct JudgedStep {
  std::vector<double> q, v_end;
  double dt = 0;
  std::vector<JudgedContact> contacts{};
};

/// How far a step is from Coulomb's law for rigid bodies: what touches does not approach beyond its gap, forces do not pull, nor push what parts, and friction
/// is as large as it can be against the slip. An overlap that is there already is nobody's fault, nor is what takes it back within the step.
ContactResiduals judge_step(const Model& model, const JudgedStep& step);

/// An engine with a scene in it.
class BenchEngine {
 public:
  virtual ~BenchEngine() = default;
  virtual void begin(const std::vector<double>& q, const std::vector<double>& v) = 0;
  /// Throws an Error if it fails.
  virtual void step() = 0;
  virtual JudgedStep last_step() const = 0;
  virtual double penetration() const = 0;
  virtual int contacts() const = 0;
  /// How the solve of the last step ended, by its own account; reason kNone if the engine has none.
  virtual ContactCertificate certificate() const { return {}; }
  // In our coordinates.
  virtual std::vector<double> q() const = 0;
  virtual std::vector<double> v() const = 0;
};

std::unique_ptr<BenchEngine> make_own_engine(const SimulationSetup& setup, double tolerance);

/// Its two solvers that piles do not overwhelm: which is faster depends on the pile.
enum class MujocoMethod : std::uint8_t { kNewton, kConjugateGradients };
/// The same mechanism, written as MJCF. Throws an Error that names what MuJoCo does not have. Built where MuJoCo is found.
std::unique_ptr<BenchEngine> make_mujoco_engine(const SimulationSetup& setup, MujocoMethod method);

}  // namespace delassus::cli
