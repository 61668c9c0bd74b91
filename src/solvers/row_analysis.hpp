// Which rows of J depend on each other, by the metric of M⁻¹. A part of the constraint doctor.
#pragma once

#include <vector>

#include "delassus/constraints/rows.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/solvers/doctor.hpp"

namespace delassus {

struct RowAnalysis {
  int rows = 0, dofs = 0;
  /// What joints could do to rows if nothing cancelled: a bound of |J|, rows × dofs, by rows.
  std::vector<double> reach;
  std::vector<double> inertia;   // the diagonal of M
  std::vector<double> diagonal;  // of Λ⁻¹
  std::vector<double> strength;
  std::vector<int> independent;
  std::vector<RowDependency> dependencies;
  std::vector<double> eigenvalues;  // of the scaled Λ⁻¹, largest first
  double condition = 1;             // on the range
};

/// The tolerance is that of eigenvalues. kSingularJoint and kNotFinite as from InertiaFactor.
Status analyse_rows(const Model& model, const Kinematics<double>& kin, const ConstraintRows<double>& rows,
                    double tolerance, double worst_condition, RowAnalysis& out);

}  // namespace delassus
