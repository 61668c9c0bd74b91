// Contact points of a shape with many triangles, of which few have to do.
#pragma once

#include "collision/candidates.hpp"

namespace delassus::collision {

/// Points with one normal are kept together, and reduced to four like those of a pair of shapes: a box on a floor of many
/// triangles has its four corners, whichever triangles they stand on.
class Patch {
 public:
  explicit Patch(double scale) : scale_(scale) {}

  /// Points of cores in the axes of a, along n. A point that is there already, from a triangle beside, keeps the deeper gap.
  void add(const Vec3<double>& n, const Candidates& points);

  /// Places the points of all groups: those of one pair have different features.
  void finish(const Pose<double>& pose_a, double radius, ContactPatch& out);

 private:
  struct Group {
    Vec3<double> n;
    Candidates points;
  };
  static constexpr int kMostGroups = ContactPatch::kMost / 4;

  Group* group_along(const Vec3<double>& n, double least);

  double scale_;
  int count_ = 0;
  std::array<Group, kMostGroups> groups_;
};

}  // namespace delassus::collision
