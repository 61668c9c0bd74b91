// Rows at single degrees of freedom: limits and dry friction.
#pragma once

#include "gpu/kernel/closures.hpp"

namespace delassus::gpu {

template <class S, class C>
struct JointRows {
  using T = typename C::Number;
  using In = Array<const typename C::Real>;
  static constexpr int kRoom = S::kJointRows > 0 ? S::kJointRows : 1;

  T value[kRoom], sign[kRoom];  // 1, or -1 at an upper limit, or 0 in a lane without the row

  static constexpr int number(int row) { return Closures<S, C>::number(S::kLoops, row * joint_row::kNumbers); }
  DELASSUS_LANE_INLINE static typename C::Index index(const C& lanes, int row) {
    return lanes.index(S::kElements * element::kIndices + S::kSlots * slot::kIndices + S::kLoops * loop::kIndices +
                       row);
  }
  DELASSUS_LANE_INLINE static T entry_of(const C& lanes, const In& in, int row) {
    return in.data == nullptr ? T(0) : lanes.load_each(in, index(lanes, row));
  }

  DELASSUS_LANE_INLINE static T stiffness(const C& lanes, int row) {
    return lanes.number(number(row) + joint_row::kStiffness);
  }
  DELASSUS_LANE_INLINE static T low(const C& lanes, int row) { return lanes.number(number(row) + joint_row::kLow); }
  DELASSUS_LANE_INLINE static T high(const C& lanes, int row) { return lanes.number(number(row) + joint_row::kHigh); }

  template <class E>
  DELASSUS_LANE_INLINE void place(const C& lanes, const In& in, E element) {
    for_joint_rows<S>(element, [&](auto row) {
      const int r = row;
      value[r] = entry_of(lanes, in, r);
      sign[r] = lanes.number(number(r));
    });
  }
  /// The joint's force, of the rows' values.
  template <class E>
  DELASSUS_LANE_INLINE T push(E element) const {
    T sum(0);
    for_joint_rows<S>(element, [&](auto r) { sum = multiply_add(sign[r], value[r], sum); });
    return sum;
  }
  /// How many rows the joint has in this lane.
  template <class E>
  DELASSUS_LANE_INLINE T count(E element) const {
    T sum(0);
    for_joint_rows<S>(element, [&](auto r) { sum = multiply_add(sign[r], sign[r], sum); });
    return sum;
  }
};

}  // namespace delassus::gpu
