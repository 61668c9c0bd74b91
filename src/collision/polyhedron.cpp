#include "collision/polyhedron.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "delassus/model/surface.hpp"

namespace delassus::collision {
namespace {

/// Triangles whose corners are within this fraction of the size of one plane are one face: what single precision in a file
/// leaves of a plane.
constexpr double kOnePlane = 1e-6;

using Edges = std::map<std::pair<std::int32_t, std::int32_t>, int>;  // the triangle on the left of each

Edges edges_of(std::span<const Triangle> triangles) {
  Edges out;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) out[{triangles[i][k], triangles[i][(k + 1) % 3]}] = static_cast<int>(i);
  }
  return out;
}

double area_of(const Surface& s, const Triangle& t) {
  const auto x = [&](std::size_t k) { return s.vertices()[static_cast<std::size_t>(t[k])]; };
  return norm(cross(x(1) - x(0), x(2) - x(0)));
}

PolyhedronFace plane_of(const Surface& s, const Triangle& t) {
  const auto x = [&](std::size_t k) { return s.vertices()[static_cast<std::size_t>(t[k])]; };
  const Vec3<double> across = cross(x(1) - x(0), x(2) - x(0));
  const double area = norm(across);
  const Vec3<double> normal = area > 0 ? (1 / area) * across : across;
  return {normal, dot(normal, x(0)), 0, 0};
}

/// Gathers the triangles around a seed that lie in its plane.
std::vector<int> grow(const Surface& s, const Edges& edges, int seed, const PolyhedronFace& plane, double tolerance,
                      std::vector<char>& taken) {
  std::vector<int> found{seed};
  taken[static_cast<std::size_t>(seed)] = 1;
  for (std::size_t next = 0; next < found.size(); ++next) {
    const Triangle& t = s.triangles()[static_cast<std::size_t>(found[next])];
    for (std::size_t k = 0; k < 3; ++k) {
      const int other = edges.at({t[(k + 1) % 3], t[k]});
      const Triangle& u = s.triangles()[static_cast<std::size_t>(other)];
      const bool flat = std::all_of(u.begin(), u.end(), [&](std::int32_t v) {
        return std::abs(dot(plane.normal, s.vertices()[static_cast<std::size_t>(v)]) - plane.offset) <= tolerance;
      });
      if (!flat || taken[static_cast<std::size_t>(other)]) continue;
      taken[static_cast<std::size_t>(other)] = 1;
      found.push_back(other);
    }
  }
  return found;
}

/// The border of some triangles that touch each other, in order.
std::vector<std::int32_t> border_of(const Surface& s, const Edges& edges, const std::vector<int>& triangles) {
  std::map<std::int32_t, std::int32_t> next;
  for (const int i : triangles) {
    const Triangle& t = s.triangles()[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < 3; ++k) {
      const int other = edges.at({t[(k + 1) % 3], t[k]});
      if (std::find(triangles.begin(), triangles.end(), other) == triangles.end()) next[t[k]] = t[(k + 1) % 3];
    }
  }
  std::vector<std::int32_t> out{next.begin()->first};
  while (next.at(out.back()) != out.front() && out.size() < next.size()) out.push_back(next.at(out.back()));
  return out;
}

}  // namespace

int furthest_vertex(const Polyhedron& s, const Vec3<double>& n) {
  int best = 0;
  double highest = dot(n, s.vertices[0]);
  for (std::size_t i = 1; i < s.vertices.size(); ++i) {
    const double height = dot(n, s.vertices[i]);
    if (height <= highest) continue;
    highest = height;
    best = static_cast<int>(i);
  }
  return best;
}

HullStore::HullStore(const Surface& surface) {
  const SurfacePointer hull = make_hull(surface.vertices(), surface.source());
  vertices_.assign(hull->vertices().begin(), hull->vertices().end());
  for (std::size_t i = 0; i < vertices_.size(); ++i) codes_.push_back(static_cast<std::uint32_t>(i));
  const Edges edges = edges_of(hull->triangles());
  const auto triangles = hull->triangles();
  // The largest first: their planes are the most accurate.
  std::vector<int> order(triangles.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) {
    return area_of(*hull, triangles[static_cast<std::size_t>(i)]) >
           area_of(*hull, triangles[static_cast<std::size_t>(j)]);
  });
  std::vector<char> taken(triangles.size(), 0);
  const double tolerance = kOnePlane * norm(hull->high() - hull->low());
  for (const int seed : order) {
    if (taken[static_cast<std::size_t>(seed)]) continue;
    PolyhedronFace face = plane_of(*hull, triangles[static_cast<std::size_t>(seed)]);
    const std::vector<std::int32_t> border = border_of(*hull, edges, grow(*hull, edges, seed, face, tolerance, taken));
    face.first = static_cast<std::int32_t>(corners_.size());
    face.count = static_cast<std::int32_t>(border.size());
    // No vertex is outside, so that separations along faces are no larger than they are.
    for (const std::int32_t v : border)
      face.offset = std::max(face.offset, dot(face.normal, vertices_[static_cast<std::size_t>(v)]));
    corners_.insert(corners_.end(), border.begin(), border.end());
    faces_.push_back(face);
  }
  view_ = {vertices_, codes_, faces_, corners_, 0.5 * (hull->low() + hull->high())};
}

}  // namespace delassus::collision
