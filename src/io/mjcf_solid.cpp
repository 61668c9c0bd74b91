#include "io/mjcf_solid.hpp"

#include <cmath>
#include <numbers>

namespace delassus::io {
namespace {

constexpr double kPi = std::numbers::pi;

Solid with_moments(double volume, double x, double y, double z) {
  Solid out;
  out.volume = volume;
  const double moments[3] = {x, y, z};
  for (int i = 0; i < 3; ++i) out.inertia(i, i) = moments[i];
  return out;
}

struct Corners {
  Vec3<double> a, b, c;

  Vec3<double> centre() const { return (1.0 / 3) * (a + b + c); }
  /// Twice the area, along the normal.
  Vec3<double> normal() const { return cross(b - a, c - a); }
};

template <class Visit>
void visit_triangles(const Surface& surface, const Visit& visit) {
  const auto at = [&](std::int32_t i) { return surface.vertices()[static_cast<std::size_t>(i)]; };
  for (const Triangle& t : surface.triangles()) visit(Corners{at(t[0]), at(t[1]), at(t[2])});
}

/// Of the surface alone, by area.
Vec3<double> surface_centre(const Surface& surface) {
  Vec3<double> sum{{0, 0, 0}};
  double area = 0;
  visit_triangles(surface, [&](const Corners& t) {
    const double twice = norm(t.normal());
    sum = sum + twice * t.centre();
    area += twice;
  });
  return area > 0 ? (1 / area) * sum : sum;
}

double pyramid(const Corners& base, const Vec3<double>& apex, MeshInertia how) {
  const double volume = dot(base.centre() - apex, base.normal()) / 6;
  return how == MeshInertia::kLegacy ? std::abs(volume) : volume;
}

struct Sums {
  double volume = 0;
  Vec3<double> first{{0, 0, 0}};               // integral of x
  Sym3<double> second = Sym3<double>::zero();  // integral of x x'
};

/// Over the pyramids on the triangles, with their tip at a point that is the origin.
Sums sums_about(const Surface& surface, const Vec3<double>& origin, MeshInertia how) {
  Sums out;
  visit_triangles(surface, [&](const Corners& t) {
    const Vec3<double> corners[3] = {t.a - origin, t.b - origin, t.c - origin};
    const Vec3<double> sum = corners[0] + corners[1] + corners[2];
    const double volume = pyramid(t, origin, how);
    out.volume += volume;
    out.first = out.first + 0.25 * volume * sum;
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c <= r; ++c) {
        double entry = sum[r] * sum[c];
        for (const Vec3<double>& x : corners) entry += x[r] * x[c];
        out.second(r, c) += volume / 20 * entry;
      }
    }
  });
  return out;
}

}  // namespace

Solid solid_of(ShapeKind kind, const Vec3<double>& s) {
  const double x2 = s[0] * s[0], y2 = s[1] * s[1], z2 = s[2] * s[2];
  switch (kind) {
    case ShapeKind::kSphere:
      return with_moments(4 * kPi / 3 * x2 * s[0], 0.4 * x2, 0.4 * x2, 0.4 * x2);
    case ShapeKind::kBox:
      return with_moments(8 * s[0] * s[1] * s[2], (y2 + z2) / 3, (x2 + z2) / 3, (x2 + y2) / 3);
    case ShapeKind::kEllipsoid:
      return with_moments(4 * kPi / 3 * s[0] * s[1] * s[2], (y2 + z2) / 5, (x2 + z2) / 5, (x2 + y2) / 5);
    case ShapeKind::kCylinder: {
      const double across = x2 / 4 + y2 / 3;
      return with_moments(2 * kPi * x2 * s[1], across, across, x2 / 2);
    }
    case ShapeKind::kCapsule: {
      // A cylinder of length h and two half spheres, whose centres lie 3r/8 behind their flat sides.
      const double r = s[0], h = 2 * s[1], caps = 4 * r / (4 * r + 3 * h), tube = 1 - caps;
      const double across = tube * (3 * x2 + h * h) / 12 + caps * (0.4 * x2 + h * (3 * r + 2 * h) / 8);
      return with_moments(kPi * x2 * h + 4 * kPi / 3 * x2 * r, across, across, tube * x2 / 2 + caps * 0.4 * x2);
    }
    default:
      return {};
  }
}

Solid solid_of(const Surface& surface, MeshInertia how) {
  const Vec3<double> inside = surface_centre(surface);
  const Sums rough = sums_about(surface, inside, how);
  if (!(rough.volume > 0)) return {};
  Solid out;
  out.com = inside + (1 / rough.volume) * rough.first;
  const Sums sums = sums_about(surface, out.com, how);  // without signs the volume is another one
  out.volume = sums.volume;
  const Sym3<double>& P = sums.second;
  const double trace = P(0, 0) + P(1, 1) + P(2, 2);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c <= r; ++c) out.inertia(r, c) = ((r == c ? trace : 0) - P(r, c)) / sums.volume;
  }
  return out;
}

}  // namespace delassus::io
