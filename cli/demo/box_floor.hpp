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

  /// What it does to the box, in the axes of the box about its middle; so is the velocity.
  Force<double> push(const Pose<double>& box, const Motion<double>& velocity) const;

 private:
  std::array<Vec3<double>, 8> corners_;
};

}  // namespace delassus::cli
