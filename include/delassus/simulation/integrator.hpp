// Constrained motion in time steps (docs/simulation.md).
//
// Steps on the manifold of configurations by q ⊕ v, with accelerations of constrained dynamics. After each of them q and v are
// projected onto the constraints, so that loops stay closed, and the energy is compared with the work of the joint forces: a
// step that makes energy out of nothing is made again in shorter parts.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "delassus/solvers/assembly.hpp"
#include "delassus/solvers/constrained_dynamics.hpp"

namespace delassus {

enum class IntegratorKind : std::uint8_t {
  kSemiImplicitEuler,  // first order; one acceleration
  kRungeKutta4,        // fourth order; four accelerations
  kEnergyPreserving,  // Runge-Kutta, and velocities projected onto the energy: it changes by the work of the joint forces only
};

struct IntegratorOptions {
  IntegratorKind kind = IntegratorKind::kEnergyPreserving;
  double dt = 1e-3;     // seconds
  bool project = true;  // q and v onto the constraints
  Baumgarte pull{};     // for those who do not project
  /// Energy that may appear or vanish in a part of a step, relative to the kinetic energy and the change of the potential.
  /// Zero: what suits the kind, 1e-6 where energy is preserved, else 0.5, which nothing but an explosion exceeds.
  double energy_error = 0;
  /// How often a step may be halved.
  int halvings = 10;
};

/// Joint forces at time t: writes all of tau.
using JointForces =
    std::function<void(double t, VectorView<const double> q, VectorView<const double> v, VectorView<double> tau)>;

class Integrator {
 public:
  /// Throws an Error that names the option which makes no sense, or
  /// the constraint which does not fit or is no equality.
  Integrator(const Model& model, std::span<const Constraint> constraints, const IntegratorOptions& options = {});

  /// From time t to t + dt. q and v are to agree with the constraints (Assembler), and stay as they are unless the status is ok.
  /// It is that of what failed in the shortest part: accelerations (ConstrainedDynamics, but for contradictions, see missed),
  /// projections (Assembler), or kNotConverged, if half of the energy came out of nothing; then the index is the row with the
  /// largest force. Allocates nothing.
  Status step(double t, Out<double> q, Out<double> v, const JointForces& forces);
  /// With joint forces that stay the same during the step.
  Status step(Out<double> q, Out<double> v, In<double> tau);

  /// How many parts the last step was made of, and what it took.
  int parts() const { return parts_; }
  int evaluations() const { return evaluations_; }
  /// Largest row acceleration by which rows contradicted each other in the last step. Stages of a step lie beside the constraints
  /// by the square of its length, so that redundant rows always do a little: then the motion misses them least.
  double missed() const { return missed_; }
  /// Constraint forces of the last acceleration.
  const std::vector<double>& lambda() const { return lambda_; }
  const IntegratorOptions& options() const { return options_; }

 private:
  using Vector = std::vector<double>;
  struct Stage {
    Vector q, v, a;
    double power = 0;  // of the joint forces
  };
  struct Energy {
    double kinetic = 0, potential = 0;
  };

  Status advance(double t, const JointForces* forces, Out<double> q, Out<double> v);
  Status take_part(double t, bool shortest, const JointForces* forces);
  Status accelerate(double t, const JointForces* forces, Stage& stage);
  Status euler();
  Status runge_kutta(double t, const JointForces* forces);
  Status settle_energy(bool shortest);
  Energy energy() const;
  void move(const Vector& from, double time, const Vector& v, Vector& to);

  IntegratorOptions options_;
  State<double> state_;
  ConstrainedDynamics<double> dynamics_;
  Assembler<double> assembler_;
  std::array<Stage, 4> stages_;
  Vector end_q_, end_v_, displacement_, tau_, target_, lambda_;
  Energy start_;     // of the part
  double h_ = 0;     // its length
  double work_ = 0;  // of the joint forces in it
  double missed_ = 0;
  int parts_ = 0, evaluations_ = 0;
};

}  // namespace delassus
