#include "delassus/solvers/relaxed_contact.hpp"

#include <algorithm>
#include <cmath>

#include "delassus/math/error.hpp"

namespace delassus {

void require_valid(const RelaxedContact& relaxed) {
  const auto is_share = [](double x) { return x > 0 && x < 1; };
  if (!(relaxed.time_constant > 0)) throw Error("time_constant of a relaxed contact has to be positive, in seconds");
  if (!(relaxed.damping_ratio > 0)) throw Error("damping_ratio of a relaxed contact has to be positive");
  if (!is_share(relaxed.least) || !is_share(relaxed.most)) {
    throw Error("impedances 'least' and 'most' of a relaxed contact lie between 0 and 1");
  }
  if (!(relaxed.width > 0)) throw Error("width of a relaxed contact has to be positive, in metres");
  if (!is_share(relaxed.midpoint)) throw Error("midpoint of a relaxed contact lies between 0 and 1");
  if (!(relaxed.power >= 1)) throw Error("power of a relaxed contact has to be 1 or more");
  if (!(relaxed.friction_ratio > 0)) throw Error("friction_ratio of a relaxed contact has to be positive");
}

/// Two powers that meet at the midpoint with the same slope.
double impedance(const RelaxedContact& relaxed, double position) {
  const double x = std::min(std::abs(position) / relaxed.width, 1.0), mid = relaxed.midpoint, p = relaxed.power;
  const double y = x <= mid ? std::pow(x, p) / std::pow(mid, p - 1) : 1 - std::pow(1 - x, p) / std::pow(1 - mid, p - 1);
  return relaxed.least + y * (relaxed.most - relaxed.least);
}

/// The acceleration asked for is a* = -b v - k d φ, with b = 2 / (d_max t) and k = 1 / (d_max t ζ)²; a row with the velocity v is asked for v + h a*
/// at the end of the step.
RowSoftening relax_row(const RelaxedContact& relaxed, double position, double velocity, double mobility, double h) {
  const double d = impedance(relaxed, position);
  const double t = relaxed.most * std::max(relaxed.time_constant, 2 * h);
  const double b = 2 / t, k = 1 / (t * t * relaxed.damping_ratio * relaxed.damping_ratio);
  const double acceleration = -b * velocity - k * d * position;
  return {(1 - d) / d * mobility, -(velocity + h * acceleration)};
}

}  // namespace delassus
