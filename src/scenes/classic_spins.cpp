// Bodies that turn about axes which they do not keep: a racket, a coin, a rattleback.
#include <cmath>
#include <numbers>

#include "scenes/classic_makers.hpp"
#include "scenes/jacobi.hpp"

namespace delassus {
namespace {

constexpr double kRadian = std::numbers::pi / 180;

const Vec3<double> kRacketHalf{{0.15, 0.1, 0.03}};  // moments of inertia grow from x to z
constexpr double kRacketMass = 0.3;

}  // namespace

// -------------------------------------------------------------------------------------------------------- racket

SimulationSetup make_racket(ClassicNumbers p) {
  ModelBuilder builder("racket");
  builder.gravity({{0, 0, 0}});
  const int racket = builder.add_body("racket", kWorld, joint(JointKind::kFree, "racket_free", translation(0, 0, 1)),
                                      box_inertial(kRacketMass, kRacketHalf));
  builder.add_shape(make_shape(racket, ShapeKind::kBox, kRacketHalf, 0.5));
  SimulationSetup out(builder.make_model());
  out.options.collision.ground = false;
  out.v[1] = p[0] * std::cos(p[1]);
  out.v[2] = p[0] * std::sin(p[1]);
  out.seconds = 3;
  return out;
}

/// Euler's equations (Landau, Lifshitz, "Mechanics", § 37): with moments of inertia A < B < C, begun without angular velocity about the first axis and with more than
/// the energy of the middle one, that about the middle axis is its first value times cd(n t | m).
std::vector<Observation> observe_racket(ClassicNumbers p, const Moment& at) {
  const Sym3<double> I = box_inertial(kRacketMass, kRacketHalf).inertia;
  const double A = I(0, 0), B = I(1, 1), C = I(2, 2), y = p[0] * std::cos(p[1]), z = p[0] * std::sin(p[1]);
  const double above_third = B * (C - B) * y * y;                        // 2 E C - M²
  const double above_first = B * (B - A) * y * y + C * (C - A) * z * z;  // M² - 2 E A
  const double n = std::sqrt((C - B) * above_first / (A * B * C));
  const double m = (B - A) * above_third / ((C - B) * above_first);
  return {{"spin about the middle axis", "rad/s", y * jacobi_cd(n * at.time, m), at.v[1]}};
}

// ---------------------------------------------------------------------------------------------------------- coin

namespace {

constexpr double kCoinMass = 0.4;
double coin_half(double radius) { return radius / 6; }

/// A coin of radius R and half thickness d that rolls on the rim of its lower face, tilted by θ, while its middle stays. With the angular velocity Ω z + s e the
/// point that touches, c = R f - d e (f down in the face), has no velocity if s R = -Ω (R cos θ - d sin θ); and z × L Ω = c × m g z says
///
///   Ω² (I₁ cos θ - I₃ (d/R) sin θ) sin θ = m g (R cos θ - d sin θ)
///
/// With d = 0, Ω² = 4 g / (R sin θ).
struct SteadyRoll {
  SteadyRoll(double tilt, double R) {
    const double d = coin_half(R), c = std::cos(tilt), s = std::sin(tilt);
    const Inertial inertial = cylinder_inertial(kCoinMass, R, d);
    const double I1 = inertial.inertia(0, 0), I3 = inertial.inertia(2, 2);
    precession = std::sqrt(kCoinMass * kGravity * (R * c - d * s) / (s * (I1 * c - I3 * d / R * s)));
    spin = -precession * (c - d / R * s);
    height = R * s + d * c;
  }
  double precession, spin, height;
};

}  // namespace

SimulationSetup make_disk(ClassicNumbers p) {
  const double tilt = p[0] * kRadian, radius = p[1], half = coin_half(radius);
  constexpr double kMu = 1;
  ModelBuilder builder("coin");
  const int coin = builder.add_body("coin", kWorld, joint(JointKind::kFree, "coin_free"),
                                    cylinder_inertial(kCoinMass, radius, half));
  builder.add_shape(make_shape(coin, ShapeKind::kCylinder, {{radius, half, 0}}, kMu));
  add_ground(builder, kMu);
  SimulationSetup out(builder.make_model());
  const SteadyRoll roll(tilt, radius);
  const Mat3<double> R = rotation_from_rpy({{0, tilt, 0}});
  place_free(out, {R, {{0, 0, roll.height}}});
  set_moving(out, R, Vec3<double>{{0, 0, roll.precession}} + roll.spin * (R * Vec3<double>{{0, 0, 1}}), {{0, 0, 0}});
  out.options.dt = 5e-5;
  out.seconds = 1;
  return out;
}

std::vector<Observation> observe_disk(ClassicNumbers p, const Moment& at) {
  const double tilt = p[0] * kRadian;
  return observe_precession(SteadyRoll(tilt, p[1]).precession * at.time, tilt, at);
}

// ---------------------------------------------------------------------------------------------------- rattleback

/// As in T. R. Kane, D. A. Levinson, "Realistic mathematical modeling of the rattleback", 1982: half axes of 20, 3 and 2 cm, the centre of mass a centimetre below
/// theirs, and a product of inertia.
SimulationSetup make_rattleback(ClassicNumbers p) {
  constexpr double kMu = 2, kBelow = 0.01, kRocking = 0.5;
  const Vec3<double> half{{0.2, 0.03, 0.02}};
  Inertial inertial{1, {{0, 0, 0}}, Sym3<double>::zero()};
  inertial.inertia(0, 0) = 2e-4;
  inertial.inertia(1, 1) = 16e-4;
  inertial.inertia(2, 2) = 17e-4;
  inertial.inertia(1, 0) = -0.2e-4;
  ModelBuilder builder("rattleback");
  const int stone = builder.add_body("stone", kWorld, joint(JointKind::kFree, "stone_free"), inertial);
  builder.add_shape(make_shape(stone, ShapeKind::kEllipsoid, half, kMu, translation(0, 0, kBelow)));
  add_ground(builder, kMu);
  SimulationSetup out(builder.make_model());
  const double height = half[2] - kBelow;
  place_free(out, translation(0, 0, height));
  // It rocks a little along its length, rolling: nothing is ever still.
  set_moving(out, Mat3<double>::identity(), {{0, kRocking, p[0]}}, {{height * kRocking, 0, 0}});
  out.options.dt = 1e-4;
  out.seconds = 4;
  return out;
}

/// Its equations have no solution in formulas; the tests integrate them.
std::vector<Observation> observe_rattleback(ClassicNumbers /*p*/, const Moment& /*at*/) { return {}; }

}  // namespace delassus
