// The cone {‖x_t‖ <= x_0} in any number of dimensions, as interior-point methods need it: its product, quotient, longest steps and scaling. In one
// dimension it is the half-line x >= 0. Alizadeh, Goldfarb, "Second-order cone programming", 2003.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace delassus::cone {

inline constexpr int kMostRows = 6;
using Point = std::array<double, kMostRows>;

inline double tail(int n, const double* x) {
  double square = 0;
  for (int k = 1; k < n; ++k) square += x[k] * x[k];
  return std::sqrt(square);
}

/// x_0² - ‖x_t‖², without cancelling twice; what rounding makes of it at the cone's surface stays positive.
inline double determinant(int n, const double* x) {
  constexpr double kLeast = 1e-300;
  const double t = tail(n, x);
  return std::max((x[0] - t) * (x[0] + t), kLeast);
}

/// a ∘ b = (aᵀb, a_0 b_t + b_0 a_t). May be in place.
inline void multiply(int n, const double* a, const double* b, double* out) {
  double normal = a[0] * b[0];
  const double a0 = a[0], b0 = b[0];
  for (int k = 1; k < n; ++k) {
    normal += a[k] * b[k];
    out[k] = a0 * b[k] + b0 * a[k];
  }
  out[0] = normal;
}

/// x with a ∘ x = b. May be in the place of b.
inline void divide(int n, const double* a, const double* b, double* x) {
  double normal = a[0] * b[0];
  for (int k = 1; k < n; ++k) normal -= a[k] * b[k];
  normal /= determinant(n, a);
  for (int k = 1; k < n; ++k) x[k] = (b[k] - a[k] * normal) / a[0];
  x[0] = normal;
}

/// The largest length for which x + length d is in the cone, where x is inside of it.
inline double longest_step(int n, const double* x, const double* d) {
  constexpr double kNoEnd = std::numeric_limits<double>::infinity();
  if (n == 1) return d[0] < 0 ? -x[0] / d[0] : kNoEnd;
  const double root = std::sqrt(determinant(n, x));
  double along = x[0] * d[0];
  for (int k = 1; k < n; ++k) along -= x[k] * d[k];
  along /= root * root;
  const double share = (along + d[0] / root) / (x[0] / root + 1);
  double square = 0;
  for (int k = 1; k < n; ++k) {
    const double part = (d[k] - share * x[k]) / root;
    square += part * part;
  }
  const double most = std::sqrt(square) - along;
  return most > 0 ? 1 / most : kNoEnd;
}

/// Moves z and s to where z ∘ s = gap e, with the same difference.
inline void lift(int n, double gap, double* z, double* s) {
  Point d{};
  for (int k = 0; k < n; ++k) d[static_cast<std::size_t>(k)] = z[k] - s[k];
  // (√(x² + 4 gap) + x) / 2 and (√(x² + 4 gap) - x) / 2, whose product is the gap, without cancelling.
  const auto lifted = [&](double x) {
    const double larger = 0.5 * (std::sqrt(x * x + 4 * gap) + std::abs(x));
    return x > 0 ? std::array{larger, gap / larger} : std::array{gap / larger, larger};
  };
  const double t = tail(n, d.data());
  const auto high = lifted(d[0] + t), low = lifted(d[0] - t);
  z[0] = 0.5 * (high[0] + low[0]);
  s[0] = 0.5 * (high[1] + low[1]);
  for (int k = 1; k < n; ++k) {
    const double direction = t > 0 ? d[static_cast<std::size_t>(k)] / t : 0;
    z[k] = 0.5 * (high[0] - low[0]) * direction;
    s[k] = 0.5 * (high[1] - low[1]) * direction;
  }
}

/// The symmetric N of Nesterov and Todd with N z = N⁻¹ s: a factor times [w_0 w_tᵀ; w_t 1 + w_t w_tᵀ / (1 + w_0)], where w_0² - ‖w_t‖² = 1.
class Scaling {
 public:
  void find(int n, const double* z, const double* s) {
    if (n == 1) {
      w_[0] = 1;
      factor_ = std::sqrt(s[0] / z[0]);
      return;
    }
    const double root_z = std::sqrt(determinant(n, z)), root_s = std::sqrt(determinant(n, s));
    double dot = 0, square = 0;
    for (int k = 0; k < n; ++k) dot += z[k] / root_z * (s[k] / root_s);
    const double length = 2 * std::sqrt((1 + dot) / 2);
    for (int k = 1; k < n; ++k) {
      const double w = (s[k] / root_s - z[k] / root_z) / length;
      w_[static_cast<std::size_t>(k)] = w;
      square += w * w;
    }
    w_[0] = std::sqrt(1 + square);
    factor_ = std::sqrt(root_s / root_z);
  }

  /// y = N x, y = N⁻¹ x. May be in place.
  void apply(int n, const double* x, double* y) const { turn(n, x, 1, factor_, y); }
  void apply_inverse(int n, const double* x, double* y) const { turn(n, x, -1, 1 / factor_, y); }
  /// An entry of N².
  double square(int i, int j) const {
    const double unit = i != j ? 0 : i == 0 ? -1 : 1;
    return factor_ * factor_ * (2 * w_[static_cast<std::size_t>(i)] * w_[static_cast<std::size_t>(j)] + unit);
  }

 private:
  void turn(int n, const double* x, double sign, double factor, double* y) const {
    double dot = 0;
    for (int k = 1; k < n; ++k) dot += w_[static_cast<std::size_t>(k)] * x[k];
    const double x0 = x[0], share = sign * x0 + dot / (1 + w_[0]);
    y[0] = factor * (w_[0] * x0 + sign * dot);
    for (int k = 1; k < n; ++k) y[k] = factor * (x[k] + share * w_[static_cast<std::size_t>(k)]);
  }

  Point w_{};
  double factor_ = 1;
};

}  // namespace delassus::cone
