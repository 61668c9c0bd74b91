// The operator of a step and the solver that works with it: both chosen by the options.
#pragma once

#include <limits>
#include <memory>

#include "delassus/constraints/state.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/operators/delassus_operator.hpp"
#include "delassus/simulation/simulation_options.hpp"
#include "delassus/solvers/contact_problem.hpp"

namespace delassus {

class StepSolver {
 public:
  /// `lasting`: the rows that every step has.
  StepSolver(const Model& model, const SimulationOptions& options, int constraints,
             const ConstraintRows<double>& lasting);
  ~StepSolver();

  /// M at the new q, ahead of the rows: the operator's own articulation, where it has one that serves both.
  Status articulate(const Model& model, const Kinematics<double>& kin);
  /// M⁻¹ (tau - h).
  void free_acceleration(const Model& model, const Kinematics<double>& kin, const Velocities<double>& vel,
                         VectorView<const double> tau, VectorView<double> out);

  /// As of a DelassusOperator, at the q of the last articulate.
  Status factor(const StateView<double>& at);
  void joint_response(VectorView<const double> lambda, VectorView<double> out) const;
  void diagonal(VectorView<double> out) const;

  OperatorRef<double> op();
  /// From here on time and iterations of a step count. The penalty is what ADMM begins with, and all that it remembers.
  void begin_step(double penalty);
  /// Solves the same step as another one did: what that took counts.
  void repeat_step(double penalty, const StepSolver& other);
  Status solve(const ContactProblem& problem, VectorView<double> lambda);
  const ContactCertificate& certificate() const;

  /// That of the last solve.
  double penalty() const;

 private:
  struct Held;
  enum class Start : std::uint8_t { kBest, kGiven };
  static constexpr int kAny = std::numeric_limits<int>::max();
  template <class Solver>
  Status attempt(Solver& solver, const ContactProblem& problem, VectorView<double> lambda, int most = kAny,
                 Start start = Start::kBest);

  std::unique_ptr<Held> held_;
};

}  // namespace delassus
