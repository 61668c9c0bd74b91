// What dry friction holds, and what it does not: a hinge, a ladder, a rope round a drum.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "scenes/classic_makers.hpp"

namespace delassus {
namespace {

constexpr double kRadian = std::numbers::pi / 180;

}  // namespace

// ------------------------------------------------------------------------------------------------------ pendulum

SimulationSetup make_dry_pendulum(ClassicNumbers p) {
  constexpr double kMass = 1, kLength = 0.5, kRadius = 0.05;
  ModelBuilder builder("pendulum");
  JointDescription hinge = revolute("hinge", {{0, 1, 0}}, translation(0, 0, 1));
  hinge.dofs[0].friction_loss = p[1] * kMass * kGravity * kLength;
  const int bob = builder.add_body("bob", kWorld, hinge, sphere_inertial(kMass, kRadius, {{0, 0, -kLength}}));
  builder.add_shape(make_shape(bob, ShapeKind::kSphere, {{kRadius, 0, 0}}, 0, translation(0, 0, -kLength)));
  SimulationSetup out(builder.make_model());
  out.options.collision.ground = false;
  out.q[0] = p[0] * kRadian;
  out.seconds = 10;
  return out;
}

namespace {

/// Where a half swing from the angle `from` ends, on the other side, or negative if it ends on this one: what it loses of its height is the work of the hinge. It is
/// fastest where the hinge could hold it.
double far_end(double from, double friction) {
  double low = -std::asin(friction), high = from;
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (std::cos(middle) - std::cos(from) > friction * (middle + from) ? low : high) = middle;
  }
  return low;
}

}  // namespace

/// Once it has come to rest.
std::vector<Observation> observe_dry_pendulum(ClassicNumbers p, const Moment& at) {
  if (p[1] == 0 || std::abs(at.v[0]) > 1e-6 || at.time == 0) return {};
  double angle = p[0] * kRadian, side = 1;
  while (std::sin(angle) > p[1]) {
    angle = far_end(angle, p[1]);
    side = -side;
  }
  return {{"angle at rest", "rad", side * angle, at.q[0]}};
}

// -------------------------------------------------------------------------------------------------------- ladder

/// Between the floor z = 0 and the wall x = 0, its ends round. On the point of slipping both ends pull as hard as friction lets them, and moments about the middle say
///
///   a cos θ (1 - mu²) = 2 mu a sin θ + mu (1 + mu) r
///
/// with half the length a and the radius r of the ends; without r, θ = 90° - 2 atan(mu).
namespace {

constexpr double kLadderHalf = 1, kLadderRadius = 0.01, kLadderMass = 10;

bool ladder_stands(double angle, double mu) {
  return kLadderHalf * std::cos(angle) * (1 - mu * mu) <
         2 * mu * kLadderHalf * std::sin(angle) + mu * (1 + mu) * kLadderRadius;
}

}  // namespace

SimulationSetup make_ladder(ClassicNumbers p) {
  const double angle = p[0] * kRadian, mu = p[1];
  ModelBuilder builder("ladder");
  const int ladder = builder.add_body("ladder", kWorld, joint(JointKind::kFree, "ladder_free"),
                                      cylinder_inertial(kLadderMass, kLadderRadius, kLadderHalf));
  builder.add_shape(make_shape(ladder, ShapeKind::kCapsule, {{kLadderRadius, kLadderHalf, 0}}, mu));
  add_ground(builder, mu);
  add_ground(builder, mu, {rotation_from_rpy({{0, std::numbers::pi / 2, 0}}), {{0, 0, 0}}});
  SimulationSetup out(builder.make_model());
  // Its z axis points up to the wall.
  place_free(out,
             {rotation_from_rpy({{0, angle - std::numbers::pi / 2, 0}}),
              {{kLadderHalf * std::cos(angle) + kLadderRadius, 0, kLadderHalf * std::sin(angle) + kLadderRadius}}});
  out.seconds = 1;
  return out;
}

