// The floor of the demonstration: springs and dampers under the corners of the box, which push and never pull. Friction is not in
// it: the hands hold the box where it is.
#pragma once

#include <array>

#include "delassus/math/rotation.hpp"
#include "delassus/math/spatial.hpp"

namespace delassus::cli {

class BoxFloor {
 public:
  explicit BoxFloor(const Vec3<double>& half_extents);

  /// At a corner of the box, upwards in the world; no force where it does not touch.
  struct CornerPush {
    Vec3<double> corner;  // in the frame of the box
    double height = 0;    // above the floor, metres
    double force = 0;     // newtons
  };
  /// The velocity is in the axes of the box about its middle.
  std::array<CornerPush, 8> corner_pushes(const Pose<double>& box, const Motion<double>& velocity) const;
  /// What all of them do to the box, in its axes about its middle.
  Force<double> push(const Pose<double>& box, const Motion<double>& velocity) const;

 private:
  std::array<Vec3<double>, 8> corners_;
};

}  // namespace delassus::cli
