// A top and a rod: bodies on a point.
#include <cmath>
#include <numbers>

#include "scenes/classic_makers.hpp"

namespace delassus {
namespace {

constexpr double kRadian = std::numbers::pi / 180;

// A disc on a stem whose lower end is a small ball.
constexpr double kTopMass = 0.5, kDiscRadius = 0.05, kDiscHalf = 0.01, kStem = 0.06, kTip = 0.005;

/// Steady precession Ω of a body of revolution that rolls on a ball of radius r, whose middle is l below the centre of mass. With the
/// angular velocity Ω z + s e (z upwards, e along the axis, θ between them) the middle of the ball goes round at the distance
/// -r s sin θ / Ω, and the change of the angular momentum about the centre of mass is the moment of weight and friction:
///
///   I₃ (s + Ω cos θ) Ω - I₁ Ω² cos θ = m g l + m (l cos θ + r) (l Ω² - r s Ω)
///
/// which is linear in s; r = 0 is the top on a point of the textbooks.
double steady_spin(double tilt, double precession) {
  const Inertial inertial = cylinder_inertial(kTopMass, kDiscRadius, kDiscHalf);
  const double I1 = inertial.inertia(0, 0), I3 = inertial.inertia(2, 2), c = std::cos(tilt);
  const double arm = kTopMass * (kStem * c + kTip), W = precession;
  return (kTopMass * kGravity * kStem + arm * kStem * W * W + (I1 - I3) * W * W * c) / (I3 * W + arm * kTip * W);
}

}  // namespace

void place_free(SimulationSetup& setup, const Pose<double>& pose) {
  const Quaternion<double> turn = quaternion_of(pose.R);
  for (int k = 0; k < 3; ++k) setup.q[static_cast<std::size_t>(k)] = pose.p[k];
  for (int k = 0; k < 4; ++k) setup.q[static_cast<std::size_t>(3 + k)] = turn[k];
}

void set_moving(SimulationSetup& setup, const Mat3<double>& R, const Vec3<double>& angular,
                const Vec3<double>& linear) {
  const Vec3<double> w = transposed_times(R, angular), v = transposed_times(R, linear);
  for (int k = 0; k < 3; ++k) {
    setup.v[static_cast<std::size_t>(k)] = w[k];
    setup.v[static_cast<std::size_t>(3 + k)] = v[k];
  }
}

SimulationSetup make_spinning_top(ClassicNumbers p) {
  const double tilt = p[0] * kRadian, W = p[1], spin = steady_spin(tilt, W);
  ModelBuilder builder("top");
  constexpr double kMu = 1;
  const int top = builder.add_body("top", kWorld, joint(JointKind::kFree, "top_free"),
                                   cylinder_inertial(kTopMass, kDiscRadius, kDiscHalf, {{0, 0, kStem}}));
  builder.add_shape(make_shape(top, ShapeKind::kSphere, {{kTip, 0, 0}}, kMu));
  builder.add_shape(
      make_shape(top, ShapeKind::kCylinder, {{kDiscRadius, kDiscHalf, 0}}, kMu, translation(0, 0, kStem)));
  add_ground(builder, kMu);
  SimulationSetup out(builder.make_model());
  const Mat3<double> R = rotation_from_rpy({{0, tilt, 0}});
  const double away = -kTip * spin * std::sin(tilt) / W;
  place_free(out, {R, {{away, 0, kTip}}});
  set_moving(out, R, Vec3<double>{{0, 0, W}} + spin * (R * Vec3<double>{{0, 0, 1}}), {{0, W * away, 0}});
  out.options.dt = 1e-4;
  out.seconds = 1;
  return out;
}

std::vector<Observation> observe_spinning_top(ClassicNumbers p, const Moment& at) {
  return observe_precession(p[1] * at.time, p[0] * kRadian, at);
}

std::vector<Observation> observe_precession(double angle, double tilt, const Moment& at) {
  const Mat3<double> R = rotation_of(Quaternion<double>{{at.q[3], at.q[4], at.q[5], at.q[6]}});
  const double ahead = std::remainder(std::atan2(R(1, 2), R(0, 2)) - angle, 2 * std::numbers::pi);
  return {{"angle of precession", "rad", angle, angle + ahead},
          {"tilt", "rad", tilt, std::atan2(std::hypot(R(0, 2), R(1, 2)), R(2, 2))}};
}

/// A slender rod that slides with its lower end ahead. Friction that grows with the normal force turns the end into the ground faster
/// than that force can lift it if
///
///   1 + 3 cos θ (cos θ - mu sin θ) < 0
///
/// Then no finite force is a solution: the end stops within no time (Génot, Brogliato, "New results on Painlevé paradoxes", 1999).
SimulationSetup make_painleve_rod(ClassicNumbers p) {
  constexpr double kHalf = 0.5, kRadius = 0.01, kMass = 1, kSpeed = 2;
  ModelBuilder builder("rod");
  const int rod =
      builder.add_body("rod", kWorld, joint(JointKind::kFree, "rod_free"), cylinder_inertial(kMass, kRadius, kHalf));
  builder.add_shape(make_shape(rod, ShapeKind::kCapsule, {{kRadius, kHalf, 0}}, p[0]));
  add_ground(builder, p[0]);
  SimulationSetup out(builder.make_model());
  const double rise = p[1] * kRadian;
  const Mat3<double> R = rotation_from_rpy({{0, std::numbers::pi / 2 - rise, 0}});
  place_free(out, {R, {{0, 0, kHalf * std::sin(rise) + kRadius}}});
  set_moving(out, R, {{0, 0, 0}}, {{-kSpeed, 0, 0}});
  out.seconds = 1;
  return out;
}

/// It jams within the first step, and the rest is a fall.
std::vector<Observation> observe_painleve_rod(ClassicNumbers /*p*/, const Moment& /*at*/) { return {}; }

}  // namespace delassus
