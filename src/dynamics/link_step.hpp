// One link of the articulated-body recursion, in world axes.
#pragma once

#include "dynamics/articulate.hpp"
#include "dynamics/joint_step.hpp"
#include "dynamics/singular_status.hpp"
#include "kinematics/link_inertia.hpp"
#include "kinematics/width.hpp"
#include "math/pivot.hpp"
#include "model/link_lanes.hpp"

namespace delassus {

/// Model::inertia_scale bounds what a joint could feel with all others locked. Along a chain of a hundred links that is a
/// million times what it feels, more than float has digits for: there the numbers at hand bound it as well.
template <class T>
inline constexpr bool kFewDigits = std::same_as<Base<T>, float>;

template <class T>
DELASSUS_INLINE T trace(const ArticulatedInertia<T>& H, const Vec3<T>& r) {
  return (H.A(0, 0) + H.A(1, 1) + H.A(2, 2)) + dot(r, r) * (H.M(0, 0) + H.M(1, 1) + H.M(2, 2));
}

/// Factors D = Sᵀ U + armature of one joint into art.D_factor. Returns the margin of its pivots.
template <int N, class T, class F>
DELASSUS_INLINE T factor_joint(const ModelOf<T>& model, const Link& link, int i, Sym<T, N> D, Articulation<T, F>& art,
                               Ldlt<T, N>& factor) {
  Vec<T, N> floor;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) {
    D(k, k) += armature_of<T>(model, link.v + k);
    floor[k] = pivot_floor_of<T>(model, link.v + k);
    if constexpr (kFewDigits<T>) {
      if (!is_displacement(link.kind, k)) {
        const T felt = art.felt[i] + armature_of<T>(model, link.v + k);
        floor[k] = min(floor[k], T(kPivotTolerance<T>) * felt);
      }
    }
  }
  T margin;
  factor = factor_ldlt(D, floor, margin);
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<T, N>::kSize; ++k) art.D_factor[link.factor + k] = factor.factor.a[k];
  return margin;
}

/// Eliminates the joint of link i: factors D, and writes what is left of H to `handed`, about the parent's origin, but not on
/// the world. Returns the margin of D.
template <int N, bool kRotation, class T>
DELASSUS_INLINE T eliminate_joint(const ModelOf<T>& model, int i, const Kinematics<T>& kin, Articulation<T>& art,
                                  ArticulatedInertia<T>& handed) {
  const Link& link = model.link(i);
  ArticulatedInertia<T> H = articulated(link_inertia(model, kin, i));
  LinkExchange<T>::add_whole(model, i, art.H[i], H);
  if constexpr (kFewDigits<T>) {
    art.felt[i] += trace(H, Vec3<T>::zero());
    if (link.parent != kWorld) art.felt[link.parent] += trace(H, kin.offset[i]);
  }
  typename ArticulatedInertia<T>::Column U_hat[N];
  const T margin = articulate_joint<N, kRotation>(
      &kin.S[link.v], link.parent == kWorld, H, U_hat,
      [&](const Sym<T, N>& D, Ldlt<T, N>& factor) { return factor_joint<N>(model, link, i, D, art, factor); });
  if (link.parent == kWorld) return margin;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) art.U_hat[link.v + k] = shifted(U_hat[k], art.frames.lever[i]);
  handed = to_parent(art.frames, kin, i, H);
  return margin;
}

template <class T>
DELASSUS_INLINE T eliminate_link(const ModelOf<T>& model, int i, const Kinematics<T>& kin, Articulation<T>& art,
                                 ArticulatedInertia<T>& handed) {
  const Link& link = model.link(i);
  if (link.pure_rotation) return eliminate_joint<1, true>(model, i, kin, art, handed);
  return with_width(link.nv, [&](auto N) { return eliminate_joint<N(), false>(model, i, kin, art, handed); });
}

/// A comparison of numbers, but not a choice of arithmetic: it only ends what has no result.
template <class T>
DELASSUS_INLINE void note_margin(int i, T margin, Status& status) {
  if (!all_lanes(T(0) < margin)) [[unlikely]] {
    if (status.ok()) status = {Status::Code::kSingularJoint, i};
  }
}

}  // namespace delassus
