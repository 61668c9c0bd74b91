// Whether rows that depend on each other here do so in other postures too. A part of the constraint doctor.
#pragma once

#include <span>

#include "delassus/constraints/constraint.hpp"
#include "delassus/math/view.hpp"
#include "solvers/scaled_rows.hpp"

namespace delassus {

/// Looks at a few postures around q, the same ones each time, once it is asked. What a row does is analytic in q: a sum that
/// is zero at a few points without a pattern is zero everywhere.
class OtherPostures {
 public:
  /// The tolerance is that of eigenvalues.
  OtherPostures(const Model& model, std::span<const Constraint> constraints, In<double> q, double tolerance)
      : model_(model), constraints_(constraints), q_(q.data(), q.data() + q.size()), tolerance_(tolerance) {}

  /// Whether the first row is no sum of the others in some of them; alone, whether joints move it there.
  bool set_free(const std::vector<int>& rows);

 private:
  void look();

  const Model& model_;
  std::span<const Constraint> constraints_;
  std::vector<double> q_;
  double tolerance_;
  bool looked_ = false;
  std::vector<ScaledRows> postures_;
};

}  // namespace delassus
