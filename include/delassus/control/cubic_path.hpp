// From one pose to another and at rest at both, along a cubic in time: a straight line for the origin, a turn about one axis.
#pragma once

#include "delassus/control/task.hpp"

namespace delassus {

class CubicPath {
 public:
  /// Times in seconds. Throws an Error if they are no numbers or the duration is not above zero, or if a pose is none.
  CubicPath(const Pose<double>& from, const Pose<double>& to, double start, double duration);

  /// At rest before the start and after the end.
  PoseTarget at(double t) const noexcept;
  double end() const noexcept { return start_ + duration_; }

 private:
  Pose<double> from_;
  Vec3<double> way_;   // of the origin
  Vec3<double> turn_;  // rotation vector, world axes
  double start_, duration_;
};

}  // namespace delassus
