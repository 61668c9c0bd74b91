// Separating axes of cores with faces and edges (Gottschalk, Lin and Manocha, OBBTree, SIGGRAPH 1996).
#pragma once

#include "collision/convex_pair.hpp"

namespace delassus::collision {

struct Axis {
  Vec3<double> n{{0, 0, 1}};   // from b to a
  double separation = -1e300;  // less than any: there is no such axis
};

/// `rival` only where it is better by more than a fraction of what it is about: near a tie, rounding decides otherwise.
Axis preferred(const Axis& axis, const Axis& rival, double bias, double scale);

/// The best normal of a face of a box or cylinder; of the first shape where there is little between them.
Axis best_face(const ConvexPair& pair);

/// The best common perpendicular of an edge of either; for cores that are boxes.
Axis best_edge(const ConvexPair& pair);

/// The common perpendicular of two segments at the points where they are nearest.
Axis between_segments(const ConvexPair& pair);

}  // namespace delassus::collision
