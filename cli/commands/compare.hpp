// Differences between what a reference file has and what the library computes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "cli/commands/check_file.hpp"
#include "delassus/math/mat.hpp"

namespace delassus::cli {

inline double largest(const std::vector<double>& x) {
  double m = 0;
  for (double e : x) m = std::max(m, std::abs(e));
  return m;
}

inline constexpr double kInfinitelyWrong = std::numeric_limits<double>::max();  // JSON has no infinity

/// Largest difference over the largest reference value. Where a quantity may vanish (a bias at rest, a closed loop's
/// residual), `natural` is the size that its rounding errors come from. What is not a number is infinitely wrong.
inline double relative_error(const std::vector<double>& got, const std::vector<double>& want, double natural = 0) {
  if (got.size() != want.size()) return kInfinitelyWrong;
  double difference = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double d = std::abs(got[i] - want[i]);
    if (std::isnan(d)) return kInfinitelyWrong;
    difference = std::max(difference, d);
  }
  const double scale = std::max(largest(want), natural);
  return scale > 0 ? difference / scale : difference;
}

/// The upper triangle by rows, as the files store symmetric matrices.
inline std::vector<double> upper_triangle(const std::vector<double>& A, int n) {
  std::vector<double> out;
  for (int r = 0; r < n; ++r) out.insert(out.end(), A.begin() + r * n + r, A.begin() + (r + 1) * n);
  return out;
}

inline void append(std::vector<double>& to, const Vec3<double>& v) {
  to.insert(to.end(), std::begin(v.a), std::end(v.a));
}

inline void note(FileCheck& check, const std::string& quantity, double error) {
  double& worst = check.errors[quantity];
  worst = std::max(worst, error);
}
inline void note(FileCheck& check, const std::string& quantity, const std::string& algorithm, double error) {
  double& worst = check.algorithm_errors[quantity][algorithm];
  worst = std::max(worst, error);
}

}  // namespace delassus::cli
