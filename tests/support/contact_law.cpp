#include "support/contact_reference.hpp"

#include <algorithm>
#include <cmath>

namespace delassus::testing {
namespace {

using Real = long double;
using Vector = std::vector<Real>;

/// Rows first to last of a vector.
Vector part_of(const Vector& x, const RowSpan& span) {
  return {x.begin() + span.first_row, x.begin() + span.first_row + span.rows};
}

/// The nearest point of a set in the plain metric.
Vector nearest(const ForceSet& set, Real time_step, const Vector& x) {
  if (set.kind == SetKind::kFrictionCone) {
    return nearest_in_cone(cone_coefficients(set, static_cast<int>(x.size())), Vector(x.size(), 1), x);
  }
  Vector y = x;
  const Real bound = set.bound * time_step;
  for (Real& e : y) {
    if (set.kind == SetKind::kNonNegative && e < 0) e = 0;
    if (set.kind == SetKind::kBox && e > bound) e = bound;
    if (set.kind == SetKind::kBox && e < -bound) e = -bound;
  }
  return y;
}

void raise(Real& most, Real value) { most = std::max(most, value); }

void measure_cone(const Vector& mu, Real shift, const Vector& x, const Vector& v, Real time_step,
                  ReferenceResiduals& out) {
  Real spread = 0, slide = 0, work = x[0] * (v[0] + shift);
  for (std::size_t k = 0; k < mu.size(); ++k) {
    const Real share = x[k + 1] == 0 ? 0 : x[k + 1] / mu[k];
    spread += share * share;
    slide += mu[k] * mu[k] * v[k + 1] * v[k + 1];
    work += x[k + 1] * v[k + 1];
  }
  raise(out.primal, (std::sqrt(spread) - x[0]) / time_step);
  raise(out.dual, std::sqrt(slide) - v[0] - shift);
  raise(out.complementarity, std::abs(work));
}

void measure_row(const ForceSet& set, Real x, Real v, Real time_step, ReferenceResiduals& out) {
  const Real bound = set.bound * time_step;
  if (set.kind == SetKind::kNonNegative) {
    raise(out.primal, -x / time_step);
    raise(out.dual, -v);
    raise(out.complementarity, std::abs(x * v));
  } else if (set.kind == SetKind::kBox && std::isfinite(bound)) {
    raise(out.primal, (std::abs(x) - bound) / time_step);
    // Friction at its bound against the motion dissipates bound |v|.
    raise(out.complementarity, std::abs(bound * std::abs(v) + x * v));
  } else {
    raise(out.dual, std::abs(v));
  }
}

}  // namespace

Vector cone_coefficients(const ForceSet& set, int rows) {
  const Vector all{set.mu, set.mu_across > 0 ? set.mu_across : set.mu, set.mu_torsion, set.mu_rolling, set.mu_rolling};
  return {all.begin(), all.begin() + rows - 1};
}

Vector nearest_in_cone(const Vector& mu, const Vector& weights, const Vector& x) {
  constexpr int kHalvings = 80;
  Vector y(x.size(), 0);
  /// Tangential parts for a normal one, and the multiplier of their bound.
  const auto tangents = [&](Real normal) {
    const auto put = [&](Real theta) {
      Real square = 0;
      for (std::size_t k = 0; k < mu.size(); ++k) {
        y[k + 1] = mu[k] == 0 ? 0 : weights[k + 1] * x[k + 1] / (weights[k + 1] + theta / (mu[k] * mu[k]));
        if (mu[k] > 0) square += (y[k + 1] / mu[k]) * (y[k + 1] / mu[k]);
      }
      return std::sqrt(square);
    };
    if (put(0) <= normal) return Real(0);
    Real low = 0, high = 1;
    while (put(high) > normal) high *= 4;
    for (int k = 0; k < kHalvings; ++k) (put((low + high) / 2) > normal ? low : high) = (low + high) / 2;
    put(high);
    return high;
  };
  Real low = 0, high = std::abs(x[0]);
  for (std::size_t k = 0; k < mu.size(); ++k) high += mu[k] > 0 ? std::abs(x[k + 1]) / mu[k] : 0;
  // The least distance for a normal part is convex in it, with this slope.
  const auto slope = [&](Real normal) { return weights[0] * (normal - x[0]) - tangents(normal) * normal; };
  constexpr Real kTiny = 1e-25L;
  if (!(high > 0) || slope(kTiny * high) >= 0) return Vector(x.size(), 0);
  for (int k = 0; k < kHalvings; ++k) (slope((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
  y[0] = high;
  tangents(high);
  return y;
}

Real reference_sliding(const RowSpan& span, const ForceSet& set, const Vector& sigma) {
  const Vector mu = cone_coefficients(set, span.rows);
  Real square = 0;
  for (std::size_t k = 0; k < mu.size(); ++k) {
    const Real part = mu[k] * sigma[static_cast<std::size_t>(span.first_row) + 1 + k];
    square += part * part;
  }
  return std::sqrt(square);
}

Vector reference_velocity(const ReferenceProblem& problem, const Vector& lambda) {
  Vector sigma = problem.g;
  for (int r = 0; r < problem.A.rows(); ++r) {
    for (int k = 0; k < problem.A.cols(); ++k)
      sigma[static_cast<std::size_t>(r)] += problem.A(r, k) * lambda[static_cast<std::size_t>(k)];
  }
  return sigma;
}

ReferenceResiduals reference_residuals(const ReferenceProblem& problem, const Vector& mobility, const Vector& lambda,
                                       const Vector& sigma) {
  ReferenceResiduals out;
  for (std::size_t i = 0; i < problem.spans.size(); ++i) {
    const RowSpan& span = problem.spans[i];
    const ForceSet& set = problem.sets[i];
    const Vector x = part_of(lambda, span), v = part_of(sigma, span), m = part_of(mobility, span);
    const bool cone = set.kind == SetKind::kFrictionCone;
    const Real shift = cone && problem.coulomb ? reference_sliding(span, set, sigma) : 0;
    const Real most = *std::max_element(m.begin(), m.end());
    Vector point = x;
    for (std::size_t k = 0; k < point.size(); ++k) point[k] -= (v[k] + (cone && k == 0 ? shift : 0)) / most;
    const Vector lawful = nearest(set, problem.time_step, point);
    for (std::size_t k = 0; k < x.size(); ++k) {
      raise(out.force, std::abs(x[k] - lawful[k]) / problem.time_step);
      raise(out.velocity, std::abs(x[k] - lawful[k]) * most);
      if (!cone) measure_row(set, x[k], v[k], problem.time_step, out);
    }
    if (cone) measure_cone(cone_coefficients(set, span.rows), shift, x, v, problem.time_step, out);
  }
  return out;
}

ReferenceResiduals reference_residuals(const ReferenceProblem& problem, const Vector& lambda) {
  Vector mobility;
  for (int r = 0; r < problem.A.rows(); ++r) mobility.push_back(problem.A(r, r));
  return reference_residuals(problem, mobility, lambda, reference_velocity(problem, lambda));
}

}  // namespace delassus::testing
