// Boxes and balls on planes.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "scenes/classic_makers.hpp"

namespace delassus {
namespace {

constexpr double kRadian = std::numbers::pi / 180;
constexpr double kBallRadius = 0.1;

/// A free body with one shape, in the middle of which its frame is, resting on a plane.
SimulationSetup make_on_plane(const char* name, const Inertial& inertial, ShapeDescription shape, double height,
                              const Mat3<double>& tilt) {
  ModelBuilder builder(name);
  const Pose<double> plane{tilt, Vec3<double>::zero()};
  shape.body = builder.add_body(
      name, kWorld, joint(JointKind::kFree, std::string(name) + "_free", plane * translation(0, 0, height)), inertial);
  builder.add_shape(shape);
  add_ground(builder, shape.friction[0], plane);
  return SimulationSetup(builder.make_model());
}

SimulationSetup make_box(double mu, const Mat3<double>& tilt) {
  const Vec3<double> half{{0.1, 0.1, 0.05}};
  return make_on_plane("box", box_inertial(1, half), make_shape(0, ShapeKind::kBox, half, mu), half[2], tilt);
}

SimulationSetup make_ball(double mu, double height) {
  return make_on_plane("ball", sphere_inertial(1, kBallRadius),
                       make_shape(0, ShapeKind::kSphere, {{kBallRadius, 0, 0}}, mu), kBallRadius + height,
                       Mat3<double>::identity());
}

/// Of something that is slowed down by friction, from `speed` until it has `rest`.
struct Slowing {
  Slowing(double speed, double rest, double deceleration, double time) {
    const double end = deceleration > 0 ? (speed - rest) / deceleration : HUGE_VAL;
    const double slowing = std::min(time, end);
    now = time < end ? speed - deceleration * time : rest;
    distance = (speed + now) / 2 * slowing + now * (time - slowing);
  }
  double now, distance;
};

}  // namespace

void add_ground(ModelBuilder& builder, double mu, const Pose<double>& pose) {
  builder.add_shape(make_shape(kWorld, ShapeKind::kPlane, {{0, 0, 0}}, mu, pose));
}

ShapeDescription make_shape(int body, ShapeKind kind, const Vec3<double>& size, double mu,
                            const Pose<double>& placement) {
  ShapeDescription out;
  out.body = body;
  out.kind = kind;
  out.size = size;
  out.placement = placement;
  out.friction[0] = mu;
  return out;
}

// --------------------------------------------------------------------------------------------------------- boxes

SimulationSetup make_incline(ClassicNumbers p) {
  SimulationSetup out = make_box(p[1], rotation_from_rpy({{0, p[0] * kRadian, 0}}));
  out.seconds = 2;
  return out;
}

std::vector<Observation> observe_incline(ClassicNumbers p, const Moment& at) {
  const double slope = p[0] * kRadian;
  const double a = std::max(0.0, kGravity * (std::sin(slope) - p[1] * std::cos(slope)));
  return {{"speed down the slope", "m/s", a * at.time, at.v[3]},
          {"way down the slope", "m", a * at.time * at.time / 2, at.q[0]}};
}

SimulationSetup make_sliding_block(ClassicNumbers p) {
  SimulationSetup out = make_box(p[1], Mat3<double>::identity());
  out.v[3] = p[0];
  out.seconds = 1;
  return out;
}

std::vector<Observation> observe_sliding_block(ClassicNumbers p, const Moment& at) {
  const Slowing theory(p[0], 0, p[1] * kGravity, at.time);
  return {{"speed", "m/s", theory.now, at.v[3]}, {"way", "m", theory.distance, at.q[0]}};
}

// --------------------------------------------------------------------------------------------------------- balls

SimulationSetup make_rolling_ball(ClassicNumbers p) {
  SimulationSetup out = make_ball(p[1], 0);
  out.v[3] = p[0];
  out.seconds = 1;
  return out;
}

/// Friction turns the ball until it rolls: m v changes by as much as 2/5 m r ω.
std::vector<Observation> observe_rolling_ball(ClassicNumbers p, const Moment& at) {
  const Slowing theory(p[0], p[0] * 5 / 7, p[1] * kGravity, at.time);
  const double spin = (p[0] - theory.now) / kBallRadius * 5 / 2;
  return {{"speed", "m/s", theory.now, std::hypot(at.v[3], at.v[4], at.v[5])},
          {"way", "m", theory.distance, at.q[0]},
          {"spin", "rad/s", spin, std::hypot(at.v[0], at.v[1], at.v[2])}};
}

SimulationSetup make_bouncing_ball(ClassicNumbers p) {
  SimulationSetup out = make_ball(0.5, p[1]);
  out.options.restitution = p[0];
  out.options.dt = 1e-4;
  // To the top of the second bounce.
  out.seconds = std::sqrt(2 * p[1] / kGravity) * (1 + 2 * p[0] + p[0] * p[0]);
  return out;
}

/// A fall, then one bounce after the other, each e times as long as the one before.
std::vector<Observation> observe_bouncing_ball(ClassicNumbers p, const Moment& at) {
  double rise = std::sqrt(2 * p[1] / kGravity);  // from the top of a bounce to the floor
  double since = at.time + rise;                 // as if it had been thrown up
  while (since > 2 * rise && rise > 1e-6) {
    since -= 2 * rise;
    rise *= p[0];
  }
  const double height = rise > 1e-6 ? kGravity * since * (2 * rise - since) / 2 : 0;
  return {{"height", "m", height, at.q[2] + p[1]}};
}

}  // namespace delassus
