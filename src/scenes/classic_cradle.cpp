// Newton's cradle, with balls that touch.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "scenes/classic_makers.hpp"
#include "scenes/jacobi.hpp"

namespace delassus {
namespace {

constexpr double kMass = 0.1, kRadius = 0.02, kLength = 0.3, kLift = 20 * std::numbers::pi / 180;

int number_of(double parameter) { return static_cast<int>(std::lround(parameter)); }
int lifted(ClassicNumbers p) { return std::min(number_of(p[1]), number_of(p[0]) - 1); }

}  // namespace

SimulationSetup make_cradle(ClassicNumbers p) {
  const int balls = number_of(p[0]);
  ModelBuilder builder("cradle");
  for (int k = 0; k < balls; ++k) {
    const std::string name = "ball" + std::to_string(k + 1);
    const int ball = builder.add_body(
        name, kWorld, revolute(name + "_hinge", {{0, 1, 0}}, translation(2 * kRadius * k, 0, 2 * kLength)),
        sphere_inertial(kMass, kRadius, {{0, 0, -kLength}}));
    builder.add_shape(make_shape(ball, ShapeKind::kSphere, {{kRadius, 0, 0}}, 0, translation(0, 0, -kLength)));
  }
  SimulationSetup out(builder.make_model());
  for (int k = 0; k < lifted(p); ++k) out.q[static_cast<std::size_t>(k)] = kLift;
  out.options.collision.ground = false;
  out.options.restitution = 1;
  out.options.dt = 1e-4;
  out.seconds = 2;
  return out;
}

/// All that swings is one pendulum, first the balls that were lifted, then as many on the other side.
std::vector<Observation> observe_cradle(ClassicNumbers p, const Moment& at) {
  const double inertia = kMass * (kLength * kLength + 0.4 * kRadius * kRadius), k = std::sin(kLift / 2);
  const double rate = std::sqrt(kMass * kGravity * kLength / inertia);
  const double swing = 2 * std::asin(k * jacobi_cd(rate * at.time, k * k));
  const int balls = number_of(p[0]);
  return {{"angle of the first ball", "rad", std::max(swing, 0.0), at.q[0]},
          {"angle of the last ball", "rad", std::min(swing, 0.0), at.q[balls - 1]}};
}

}  // namespace delassus
