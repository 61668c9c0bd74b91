// Convex polyhedra: hulls of surfaces, and single triangles of a mesh.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "delassus/math/rotation.hpp"
#include "delassus/model/surface.hpp"

namespace delassus::collision {

/// Its corners are corners[first] to corners[first + count - 1], anticlockwise.
struct PolyhedronFace {
  Vec3<double> normal;
  double offset;  // along the normal
  std::int32_t first, count;
};

/// A view: of what a HullStore owns, or of a triangle on the stack, which has one face, the front, and no inside.
struct Polyhedron {
  std::span<const Vec3<double>> vertices;
  std::span<const std::uint32_t> codes;  // what the vertices are called: below 2^24
  std::span<const PolyhedronFace> faces;
  std::span<const std::int32_t> corners;
  Vec3<double> centre;
};

int furthest_vertex(const Polyhedron& s, const Vec3<double>& n);

/// The hull of a surface's vertices, with triangles that lie in one plane joined to one face.
class HullStore {
 public:
  explicit HullStore(const Surface& surface);
  const Polyhedron& hull() const { return view_; }
  HullStore(const HullStore&) = delete;
  HullStore& operator=(const HullStore&) = delete;

 private:
  std::vector<Vec3<double>> vertices_;
  std::vector<std::uint32_t> codes_;
  std::vector<PolyhedronFace> faces_;
  std::vector<std::int32_t> corners_;
  Polyhedron view_;
};

}  // namespace delassus::collision
