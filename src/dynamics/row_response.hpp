// M⁻¹ Jᵀ x by the two sweeps: the rows enter as wrenches on their links, the joint entries as forces on their joints.
#pragma once

#include "delassus/constraints/rows.hpp"
#include "delassus/math/view.hpp"
#include "dynamics/sweeps.hpp"

namespace delassus {

/// Jᵀ x as the sweeps take it, for all links.
template <class T>
void begin_row_response(const Model& model, const Articulation<T>& art, const ConstraintRows<T>& rows, In<T> x,
                        Sweep<T>& work);

/// Jᵀ x, added to the forces on links and joints in `work`.
template <class T>
void add_row_forces(const Articulation<T>& art, const ConstraintRows<T>& rows, In<T> x, Sweep<T>& work);

/// y = J ν̇ (without drift) from the motions that the sweeps left in `work`. Returns the size of the largest terms that a row is
/// the sum of.
template <class T>
T read_row_response(const Articulation<T>& art, const ConstraintRows<T>& rows, const Sweep<T>& work, Out<T> y);

/// acceleration = M⁻¹ Jᵀ x, O(n + m), after articulate. x has one entry per row, acceleration one per degree of freedom.
template <class T>
void row_response(const Model& model, const Articulation<T>& art, const ConstraintRows<T>& rows, In<T> x,
                  Out<T> acceleration, Sweep<T>& work);

}  // namespace delassus
