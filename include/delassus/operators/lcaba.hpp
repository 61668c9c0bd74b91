// LCABA: products with Λ⁻¹ and with (R⁻¹ + Λ⁻¹)⁻¹ without either matrix, for trees with any loops.
//
// Paper: Sathya, Montaut, de Mont-Marin, Carpentier, "Matrix-Free Delassus Operations: Scalable and Memory-Efficient
// Algorithms", equations 6 to 9 and algorithms 1 to 4 (docs/algorithms/lcaba.md). With
// Λ_R = R - R J (M + Jᵀ R J)⁻¹ Jᵀ R (8), a damped solve is two sweeps over a tree whose links are coupled by loops.
//
// It is the condensed tree with nothing condensed: every link that feels a constraint is a node.
//
// Accuracy: a damped solve is refined with the undamped product until its residual is below 64 ε of b, at most
// LcabaOptions::refinements times, and never made worse; residual() says where it ended. Rounding alone leaves relative
// errors of ε ‖Λ⁻¹‖ / damping along what Λ⁻¹ does not fix, whatever the method. Stiffness loses as much everywhere before
// refinement, which converges while that is well below one; for less damping, ConstraintForm::kAllMultipliers.
#pragma once

#include <cstdint>

#include "delassus/operators/condensed.hpp"

namespace delassus {

using LcabaForm = ConstraintForm;

struct LcabaOptions {
  LcabaForm form = LcabaForm::kCheapest;
  NodeOrder order = NodeOrder::kMinimumDegree;
  std::uint64_t seed = 0;  // of NodeOrder::kRandom
  int refinements = 2;     // at most, per solve; 0: as published, and without a residual

  /// No chain is carried, every solve is checked, and none falls back to a matrix.
  CondensedOptions condensed() const;
};

template <class T>
class LcabaDelassus : public CondensedDelassus<T> {
 public:
  static_assert(require_operator_scalar<T>());

  explicit LcabaDelassus(const Model& model, const LcabaOptions& options = {})
      : CondensedDelassus<T>(model, options.condensed()) {}
  /// Ready for the structure that the rows have; their values do not matter yet.
  LcabaDelassus(const Model& model, const RowStructure& rows, const LcabaOptions& options = {})
      : CondensedDelassus<T>(model, rows, options.condensed()) {}
  explicit LcabaDelassus(const State<T>& state, const LcabaOptions& options = {})
      : LcabaDelassus(state.model(), state.rows(), options) {}

  /// The whole system with forces on links and joints: M ν̇ = forces + Jᵀ λ and J ν̇ + R⁻¹ λ = b. Motions are left in `sweep`. Not
  /// refined. lambda may be b.
  CallStatus solve_system(Sweep<T>& sweep, In<T> b, Out<T> lambda) const;
};

}  // namespace delassus
