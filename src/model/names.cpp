#include <array>

#include "delassus/model/joint.hpp"
#include "delassus/model/shape.hpp"

namespace delassus {

std::string_view name_of(JointKind kind) {
  static constexpr std::array<std::string_view, kNumJointKinds> kNames{
      "revolute", "prismatic", "helical", "cylindrical", "universal", "spherical", "planar", "free"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view name_of(ShapeKind kind) {
  static constexpr std::array<std::string_view, kNumShapeKinds> kNames{
      "sphere", "box", "cylinder", "capsule", "ellipsoid", "plane", "hull", "mesh", "heightfield"};
  return kNames[static_cast<std::size_t>(kind)];
}

int size_count(ShapeKind kind) {
  static constexpr std::array<int, kNumShapeKinds> kCounts{1, 3, 2, 2, 3, 0, 0, 0, 0};
  return kCounts[static_cast<std::size_t>(kind)];
}

}  // namespace delassus
