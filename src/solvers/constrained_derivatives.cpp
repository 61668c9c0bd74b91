#include "delassus/solvers/constrained_derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "constraints/row_derivatives.hpp"
#include "delassus/dynamics/inverse_dynamics_derivatives.hpp"
#include "dynamics/articulated_body.hpp"
#include "math/chunks.hpp"
#include "math/instantiate.hpp"
#include "operators/refinement.hpp"
#include "solvers/proximal_method.hpp"

namespace delassus {
namespace {

template <class T>
void set_identity(MatrixView<T> A) {
  for (int r = 0; r < A.rows(); ++r) {
    for (int c = 0; c < A.cols(); ++c) A(r, c) = T(r == c ? 1 : 0);
  }
}

template <class T>
void negate(MatrixView<T> A) {
  for (int r = 0; r < A.rows(); ++r) {
    for (int c = 0; c < A.cols(); ++c) A(r, c) = -A(r, c);
  }
}

/// The first columns of to(r, :) += x from(k, :).
template <class T>
void add_scaled_row(MatrixView<T> to, int r, const T& x, MatrixView<const T> from, int k, int columns) {
  if (to.colStride() != 1 || from.colStride() != 1) {
    for (int c = 0; c < columns; ++c) to(r, c) += x * from(k, c);
    return;
  }
  T* out = &to(r, 0);
  const T* in = &from(k, 0);
  for_each_chunk<T>(columns, [&]<class X>(std::type_identity<X>, int at) {
    store(out + at, load<X>(out + at) + x * load<X>(in + at));
  });
}

template <class T>
void set_zero(MatrixView<T> A) {
  for (int r = 0; r < A.rows(); ++r) {
    for (int c = 0; c < A.cols(); ++c) A(r, c) = T(0);
  }
}

template <class T>
MatrixView<T> transposed(MatrixView<T> A) {
  return {A.data(), A.cols(), A.rows(), A.colStride(), A.rowStride()};
}

/// C += A B
template <class T>
void add_product(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) {
  for (int r = 0; r < A.rows(); ++r) {
    for (int k = 0; k < A.cols(); ++k) add_scaled_row<T>(C, r, A(r, k), B, k, C.cols());
  }
}

/// The same where both C and A B are symmetric: half of the work.
template <class T>
void add_symmetric_product(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) {
  for (int r = 0; r < A.rows(); ++r) {
    for (int k = 0; k < A.cols(); ++k) add_scaled_row<T>(C, r, A(r, k), B, k, r + 1);
    for (int c = 0; c < r; ++c) C(c, r) = C(r, c);
  }
}

}  // namespace

template <class T>
class ConstrainedDerivatives<T>::Work {
 public:
  explicit Work(const Model& model)
      : motion_(model),
        inverse_(model),
        art_(model),
        inverse_inertia_(model),
        zero_(static_cast<std::size_t>(model.nv()), T(0)),
        joint_(zero_) {}

  void update_structure(const State<T>& state) {
    rows_ = state.num_rows();
    row_.resize(state.rows());
    const auto m = static_cast<std::size_t>(rows_);
    for (Panel* panel : {&response_, &right_}) panel->resize(m * zero_.size());
    for (Panel* panel : {&Lambda_, &wanted_, &remainder_, &still_}) panel->resize(m * m);
  }

  Status compute(OperatorRef<T> op, const State<T>& state, In<T> qdd, In<T> lambda, const Baumgarte& pull,
                 const DerivativeViews<T>& out) {
    Status status = check_shapes(op.rows(), state, qdd, lambda, out);
    if (status.ok()) status = require_finite<T>(qdd);
    if (status.ok()) status = require_finite<T>(lambda);
    if (status.ok()) status = prepare(state, qdd, lambda, pull, out);
    if (status.ok() && rows_ > 0) status = invert(op);
    if (status.ok()) finish(state, lambda, out);
    return status;
  }

