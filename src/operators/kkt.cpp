#include "delassus/operators/kkt.hpp"

#include "dynamics/factored_rows.hpp"
#include "dynamics/row_products.hpp"
#include "math/finite.hpp"
#include "math/instantiate.hpp"
#include "operators/explicit_fallback.hpp"

namespace delassus {
template <class T>
struct KktDelassus<T>::Work {
  explicit Work(const Model& model) : factored(model) {}

  FactoredRows<T> factored;
  RowProductPlan products;
  FormedMatrix<T> matrix;  // Λ⁻¹ and C, once somebody needs them
};

template <class T>
KktDelassus<T>::KktDelassus(const Model& model)
    : model_(model), work_(std::in_place, model), joint_(model.nv(), T(0)) {}

template <class T>
KktDelassus<T>::KktDelassus(const Model& model, const RowStructure& rows) : KktDelassus(model) {
  update_structure(model, rows);
}

template <class T>
void KktDelassus<T>::drop() {
  num_rows_ = 0;
  ready_ = damped_ = formed_ = false;
}

template <class T>
void KktDelassus<T>::update_structure(const Model& model, const RowStructure& rows) {
  take_model(model, model_);
  drop();
  planned_ = false;
  work_->factored.plan(model, rows);
  work_->products = make_row_product_plan(work_->factored.carrier_plan(), rows);
  work_->matrix.reserve(rows.spans, rows.num_rows());
  for (std::vector<T>* work : {&diagonal_, &column_}) work->assign(static_cast<std::size_t>(rows.num_rows()), T(0));
  rows_.take_structure(rows);
  planned_ = true;
}

template <class T>
Status KktDelassus<T>::factor(const StateView<T>& at) {
  const auto& [model, kin, rows] = at;
  const Status fits = as_status(0, [&] {
    take_model(at.model, model_);
    if (!planned_ || !same_structure(rows_, at.rows)) update_structure(at.model, at.rows);
  });
  if (!fits.ok()) return fits;
  drop();
  rows_.take_values(rows);
  work_->factored.place(model, kin, rows_);
  if (const Status status = work_->factored.compute(model, kin, rows_); !status.ok()) return status;
  work_->factored.squared_norms(model, diagonal_);
  end_stage<T>("diagonal");
  const Status status = require_finite<T>(diagonal_);
  ready_ = status.ok();
  if (ready_) num_rows_ = rows.num_rows();
  return status;
}

template <class T>
CallStatus KktDelassus<T>::apply(In<T> x, Out<T> y) const {
  if (const Status s = check_vectors(x, num_rows_, y, num_rows_); !s.ok()) return spoiled(s, y);
  if (num_rows_ == 0) return {};
  work_->factored.multiply(model_, x, joint());
  work_->factored.multiply_transposed(model_, joint(), y);
  return {};
}

template <class T>
CallStatus KktDelassus<T>::apply_panel(MatrixIn<T> X, MatrixOut<T> Y) const {
  if (const Status s = check_panels(X, Y, num_rows_); !s.ok()) return spoiled(s, Y);
  for (int c = 0; c < X.cols(); ++c) {
    for (int r = 0; r < num_rows_; ++r) column_[r] = X(r, c);
    apply(column(), column());
    for (int r = 0; r < num_rows_; ++r) Y(r, c) = column_[r];
  }
  return {};
}

template <class T>
CallStatus KktDelassus<T>::joint_response(In<T> x, Out<T> acceleration) const {
  if (!ready_) return spoiled(kTooEarly, acceleration);
  if (const Status s = check_vectors(x, num_rows_, acceleration, static_cast<int>(joint_.size())); !s.ok())
    return spoiled(s, acceleration);
  work_->factored.respond(model_, x.data(), acceleration.data());
  return {};
}

/// Λ⁻¹ = Yᵀ Y, once per configuration and only if somebody needs it.
template <class T>
Status KktDelassus<T>::form_matrix() const {
  if (formed_) return {};
  const LowerView<T> lower = work_->matrix.begin(num_rows_);
  add_row_products(work_->products, work_->factored.carriers(), lower);
  for (int r = 0; r < num_rows_; ++r) lower(r, r) = diagonal_[r];
  end_stage<T>("products");
  const Status status = work_->matrix.finish({});
  formed_ = status.ok();
  return status;
}

template <class T>
Status KktDelassus<T>::update_damping(const Damping<T>& damping) {
  if (!ready_) return kTooEarly;
  if (!damping.fits(rows_.spans, num_rows_)) return {Status::Code::kBadArgument, 0};
  damped_ = false;
  if (const Status status = form_matrix(); !status.ok()) return status;
  const Status status = work_->matrix.damp(damping, rows_.spans);
  end_stage<T>("constraint block");
  damped_ = status.ok();
  return status;
}

template <class T>
Status KktDelassus<T>::solve(In<T> b, Out<T> z) const {
  if (!damped_) return kTooEarly;
  if (const Status s = check_vectors(b, num_rows_, z, num_rows_); !s.ok()) return s;
  const Status status = work_->matrix.solve(b, z);
  const Status finite = require_finite<T>(z);
  return finite.ok() ? status : finite;
}

template <class T>
Status KktDelassus<T>::solve_panel(MatrixIn<T> B, MatrixOut<T> Z) const {
  if (!damped_) return kTooEarly;
  if (const Status s = check_panels(B, Z, num_rows_); !s.ok()) return s;
  Status first;
  for (int c = 0; c < B.cols(); ++c) {
    for (int r = 0; r < num_rows_; ++r) column_[r] = B(r, c);
    const Status status = solve(column(), column());
    if (first.ok()) first = status;
    for (int r = 0; r < num_rows_; ++r) Z(r, c) = column_[r];
  }
  return first;
}

template <class T>
T KktDelassus<T>::largest_mobility() const {
  const InertiaFactor<T>& inertia = work_->factored.inertia();
  T most(0);
  for (int k = 0; k < static_cast<int>(joint_.size()); ++k) {
    const T inverse = inertia.row(k)[inertia.above(k)];
    most = max(most, inverse * inverse);
  }
  return most;
}

template <class T>
CallStatus KktDelassus<T>::begin_motion(In<T> force, Out<T> half, Out<T> row_acceleration) const {
  const int nv = static_cast<int>(joint_.size());
  if (!ready_) return spoiled(kTooEarly, half, row_acceleration);
  if (const Status s =
          check_sizes({{0, force.size(), nv}, {1, half.size(), nv}, {2, row_acceleration.size(), num_rows_}});
      !s.ok())
    return spoiled(s, half, row_acceleration);
  for (int k = 0; k < nv; ++k) half[k] = force[k];
  work_->factored.inertia().solve_transposed(half.data());
  work_->factored.multiply_transposed(model_, half, row_acceleration);
  return {};
}

template <class T>
CallStatus KktDelassus<T>::end_motion(In<T> half, In<T> x, Out<T> acceleration) const {
  const int nv = static_cast<int>(joint_.size());
  if (!ready_) return spoiled(kTooEarly, acceleration);
  if (const Status s = check_sizes({{0, half.size(), nv}, {1, x.size(), num_rows_}, {2, acceleration.size(), nv}});
      !s.ok())
    return spoiled(s, acceleration);
  work_->factored.multiply(model_, x, acceleration);
  for (int k = 0; k < nv; ++k) acceleration[k] += half[k];
  work_->factored.inertia().solve(acceleration.data());
  return {};
}

template <class T>
Status KktDelassus<T>::solve_system(In<T> tau, In<T> b, Out<T> acceleration, Out<T> lambda) const {
  if (!damped_) return kTooEarly;
  if (const Status s = check_sizes({{1, b.size(), num_rows_}, {3, lambda.size(), num_rows_}}); !s.ok()) return s;
  if (const Status s = begin_motion(tau, joint(), column()); !s.ok()) return s;
  for (int r = 0; r < num_rows_; ++r) lambda[r] = b[r] - column_[r];
  const Status status = solve(lambda, lambda);
  const Status ended = end_motion(joint(), lambda, acceleration);
  return ended.ok() ? status : ended;
}

template <class T>
CallStatus KktDelassus<T>::dense(MatrixOut<T> matrix) const {
  if (const Status s = check_matrix(matrix, num_rows_, num_rows_); !s.ok()) return spoiled(s, matrix);
  if (num_rows_ == 0) return {};
  static_cast<void>(form_matrix());  // its diagonal is finite since factor
  work_->matrix.dense(matrix);
  return {};
}

template <class T>
CallStatus KktDelassus<T>::diagonal(Out<T> out) const {
  if (const Status s = check_sizes({{0, out.size(), num_rows_}}); !s.ok()) return spoiled(s, out);
  for (int r = 0; r < num_rows_; ++r) out[r] = diagonal_[r];
  return {};
}

template <class T>
T KktDelassus<T>::largest_diagonal() const {
  T most(0);
  for (int r = 0; r < num_rows_; ++r) most = max(most, diagonal_[r]);
  return most;
}

template <class T>
std::size_t KktDelassus<T>::bytes() const {
  return sizeof(Work) + work_->matrix.bytes() +
         heap_bytes(rows_, work_->factored, work_->products, diagonal_, column_, joint_);
}

#define DELASSUS_INSTANTIATE(T)  \
  template class KktDelassus<T>; \
  static_assert(DelassusOperator<KktDelassus<T>, T>);
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
