#include "delassus/control/task.hpp"

#include <algorithm>
#include <cmath>

#include "delassus/math/error.hpp"

namespace delassus {
namespace {

void require_pose(const char* argument, const Pose<double>& pose) {
  if (!is_pose(pose))
    throw Error(std::string("argument '") + argument + "' is no pose: R has to be a rotation, and p finite");
}

}  // namespace

CubicPath::CubicPath(const Pose<double>& from, const Pose<double>& to, double start, double duration)
    : from_(from), way_(to.p - from.p), start_(start), duration_(duration) {
  require_pose("from", from);
  require_pose("to", to);
  if (!std::isfinite(start)) throw Error("argument 'start' is not a finite number");
  if (!(duration > 0) || !std::isfinite(duration)) throw Error("argument 'duration' has to be above zero");
  turn_ = rotation_log(to.R * transposed(from.R));
  const Vec3<double> most = 6 / (duration * duration) * way_ + 6 / (duration * duration) * turn_;
  if (!std::isfinite(most[0] + most[1] + most[2])) {
    throw Error("argument 'duration' is too short for its way: accelerations would be infinite");
  }
}

PoseTarget CubicPath::at(double t) const noexcept {
  const double x = std::clamp((t - start_) / duration_, 0.0, 1.0);
  const double share = x * x * (3 - 2 * x);
  const double rate = 6 * x * (1 - x) / duration_;
  const bool moves = t >= start_ && t <= end();
  const double change = moves ? 6 * (1 - 2 * x) / (duration_ * duration_) : 0;
  return {{rotation_of(quaternion_exp(share * turn_)) * from_.R, from_.p + share * way_},
          {rate * turn_, rate * way_},
          {change * turn_, change * way_}};
}

}  // namespace delassus
