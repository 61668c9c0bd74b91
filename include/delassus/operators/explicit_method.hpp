// What ExplicitDelassus makes of an algorithm: to be included where the algorithm is known.
#pragma once

#include <span>

#include "delassus/kinematics/kinematics.hpp"
#include "delassus/math/counted.hpp"
#include "delassus/operators/explicit_operator.hpp"

namespace delassus {

/// What an explicit algorithm offers.
///
///   plan     everything that follows from the structure of the rows alone. Allocates.
///   place    takes poses and rows over into the frames that it computes in
///   compute  adds the lower triangle of Λ⁻¹ to a matrix of zeros. Does not allocate.
///   respond  ν̇ = M⁻¹ Jᵀ x after compute
///   bytes    memory that it holds
///
/// It may have a consistent_inverse of its own, M⁻¹ Jᵀ Λ from Λ after compute; else the columns are responses.
template <class Method, class T>
concept ExplicitMethod = requires(Method method, const Model& model, const Kinematics<T>& kin,
                                  const ConstraintRows<T>& rows, LowerView<T> lower, VectorView<const T> x,
                                  VectorView<T> out) {
  Method(model);
  method.plan(model, rows);
  method.place(model, kin, rows);
  { method.compute(model, kin, rows, lower) } -> std::same_as<Status>;
  method.respond(model, rows, x, out);
  { method.bytes() } -> std::same_as<std::size_t>;
};

template <class Method, class T>
concept HasOwnInverse = requires(Method method, const Model& model, MatrixView<const T> in, MatrixView<T> out) {
  method.consistent_inverse(model, in, out);
};
/// All that an operator is made from do; in the frames of links not all.
template <class Method, class T>
concept HasInverse = HasOwnInverse<Method, T> ||
    requires(Method method, const Model& model, const ConstraintRows<T>& rows, VectorView<const T> x,
             VectorView<T> out) {
  method.respond(model, rows, x, out);
};

/// J̄ = M⁻¹ Jᵀ Λ after compute, by the way that the method has for it or column by column. `column` has nv entries.
template <class T, HasInverse<T> Method>
void consistent_inverse(Method& method, const Model& model, const ConstraintRows<T>& rows, MatrixIn<T> lambda,
                        Out<T> column, MatrixOut<T> out) {
  if constexpr (HasOwnInverse<Method, T>) {
    method.consistent_inverse(model, lambda, out);
  } else {
    for (int c = 0; c < out.cols(); ++c) {
      method.respond(model, rows, VectorView<const T>(&lambda(c, 0), out.cols()), column);  // Λ is symmetric
      for (int k = 0; k < out.rows(); ++k) out(k, c) = column[k];
    }
    end_stage<T>("consistent inverse");
  }
}

template <class T, class Method>
ExplicitDelassus<T, Method>::ExplicitDelassus(const Model& model) : model_(model), method_(std::in_place, model) {
  static_assert(ExplicitMethod<Method, T>);
}

template <class T, class Method>
void ExplicitDelassus<T, Method>::update_structure(const Model& model, const RowStructure& rows) {
  take_model(model, model_);
  static_cast<void>(this->begin(0));
  planned_ = factored_ = false;
  method_->plan(model, rows);
  this->reserve(rows.spans, rows.num_rows());
  rows_.take_structure(rows);
  planned_ = true;
}

template <class T, class Method>
Status ExplicitDelassus<T, Method>::factor(const StateView<T>& at) {
  const Status fits = as_status(0, [&] {
    take_model(at.model, model_);
    if (!planned_ || !same_structure(rows_, at.rows)) update_structure(at.model, at.rows);
  });
  if (!fits.ok()) return fits;
  rows_.take_values(at.rows);
  const LowerView<T> lower = this->begin(rows_.num_rows());
  method_->place(at.model, at.kin, rows_);
  const Status status = this->finish(method_->compute(at.model, at.kin, rows_, lower));
  factored_ = status.ok();
  return status;
}

template <class T, class Method>
CallStatus ExplicitDelassus<T, Method>::joint_response(In<T> x, Out<T> acceleration) const {
  if (!factored_) return spoiled(kTooEarly, acceleration);
  if (const Status s = check_vectors(x, this->rows(), acceleration, model_.nv()); !s.ok())
    return spoiled(s, acceleration);
  method_->respond(model_, rows_, x, acceleration);
  return {};
}

template <class T, class Method>
Status ExplicitDelassus<T, Method>::consistent_inverse(MatrixOut<T> out) {
  if (!factored_) return kTooEarly;
  if (const Status s = check_matrix(out, model_.nv(), this->rows()); !s.ok()) return s;
  if (const Status status = this->invert(); !status.ok()) return status;
  response_.resize(out.rows());
  delassus::consistent_inverse<T>(*method_, model_, rows_, this->inverse(), response_, out);
  return {};
}

template <class T, class Method>
Status ExplicitDelassus<T, Method>::update_damping(const Damping<T>& damping) {
  return this->damp(damping, std::span(rows_.spans).first(this->rows() > 0 ? rows_.spans.size() : 0));
}

template <class T, class Method>
std::size_t ExplicitDelassus<T, Method>::bytes() const {
  return MatrixOperator<T>::bytes() + sizeof(Method) + heap_bytes(rows_, *method_, response_);
}

}  // namespace delassus
