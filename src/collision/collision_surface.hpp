// A surface made ready for collisions.
#pragma once

#include <optional>

#include "collision/convex_pair.hpp"
#include "collision/triangle_tree.hpp"

namespace delassus {

class CollisionSurface {
 public:
  CollisionSurface(ShapeKind kind, std::shared_ptr<const Surface> surface);

  const Surface& surface() const { return *surface_; }
  bool is_flat() const { return !hull_; }
  /// The convex hull; there is none if it is flat.
  collision::Convex hull() const;

  /// Calls the visitor with each triangle near a box; of a height field also with those above it.
  void visit_near(const Bounds& box, collision::TriangleVisitor& visitor) const;

  /// Whether triangles have a back, from which nothing comes: the surface is closed, or a height field.
  bool has_inside() const { return has_inside_; }
  bool is_height_field() const { return surface_->grid() != nullptr; }

  /// Whether nothing around an edge or a vertex of a triangle rises above the plane through it with the normal n. Only then
  /// the surface can be touched there along n; on an inner edge of flat ground, along the ground's normal alone.
  /// Edge k of a triangle begins at its corner k.
  bool is_ridge(int triangle, int edge, const Vec3<double>& n) const;
  bool is_peak(std::int32_t vertex, const Vec3<double>& n) const;

 private:
  void find_neighbours();
  void visit_cells(const Bounds& box, collision::TriangleVisitor& visitor) const;

  std::shared_ptr<const Surface> surface_;
  std::optional<collision::HullStore> hull_;
  std::unique_ptr<collision::TriangleTree> tree_;
  bool has_inside_ = true;
  std::vector<std::array<std::int32_t, 3>> opposite_;  // the vertex beyond each edge, or -1
  std::vector<std::int32_t> ring_begin_, ring_;        // the vertices around each vertex
};

}  // namespace delassus
