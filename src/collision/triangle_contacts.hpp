// Contacts of a convex shape with a mesh or a height field.
#pragma once

#include "collision/collision_surface.hpp"

namespace delassus::collision {

/// `a` is convex, or a mesh that is not flat, which is as its hull. Inner edges of the surface are touched only along normals
/// that belong to them, so that nothing catches on the seams of flat ground.
void touch_triangles(const PlacedShape& a, const PlacedShape& surface, double margin, ContactPatch& out);

}  // namespace delassus::collision
