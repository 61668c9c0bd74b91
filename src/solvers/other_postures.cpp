#include "solvers/other_postures.hpp"

#include <algorithm>
#include <cmath>

#include "delassus/constraints/state.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "solvers/row_basis.hpp"

namespace delassus {
namespace {

/// Sine of the angle between the first row and the span of the others.
double sine(const ScaledRows& scaled, const std::vector<int>& rows) {
  constexpr double kInSpan = 1e-7;
  RowBasis basis(scaled.dofs);
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const double distance = basis.project(scaled.row(rows[k]));
    if (distance > kInSpan) basis.keep(distance);
  }
  return basis.project(scaled.row(rows[0]));
}

}  // namespace

void OtherPostures::look() {
  State<double> state(model_, constraints_);
  const std::vector<double> rest(static_cast<std::size_t>(model_.nv()), 0);
  std::vector<double> step(rest), q(q_);
  for (const double size : {0.1, -0.3, 0.9}) {
    // Steps between half and all of the size, by multiples of the golden ratio: no two joints move alike.
    for (std::size_t k = 0; k < step.size(); ++k) {
      const double x = 0.6180339887 * static_cast<double>(k + 1);
      step[k] = size * (0.5 + 0.5 * (x - std::floor(x)));
    }
    integrate(model_, q_, step, q);
    ScaledRows scaled;
    if (!state.update(q, rest).ok()) continue;
    if (scale_rows(model_, state.kinematics(), state.rows(), tolerance_, scaled).ok()) {
      postures_.push_back(std::move(scaled));
    }
  }
  looked_ = true;
}

bool OtherPostures::set_free(const std::vector<int>& rows) {
  // Steps of a tenth change angles by about as much; sines of rows that depend on each other are 1e-7 at most.
  constexpr double kFree = 1e-4;
  if (!looked_) look();
  return std::ranges::any_of(postures_, [&](const ScaledRows& posture) { return sine(posture, rows) > kFree; });
}

}  // namespace delassus
