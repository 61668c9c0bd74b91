// Rows of J by the metric of M⁻¹, each of length one. A part of the constraint doctor.
#pragma once

#include <vector>

#include "delassus/constraints/rows.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/math/error.hpp"

namespace delassus {

struct ScaledRows {
  int rows = 0, dofs = 0;
  /// What joints could do to rows if nothing cancelled: a bound of |J|, rows × dofs, by rows.
  std::vector<double> reach;
  std::vector<double> inertia;   // the diagonal of M
  std::vector<double> diagonal;  // of Λ⁻¹
  std::vector<double> strength;
  std::vector<double> Y;  // by rows of J; zero where no joint moves the row

  double* row(int r) { return Y.data() + static_cast<std::ptrdiff_t>(r) * dofs; }
  const double* row(int r) const { return Y.data() + static_cast<std::ptrdiff_t>(r) * dofs; }
};

/// The tolerance is that of eigenvalues: a row whose squared strength is below it counts as zero. kSingularJoint and kNotFinite
/// as from InertiaFactor.
Status scale_rows(const Model& model, const Kinematics<double>& kin, const ConstraintRows<double>& rows,
                  double tolerance, ScaledRows& out);

}  // namespace delassus
