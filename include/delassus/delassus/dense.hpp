// The obvious operator: M by CRBA, its Cholesky factor L, Y = L⁻¹ Jᵀ, and Λ⁻¹ = Yᵀ Y as a matrix.
//
// O(nv³ + nv² m + nv m²) per configuration, O(m²) per product. The baseline that the others are measured against.
#pragma once

#include <vector>

#include "delassus/constraints/rows.hpp"
#include "delassus/delassus/operator.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"

namespace delassus {

template <class T>
class DenseDelassus {
 public:
  /// Memory for up to `rows` rows; more are possible and then allocate.
  explicit DenseDelassus(const Model& model, int rows = 0);

  /// Computes everything for one configuration. kSingularJoint names the joint at which M is singular, kNotFinite
  /// the row that overflows; the operator has no rows then. The damping is reset: update_damping comes before solve_damped.
  Status factor(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows);

  int rows() const { return rows_; }
  void apply(In<T> x, Out<T> y) const;
  void joint_response(In<T> x, Out<T> acceleration) const;
  Status update_damping(In<T> damping);
  void solve_damped(In<T> b, Out<T> z) const;
  void dense(MatrixOut<T> matrix) const;
  void diagonal(Out<T> out) const;

 private:
  MatrixView<const T> L() const { return {L_.data(), nv_, nv_}; }
  MatrixView<const T> Y() const { return {Y_.data(), rows_, nv_}; }
  MatrixView<const T> matrix() const { return {matrix_.data(), rows_, rows_}; }

  int nv_, rows_ = 0;
  bool damped_ = false;
  CompositeInertia<T> composite_;
  std::vector<T> L_;       // Cholesky factor of M, degrees of freedom from the last to the first
  std::vector<T> Y_;       // row r is L⁻¹ times row r of J, in the same order
  std::vector<T> matrix_;  // Λ⁻¹
  std::vector<T> damped_factor_;
  std::vector<T> floor_;  // pivots that would be rounding
};

}  // namespace delassus