  std::size_t bytes() const {
    return heap_bytes(row_, art_, zero_, joint_, response_, right_, Lambda_, wanted_, remainder_, still_);
  }
  int redundant_rows() const { return redundant_; }

 private:
  using Panel = std::vector<T>;
  static constexpr int kSteps = 20;
  // Of Λ⁻¹ Λ, whose entries are at most 1: what is not worth another step, and what is too much.
  static constexpr double kEnough = 1e4 * std::numeric_limits<Base<T>>::epsilon();
  static constexpr double kTolerance = 1e-6;

  /// Y = J X, along the paths of the rows alone.
  void multiply_jacobian(const State<T>& state, MatrixView<const T> X, MatrixView<T> Y) const {
    const Model& model = state.model();
    const ConstraintRows<T>& rows = state.rows();
    set_zero(Y);
    for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
      const RowBlock& block = rows.blocks[b];
      for (int r = 0; r < block.rows; ++r) {
        const Force<T> wrench = row_wrench(rows, block, r, motion_.lever[block.link]);
        for (int i = block.link; i != kWorld; i = model.link(i).parent) {
          for (int k = model.link(i).v; k < model.link(i).v + model.link(i).nv; ++k) {
            add_scaled_row<T>(Y, block.first_row + r, dot(motion_.S[k], wrench), X, k, X.cols());
          }
        }
      }
    }
    for_each_entry(rows, [&](int row, int v, const T& weight) { add_scaled_row<T>(Y, row, weight, X, v, X.cols()); });
  }

  Status check_shapes(int rows, const State<T>& state, In<T> qdd, In<T> lambda, const DerivativeViews<T>& out) const {
    const int nv = static_cast<int>(zero_.size());
    Status status = check_sizes(
        {{1, state.num_rows(), rows}, {1, state.model().nv(), nv}, {2, qdd.size(), nv}, {3, lambda.size(), rows}});
    for (const MatrixView<T>& A : {out.qdd_q, out.qdd_v, out.qdd_tau}) {
      if (status.ok()) status = check_sizes({{5, A.rows(), nv}, {5, A.cols(), nv}});
    }
    for (const MatrixView<T>& A : {out.lambda_q, out.lambda_v, out.lambda_tau}) {
      if (status.ok()) status = check_sizes({{5, A.rows(), rows}, {5, A.cols(), nv}});
    }
    return status;
  }

  /// Leaves M⁻¹ and M⁻¹ δ(ID - Jᵀλ) where the accelerations will be, δ(J ν̇ + J̇ν - pull) where the forces will be.
  Status prepare(const State<T>& state, In<T> qdd, In<T> lambda, const Baumgarte& pull, const DerivativeViews<T>& out) {
    const Model& model = state.model();
    const Kinematics<T>& kin = state.kinematics();
    const ConstraintRows<T>& rows = state.rows();
    update_structure(state);
    redundant_ = 0;
    if (const Status status = articulate(model, kin, art_); !status.ok()) return status;

    update_motion_derivatives<T>(model, kin, state.velocities().v, qdd, motion_);
    for (int i = 0; i < model.num_links(); ++i) inverse_.external[i] = Force<T>::zero();
    for (const RowBlock& block : rows.blocks) {
      for (int r = 0; r < block.rows; ++r) {
        const Force<T> wrench = row_wrench(rows, block, r, Vec3<T>::zero());
        inverse_.external[block.link] += scaled(wrench, lambda[block.first_row + r]);
      }
    }
    rnea_derivatives<T>(model, kin, motion_, out.qdd_q, out.qdd_v, inverse_);
    subtract_force_derivatives<T>(model, kin, motion_, state.constraints(), rows, lambda, out.qdd_q);
    row_derivatives<T>(model, kin, motion_, state.constraints(), rows, pull.stiffness, pull.damping, out.lambda_q,
                       out.lambda_v, row_);

    set_identity(out.qdd_tau);
    for (const MatrixView<T>& panel : {out.qdd_tau, out.qdd_q, out.qdd_v})
      inverse_inertia_.multiply(model, art_, panel);
    if (rows_ == 0) return {};
    multiply_jacobian(state, out.qdd_tau, wide(response_));
    // The mean of the diagonal of Λ⁻¹ = (J M⁻¹) Jᵀ says what is little damping.
    multiply_jacobian(state, transposed(wide(response_)), square(Lambda_));
    T trace(0);
    for (int r = 0; r < rows_; ++r) trace += square(Lambda_)(r, r);
    const double rounding = std::numeric_limits<Base<T>>::epsilon();
    damping_ = select(T(0) < trace, T(std::sqrt(rounding) / rows_) * trace, T(1));
    set_identity(square(wanted_));
    return {};
  }

