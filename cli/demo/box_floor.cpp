#include "cli/demo/box_floor.hpp"

#include <algorithm>

namespace delassus::cli {
namespace {

// Of each corner. Under the weight of the box it gives way by 0.6 mm, and one millisecond is a tenth of its shortest time, that of
// the damper with a quarter of the box.
constexpr double kStiffness = 2e4;  // newtons per metre
constexpr double kDamping = 100;    // newton seconds per metre

/// The world's z in the axes of the box.
Vec3<double> up_in(const Pose<double>& box) { return {{box.R(2, 0), box.R(2, 1), box.R(2, 2)}}; }

}  // namespace

BoxFloor::BoxFloor(const Vec3<double>& half_extents) {
  for (unsigned corner = 0; corner < 8; ++corner) {
    for (int axis = 0; axis < 3; ++axis) corners_[corner][axis] = (corner >> axis & 1U ? 1 : -1) * half_extents[axis];
  }
}

std::array<BoxFloor::CornerPush, 8> BoxFloor::corner_pushes(const Pose<double>& box,
                                                            const Motion<double>& velocity) const {
  const Vec3<double> up = up_in(box);
  std::array<CornerPush, 8> out;
  for (std::size_t k = 0; k < corners_.size(); ++k) {
    const double height = box.p[2] + dot(up, corners_[k]);
    out[k] = {corners_[k], height, 0};
    if (height >= 0) continue;
    const double rate = dot(up, shifted(velocity, corners_[k]).linear);
    out[k].force = std::max(0.0, -kStiffness * height - kDamping * rate);
  }
  return out;
}

Force<double> BoxFloor::push(const Pose<double>& box, const Motion<double>& velocity) const {
  Force<double> sum = Force<double>::zero();
  for (const CornerPush& push : corner_pushes(box, velocity))
    sum += shifted(Force<double>{Vec3<double>::zero(), push.force * up_in(box)}, push.corner);
  return sum;
}

}  // namespace delassus::cli
