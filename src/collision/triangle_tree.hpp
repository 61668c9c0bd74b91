// Which triangles of a surface are near a box: Bullet's tree of bounds.
#pragma once

#include <memory>

#include "collision/broad_phase.hpp"
#include "delassus/model/surface.hpp"

namespace delassus::collision {

class TriangleVisitor {
 public:
  virtual void visit(int triangle) = 0;

 protected:
  ~TriangleVisitor() = default;
};

class TriangleTree {
 public:
  virtual ~TriangleTree() = default;
  /// Each triangle whose bounds overlap the box, in an order that is always the same. Allocates nothing.
  virtual void visit_near(const Bounds& box, TriangleVisitor& visitor) const = 0;
};

/// The surface has to live as long. Throws an Error where this library was built without Bullet.
std::unique_ptr<TriangleTree> make_triangle_tree(const Surface& surface);

/// Throws an Error that names the shape where this library was built without Bullet.
void require_bullet(const std::string& shape);

}  // namespace delassus::collision
