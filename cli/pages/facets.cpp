#include "cli/pages/facets.hpp"

#include <array>
#include <numbers>

namespace delassus::cli {
namespace {

constexpr int kRound = 24;  // parts of a full turn

using Corner = Facets::Corner;

void add_quad(Facets& out, const Corner& a, const Corner& b, const Corner& c, const Corner& d) {
  out.corners.insert(out.corners.end(), {a, b, c, a, c, d});
}

/// A point of the outline that turns about z, and the normal there.
struct Outline {
  double radius, z, normal_radius, normal_z;
};

Corner turned(const Outline& o, int part) {
  const double angle = 2 * std::numbers::pi * part / kRound, c = std::cos(angle), s = std::sin(angle);
  return {{{o.radius * c, o.radius * s, o.z}}, {{o.normal_radius * c, o.normal_radius * s, o.normal_z}}};
}

Facets turn(const std::vector<Outline>& outline) {
  Facets out;
  for (std::size_t k = 0; k + 1 < outline.size(); ++k) {
    for (int part = 0; part < kRound; ++part) {
      add_quad(out, turned(outline[k], part), turned(outline[k + 1], part), turned(outline[k + 1], part + 1),
               turned(outline[k], part + 1));
    }
  }
  return out;
}

/// From the lower pole to the upper one: a ball of radius r, cut at its equator and drawn out by `half` to each side.
Facets make_capsule(double r, double half) {
  std::vector<Outline> outline;
  for (int k = 0; k <= kRound / 2; ++k) {
    const double angle = std::numbers::pi * (2.0 * k / kRound - 0.5), c = std::cos(angle), s = std::sin(angle);
    if (4 * k == kRound && half > 0) outline.push_back({r * c, r * s - half, c, s});
    outline.push_back({r * c, r * s + (4 * k < kRound ? -half : half), c, s});
  }
  return turn(outline);
}

Facets make_cylinder(double r, double half) {
  return turn(
      {{0, -half, 0, -1}, {r, -half, 0, -1}, {r, -half, 1, 0}, {r, half, 1, 0}, {r, half, 0, 1}, {0, half, 0, 1}});
}

Facets make_ellipsoid(const Vec3<double>& half) {
  Facets out = make_capsule(1, 0);
  for (Corner& corner : out.corners) {
    for (int i = 0; i < 3; ++i) {
      corner.point[i] *= half[i];
      corner.normal[i] /= half[i];
    }
    corner.normal = (1 / norm(corner.normal)) * corner.normal;
  }
  return out;
}

Facets make_box(const Vec3<double>& half) {
  Facets out;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      const auto corner = [&](double along, double across) {
        Corner c{Vec3<double>::zero(), Vec3<double>::zero()};
        c.normal[axis] = side;
        c.point[axis] = side * half[axis];
        c.point[(axis + 1) % 3] = along * half[(axis + 1) % 3];
        c.point[(axis + 2) % 3] = across * half[(axis + 2) % 3];
        return c;
      };
      add_quad(out, corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1));
    }
  }
  return out;
}

Facets make_flat(const Surface& surface) {
  Facets out;
  for (const Triangle& t : surface.triangles()) {
    std::array<Vec3<double>, 3> p;
    for (std::size_t i = 0; i < 3; ++i) p[i] = surface.vertices()[static_cast<std::size_t>(t[i])];
    const Vec3<double> across = cross(p[1] - p[0], p[2] - p[0]);
    const double length = norm(across);
    if (length == 0) continue;  // it has no area
    for (const Vec3<double>& point : p) out.corners.push_back({point, (1 / length) * across});
  }
  return out;
}

}  // namespace

Facets make_facets(ShapeKind kind, const Vec3<double>& size, const Surface* surface) {
  switch (kind) {
    case ShapeKind::kSphere:
      return make_capsule(size[0], 0);
    case ShapeKind::kBox:
      return make_box(size);
    case ShapeKind::kCylinder:
      return make_cylinder(size[0], size[1]);
    case ShapeKind::kCapsule:
      return make_capsule(size[0], size[1]);
    case ShapeKind::kEllipsoid:
      return make_ellipsoid(size);
    case ShapeKind::kPlane:
      return {};
    case ShapeKind::kHull:
    case ShapeKind::kMesh:
    case ShapeKind::kHeightField:
      break;
  }
  return surface ? make_flat(*surface) : Facets{};
}

}  // namespace delassus::cli
