// World axes about the origin of each link: the frames for inertias and couplings of links, which lose digits about any other
// point, where they have to outlast the kinematics.
#pragma once

#include <vector>

#include "delassus/kinematics/kinematics.hpp"
#include "delassus/math/articulated_inertia.hpp"
#include "delassus/math/heap_bytes.hpp"

namespace delassus {

template <class T>
struct OriginFrames {
  explicit OriginFrames(const Model& model) : S(model.nv(), Motion<T>::zero()), step(model, Vec3<T>::zero()) {}

  std::size_t bytes() const { return heap_bytes(S, step); }

  std::vector<Motion<T>> S;  // per degree of freedom
  LinkArray<Vec3<T>> step;   // from the parent's origin to the link's
};

template <class T>
void place_frames(const Kinematics<T>& kin, OriginFrames<T>& frames) {
  frames.S = kin.S;
  frames.step = kin.offset;
}

// Across the joint of link i.

template <class T, class X>
DELASSUS_INLINE Force<X> to_parent(const OriginFrames<T>& frames, int i, const Force<X>& f) {
  return shifted(f, frames.step[i]);
}
template <class T>
DELASSUS_INLINE ArticulatedInertia<T> to_parent(const OriginFrames<T>& frames, int i, const ArticulatedInertia<T>& H) {
  return shifted(H, frames.step[i]);
}

}  // namespace delassus
