// OperatorObject: what Python calls an Operator. A model, constraints, where it is, and an operator of any algorithm.
//
// No function of it touches a Python object, so all run without the GIL, under its mutex.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "delassus/constraints/lower.hpp"
#include "delassus/constraints/maps.hpp"
#include "delassus/operators/any_delassus.hpp"
#include "delassus/operators/damped_inverse.hpp"
#include "delassus/operators/matrix_free.hpp"
#include "delassus/operators/planner.hpp"
#include "delassus/operators/spectrum.hpp"
#include "errors.hpp"

namespace delassus::python {

/// Those of Algorithm, and the sweeps, which have products alone.
using Method = std::variant<Algorithm, MatrixFreeForm>;
using MethodOptions = std::variant<std::monostate, CondensedOptions, LcabaOptions>;

/// A damping with its numbers.
struct StoredDamping {
  Damping<double>::Kind kind = Damping<double>::Kind::kScalar;
  std::vector<double> values;
  Damping<double> view() const;
};

class OperatorObject {
 public:
  OperatorObject(std::shared_ptr<Model> model, std::vector<Constraint> constraints, Method method,
                 const MethodOptions& options);

  // ---- what it is

  const std::shared_ptr<Model>& model_object() const { return model_object_; }
  const Model& model() const { return *model_object_; }
  const Method& method() const { return method_; }
  const MethodOptions& options() const { return options_; }
  int num_rows() const { return num_rows_; }
  /// Whether the last update went well, so that there are products.
  bool ready() const { return ready_; }

  // ---- what it does, with the mutex held. Each throws an Error or a StatusError.

  void set_constraints(std::vector<Constraint> constraints);
  void update(VectorView<const double> q);
  void update_damping(const StoredDamping& damping);
  void apply(VectorView<const double> x, VectorView<double> y) const;
  void apply(MatrixView<const double> x, MatrixView<double> y) const;
  void solve(VectorView<const double> b, VectorView<double> z) const;
  void solve(MatrixView<const double> b, MatrixView<double> z) const;
  void solve_system(VectorView<const double> tau, VectorView<const double> b, VectorView<double> acceleration,
                    VectorView<double> lambda) const;
  void kkt_inverse(MatrixView<double> projected, MatrixView<double> consistent, MatrixView<double> inverse) const;
  void joint_response(VectorView<const double> x, VectorView<double> acceleration) const;
  void dense(MatrixView<double> out) const;
  void diagonal(VectorView<double> out) const;
  void damped_inverse(const StoredDamping& damping, MatrixView<double> out);
  void jacobian(MatrixView<double> out) const;
  void apply_jacobian(VectorView<const double> v, VectorView<double> y);
  void apply_jacobian_transpose(VectorView<const double> lambda, VectorView<double> tau);
  void drift(VectorView<const double> v, VectorView<double> out);
  void positions(VectorView<double> out) const;
  /// Lends the operator to a solver, which damps it as it likes. Afterwards it has the damping that it had.
  Status lend(const std::function<Status(AnyDelassus<double>&, const ConstraintRows<double>&)>& work);
  Spectrum spectrum() const;
  double residual() const;
  std::size_t bytes() const;

  const std::vector<Constraint>& constraints() const { return constraints_; }
  const std::optional<std::vector<double>>& q() const { return q_; }
  const std::optional<StoredDamping>& damping() const { return damping_; }

  std::mutex mutex;
  std::optional<OperatorPlan> plan;  // that chose the algorithm, if one did

 private:
  using Implementation = std::variant<AnyDelassus<double>, MatrixFreeDelassus<double>>;

  Implementation make() const;
  void require_rows(int rows) const;
  void require_placed() const;
  void require_damping() const;
  const AnyDelassus<double>& damped_operator(const char* verb) const;
  const KktDelassus<double>& kkt_operator(const char* verb) const;

  std::shared_ptr<Model> model_object_;
  std::vector<Constraint> constraints_;
  Method method_;
  MethodOptions options_;
  Kinematics<double> kin_;
  ConstraintRows<double> rows_;
  Implementation implementation_;
  LinkMotions<double> motions_;
  LinkForces<double> forces_;
  std::optional<DampedInverse<double>> damped_inverse_;  // made when first asked for
  std::optional<Velocities<double>> velocities_;         // likewise
  std::optional<std::vector<double>> q_;                 // of the last update that went well
  std::optional<StoredDamping> damping_;
  bool placed_ = false;  // whether the rows have values
  // Read by other threads that prepare their arguments.
  std::atomic<int> num_rows_;
  std::atomic<bool> ready_ = false;
};

}  // namespace delassus::python
