// Where a loop closure's two frames are, and along which directions its rows act. Shared by values, drift and
// positions, so that all three mean the same rows.
#pragma once

#include "delassus/constraints/constraint.hpp"
#include "delassus/constraints/rows.hpp"
#include "delassus/kinematics/kinematics.hpp"

namespace delassus {

/// The axis that a universal joint holds, or -1 if the number of free angular axes is not two.
inline int universal_axis(const LoopClosure& x) {
  switch (x.free_angular) {
    case 0b110: return 0;
    case 0b101: return 1;
    case 0b011: return 2;
    default: return -1;
  }
}

template <class T>
struct LoopGeometry {
  LoopGeometry(const Kinematics<T>& kin, const LoopClosure& x, const Anchor& first, const Anchor& second)
      : loop(x),
        link1(first.link),
        link2(second.link),
        R1(kin.pose[first.link].R * cast<T>(first.local.R)),
        R2(kin.pose[second.link].R * cast<T>(second.local.R)),
        lever1(kin.pose[first.link].R * cast<T>(first.local.p)),
        lever2(kin.pose[second.link].R * cast<T>(second.local.p)),
        gap(kin.pose[first.link].p - kin.pose[second.link].p + (lever1 - lever2)) {}

  /// From link 1's origin to the point where its velocity is taken. Axes that move with frame 1 see frame 2's origin.
  Vec3<T> sliding_lever1() const { return loop.axes == LoopAxes::kWorldAxes ? lever1 : lever1 - gap; }

  Vec3<T> axis(int k) const {
    if (loop.axes == LoopAxes::kWorldAxes) return column(Mat3<T>::identity(), k);
    return column(R1, k);
  }
  /// For the held axis k of a universal joint: the cross product of the free axes, not normalised.
  Vec3<T> universal_direction(int k) const { return cross(column(R1, (k + 1) % 3), column(R2, (k + 2) % 3)); }

  const LoopClosure& loop;
  int link1, link2;
  Mat3<T> R1, R2;           // axes of the two frames in the world
  Vec3<T> lever1, lever2;   // from the links' origins to the frames' origins
  Vec3<T> gap;              // origin 1 - origin 2
};

/// Calls f(k) for each held axis.
template <class F>
void for_each_held(unsigned free, F&& f) {
  for (int k = 0; k < 3; ++k) {
    if (!(free >> k & 1)) f(k);
  }
}

}  // namespace delassus
