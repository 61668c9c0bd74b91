// Surfaces whose shape is known.
#pragma once

#include <cmath>
#include <functional>

#include "delassus/collision/collide.hpp"
#include "delassus/model/surface.hpp"

namespace delassus::testing {

/// A box as triangles, outwards.
inline SurfacePointer box_surface(const Vec3<double>& half) {
  std::vector<Vec3<double>> vertices;
  for (int k = 0; k < 8; ++k)
    vertices.push_back({{k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1], k & 4 ? half[2] : -half[2]}});
  return make_surface(vertices, {{0, 2, 1},
                                 {1, 2, 3},
                                 {4, 5, 6},
                                 {5, 7, 6},
                                 {0, 1, 4},
                                 {1, 5, 4},
                                 {2, 6, 3},
                                 {3, 6, 7},
                                 {0, 4, 2},
                                 {2, 4, 6},
                                 {1, 3, 5},
                                 {3, 7, 5}});
}

/// Heights over a square with that many cells along each side.
inline SurfacePointer height_field(double half, int cells, const std::function<double(double, double)>& height) {
  HeightGrid grid{cells + 1, cells + 1, half, half, {}};
  for (int row = 0; row <= cells; ++row) {
    for (int column = 0; column <= cells; ++column)
      grid.heights.push_back(height(half * (2.0 * column / cells - 1), half * (2.0 * row / cells - 1)));
  }
  return make_height_field(grid);
}

/// The same as a mesh, which is open.
inline SurfacePointer as_mesh(const Surface& surface) {
  return make_surface({surface.vertices().begin(), surface.vertices().end()},
                      {surface.triangles().begin(), surface.triangles().end()});
}

/// A ball of triangles between circles of latitude; vertices lie on the sphere.
inline SurfacePointer ball_surface(double radius, int steps) {
  std::vector<Vec3<double>> vertices{{{0, 0, -radius}}};
  for (int i = 1; i < steps; ++i) {
    const double latitude = M_PI * (double(i) / steps - 0.5);
    for (int k = 0; k < 2 * steps; ++k) {
      const double longitude = M_PI * k / steps;
      vertices.push_back({{radius * std::cos(latitude) * std::cos(longitude),
                           radius * std::cos(latitude) * std::sin(longitude), radius * std::sin(latitude)}});
    }
  }
  vertices.push_back({{0, 0, radius}});
  const int round = 2 * steps, top = static_cast<int>(vertices.size()) - 1;
  std::vector<Triangle> triangles;
  for (int k = 0; k < round; ++k) {
    const int next = (k + 1) % round;
    triangles.push_back({0, 1 + next, 1 + k});
    triangles.push_back({top, top - round + k, top - round + next});
    for (int i = 0; i + 2 < steps; ++i) {
      const int below = 1 + i * round, above = below + round;
      triangles.push_back({below + k, below + next, above + next});
      triangles.push_back({below + k, above + next, above + k});
    }
  }
  return make_surface(vertices, triangles);
}

/// A shape with a surface, made ready; it owns what PlacedShape refers to.
struct Prepared {
  Prepared(ShapeKind kind, SurfacePointer surface) {
    ShapeDescription d;
    d.name = "surface";
    d.kind = kind;
    d.surface = std::move(surface);
    ready = make_collision_surface(d);
    shape = {kind, {{0, 0, 0}}, Pose<double>::identity(), ready.get()};
  }
  PlacedShape at(const Pose<double>& pose) const {
    PlacedShape out = shape;
    out.pose = pose;
    return out;
  }
  std::shared_ptr<const CollisionSurface> ready;
  PlacedShape shape;
};

}  // namespace delassus::testing
