// Shapes as triangles, for pictures.
#pragma once

#include <vector>

#include "delassus/model/shape.hpp"
#include "delassus/model/surface.hpp"

namespace delassus::cli {

/// In the axes of a shape. Each corner of a triangle has a normal of its own, so that edges stay sharp and round sides look round.
struct Facets {
  struct Corner {
    Vec3<double> point, normal;
  };
  std::vector<Corner> corners;  // three for each triangle
};

/// None for a plane. `surface` is that of kinds which have one.
Facets make_facets(ShapeKind kind, const Vec3<double>& size, const Surface* surface);

}  // namespace delassus::cli
