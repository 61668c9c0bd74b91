#include "delassus/constraints/constrained_model.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "delassus/kinematics/frames.hpp"
#include "delassus/model/surface.hpp"

namespace delassus {
namespace {

constexpr std::size_t kMostPoints = 4;
/// A cylinder whose axis is that close to the normal stands upright; the lowest point of its rim is anywhere.
constexpr double kUpright = 1e-6;

/// The corners of a box, the four lowest first.
std::vector<Vec3<double>> box_corners(const ShapeDescription& shape, const Vec3<double>& down) {
  std::vector<Vec3<double>> out;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3<double> x = shape.size;
    for (int axis = 0; axis < 3; ++axis) x[axis] *= (corner >> axis) & 1 ? 1 : -1;
    out.push_back(x);
  }
  std::stable_sort(out.begin(), out.end(),
                   [&](const auto& a, const auto& b) { return dot(down, a) > dot(down, b) + 1e-12; });
  out.resize(kMostPoints);
  return out;
}

/// The direction across the axis z that goes furthest along `down`; any, if the axis stands upright.
Vec3<double> across_axis(const Vec3<double>& down) {
  const double slant = std::hypot(down[0], down[1]);
  if (slant < kUpright) return {{1, 0, 0}};
  return {{down[0] / slant, down[1] / slant, 0}};
}

/// The lowest point of the lower cap, and of the rim where the upper cap begins: below that cap's own lowest point, which
/// lies inside.
std::vector<Vec3<double>> capsule_ends(const ShapeDescription& shape, const Vec3<double>& down) {
  const double radius = shape.size[0];
  const Vec3<double> lower{{0, 0, down[2] < 0 ? -shape.size[1] : shape.size[1]}};
  return {lower + radius * down, radius * across_axis(down) - lower};
}

/// Three points of the lower rim, one of them its lowest, and the lowest of the upper rim.
std::vector<Vec3<double>> cylinder_rims(const ShapeDescription& shape, const Vec3<double>& down) {
  const double radius = shape.size[0], end = down[2] < 0 ? -shape.size[1] : shape.size[1];
  const Vec3<double> lowest = across_axis(down);
  const double c = lowest[0], s = lowest[1];
  // Turned by 120 degrees to either side.
  const double c3 = -0.5, s3 = std::sqrt(0.75);
  const auto rim = [&](double x, double y, double z) { return Vec3<double>{{radius * x, radius * y, z}}; };
  return {rim(c, s, end), rim(c * c3 - s * s3, s * c3 + c * s3, end), rim(c * c3 + s * s3, s * c3 - c * s3, end),
          rim(c, s, -end)};
}

/// Of the vertices that are lowest, up to a thousandth of the size, four that span most.
std::vector<Vec3<double>> lowest_vertices(const Surface& surface, const Vec3<double>& down) {
  const auto deeper = [&](const Vec3<double>& x, const Vec3<double>& y) { return dot(down, x) < dot(down, y); };
  const auto all = surface.vertices();
  const Vec3<double> lowest = *std::max_element(all.begin(), all.end(), deeper);
  const double level = dot(down, lowest) - 1e-3 * norm(surface.high() - surface.low());
  std::vector<Vec3<double>> low;
  std::copy_if(all.begin(), all.end(), std::back_inserter(low), [&](const auto& x) { return dot(down, x) >= level; });
  std::vector<Vec3<double>> out{lowest};
  const auto add_most = [&](const auto& measure) {
    const auto best =
        std::max_element(low.begin(), low.end(), [&](const auto& x, const auto& y) { return measure(x) < measure(y); });
    if (measure(*best) > 0) out.push_back(*best);
  };
  add_most([&](const Vec3<double>& x) { return norm(x - lowest); });
  if (out.size() < 2) return out;
  const Vec3<double> across = cross(down, out[1] - lowest);
  for (const double side : {1.0, -1.0}) add_most([&](const Vec3<double>& x) { return side * dot(across, x - lowest); });
  return out;
}

/// In the shape's own axes, furthest along `down`.
std::vector<Vec3<double>> support_points(const ShapeDescription& shape, const Vec3<double>& down) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return {shape.size[0] * down};
    case ShapeKind::kCapsule:
      return capsule_ends(shape, down);
    case ShapeKind::kBox:
      return box_corners(shape, down);
    case ShapeKind::kCylinder:
      return cylinder_rims(shape, down);
    case ShapeKind::kEllipsoid: {
      Vec3<double> x = down;
      for (int k = 0; k < 3; ++k) x[k] *= shape.size[k];
      x = (1 / norm(x)) * x;
      for (int k = 0; k < 3; ++k) x[k] *= shape.size[k];
      return {x};
    }
    case ShapeKind::kHull:
    case ShapeKind::kMesh:
      return lowest_vertices(*shape.surface, down);
    case ShapeKind::kPlane:
    case ShapeKind::kHeightField:
      return {};
  }
  return {};
}

ContactKind kind_of(const ShapeDescription& shape) {
  switch (shape.condim) {
    case 1:
      return ContactKind::kFrictionless;
    case 4:
      return ContactKind::kTorsional;
    case 6:
      return ContactKind::kRolling;
    default:
      return ContactKind::kSliding;
  }
}

ForceSet force_set_of(const ShapeDescription& shape) {
  ForceSet set;
  if (shape.condim == 1) return {SetKind::kNonNegative};
  set.kind = SetKind::kFrictionCone;
  set.mu = shape.friction[0];
  if (shape.condim >= 4) set.mu_torsion = shape.friction[1];
  if (shape.condim == 6) set.mu_rolling = shape.friction[2];
  return set;
}

}  // namespace

std::vector<Vec3<double>> make_support_points(const ShapeDescription& shape, const Pose<double>& pose,
                                              const Vec3<double>& normal) {
  std::vector<Vec3<double>> out = support_points(shape, -transposed_times(pose.R, normal));
  for (Vec3<double>& x : out) x = pose * x;
  return out;
}

std::vector<Constraint> make_ground_contacts(const Model& model, const std::vector<double>& q, const Ground& ground,
                                             double margin) {
  Kinematics<double> kin(model);
  update_kinematics<double>(model, q, kin);
  const Pose<double> plane = frame_pose(model, kin, ground.frame) * ground.pose;
  const Vec3<double> normal = column(plane.R, 2);
  std::vector<Constraint> out;
  std::map<int, int> count;  // of contacts per body
  for (const ShapeDescription& shape : model.description().shapes) {
    const int frame = model.body_frame(shape.body);
    if (model.frame(frame).link == model.frame(ground.frame).link) continue;
    const Pose<double> body = frame_pose(model, kin, frame);
    for (const Vec3<double>& point : make_support_points(shape, body * shape.placement, normal)) {
      const Vec3<double> seen = inverse(plane) * point;
      if (seen[2] > margin || seen[2] < -ground.depth || std::abs(seen[0]) > ground.half_x ||
          std::abs(seen[1]) > ground.half_y)
        continue;
      PointContact contact;
      contact.name = model.frame(frame).name + "/" + std::to_string(++count[shape.body]);
      contact.a = {frame, {Mat3<double>::identity(), inverse(body) * point}};
      contact.b = ground.frame;
      contact.axes = contact_axes(normal);
      contact.gap = seen[2];
      contact.kind = kind_of(shape);
      contact.set = force_set_of(shape);
      out.emplace_back(std::move(contact));
    }
  }
  return out;
}

}  // namespace delassus
