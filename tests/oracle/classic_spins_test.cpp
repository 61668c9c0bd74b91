// Bodies that turn about axes which they do not keep, against Euler's equations and those of rolling. Nothing of the library is used to solve them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "delassus/simulation/integrator.hpp"
#include "support/classic_run.hpp"

namespace delassus {
namespace {

using testing::run;
using testing::start;
using Real = long double;
using V3 = std::array<Real, 3>;

constexpr Real kG = 9.81L, kPi = std::numbers::pi_v<Real>;

// -------------------------------------------------------------------------------------------------------- racket

constexpr Real kSpin = 10, kOff = 0.02L;

/// Of a box of 0.3 m × 0.2 m × 0.06 m, times 3 over its mass.
constexpr Real kA = 0.1L * 0.1L + 0.03L * 0.03L, kB = 0.15L * 0.15L + 0.03L * 0.03L, kC = 0.15L * 0.15L + 0.1L * 0.1L;

/// From one flip to the next, 2 K(m) / n. Of a function that is periodic the sum over points at equal distances is its integral to all digits.
Real half_period() {
  const Real y = kSpin * std::cos(kOff), z = kSpin * std::sin(kOff);
  const Real twice_energy = kB * y * y + kC * z * z, momentum = kB * kB * y * y + kC * kC * z * z;  // squared
  const Real n = std::sqrt((kC - kB) * (momentum - twice_energy * kA) / (kA * kB * kC));
  const Real m = (kB - kA) * (twice_energy * kC - momentum) / ((kC - kB) * (momentum - twice_energy * kA));
  constexpr int kPoints = 4000;
  Real sum = 0;
  for (int k = 0; k < kPoints; ++k) {
    const Real s = std::sin((k + 0.5L) * kPi / kPoints);
    sum += 1 / std::sqrt(1 - m * s * s);
  }
  return sum * kPi / kPoints / n;  // over half a turn: twice K
}

/// When the spin about the middle axis changes its sign: between two steps, by the cubic through four of them.
std::vector<double> find_flips(const std::function<double()>& next, double h, int count) {
  std::vector<double> flips, w;
  while (static_cast<int>(flips.size()) < count && w.size() < 100000) {
    w.push_back(next());
    const std::size_t k = w.size();
    if (k < 4 || w[k - 3] * w[k - 2] > 0) continue;
    double at = 0;  // in steps: the inverse function, at zero
    for (std::size_t i = k - 4; i < k; ++i) {
      auto part = static_cast<double>(i + 1);
      for (std::size_t j = k - 4; j < k; ++j) part *= i == j ? 1 : w[j] / (w[j] - w[i]);
      at += part;
    }
    flips.push_back(at * h);
  }
  return flips;
}

double simulated_half_period(double h) {
  Simulator simulation = start("racket:10x0.02", h);
  const auto flips = find_flips(
      [&] {
        EXPECT_TRUE(simulation.step().ok());
        return simulation.v()[1];
      },
      h, 3);
  return (flips.at(2) - flips.at(0)) / 2;
}

double integrated_half_period(double h) {
  SimulationSetup setup = make_classic_scene("racket:10x0.02");
  Integrator integrator(setup.model, {}, {.kind = IntegratorKind::kRungeKutta4, .dt = h});
  const auto flips = find_flips(
      [&] {
        EXPECT_TRUE(integrator.step(setup.q, setup.v, setup.forces).ok());
        return setup.v[1];
      },
      h, 3);
  return (flips.at(2) - flips.at(0)) / 2;
}

TEST(ClassicSpins, ARacketTurnsOverEachHalfPeriod) {
  const auto theory = static_cast<double>(half_period());
  // The momentum is turned by a rule of second order. With n = 5.7/s, (n h)² is 3e-5, and there are 3000 steps in a half period.
  const double coarse = simulated_half_period(2e-3) - theory, fine = simulated_half_period(1e-3) - theory;
  EXPECT_LT(std::abs(fine), 3e-5);
  EXPECT_NEAR(fine / coarse, 1.0 / 4, 0.02);
  // Runge and Kutta's is of fourth, and (n h)⁴ is 1e-5 in the longer steps.
  const double longer = integrated_half_period(2e-2) - theory, shorter = integrated_half_period(1e-2) - theory;
  EXPECT_LT(std::abs(longer), 1e-5);
  EXPECT_NEAR(shorter / longer, 1.0 / 16, 0.01);
}

// ------------------------------------------------------------------------------------------------------- rolling

V3 operator+(const V3& a, const V3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
V3 operator*(Real s, const V3& a) { return {s * a[0], s * a[1], s * a[2]}; }
Real dot(const V3& a, const V3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
V3 cross(const V3& a, const V3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// A body that rolls on a plane without sliding or spinning friction, in its own axes about the centre of mass: n is the plane's normal, r the point that touches,
/// v = r × ω. With F = m (v̇ + ω × v + g n) the moments are
///
///   I ω̇ + ω × I ω = r × F,    ṅ = n × ω.
struct Rolling {
  Real mass;
  std::array<V3, 3> inertia;
  V3 half;      // axes of an ellipsoid; with a zero, a disc
  Real centre;  // where it is on the z axis
  V3 n, w;

  V3 times(const std::array<V3, 3>& A, const V3& x) const { return {dot(A[0], x), dot(A[1], x), dot(A[2], x)}; }
  V3 squares(const V3& x) const {
    return {half[0] * half[0] * x[0], half[1] * half[1] * x[1], half[2] * half[2] * x[2]};
  }

  struct Rate {
    V3 n, w;
  };
  Rate rate(const V3& n_, const V3& w_) const {
    const V3 dn = cross(n_, w_), Dn = squares(n_), dDn = squares(dn);
    const Real s = std::sqrt(dot(n_, Dn));
    const V3 r = V3{0, 0, centre} + (-1 / s) * Dn;
    const V3 dr = (-1 / s) * dDn + (dot(n_, dDn) / (s * s * s)) * Dn;
    const V3 v = cross(r, w_);
    const V3 known = cross(r, mass * (cross(dr, w_) + cross(w_, v) + kG * n_)) + -1 * cross(w_, times(inertia, w_));
    std::array<V3, 3> A;  // columns of I - m r × (r × ·)
    for (int k = 0; k < 3; ++k) {
      V3 unit{};
      unit[static_cast<std::size_t>(k)] = 1;
      A[static_cast<std::size_t>(k)] = times(inertia, unit) + -mass * cross(r, cross(r, unit));
    }
    const Real det = dot(A[0], cross(A[1], A[2]));
    return {dn,
            {dot(known, cross(A[1], A[2])) / det, dot(known, cross(A[2], A[0])) / det,
             dot(known, cross(A[0], A[1])) / det}};
  }
  /// Runge and Kutta's.
  void step(Real h) {
    const Rate a = rate(n, w), b = rate(n + h / 2 * a.n, w + h / 2 * a.w), c = rate(n + h / 2 * b.n, w + h / 2 * b.w),
               d = rate(n + h * c.n, w + h * c.w);
    n = n + h / 6 * (a.n + 2 * b.n + 2 * c.n + d.n);
    w = w + h / 6 * (a.w + 2 * b.w + 2 * c.w + d.w);
  }
  Real energy() const {
    const V3 Dn = squares(n), r = V3{0, 0, centre} + (-1 / std::sqrt(dot(n, Dn))) * Dn, v = cross(r, w);
    return dot(w, times(inertia, w)) / 2 + mass * dot(v, v) / 2 - mass * kG * dot(r, n);
  }
};

/// The vertical in the axes of the first body, which is free.
V3 vertical(const Simulator& simulation) {
  const std::vector<double>& q = simulation.q();
  const Real x = q[3], y = q[4], z = q[5], w = q[6];
  return {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
}
V3 turning(const Simulator& simulation) { return {simulation.v()[0], simulation.v()[1], simulation.v()[2]}; }

double tilt_of(const V3& n) { return static_cast<double>(std::atan2(std::hypot(n[0], n[1]), n[2])); }

/// How far the axis has gone round the vertical since it lay in the x-z plane, but for whole turns.
double heading_of(const Simulator& simulation) {
  const std::vector<double>& q = simulation.q();
  return std::atan2(q[4] * q[5] - q[3] * q[6], q[3] * q[5] + q[4] * q[6]);
}

TEST(ClassicSpins, EulersDiskGoesRound) {
  constexpr Real R = 0.0375L, d = R / 6, m = 0.4L, I1 = m * (R * R / 4 + d * d / 3), I3 = m * R * R / 2;
  double drift[2], late[2];
  for (const int k : {0, 1}) {
    Simulator simulation = start("eulers-disk:20x0.0375", k == 0 ? 1e-4 : 5e-5);
    Rolling disk{m, {{{I1, 0, 0}, {0, I1, 0}, {0, 0, I3}}}, {R, R, 0}, -d, vertical(simulation), turning(simulation)};
    const double tilt = tilt_of(disk.n);
    // The axis has no velocity but that of going round: Ω sin(tilt).
    const double precession = static_cast<double>(std::hypot(disk.w[0], disk.w[1])) / std::sin(tilt);
    // Of a thin coin, 4 g / (R sin(tilt)). This one has d/R = 1/6: terms of its square in I1, and of d/R tan(tilt) = 0.06 on both sides.
    EXPECT_NEAR(static_cast<double>(4 * kG / (R * std::sin(kPi / 9))) / (precession * precession), 1, 0.06);
    for (int i = 0; i < 5000; ++i) disk.step(1e-4L);
    EXPECT_NEAR(tilt_of(disk.n), tilt, 1e-10);  // the scene is one of steady motion; 5000 steps with (Ω h)⁵ each
    run(simulation, 0.5);
    drift[k] = tilt_of(vertical(simulation)) - tilt;
    late[k] = std::remainder(heading_of(simulation) - precession * 0.5, 2 * std::numbers::pi);
  }
  // First order: points of contact stay for a step where they were at its start, while the coin turns by h Ω = 0.0028. Within 28 rad it raises itself so by a few times that.
  EXPECT_LT(std::abs(drift[1]), 2 * 5e-5 * 56);
  EXPECT_NEAR(drift[1] / drift[0], 0.5, 0.05);
  EXPECT_NEAR(late[1] / late[0], 0.5, 0.05);
}

/// When a rattleback that was spun begins to turn the other way; 0: not within that time.
double simulated_turn(const std::string& name, double h, double seconds) {
  Simulator simulation = start(name, h);
  const Real spin = simulation.v()[2];
  while (simulation.time() < seconds && !::testing::Test::HasFatalFailure()) {
    run(simulation, h);
    if (dot(turning(simulation), vertical(simulation)) * spin < 0) return simulation.time();
  }
  return 0;
}

double turn_by_theory(const std::string& name, double seconds) {
  const Simulator simulation = start(name);
  Rolling stone{1,
                {{{2e-4L, -0.2e-4L, 0}, {-0.2e-4L, 16e-4L, 0}, {0, 0, 17e-4L}}},
                {0.2L, 0.03L, 0.02L},
                0.01L,
                vertical(simulation),
                turning(simulation)};
  const Real energy = stone.energy(), spin = stone.w[2];
  double out = 0;
  constexpr double kStep = 2e-4;
  for (int k = 1; k * kStep < seconds && out == 0; ++k) {
    stone.step(kStep);
    if (dot(stone.w, stone.n) * spin < 0) out = k * kStep;
  }
  EXPECT_NEAR(static_cast<double>(stone.energy() / energy), 1,
              1e-7);  // rolling takes none, and the method as much as (h times 100/s)⁵ in each of 20000 steps
  return out;
}

TEST(ClassicSpins, ARattlebackTurnsRoundOneWay) {
  constexpr double kSeconds = 4;
  const double theory = turn_by_theory("rattleback:-5", kSeconds);
  const double coarse = simulated_turn("rattleback:-5", 1e-4, kSeconds),
               fine = simulated_turn("rattleback:-5", 5e-5, kSeconds);
  // First order: steps take some of the rocking that turns it, so that there is less to turn.
  EXPECT_NEAR(fine, theory, 0.15);
  EXPECT_NEAR((fine - theory) / (coarse - theory), 0.5, 0.1);
  EXPECT_EQ(turn_by_theory("rattleback:5", kSeconds), 0);
  EXPECT_EQ(simulated_turn("rattleback:5", 2e-4, kSeconds), 0);
}

}  // namespace
}  // namespace delassus
