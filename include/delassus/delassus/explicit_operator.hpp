// An operator from an algorithm that computes the matrix Λ⁻¹: what all explicit algorithms share but the algorithm.
#pragma once

#include "delassus/constraints/rows.hpp"
#include "delassus/delassus/matrix_operator.hpp"
#include "delassus/kinematics/kinematics.hpp"

namespace delassus {

/// What an explicit algorithm offers.
///
///   plan     everything that follows from the structure of the rows alone. Allocates.
///   place    takes poses and rows over into the frames that it computes in
///   compute  adds the lower triangle of Λ⁻¹ to a matrix of zeros. Does not allocate.
///   respond  ν̇ = M⁻¹ Jᵀ x after compute
template <class Method, class T>
concept ExplicitMethod = requires(Method method, const Model& model, const Kinematics<T>& kin,
                                  const ConstraintRows<T>& rows, LowerView<T> lower, VectorView<const T> x,
                                  VectorView<T> out) {
  Method(model);
  method.plan(model, rows);
  method.place(model, kin, rows);
  { method.compute(model, kin, rows, lower) } -> std::same_as<Status>;
  method.respond(model, rows, x, out);
};

template <class T, class Method>
class ExplicitDelassus : public MatrixOperator<T> {
 public:
  explicit ExplicitDelassus(const Model& model) : model_(&model), method_(model) {}
  /// Ready for the structure that the rows have; their values do not matter yet.
  ExplicitDelassus(const Model& model, const ConstraintRows<T>& rows) : ExplicitDelassus(model) {
    update_structure(model, rows);
  }

  /// Plans ahead, so that factor need not. There is no matrix until the next factor.
  void update_structure(const Model& model, const ConstraintRows<T>& rows) {
    rows_ = rows;
    method_.plan(model, rows_);
    this->reserve(rows_.num_rows());
    static_cast<void>(this->begin(0));
  }

  /// Computes everything for one configuration. If the rows have another structure than last time, it plans first, which
  /// may allocate. kSingularJoint names the joint at which M is singular, kNotFinite the row that overflows; the operator
  /// has no rows then. The damping is reset: update_damping comes before solve_damped.
  Status factor(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows) {
    require_size("model (degrees of freedom)", model.nv(), model_->nv());
    if (!same_structure(rows_, rows)) update_structure(model, rows);
    model_ = &model;
    rows_.values = rows.values;
    rows_.entries = rows.entries;
    const LowerView<T> lower = this->begin(rows_.num_rows());
    method_.place(model, kin, rows_);
    return this->finish(method_.compute(model, kin, rows_, lower));
  }

  void joint_response(In<T> x, Out<T> acceleration) const {
    require_size("x", x.size(), this->rows());
    require_size("acceleration", acceleration.size(), model_->nv());
    method_.respond(*model_, rows_, x, acceleration);
  }

  const Method& method() const { return method_; }

 private:
  static_assert(ExplicitMethod<Method, T>);

  const Model* model_;      // of the last factor; has to live as long as joint_response is called
  ConstraintRows<T> rows_;  // of the last factor
  mutable Method method_;   // respond works in its memory
};

}  // namespace delassus
