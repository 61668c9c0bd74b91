// Directions that separate pairs with a polyhedron among them.
#pragma once

#include "collision/axes.hpp"
#include "collision/gjk.hpp"

namespace delassus::collision {

inline bool has_polyhedron(const ConvexPair& p) { return p.a.polyhedron || p.b.polyhedron; }

/// The best outward normals of faces of polyhedra, boxes and cylinders.
FaceAxes best_polyhedron_faces(const ConvexPair& pair);

/// The direction that separates any two cores most: by GJK, or by Bullet's expanding polytope where they overlap. Where that finds none, because
/// the cores only just touch, the axis has no separation.
Apart find_nearest(const ConvexPair& pair, double reach, Axis& out);

}  // namespace delassus::collision
