// What there is instead of bullet_engine.cpp where Bullet is not.
#include "collision/polyhedron_axes.hpp"
#include "collision/triangle_tree.hpp"
#include "delassus/math/error.hpp"

namespace delassus::collision {

void require_bullet(const std::string& shape) {
  throw Error(shape +
              " can collide, and this library was built without Bullet, which that needs; install Bullet in double " +
              "precision (Debian: libbullet-dev) and build again, or remove the shape");
}

std::unique_ptr<TriangleTree> make_triangle_tree(const Surface& surface) {
  require_bullet(surface.source().empty() ? "a surface" : surface.source());
  return nullptr;
}

/// Never called: there is no polyhedron without require_bullet.
Apart find_nearest(const ConvexPair&, double, Axis&) { return Apart::kBeyond; }

}  // namespace delassus::collision
