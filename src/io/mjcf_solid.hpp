// Solids of the density of one: what a geom weighs, and how it resists turning.
#pragma once

#include <cstdint>

#include "delassus/math/mat.hpp"
#include "delassus/model/shape.hpp"
#include "delassus/model/surface.hpp"

namespace delassus::io {

struct Solid {
  double volume = 0;
  Vec3<double> com{{0, 0, 0}};
  Sym3<double> inertia = Sym3<double>::zero();  // about the centre of mass, for a mass of one
};

/// Empty for a plane and for kinds with a surface.
Solid solid_of(ShapeKind kind, const Vec3<double>& size);

/// How MuJoCo sums the pyramids between a point inside and the triangles of a mesh: with their signs, or without. Both are
/// the same where the mesh is convex; without signs, dents count as matter, and triangles may run either way.
enum class MeshInertia : std::uint8_t { kLegacy, kExact };

Solid solid_of(const Surface& surface, MeshInertia how);

}  // namespace delassus::io
