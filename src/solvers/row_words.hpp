// Rows, what they are sums of and which joints move them, in words. A part of the constraint doctor.
#pragma once

#include "solvers/row_analysis.hpp"

namespace delassus {

/// Errors up to this may be what arithmetic leaves of zero.
inline constexpr double kRounding = 1e-9;

/// "0.0123", "1.5e-09"
std::string three_digits(double x);
/// "0.02 m", "3 m/s"
std::string with_unit(double x, const std::string& unit, const char* per = "");
/// ": off by 0.01 m, 0.2 rad"
std::string error_text(const ConstraintDiagnosis& constraint);

class RowWords {
 public:
  RowWords(const Model& model, const RowAnalysis& analysis, const ConstraintReport& report)
      : model_(model), analysis_(analysis), report_(report) {}

  /// "distance 'a' by 0.02 m, distance 'b' by -0.02 m"
  std::string missed(const std::vector<int>& rows, double RowDiagnosis::*what, const char* per) const;
  /// "a = 2 b - c": the first row as a sum of the others, the largest first.
  std::string sum(const RowDependency& dependency, const char* relation) const;
  /// The joints that could move these rows most in another posture, by name, with what comes before; nothing without joints.
  std::string joints(const std::vector<int>& rows, const char* before) const;

 private:
  const RowDiagnosis& row(int r) const { return report_.rows[static_cast<std::size_t>(r)]; }

  const Model& model_;
  const RowAnalysis& analysis_;
  const ConstraintReport& report_;
};

}  // namespace delassus