  /// After a damped solve of the unit matrix: μ (μ + Λ⁻¹)⁻¹ is nearly a projection onto forces that move nothing, and its fourth
  /// power is one to rounding. Its trace is their dimension. What they ask for cannot be had, so it is not asked for.
  void split_directions() {
    T trace(0);
    for (int r = 0; r < rows_; ++r) trace += damping_ * square(Lambda_)(r, r);
    redundant_ = 0;
    while (redundant_ < rows_ && all_lanes(T(redundant_ + 0.5) < trace)) ++redundant_;
    if (redundant_ == 0) return;
    for (std::size_t k = 0; k < Lambda_.size(); ++k) still_[k] = damping_ * Lambda_[k];
    multiply_from_left(still_, still_);
    multiply_from_left(still_, still_);
    for (std::size_t k = 0; k < wanted_.size(); ++k) wanted_[k] -= still_[k];
    multiply_from_left(wanted_, Lambda_);
  }

  /// X ← A X, for matrices that are functions of Λ⁻¹, so that the product is symmetric as well.
  void multiply_from_left(Panel& A, Panel& X) {
    set_zero(square(remainder_));
    add_symmetric_product<T>(square(A), square(X), square(remainder_));
    std::swap(X, remainder_);
  }

  /// remainder = wanted - Λ⁻¹ Λ, of which it holds the product.
  T find_remainder() {
    for (std::size_t k = 0; k < remainder_.size(); ++k) remainder_[k] = wanted_[k] - remainder_[k];
    return largest(remainder_.data(), static_cast<int>(remainder_.size()));
  }

  /// What rounding gave to forces that move nothing is taken out.
  Status end_inversion(const T& remainder) {
    if (!all_lanes(remainder < T(kTolerance))) {
      return {Status::Code::kNotConverged, worst_row(remainder_.data(), rows_ * rows_) / rows_};
    }
    if (redundant_ > 0) multiply_from_left(wanted_, Lambda_);
    return {};
  }

  /// δλ = Λ (J M⁻¹ δ(ID - Jᵀλ) - δ(rows)) and δν̇ = M⁻¹ (Jᵀ δλ - δ(ID - Jᵀλ)), where τ is -1 of ID.
  void finish(const State<T>& state, In<T> lambda, const DerivativeViews<T>& out) {
    negate(out.qdd_q);
    negate(out.qdd_v);
    if (rows_ == 0) return;
    const MatrixView<const T> inverse = square(Lambda_), response = wide(response_);
    const auto find_force = [&](MatrixView<T> force) {
      negate(wide(right_));
      set_zero(force);
      add_product<T>(inverse, wide(right_), force);
    };
    const auto finish_state = [&](MatrixView<T> qdd_x, MatrixView<T> lambda_x) {
      multiply_jacobian(state, qdd_x, wide(right_));
      for (int r = 0; r < rows_; ++r) {
        for (int c = 0; c < lambda_x.cols(); ++c) wide(right_)(r, c) += lambda_x(r, c);
      }
      find_force(lambda_x);
      add_product<T>(transposed(response), lambda_x, qdd_x);
    };
    finish_state(out.qdd_q, out.lambda_q);
    finish_state(out.qdd_v, out.lambda_v);
    std::copy(response_.begin(), response_.end(), right_.begin());
    find_force(out.lambda_tau);
    add_symmetric_product<T>(transposed(response), out.lambda_tau, out.qdd_tau);
    if (redundant_ > 0) turn_forces(state, lambda, out.lambda_q);
  }

