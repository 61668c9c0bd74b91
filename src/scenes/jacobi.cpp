#include "scenes/jacobi.hpp"

#include <cmath>
#include <numbers>

namespace delassus {
namespace {

/// Means of 1 and sqrt(1 - m): a_n, and c_n = (a_{n-1} - b_{n-1}) / 2, until that vanishes.
struct Means {
  explicit Means(double m) {
    double b = std::sqrt(1 - m);
    for (; count < kMost && std::abs(a[count] - b) > 1e-16 * a[count]; ++count) {
      a[count + 1] = (a[count] + b) / 2;
      c[count + 1] = (a[count] - b) / 2;
      b = std::sqrt(a[count] * b);
    }
  }
  static constexpr int kMost = 16;
  double a[kMost + 1] = {1}, c[kMost + 1] = {};
  int count = 0;
};

}  // namespace

double quarter_period(double m) {
  const Means means(m);
  return std::numbers::pi / (2 * means.a[means.count]);
}

double jacobi_cd(double u, double m) {
  const Means means(m);
  double phi = std::ldexp(means.a[means.count] * u, means.count);
  for (int n = means.count; n > 0; --n) phi = (phi + std::asin(means.c[n] / means.a[n] * std::sin(phi))) / 2;
  const double s = std::sin(phi);
  return std::cos(phi) / std::sqrt(1 - m * s * s);
}

}  // namespace delassus
