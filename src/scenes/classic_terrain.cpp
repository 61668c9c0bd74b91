// A ball that rolls down a straight valley between hills, on which other things come to rest.
#include <cmath>
#include <numbers>

#include "delassus/model/surface.hpp"
#include "scenes/classic_makers.hpp"

namespace delassus {
namespace {

constexpr double kHalf = 3, kFriction = 0.8, kRadius = 0.15;
constexpr double kStart = -2.4, kValley = 0.4;  // where the ball begins; half the width of the valley
constexpr int kCells = 48;

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

double height_at(double slope, double x, double y) {
  const double beside = std::max(0.0, std::abs(y) - kValley);
  const double hills = 0.25 * beside * (1 - std::cos(2.2 * x + y)) + 0.04 * beside * beside;
  return hills - slope * x;
}

SurfacePointer make_hills(double slope) {
  HeightGrid grid{kCells + 1, kCells + 1, kHalf, kHalf, {}};
  for (int row = 0; row <= kCells; ++row) {
    for (int column = 0; column <= kCells; ++column)
      grid.heights.push_back(height_at(slope, kHalf * (2.0 * column / kCells - 1), kHalf * (2.0 * row / kCells - 1)));
  }
  return make_height_field(std::move(grid));
}

/// A stone with twelve corners: an icosahedron, a little flat.
SurfacePointer make_stone(double radius) {
  const double a = 0.5257311121191336 * radius, b = 0.8506508083520399 * radius, flat = 0.7;
  std::vector<Vec3<double>> corners;
  for (const double s : {-1.0, 1.0}) {
    for (const double t : {-1.0, 1.0}) {
      corners.push_back({{0, s * a, flat * t * b}});
      corners.push_back({{s * a, t * b, 0}});
      corners.push_back({{s * b, 0, flat * t * a}});
    }
  }
  return make_hull(corners);
}

void add_falling(ModelBuilder& builder, const std::string& name, const Vec3<double>& at, const Inertial& inertial,
                 ShapeDescription shape) {
  const Mat3<double> turned = rotation_from_rpy({{0.4 * at[0], 0.3 * at[1], at[0] + at[1]}});
  shape.name = name;
  shape.body = builder.add_body(name, kWorld, joint(JointKind::kFree, name + "_free", {turned, at}), inertial);
  builder.add_shape(std::move(shape));
}

}  // namespace

SimulationSetup make_terrain(ClassicNumbers p) {
  const double angle = radians(p[0]), slope = std::tan(angle);
  ModelBuilder builder("terrain");
  const Mat3<double> down = rotation_from_rpy({{0, angle, 0}});  // x along the valley
  const Vec3<double> start{{kStart, 0, -slope * kStart}};
  const int ball =
      builder.add_body("ball", kWorld, joint(JointKind::kFree, "ball_free", {down, start + kRadius * column(down, 2)}),
                       sphere_inertial(1, kRadius));
  builder.add_shape(make_shape(ball, ShapeKind::kSphere, {{kRadius, 0, 0}}, kFriction));
  const Vec3<double> half{{0.2, 0.14, 0.1}};
  const SurfacePointer stone = make_stone(0.2);
  for (int k = 0; k < 8; ++k) {
    const double x = -1.8 + 0.5 * k, y = k % 2 == 0 ? 1.4 : -1.4;
    const Vec3<double> at{{x, y, height_at(slope, x, y) + 0.4}};
    const std::string number = std::to_string(k / 2 + 1);
    if (k % 4 < 2) {
      add_falling(builder, "box" + number + (k % 2 == 0 ? "l" : "r"), at, box_inertial(1, half),
                  make_shape(0, ShapeKind::kBox, half, kFriction));
    } else {
      ShapeDescription shape = make_shape(0, ShapeKind::kHull, {{0, 0, 0}}, kFriction);
      shape.surface = stone;
      add_falling(builder, "stone" + number + (k % 2 == 0 ? "l" : "r"), at, sphere_inertial(1, 0.17), shape);
    }
  }
  ShapeDescription hills = make_shape(kWorld, ShapeKind::kHeightField, {{0, 0, 0}}, kFriction);
  hills.name = "hills";
  hills.surface = make_hills(slope);
  builder.add_shape(std::move(hills));
  SimulationSetup out(builder.make_model());
  out.seconds = 2;
  return out;
}

std::vector<Observation> observe_terrain(ClassicNumbers p, const Moment& at) {
  const double a = 5 * kGravity * std::sin(radians(p[0])) / 7;
  return {{"way of the ball", "m", a * at.time * at.time / 2, at.q[0]}};
}

}  // namespace delassus