std::vector<Observation> observe_ladder(ClassicNumbers p, const Moment& at) {
  const double angle = p[0] * kRadian;
  if (!ladder_stands(angle, p[1])) return {};
  return {{"height of its middle", "m", kLadderHalf * std::sin(angle) + kLadderRadius, at.q[2]}};
}

// ------------------------------------------------------------------------------------------------------- capstan

/// A rope of straight pieces without mass between beads on the drum, δ apart. At each the tensions T and T' press with (T + T') sin(δ/2) and differ along the drum by
/// (T' - T) cos(δ/2), so that it slides if
///
///   T' / T > (1 + mu tan(δ/2)) / (1 - mu tan(δ/2)),
///
/// and for all of them, with more and more beads, exp(mu φ).
namespace {

constexpr int kBeads = 18;
constexpr double kDrum = 0.2, kBead = 0.005, kBeadMass = 0.02, kHold = 10;
constexpr double kWrap = std::numbers::pi, kBetween = kWrap / kBeads;

double capstan_limit(double mu) {
  const double t = mu * std::tan(kBetween / 2);
  return t < 1 ? std::pow((1 + t) / (1 - t), kBeads) : HUGE_VAL;
}

/// Of the bead k, seen from the drum's axis; the first and the last are the ends, which the forces act on.
Vec3<double> bead_place(int k) {
  const double angle = (k - 0.5) * kBetween;
  return {{-(kDrum + kBead) * std::cos(angle), 0, (kDrum + kBead) * std::sin(angle)}};
}

}  // namespace

SimulationSetup make_capstan(ClassicNumbers p) {
  ModelBuilder builder("capstan");
  builder.gravity({{0, 0, 0}});
  const Vec3<double> axis{{0, 0, 2 * kDrum}};
  builder.add_shape(make_shape(kWorld, ShapeKind::kCylinder, {{kDrum, 0.05, 0}}, p[1],
                               {rotation_from_rpy({{std::numbers::pi / 2, 0, 0}}), axis}));
  for (int k = 0; k <= kBeads + 1; ++k) {
    const std::string name = "bead" + std::to_string(k);
    const Vec3<double> at = axis + bead_place(k);
    const int bead = builder.add_body(
        name, kWorld,
        {prismatic(name + "_x", {{1, 0, 0}}, translation(at[0], at[1], at[2])), prismatic(name + "_z", {{0, 0, 1}})},
        sphere_inertial(kBeadMass, kBead));
    if (k > 0 && k <= kBeads) builder.add_shape(make_shape(bead, ShapeKind::kSphere, {{kBead, 0, 0}}, p[1]));
  }
  SimulationSetup out(builder.make_model());
  const double piece = 2 * (kDrum + kBead) * std::sin(kBetween / 2);
  for (int k = 0; k <= kBeads; ++k) {
    const std::string first = "bead" + std::to_string(k), second = "bead" + std::to_string(k + 1);
    out.constraints.emplace_back(
        Distance{first + "_" + second, attach(out.model, first), attach(out.model, second), piece});
  }
  const auto pull = [&](int k, int towards, double force) {
    const Vec3<double> along = (force / piece) * (bead_place(towards) - bead_place(k));
    const auto end = static_cast<std::size_t>(2 * k);
    out.forces[end] = -along[0];
    out.forces[end + 1] = -along[2];
  };
  pull(0, 1, kHold);
  pull(kBeads + 1, kBeads, p[0] * kHold);
  out.options.collision.ground = false;
  out.seconds = 1;
  return out;
}

std::vector<Observation> observe_capstan(ClassicNumbers p, const Moment& at) {
  if (p[0] > capstan_limit(p[1])) return {};
  double most = 0;
  for (int k = 0; k < at.q.size(); ++k) most = std::max(most, std::abs(at.q[k]));
  return {{"farthest that the rope has moved", "m", 0, most}};
}

}  // namespace delassus
