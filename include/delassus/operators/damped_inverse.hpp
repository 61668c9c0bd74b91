// The matrix Λ_R = (R⁻¹ + Λ⁻¹)⁻¹ itself, without inverting a matrix of its size (docs/algorithms/lcaba.md).
//
// By the topology of the rows one of two ways:
//   kTree   rows on single links and joints: PV-OSIMr on the tree with stiffness Kᵀ R K gives B = J M_R⁻¹ Jᵀ, O(n + m²)
//   kLoops  anything else: half a sweep of LCABA gives B
// and Λ_R = R - R B R. Where damping is far below Λ⁻¹ this is a small difference of large numbers, with relative error
// ε ‖Λ⁻¹‖ / damping. So the result is tried on one vector. If less than nine digits (four in float) are left there, and
// rounding of the entries of the result cannot be the reason, as it is for redundant rows, the result is replaced:
//   kFactored  Cholesky of Λ⁻¹ + R⁻¹, and its inverse, O(n + m³)
#pragma once

#include <cstdint>

#include "delassus/operators/lcaba.hpp"

namespace delassus {

template <class T>
class DampedInverse {
 public:
  static_assert(require_operator_scalar<T>());

  enum class Way : std::uint8_t { kTree, kLoops, kFactored };

  explicit DampedInverse(const Model& model, const LcabaOptions& options = {});

  /// Everything that follows from the structure of the rows. Allocates.
  void plan(const Model& model, const ConstraintRows<T>& rows);

  /// Writes all of the matrix, exactly symmetric. If the rows have another structure than was planned, it plans first.
  /// Status as that of LcabaDelassus, factor and then update_damping; kNotPositive only if Cholesky fails too.
  Status compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, In<T> damping,
                 MatrixOut<T> out);

  /// How the last matrix was computed.
  Way way() const;

 private:
  struct Work;

  Boxed<Work> work_;
};

}  // namespace delassus
