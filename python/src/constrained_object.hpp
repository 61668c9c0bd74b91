// What Python calls ConstrainedDynamics, without any Python in it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include "delassus/operators/kkt.hpp"
#include "delassus/solvers/constrained_aba.hpp"
#include "delassus/solvers/constrained_derivatives.hpp"
#include "delassus/solvers/constrained_dynamics.hpp"

namespace delassus::python {

enum class ConstrainedForm : std::uint8_t { kCondensed, kKkt, kAba };

/// How a solve ended that has a result, exact or not.
struct Outcome {
  std::string status = "ok";  // or a code of NumericalError
  std::string message;        // the same in words; empty if it is ok
  int index = -1;             // of the row or degree of freedom that the message names
  int iterations = 0;
  double residual = 0;            // largest entry of the remainder
  std::vector<double> remainder;  // what is missing
};

/// The outcome of a solve. Throws a StatusError for those that leave no result.
Outcome outcome_of(const Status& status, const Model& model, std::span<const Constraint> constraints,
                   const ProximalReport<double>& report, const std::vector<double>& remainder);

struct ConstrainedMotion : Outcome {
  std::vector<double> acceleration, force;
};
struct Impact : Outcome {
  std::vector<double> velocity, impulse;
};

class ConstrainedObject {
 public:
  using Vector = VectorView<const double>;

  ConstrainedObject(std::shared_ptr<Model> model, std::vector<Constraint> constraints, ConstrainedForm form,
                    const ProximalOptions& options);

  /// Without a target that which keeps the rows' velocities, with the pull. Without a start from zero. Without the GIL.
  ConstrainedMotion solve(Vector q, Vector v, Vector tau, const std::optional<Vector>& target, const Baumgarte& pull,
                          const std::optional<Vector>& start);
  Impact impact(Vector q, Vector v, const std::vector<double>& restitution, const std::optional<Vector>& start);

  /// At the motion that `solve` finds without a target and a start. Throws a StatusError unless rows agree. Without the GIL.
  void differentiate(Vector q, Vector v, Vector tau, const Baumgarte& pull, const DerivativeViews<double>& out);

  const std::shared_ptr<Model>& model_object() const { return model_; }
  const Model& model() const { return *model_; }
  const std::vector<Constraint>& constraints() const { return constraints_; }
  ConstrainedForm form() const { return form_; }
  const ProximalOptions& options() const { return options_; }
  int num_rows() const { return state_.num_rows(); }

  std::mutex mutex;

 private:
  using Solver = std::variant<ConstrainedDynamics<double>, ConstrainedDynamics<double, KktDelassus<double>>,
                              ConstrainedAba<double>>;

  static Solver make_solver(const Model& model, ConstrainedForm form, const ProximalOptions& options);
  void place(Vector q, Vector v);
  std::vector<double> first_force(const std::optional<Vector>& start) const;

  std::shared_ptr<Model> model_;
  std::vector<Constraint> constraints_;
  ConstrainedForm form_;
  ProximalOptions options_;
  State<double> state_;
  Solver solver_;
  std::optional<ConstrainedDerivatives<double>> derivatives_;  // made when they are first asked for
};

}  // namespace delassus::python
