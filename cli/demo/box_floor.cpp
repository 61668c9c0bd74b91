#include "cli/demo/box_floor.hpp"

#include <algorithm>

namespace delassus::cli {
namespace {

// Of each corner. Under the weight of the box it gives way by 0.6 mm, and one millisecond is a tenth of its shortest time, that of
// the damper with a quarter of the box.
constexpr double kStiffness = 2e4;  // newtons per metre
constexpr double kDamping = 100;    // newton seconds per metre

}  // namespace

BoxFloor::BoxFloor(const Vec3<double>& half_extents) {
  for (unsigned corner = 0; corner < 8; ++corner) {
    for (int axis = 0; axis < 3; ++axis) corners_[corner][axis] = (corner >> axis & 1U ? 1 : -1) * half_extents[axis];
  }
}

Force<double> BoxFloor::push(const Pose<double>& box, const Motion<double>& velocity) const {
  const Vec3<double> up{{box.R(2, 0), box.R(2, 1), box.R(2, 2)}};
  Force<double> sum = Force<double>::zero();
  for (const Vec3<double>& corner : corners_) {
    const double height = box.p[2] + dot(up, corner);
    if (height >= 0) continue;
    const double rate = dot(up, shifted(velocity, corner).linear);
    const double force = std::max(0.0, -kStiffness * height - kDamping * rate);
    sum += shifted(Force<double>{Vec3<double>::zero(), force * up}, corner);
  }
  return sum;
}

}  // namespace delassus::cli
