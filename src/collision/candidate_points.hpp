// Candidate points: where the shapes of a model can touch planes that do not move, as a list that never changes (docs/learning.md).
//
// The full collision (collision_world.hpp) finds as many contacts as there are, so that rows come and go from step to step. Kernels that run many environments
// side by side, and generated code, need the same structure in each: so every shape has a fixed number of slots, and in each step some of them act.
//
//   shape       slots
//   sphere      1: its lowest point, which moves over the surface
//   ellipsoid   1, likewise
//   capsule     2: the lowest points of its two ends
//   box         8 corners
//   cylinder    8: on each rim the lowest point, the highest and the two between; where the axis is along the normal, four at fixed angles
//   hull        its corners, up to kMostCorners
//
// Of the slots of a shape within the margin the four deepest act. Those of a hull that lies on more than four corners are not what the full
// collision takes, which spreads its four: `spread` says that the shape is one of those.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "delassus/collision/collision_world.hpp"

namespace delassus {

struct CandidateShape {
  enum class Kind : std::uint8_t { kPoints, kRims, kEllipsoid };
  static constexpr int kMostActive = 4, kMostCorners = 32;

  Kind kind = Kind::kPoints;
  int shape = 0;       // in CollisionWorld::shapes()
  int link = 0;        // that moves it
  int body = 0;        // in the description
  int first_slot = 0;  // of as many as there are points; rims: 8; ellipsoid: 1
  int slots = 0;
  bool spread = false;
  Vec3<double> centre{};             // of a ball around the shape, in the link's frame
  double bound = 0;                  // its radius
  double radius = 0;                 // of points: of the ball around each; of rims: theirs
  Mat3<double> axes{};               // of rims and ellipsoids, as columns, in the link's frame; z: that of the cylinder
  Vec3<double> half_axes{};          // of ellipsoids
  std::vector<Vec3<double>> points;  // in the link's frame; of rims: the two centres
};

/// n · x = offset.
struct CandidatePlane {
  int shape = 0;  // in CollisionWorld::shapes()
  Vec3<double> normal{};
  double offset = 0;
};

struct CandidatePoints {
  std::vector<CandidateShape> shapes;
  std::vector<CandidatePlane> planes;
  /// Which shape may touch which plane: planes.size() for each shape.
  std::vector<char> touchable;
  int num_slots = 0;  // of one plane
  /// Why the shapes of this world have none, in words: a height field, a mesh, a shape without motion that is no plane. Empty if they have.
  std::string reason;
};

CandidatePoints make_candidate_points(const CollisionWorld& world);

}  // namespace delassus
