// Constraints that act on very many links at once, such as the centre of mass.
//
// Carried along with others they would meet them at every link. Their columns of Λ⁻¹ are what the two sweeps give for a
// unit force on each of their rows, O(n + m) each; so they are computed apart, and the rest as if they were not there.
#pragma once

#include <vector>

#include "delassus/math/view.hpp"
#include "dynamics/sweeps.hpp"

namespace delassus {

/// For each constraint whether it acts on more links than pay to be carried along: more than eight, and more than a third
/// of all.
std::vector<bool> find_global_constraints(const Model& model, const RowStructure& rows);

/// Adds the rows and columns of the constraints that are marked to the lower triangle.
template <class T>
void add_global_rows(const Model& model, const Articulation<T>& art, const ConstraintRows<T>& rows,
                     const std::vector<bool>& global, Sweep<T>& work, LowerView<T> lower);

}  // namespace delassus
