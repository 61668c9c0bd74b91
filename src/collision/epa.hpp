// The depth of two convex cores that overlap.
#pragma once

#include "collision/convex_pair.hpp"

namespace delassus::collision {

/// The direction, from b to a, along which the cores are least deep in each other. The expanding polytope of van den
/// Bergen (Proximity queries and penetration depth computation on 3D game objects, 2001), begun with an octahedron, since
/// the difference of two symmetric cores is symmetric.
Vec3<double> find_depth(const ConvexPair& pair);

}  // namespace delassus::collision