  /// The least force is J z for some joint motion z. When q changes, so do the directions that forces move nothing along, and the
  /// force stays out of them: δλ has the part of δJ z that lies there.
  void turn_forces(const State<T>& state, In<T> lambda, MatrixView<T> lambda_q) {
    const Model& model = state.model();
    std::fill(joint_.begin(), joint_.end(), T(0));
    for (int r = 0; r < rows_; ++r) {
      T y(0);
      for (int c = 0; c < rows_; ++c) y += square(Lambda_)(r, c) * lambda[c];
      for (int k = 0; k < model.nv(); ++k) joint_[k] += wide(response_)(r, k) * y;
    }
    // Without velocities, a row acceleration is J times that of the joints.
    update_motion_derivatives<T>(model, state.kinematics(), zero_, joint_, motion_);
    row_derivatives<T>(model, state.kinematics(), motion_, state.constraints(), state.rows(), 0, 0, wide(right_),
                       wide(response_), row_);
    add_product<T>(square(still_), wide(right_), lambda_q);
  }

  /// Λ by proximal steps, as the force was found: each solves for what the one before left.
  Status invert(OperatorRef<T> op) {
    Status status = op.update_damping(Damping<T>(damping_));
    if (!status.ok()) return status;
    status = op.solve_panel(square(wanted_), square(Lambda_));  // of the unit matrix
    if (is_fatal(status)) return status;
    split_directions();
    T before(std::numeric_limits<Base<T>>::max());
    for (int step = 0;; ++step) {
      op.apply_panel(square(Lambda_), square(remainder_));
      const T remainder = find_remainder();
      const bool stalls = !all_lanes(remainder < T(0.5) * before);
      if (stalls || step == kSteps || all_lanes(remainder < T(kEnough))) return end_inversion(min(remainder, before));
      before = remainder;
      status = op.solve_panel(square(remainder_), square(remainder_));
      if (is_fatal(status)) return status;
      for (std::size_t k = 0; k < Lambda_.size(); ++k) Lambda_[k] += remainder_[k];
    }
  }

  MatrixView<T> square(Panel& panel) const { return {panel.data(), rows_, rows_}; }
  MatrixView<T> wide(Panel& panel) const { return {panel.data(), rows_, static_cast<int>(zero_.size())}; }

  int rows_ = 0, redundant_ = 0;
  T damping_{0};
  MotionDerivatives<T> motion_;
  InverseDynamicsDerivatives<T> inverse_;
  RowDerivatives<T> row_;
  Articulation<T> art_;  // the operator's own is not for panels
  InverseInertiaPanel<T> inverse_inertia_;
  std::vector<T> zero_, joint_;                // nv
  Panel response_, right_;                     // m × nv: J M⁻¹ and right-hand sides
  Panel Lambda_, wanted_, remainder_, still_;  // m × m; still_ projects onto forces that move nothing
};

template <class T>
ConstrainedDerivatives<T>::ConstrainedDerivatives(const Model& model) : work_(std::in_place, model) {}

template <class T>
void ConstrainedDerivatives<T>::update_structure(const State<T>& state) {
  work_->update_structure(state);
}

template <class T>
Status ConstrainedDerivatives<T>::compute(OperatorRef<T> op, const State<T>& state, In<T> qdd, In<T> lambda,
                                          const Baumgarte& pull, const DerivativeViews<T>& out) {
  return work_->compute(op, state, qdd, lambda, pull, out);
}

template <class T>
int ConstrainedDerivatives<T>::redundant_rows() const {
  return work_->redundant_rows();
}

template <class T>
std::size_t ConstrainedDerivatives<T>::bytes() const {
  return sizeof(Work) + work_->bytes();
}

#define DELASSUS_INSTANTIATE(T) template class ConstrainedDerivatives<T>;
DELASSUS_FOR_EACH_COUNTING_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
