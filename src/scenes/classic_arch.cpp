// An arch of stones that nothing but their weight and friction holds (Heyman, "The stone skeleton", 1966).
#include <algorithm>
#include <cmath>
#include <numbers>

#include "scenes/classic_makers.hpp"

namespace delassus {
namespace {

constexpr int kStones = 9;
constexpr double kAngle = std::numbers::pi / kStones;  // of each
constexpr double kRadius = 1, kDepth = 0.3, kDensity = 2000;
/// Half circles of nine stones that are thinner, relative to their mean radius, fall by hinges at the edges of stones, whatever the
/// friction: no line of thrust fits in. With more stones this becomes Heyman's 0.1075.
constexpr double kLeastThickness = 0.1021;
/// At any thickness that stands, no stone slides then; thick ones need less (0.309 at 0.2).
constexpr double kEnoughFriction = 0.4;

/// A part of a ring, with z along the middle radius and the origin at the mean radius.
Inertial stone_inertial(double thickness) {
  const double outer = kRadius + thickness / 2, inner = kRadius - thickness / 2;
  const double mass = kDensity * kDepth * kAngle * kRadius * thickness;
  const double middle = 4.0 / 3 * std::sin(kAngle / 2) / kAngle * (outer * outer * outer - inner * inner * inner) /
                        (outer * outer - inner * inner);
  const double second = kDensity * kDepth * (std::pow(outer, 4) - std::pow(inner, 4)) / 4;  // ∫ r³ dr over the depth
  const double along = second * (kAngle + std::sin(kAngle)) / 2 - mass * middle * middle;
  const double across = second * (kAngle - std::sin(kAngle)) / 2;
  const double deep = mass * kDepth * kDepth / 12;
  Inertial out{mass, {{0, 0, middle - kRadius}}, Sym3<double>::zero()};
  out.inertia(0, 0) = along + deep;
  out.inertia(1, 1) = along + across;
  out.inertia(2, 2) = across + deep;
  return out;
}

/// Of each stone the two faces that touch others, as plates: shapes are primitives, and the rest of a stone touches nothing.
void add_faces(ModelBuilder& builder, int stone, double thickness, double mu) {
  constexpr double kPlate = 0.01;  // half of it
  for (const double side : {-1.0, 1.0}) {
    const Pose<double> middle{rotation_from_rpy({{0, side * kAngle / 2, 0}}), {{0, 0, -kRadius}}};
    builder.add_shape(make_shape(stone, ShapeKind::kBox, {{kPlate, kDepth / 2, thickness / 2}}, mu,
                                 middle * translation(-side * kPlate, 0, kRadius)));
  }
}

}  // namespace

SimulationSetup make_arch(ClassicNumbers p) {
  ModelBuilder builder("arch");
  for (int k = 0; k < kStones; ++k) {
    const double turn = (k + 0.5) * kAngle - std::numbers::pi / 2;
    const Pose<double> middle{rotation_from_rpy({{0, turn, 0}}), Vec3<double>::zero()};
    const std::string name = "stone" + std::to_string(k + 1);
    const int stone =
        builder.add_body(name, kWorld, joint(JointKind::kFree, name + "_free", middle * translation(0, 0, kRadius)),
                         stone_inertial(p[1]));
    add_faces(builder, stone, p[1], p[0]);
  }
  add_ground(builder, p[0]);
  SimulationSetup out(builder.make_model());
  out.seconds = 2;
  return out;
}

std::vector<Observation> observe_arch(ClassicNumbers p, const Moment& at) {
  if (p[0] < kEnoughFriction || p[1] < kLeastThickness) return {};
  double most = 0;
  for (int k = 0; k < at.q.size(); k += 7) most = std::max(most, std::hypot(at.q[k], at.q[k + 1], at.q[k + 2]));
  return {{"farthest that a stone has moved", "m", 0, most}};
}

}  // namespace delassus
