// Which rows of J depend on each other, by the metric of M⁻¹. A part of the constraint doctor.
#pragma once

#include <vector>

#include "delassus/solvers/doctor.hpp"
#include "solvers/scaled_rows.hpp"

namespace delassus {

struct RowAnalysis : ScaledRows {
  std::vector<int> independent;
  std::vector<RowDependency> dependencies;
  std::vector<double> eigenvalues;  // of the scaled Λ⁻¹, largest first
  double condition = 1;             // on the range
};

/// The tolerance is that of eigenvalues. kSingularJoint and kNotFinite as from InertiaFactor.
Status analyse_rows(const Model& model, const Kinematics<double>& kin, const ConstraintRows<double>& rows,
                    double tolerance, double worst_condition, RowAnalysis& out);

}  // namespace delassus
