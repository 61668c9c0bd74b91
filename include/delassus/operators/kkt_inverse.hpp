// The blocks of the inverse KKT matrix, as by-products of its factorization.
//
//   [M  -Jᵀ ]⁻¹   [ M⁻¹ - M⁻¹Jᵀ Λ_R J M⁻¹    M⁻¹Jᵀ Λ_R ]
//   [J   R⁻¹]   = [ -Λ_R J M⁻¹                Λ_R       ],   Λ_R = (R⁻¹ + J M⁻¹ Jᵀ)⁻¹
//
// Paper: Carpentier, Budhiraja, Mansard, "Proximal and Sparse Resolution of Constrained Dynamic Equations", section IV
// (docs/algorithms/kkt.md). The first is what is left of M⁻¹ for motions that the constraints allow; the second the
// dynamically consistent inverse, where there is no damping.
#pragma once

#include "delassus/operators/kkt.hpp"

namespace delassus {

/// Of an operator with damping. `projected` (nv × nv) takes the upper left block, `consistent` (nv × m) M⁻¹Jᵀ Λ_R, `inverse`
/// (m × m) Λ_R. One solve of the system per row and per degree of freedom. kNotFinite as solve_system.
template <class T>
Status kkt_inverse(const KktDelassus<T>& op, MatrixOut<T> projected, MatrixOut<T> consistent, MatrixOut<T> inverse);

}  // namespace delassus
