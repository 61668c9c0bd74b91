// Separating axes of cores with faces and edges (Gottschalk, Lin and Manocha, OBBTree, SIGGRAPH 1996).
#pragma once

#include "collision/convex_pair.hpp"

namespace delassus::collision {

/// How much better an edge has to be than a face, as a fraction of the depth.
inline constexpr double kEdgeBias = 1e-2;

struct Axis {
  Vec3<double> n{{0, 0, 1}};   // from b to a
  double separation = -1e300;  // less than any: there is no such axis
};

/// `rival` only where it is better by more than a fraction of the separation and of the size: near a tie, rounding would
/// decide.
Axis preferred(const Axis& axis, const Axis& rival, double bias, double scale);

/// The best normals of faces of boxes and cylinders.
struct FaceAxes {
  Axis of_a, of_b;

  const Axis& better() const { return of_b.separation > of_a.separation ? of_b : of_a; }
  /// The first shape's where there is little between them.
  Axis steady(double scale) const;
};
FaceAxes best_faces(const ConvexPair& pair);

/// The best common perpendicular of an edge of either; for cores that are boxes.
Axis best_edge(const ConvexPair& pair);

/// The common perpendicular of two segments at the points where they are nearest.
Axis between_segments(const ConvexPair& pair);

}  // namespace delassus::collision
