// LCABA: products with Λ⁻¹ and with (R⁻¹ + Λ⁻¹)⁻¹ without either matrix, for trees with any loops.
//
// Paper: Sathya, Montaut, de Mont-Marin, Carpentier, "Matrix-Free Delassus Operations: Scalable and Memory-Efficient
// Algorithms", equations 6 to 9 and algorithms 1 to 4 (docs/algorithms/lcaba.md). With
// Λ_R = R - R J (M + Jᵀ R J)⁻¹ Jᵀ R (8), a damped solve is two sweeps over a tree whose links are coupled by loops.
//
// Cost: a product O(n + m); a damping and a damped solve O(n + m) while loops overlap little, as on robots; in general as
// a sparse Cholesky factorization. Memory likewise. Links that no constraint acts on, nor any further out, cost nothing
// after factor.
//
// Accuracy: a damped solve is refined with the undamped product until its residual is below 64 ε of b, at most
// LcabaOptions::refinements times, and never made worse; residual() says where it ended. Rounding alone leaves relative
// errors of ε ‖Λ⁻¹‖ / damping along what Λ⁻¹ does not fix, whatever the method. Stiffness loses as much everywhere before
// refinement, which converges while that is well below one; for less damping, LcabaForm::kAllMultipliers.
#pragma once

#include "delassus/constraints/state.hpp"
#include "delassus/dynamics/sweeps.hpp"
#include "delassus/operators/delassus_operator.hpp"
#include "delassus/operators/lcaba_factor.hpp"

namespace delassus {

template <class T>
class LcabaDelassus {
 public:
  static_assert(require_operator_scalar<T>());

  explicit LcabaDelassus(const Model& model, const LcabaOptions& options = {});
  /// Ready for the structure that the rows have; their values do not matter yet.
  LcabaDelassus(const Model& model, const RowStructure& rows, const LcabaOptions& options = {});
  explicit LcabaDelassus(const State<T>& state, const LcabaOptions& options = {})
      : LcabaDelassus(state.model(), state.rows(), options) {}

  /// Plans ahead, so that factor need not. There are no rows until the next factor.
  void update_structure(const Model& model, const RowStructure& rows);

  /// Takes over one configuration. If the rows have another structure than last time, it plans first, which allocates.
  /// kSingularJoint names the joint at which M is singular, kNotFinite the row that overflows; the operator has no rows
  /// then. The damping is reset: update_damping comes before solve_damped.
  Status factor(const StateView<T>& at);

  int rows() const { return num_rows_; }
  CallStatus apply(In<T> x, Out<T> y) const;
  CallStatus apply_panel(MatrixIn<T> x, MatrixOut<T> y) const;
  CallStatus joint_response(In<T> x, Out<T> acceleration) const;
  /// All entries have to be positive. kNotPositive names one that is not, or a row whose stiffness rounding cannot carry
  /// beside the inertias; the operator has no damping then.
  Status update_damping(const Damping<T>& damping);
  /// kInaccurate if refinement ended with a residual above 1e-7 of b (1e-3 in float); z is the best that there is.
  Status solve_damped(In<T> b, Out<T> z) const;
  Status solve_panel(MatrixIn<T> b, MatrixOut<T> z) const;
  /// The two sweeps of articulation(): forces on links and joints in, motions out, with M⁻¹.
  CallStatus respond_forces(Reach reach, Sweep<T>& sweep) const;
  CallStatus respond_motions(Reach reach, Sweep<T>& sweep) const;
  /// Links that feel a constraint, on them or further out, ascending.
  std::span<const std::int32_t> felt_links() const { return plan_.live; }
  /// The whole system with forces on links and joints: M ν̇ = forces + Jᵀ λ and J ν̇ + R⁻¹ λ = b. Motions are left in `sweep`. Not
  /// refined. lambda may be b.
  CallStatus solve_system(Sweep<T>& sweep, In<T> b, Out<T> lambda) const;
  /// One product for each row.
  CallStatus dense(MatrixOut<T> matrix) const;
  CallStatus diagonal(Out<T> out) const;
  std::size_t bytes() const {
    return heap_bytes(rows_, plan_, free_, factor_, weights_, sweep_, damped_sweep_, remainder_, step_, unit_, right_,
                      weighted_, column_);
  }

  /// Largest entry of b - (R⁻¹ + Λ⁻¹) z of the last solve_damped. Not a number without refinements.
  T residual() const { return residual_; }

  const LcabaPlan& plan() const { return plan_; }
  const LcabaFactor<T>& factors() const { return factor_; }
  const Articulation<T>& articulation() const { return free_; }

 private:
  void product(In<T> x, Out<T> y) const;
  void unit_product(int row) const;
  bool has_whole_blocks() const;
  void solve_once(In<T> b, Out<T> z) const;
  T find_remainder(In<T> b, In<T> z) const;

  Model model_;  // of the last factor
  LcabaOptions options_;
  ConstraintRows<T> rows_;  // of the last factor
  int num_rows_ = 0;
  bool damped_ = false;
  LcabaPlan plan_;
  Articulation<T> free_;
  LcabaFactor<T> factor_;
  RowWeights<T> weights_;
  mutable Sweep<T> sweep_;
  mutable LcabaSweep<T> damped_sweep_;
  mutable std::vector<T> remainder_, step_, unit_, right_, weighted_, column_;
  mutable T residual_;
};

}  // namespace delassus
