#include "delassus/delassus/kkt.hpp"

#include <algorithm>
#include <string>

#include "delassus/delassus/add_damping.hpp"
#include "delassus/math/cholesky.hpp"
#include "delassus/math/finite.hpp"
#include "delassus/math/instantiate.hpp"
#include "delassus/math/pivot.hpp"

namespace delassus {
namespace {

void require_panels(int rows, int in_rows, int in_columns, int out_rows, int out_columns) {
  require_size("panel in (rows)", in_rows, rows);
  require_size("panel out (rows)", out_rows, rows);
  require_size("panel out (columns)", out_columns, in_columns);
}

}  // namespace

template <class T>
KktDelassus<T>::KktDelassus(const Model& model) : input_(model), factored_(model), joint_(model.nv(), T(0)) {}

template <class T>
KktDelassus<T>::KktDelassus(const Model& model, const ConstraintRows<T>& rows) : KktDelassus(model) {
  update_structure(model, rows);
}

template <class T>
void KktDelassus<T>::drop() {
  num_rows_ = 0;
  ready_ = damped_ = formed_ = false;
}

template <class T>
void KktDelassus<T>::update_structure(const Model& model, const ConstraintRows<T>& rows) {
  input_.require_same_tree(model);
  drop();
  input_.drop_structure();
  factored_.plan(model, rows);
  product_plan_ = make_row_product_plan(factored_.carrier_plan(), rows);
  const std::size_t m = rows.num_rows();
  square_.assign(m * m, T(0));
  below_.assign(m == 0 ? 0 : m * (m - 1) / 2, T(0));
  for (std::vector<T>* work : {&diagonal_, &floor_, &column_}) work->assign(m, T(0));
  input_.take_structure(rows);
}

template <class T>
Status KktDelassus<T>::factor(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows) {
  input_.require_same_tree(model);
  if (!input_.fits(rows)) update_structure(model, rows);
  drop();
  input_.take_values(model, rows);
  factored_.place(model, kin, input_.rows());
  if (const Status status = factored_.compute(model, kin, input_.rows()); !status.ok()) return status;
  factored_.squared_norms(model, diagonal_);
  end_stage<T>("diagonal");
  const Status status = require_finite<T>(diagonal_);
  ready_ = status.ok();
  if (ready_) num_rows_ = rows.num_rows();
  return status;
}

template <class T>
void KktDelassus<T>::apply(In<T> x, Out<T> y) const {
  require_size("x", x.size(), num_rows_);
  require_size("y", y.size(), num_rows_);
  if (num_rows_ == 0) return;
  factored_.multiply(input_.model(), x, joint());
  factored_.multiply_transposed(input_.model(), joint(), y);
}

template <class T>
void KktDelassus<T>::apply_panel(MatrixIn<T> X, MatrixOut<T> Y) const {
  require_panels(num_rows_, X.rows(), X.cols(), Y.rows(), Y.cols());
  for (int c = 0; c < X.cols(); ++c) {
    for (int r = 0; r < num_rows_; ++r) column_[r] = X(r, c);
    apply(column(), column());
    for (int r = 0; r < num_rows_; ++r) Y(r, c) = column_[r];
  }
}

template <class T>
void KktDelassus<T>::joint_response(In<T> x, Out<T> acceleration) const {
  require_size("x", x.size(), num_rows_);
  require_size("acceleration", acceleration.size(), static_cast<int>(joint_.size()));
  require_factor("joint_response");
  factored_.respond(input_.model(), x.data(), acceleration.data());
}

/// Λ⁻¹ = Yᵀ Y below the diagonal, once per configuration and only if somebody needs it.
template <class T>
void KktDelassus<T>::form_matrix() const {
  if (formed_ || num_rows_ == 0) return;
  std::fill(square_.begin(), square_.end(), T(0));
  add_row_products(product_plan_, factored_.carriers(), square());
  end_stage<T>("products");
  T* to = below_.data();
  for (int c = 0; c < num_rows_; ++c) to = std::copy(square().at(c + 1, c), square().at(num_rows_, c), to);
  formed_ = true;
}

template <class T>
Status KktDelassus<T>::update_damping(const Damping<T>& damping) {
  require_factor("update_damping");
  damping.require_fit(input_.rows().spans, num_rows_);
  damped_ = false;
  form_matrix();
  const LowerView<T> C = square();
  const T* from = below_.data();
  for (int c = 0; c < num_rows_; ++c) {
    C(c, c) = diagonal_[c];
    for (int r = c + 1; r < num_rows_; ++r) C(r, c) = *from++;
  }
  Status status = add_damping<T>(damping, input_.rows().spans, num_rows_, C);
  if (!status.ok()) return status;
  for (int r = 0; r < num_rows_; ++r) floor_[r] = T(kPivotTolerance<T>) * C(r, r);
  status = cholesky_in_place<T>(C, floor_);
  end_stage<T>("constraint block");
  damped_ = status.ok();
  return status;
}

template <class T>
void KktDelassus<T>::require_factor(const char* verb) const {
  if (!ready_) throw Error(std::string(verb) + " needs a successful factor");
}

template <class T>
void KktDelassus<T>::require_damping(const char* verb) const {
  if (!damped_) throw Error(std::string(verb) + " needs a successful update_damping after factor");
}

/// x ← (R⁻¹ + Λ⁻¹)⁻¹ x
template <class T>
Status KktDelassus<T>::solve_constraints(VectorView<T> x) const {
  const LowerView<const T> C{square_.data(), num_rows_};
  solve_lower<T>(C, num_rows_, x.data());
  solve_lower_transposed<T>(C, num_rows_, x.data());
  return require_finite<T>(x);
}

template <class T>
Status KktDelassus<T>::solve_damped(In<T> b, Out<T> z) const {
  require_size("b", b.size(), num_rows_);
  require_size("z", z.size(), num_rows_);
  require_damping("solve_damped");
  for (int r = 0; r < num_rows_; ++r) z[r] = b[r];
  return solve_constraints(z);
}

template <class T>
Status KktDelassus<T>::solve_panel(MatrixIn<T> B, MatrixOut<T> Z) const {
  require_panels(num_rows_, B.rows(), B.cols(), Z.rows(), Z.cols());
  require_damping("solve_panel");
  Status first;
  for (int c = 0; c < B.cols(); ++c) {
    for (int r = 0; r < num_rows_; ++r) column_[r] = B(r, c);
    const Status status = solve_constraints(column());
    if (first.ok()) first = status;
    for (int r = 0; r < num_rows_; ++r) Z(r, c) = column_[r];
  }
  return first;
}

template <class T>
T KktDelassus<T>::largest_mobility() const {
  const InertiaFactor<T>& inertia = factored_.inertia();
  T most(0);
  for (int k = 0; k < static_cast<int>(joint_.size()); ++k) {
    const T inverse = inertia.row(k)[inertia.above(k)];
    most = max(most, inverse * inverse);
  }
  return most;
}

template <class T>
void KktDelassus<T>::begin_motion(In<T> force, Out<T> half, Out<T> row_acceleration) const {
  const int nv = static_cast<int>(joint_.size());
  require_size("force", force.size(), nv);
  require_size("half", half.size(), nv);
  require_size("row_acceleration", row_acceleration.size(), num_rows_);
  require_factor("begin_motion");
  for (int k = 0; k < nv; ++k) half[k] = force[k];
  factored_.inertia().solve_transposed(half.data());
  factored_.multiply_transposed(input_.model(), half, row_acceleration);
}

template <class T>
void KktDelassus<T>::end_motion(In<T> half, In<T> x, Out<T> acceleration) const {
  const int nv = static_cast<int>(joint_.size());
  require_size("half", half.size(), nv);
  require_size("x", x.size(), num_rows_);
  require_size("acceleration", acceleration.size(), nv);
  require_factor("end_motion");
  factored_.multiply(input_.model(), x, acceleration);
  for (int k = 0; k < nv; ++k) acceleration[k] += half[k];
  factored_.inertia().solve(acceleration.data());
}

template <class T>
Status KktDelassus<T>::solve_system(In<T> tau, In<T> b, Out<T> acceleration, Out<T> lambda) const {
  require_size("b", b.size(), num_rows_);
  require_size("lambda", lambda.size(), num_rows_);
  require_damping("solve_system");
  begin_motion(tau, joint(), column());
  for (int r = 0; r < num_rows_; ++r) lambda[r] = b[r] - column_[r];
  const Status status = solve_constraints(lambda);
  end_motion(joint(), lambda, acceleration);
  return status;
}

template <class T>
void KktDelassus<T>::dense(MatrixOut<T> matrix) const {
  require_size("matrix (rows)", matrix.rows(), num_rows_);
  require_size("matrix (columns)", matrix.cols(), num_rows_);
  form_matrix();
  const T* from = below_.data();
  for (int c = 0; c < num_rows_; ++c) {
    matrix(c, c) = diagonal_[c];
    for (int r = c + 1; r < num_rows_; ++r) matrix(r, c) = matrix(c, r) = *from++;
  }
}

template <class T>
void KktDelassus<T>::diagonal(Out<T> out) const {
  require_size("out", out.size(), num_rows_);
  for (int r = 0; r < num_rows_; ++r) out[r] = diagonal_[r];
}

template <class T>
T KktDelassus<T>::largest_diagonal() const {
  T most(0);
  for (int r = 0; r < num_rows_; ++r) most = max(most, diagonal_[r]);
  return most;
}

#define DELASSUS_INSTANTIATE(T)  \
  template class KktDelassus<T>; \
  static_assert(DelassusOperator<KktDelassus<T>, T>);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
