// Û and Φ of every joint in the axes in which one sweep carries many motions from the root to the tips.
//
// In the axes of links each motion would be turned at each joint, 42 operations. Taking a revolute joint to the axes of its
// root costs 114 once, and then 11 more for each motion, as Φ is no unit vector there: less in all from four motions on. In
// world axes nothing is turned anyway.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "delassus/math/boxed.hpp"
#include "dynamics/articulate.hpp"

namespace delassus {

template <class T, class F>
class OutwardJoints {
 public:
  explicit OutwardJoints(const Model& model) : tip_(model, 1), U_hat_(model.nv()), S_(model.nv()) {
    for (const Link& link : model.links()) tip_[link.parent] = 0;
    if constexpr (kToRoot) root_ = LinkArray<Pose<T>>(model, Pose<T>{});
  }

  /// Once for a configuration.
  void place(const Model& model, const Articulation<T, F>& art) {
    for (int i = 0; i < model.num_links(); ++i) {
      const Link& link = model.link(i);
      if (link.parent == kWorld) continue;
      if constexpr (kToRoot) place_in_root(model, art.frames, i);
      for (int k = link.v; k < link.v + link.nv; ++k) {
        if constexpr (kToRoot) {
          U_hat_[k] = to_root(i, art.U_hat[k]);
          if (!tip_[i]) S_[k] = subspace_in_root(art.frames, link, i, k - link.v);
        } else {
          U_hat_[k] = tip_[i] ? to_parent(art.frames, i, art.U_hat[k]) : art.U_hat[k];
          S_[k] = art.frames.S[k];
        }
      }
    }
  }

  /// Nobody asks how these move.
  bool is_tip(int i) const { return tip_[i] != 0; }
  /// The motion of the parent where Û of joint i takes it: a tip's goes to the parent instead.
  template <class X>
  DELASSUS_INLINE Motion<X> arriving(const F& frames, int i, const Motion<X>& parent) const {
    if constexpr (!kToRoot) {
      if (!tip_[i]) return from_parent(frames, i, parent);
    }
    return parent;
  }
  /// Û and Φ per degree of freedom, of joints that are not on the world.
  const Force<T>& U(int k) const { return U_hat_[k]; }
  const Motion<T>& S(int k) const { return S_[k]; }

  std::size_t bytes() const { return heap_bytes(tip_, U_hat_, S_, root_); }

 private:
  static constexpr bool kToRoot = std::same_as<F, LinkFrames<T>>;

  void place_in_root(const Model& model, const F& frames, int i) {
    const int parent = model.link(i).parent;
    root_[i] = {frames.R[i], frames.r[i]};
    if (model.link(parent).parent != kWorld) root_[i] = root_[parent] * root_[i];
  }
  Force<T> to_root(int i, const Force<T>& f) const {
    return shifted(Force<T>{root_[i].R * f.moment, root_[i].R * f.force}, root_[i].p);
  }
  Motion<T> subspace_in_root(const F& frames, const Link& link, int i, int k) const {
    const Mat3<T>& R = root_[i].R;
    const int e = unit_entry(link.kind, k);
    if (unit_subspace(link.kind) && e >= 3) return {Vec3<T>::zero(), column(R, e - 3)};
    const Motion<T>& S = frames.S[link.v + k];
    const Vec3<T> axis = unit_subspace(link.kind) ? column(R, e) : R * S.angular;
    const Vec3<T> turned = cross(root_[i].p, axis);
    return {axis, unit_subspace(link.kind) ? turned : turned + R * S.linear};
  }

  LinkArray<std::uint8_t> tip_;
  std::vector<Force<T>> U_hat_;
  std::vector<Motion<T>> S_;
  LinkArray<Pose<T>> root_;  // of each link in its root, where joints are taken there
};

}  // namespace delassus
