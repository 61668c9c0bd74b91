#include "delassus/operators/damped_inverse.hpp"

#include <algorithm>
#include <limits>

#include "dynamics/joint_step.hpp"
#include "math/cholesky.hpp"
#include "math/instantiate.hpp"
#include "math/pivot.hpp"
#include "operators/add_damping.hpp"
#include "operators/lcaba_half_sweep.hpp"
#include "operators/node_tree.hpp"

namespace delassus {
namespace {

/// What a trial may leave of its right-hand side, and what rounding of a matrix and its inverse leaves in any case, as a
/// multiple of their sizes.
template <class T>
constexpr double kRounding = 256 * static_cast<double>(std::numeric_limits<Base<T>>::epsilon());
template <class T>
constexpr double kMostLost = std::same_as<Base<T>, float> ? 1e-4 : 1e-9;

/// Signs without a pattern that rows could have too.
double trial_sign(int row) { return (static_cast<std::uint32_t>(row + 1) * 2654435769U >> 31) != 0 ? 1 : -1; }

}  // namespace

template <class T>
struct DampedInverse<T>::Work {
  Work(const Model& model, const LcabaOptions& options) : model_(model), op_(model, options), damped_(model) {
    plan(model, rows_);
  }

  void plan(const Model& model, const ConstraintRows<T>& rows) {
    op_.update_structure(model, rows);
    rows_ = rows;
    carrier_plan_ = make_carrier_plan(model, rows_, Meeting::kAlwaysEnds, {}, kNodeColumns<T>);
    node_plan_ = make_node_tree_plan(carrier_plan_, rows_);
    product_plan_ = make_row_product_plan(carrier_plan_, rows_);
    carriers_.resize(model, carrier_plan_);
    tree_.resize(node_plan_);
    half_plan_ = make_half_sweep_plan(model, op_.plan(), rows_);
    const std::size_t m = rows_.num_rows();
    half_.resize(op_.plan(), half_plan_, rows_.num_rows());
    for (std::vector<T>* square : {&matrix_, &factored_}) square->assign(m * m, T(0));
    for (std::vector<T>* vector : {&floor_, &trial_, &image_}) vector->assign(m, T(0));
  }

  Status compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, In<T> damping,
                 MatrixOut<T> out) {
    const int m = rows.num_rows();
    if (const Status s = check_sizes({{3, damping.size(), m}, {4, out.rows(), m}, {4, out.cols(), m}}); !s.ok())
      return s;
    const Status fits = as_status(0, [&] {
      if (!same_structure(rows_, rows)) plan(model, rows);
      take_model(model, model_);
    });
    if (!fits.ok()) return fits;
    rows_.take_values(rows);
    if (const Status status = op_.factor({model, kin, rows_}); !status.ok()) return status;
    for (int r = 0; r < m; ++r) {
      if (!all_lanes(T(0) < damping[r]) || !is_damping(damping[r])) return {damping_fault(damping[r]), r};
    }
    const bool direct = op_.update_damping(damping).ok();
    const bool tree = op_.plan().multipliers.nodes.empty() && op_.plan().panel_size == 0;
    way_ = tree ? Way::kTree : Way::kLoops;
    if (direct) tree ? invert_tree(damping, out) : invert_loops(damping, out);
    const MatrixView<const T> result(out.data(), m, m, out.rowStride(), out.colStride());
    const auto keep = (direct ? lost(damping, result) : T(1)) < (direct ? allowed(result) : T(0));
    if (all_lanes(keep)) return {};
    way_ = Way::kFactored;
    if (const Status status = factor_and_invert(damping); !status.ok()) return status;
    for (int c = 0; c < m; ++c) {
      const T* column = factored_.data() + static_cast<std::ptrdiff_t>(c) * m;
      for (int r = c; r < m; ++r) out(r, c) = out(c, r) = select(keep, direct ? out(r, c) : T(0), column[r]);
    }
    return {};
  }

  Way way() const { return way_; }

 private:
  LowerView<T> begin() {
    std::fill(matrix_.begin(), matrix_.end(), T(0));
    return {matrix_.data(), rows_.num_rows()};
  }

  /// As PV-OSIMr reads it: of a free joint on the world the condensed tree has the inertia of the link itself.
  const Articulation<T>& damped_tree() {
    const CondensedDamping<T>& d = op_.damping();
    damped_.frames = op_.articulation().frames;
    damped_.U_hat = d.U_hat;
    damped_.D_factor = d.D_factor;
    for (const CondensedPlan::Node& node : op_.plan().nodes) {
      if (node.kind != CondensedPlan::Kind::kFree) continue;
      ArticulatedInertia<T> H = d.H[node.slot];
      typename ArticulatedInertia<T>::Column unused[6];
      articulate_joint<6, false>(&damped_.frames.S[node.v], true, H, unused,
                                 [&](const Sym<T, 6>& D, Ldlt<T, 6>& factor) {
                                   T margin;
                                   factor = factor_ldlt(D, Vec<T, 6>::zero(), margin);
                                   std::copy_n(factor.factor.a, Sym<T, 6>::kSize, &damped_.D_factor[node.factor]);
                                   return margin;
                                 });
    }
    return damped_;
  }

  void invert_tree(In<T> damping, MatrixOut<T> out) {
    const LowerView<T> B = begin();
    carry_rows(model_, damped_tree(), rows_, carrier_plan_, carriers_);
    add_row_products(product_plan_, carriers_, B);
    add_node_products(carrier_plan_, node_plan_, carriers_, tree_, B);
    for (int c = 0; c < damping.size(); ++c) {
      const T R = T(1) / damping[c];
      for (int r = c; r < damping.size(); ++r) out(r, c) = out(c, r) = -(B(r, c) * R / damping[r]);
      out(c, c) += R;
    }
  }

  void invert_loops(In<T> damping, MatrixOut<T> out) {
    sweep_half(model_, op_.plan(), half_plan_, op_.configuration(), op_.damping(), rows_, half_);
    const std::vector<std::uint8_t>& stiff = half_plan_.stiff_row;
    const auto scale = [&](int r) { return stiff[r] ? T(1) / damping[r] : T(1); };
    const LowerView<T> by_links = begin();
    add_row_products(half_plan_.link_products, half_.felt, by_links);
    for (int c = 0; c < damping.size(); ++c) {
      for (int r = c; r < damping.size(); ++r) out(r, c) = -(by_links(r, c) * scale(r) * scale(c));
    }
    const LowerView<T> by_multipliers = begin();
    add_row_products(half_plan_.multiplier_products, half_.felt, by_multipliers);
    for (int c = 0; c < damping.size(); ++c) {
      for (int r = c; r < damping.size(); ++r) {
        out(r, c) += by_multipliers(r, c) * scale(r) * scale(c);
        out(c, r) = out(r, c);
      }
      if (stiff[c]) out(c, c) += T(1) / damping[c];
    }
  }

  /// Leaves the inverse in factored_.
  Status factor_and_invert(In<T> damping) {
    const int m = rows_.num_rows();
    op_.dense(MatrixView<T>(matrix_.data(), m, m));
    const LowerView<T> L{matrix_.data(), m};
    for (int r = 0; r < m; ++r) {
      floor_[r] = T(kPivotTolerance<T>) * L(r, r);
      L(r, r) += damping[r];
    }
    if (const Status status = cholesky_in_place<T>(L, VectorView<const T>(floor_)); !status.ok()) return status;
    const LowerView<const T> factor{matrix_.data(), m};
    for (int c = 0; c < m; ++c) {
      T* column = factored_.data() + static_cast<std::ptrdiff_t>(c) * m;
      for (int r = 0; r < m; ++r) column[r] = T(r == c ? 1 : 0);
      solve_lower<T>(factor, m, column);
      solve_lower_transposed<T>(factor, m, column);
    }
    return {};
  }

  /// Largest entry of b - (R⁻¹ + Λ⁻¹) (inverse b) for a vector b of signs.
  T lost(In<T> damping, MatrixView<const T> inverse) {
    const int m = inverse.rows();
    for (int r = 0; r < m; ++r) {
      trial_[r] = T(0);
      for (int c = 0; c < m; ++c) trial_[r] += inverse(r, c) * T(trial_sign(c));
    }
    op_.apply(trial_, image_);
    T most(0);
    for (int r = 0; r < m; ++r) {
      const T left = T(trial_sign(r)) - damping[r] * trial_[r] - image_[r];
      most = max(most, max(left, -left));
    }
    return most;
  }

  T allowed(MatrixView<const T> inverse) {
    const int m = inverse.rows();
    for (int r = 0; r < m; ++r) trial_[r] = T(trial_sign(r));
    op_.apply(trial_, image_);
    T matrix(0), entry(0);
    for (int r = 0; r < m; ++r) {
      matrix = max(matrix, max(image_[r], -image_[r]));
      entry = max(entry, inverse(r, r));
    }
    return max(T(kMostLost<T>), T(kRounding<T>) * matrix * entry);
  }

  Model model_;
  ConstraintRows<T> rows_;
  LcabaDelassus<T> op_;
  Way way_ = Way::kTree;
  CarrierPlan carrier_plan_;
  RowProductPlan product_plan_;
  NodeTreePlan node_plan_;
  RowCarriers<T> carriers_;
  NodeTree<T> tree_;
  Articulation<T> damped_;
  HalfSweepPlan half_plan_;
  HalfSweep<T> half_;
  std::vector<T> matrix_, factored_, floor_, trial_, image_;
};

template <class T>
DampedInverse<T>::DampedInverse(const Model& model, const LcabaOptions& options)
    : work_(std::in_place, model, options) {}

template <class T>
void DampedInverse<T>::plan(const Model& model, const ConstraintRows<T>& rows) {
  work_->plan(model, rows);
}

template <class T>
Status DampedInverse<T>::compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows,
                                 In<T> damping, MatrixOut<T> out) {
  return work_->compute(model, kin, rows, damping, out);
}

template <class T>
typename DampedInverse<T>::Way DampedInverse<T>::way() const {
  return work_->way();
}

#define DELASSUS_INSTANTIATE(T) template class DampedInverse<T>;
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
