// M̂ of one environment per lane, factored by the articulated-body elimination, with inertias of links and of joints that each lane has for itself.
// Stiffness at a contact point is a point mass there, and at a joint an armature: so M̂ + JᵀkJ is factored by the same sweep as M̂.
#pragma once

#include <vector>

#include "delassus/kinematics/kinematics.hpp"
#include "dynamics/joint_step.hpp"
#include "kinematics/width.hpp"
#include "math/lane_masks.hpp"
#include "model/link_lanes.hpp"

namespace delassus {

/// Forces in, motions out.
template <class P>
struct LaneSweep {
  explicit LaneSweep(const Model& model)
      : force(model, Force<P>::zero()),
        motion(model, Motion<P>::zero()),
        joint(static_cast<std::size_t>(model.nv()), P(0.0)) {}

  LinkArray<Force<P>> force;    // on links, world axes, about their origins; destroyed
  LinkArray<Motion<P>> motion;  // of links, likewise; the world's is zero
  std::vector<P> joint;         // forces along joints in, their motions out
};

template <class P>
class LaneTree {
 public:
  explicit LaneTree(const Model& model)
      : model_(model),
        H_(model, ArticulatedInertia<P>::zero()),
        U_hat_(static_cast<std::size_t>(model.nv()), Force<P>::zero()),
        D_factor_(static_cast<std::size_t>(model.factor_size()), P(0.0)) {}

  /// `inertia`: of links, world axes, about their origins; `armature`: of joints. The lanes in which it is not singular.
  MaskOf<P> factor(const Kinematics<P>& kin, const LinkArray<RigidInertia<P>>& inertia,
                   const std::vector<P>& armature) {
    for (int i = 0; i < model_.num_links(); ++i) H_[i] = articulated(inertia[i]);
    MaskOf<P> regular = mask_of<P>(true);
    for (int i = model_.num_links() - 1; i >= 0; --i) {
      const Link& link = model_.link(i);
      const P margin = link.pure_rotation
                           ? eliminate<1, true>(i, kin, armature)
                           : with_width(link.nv, [&](auto N) { return eliminate<N(), false>(i, kin, armature); });
      regular = regular & (P(0.0) < margin);
    }
    return regular;
  }

  /// (M̂)⁻¹ on what the sweep holds.
  void solve(const Kinematics<P>& kin, LaneSweep<P>& sweep) const {
    for (int i = model_.num_links() - 1; i >= 0; --i) {
      const Link& link = model_.link(i);
      if (link.pure_rotation) {
        carry_in<1, true>(i, kin, sweep);
      } else {
        with_width(link.nv, [&](auto N) { carry_in<N(), false>(i, kin, sweep); });
      }
    }
    for (int i = 0; i < model_.num_links(); ++i) {
      const Link& link = model_.link(i);
      if (link.pure_rotation) {
        carry_out<1, true>(i, kin, sweep);
      } else {
        with_width(link.nv, [&](auto N) { carry_out<N(), false>(i, kin, sweep); });
      }
    }
  }

 private:
  template <int N, bool kRotation>
  [[gnu::noinline]] P eliminate(int i, const Kinematics<P>& kin, const std::vector<P>& armature) {
    const Link& link = model_.link(i);
    const int v = link.v;
    const bool on_world = link.parent == kWorld;
    const P margin =
        articulate_joint<N, kRotation>(&kin.S[static_cast<std::size_t>(v)], on_world, H_[i],
                                       &U_hat_[static_cast<std::size_t>(v)], [&](Sym<P, N> D, Ldlt<P, N>& factor) {
                                         Vec<P, N> floor;
                                         DELASSUS_UNROLL
                                         for (int k = 0; k < N; ++k) {
                                           D(k, k) += armature[static_cast<std::size_t>(v + k)];
                                           floor[k] = pivot_floor_of<P>(model_, v + k);
                                         }
                                         P least;
                                         factor = factor_ldlt(D, floor, least);
                                         DELASSUS_UNROLL
                                         for (int k = 0; k < Sym<P, N>::kSize; ++k)
                                           D_factor_[static_cast<std::size_t>(link.factor + k)] = factor.factor.a[k];
                                         return least;
                                       });
    if (!on_world) H_[link.parent] += shifted(H_[i], kin.offset[i]);
    return margin;
  }

  template <int N, bool kRotation>
  DELASSUS_INLINE void carry_in(int i, const Kinematics<P>& kin, LaneSweep<P>& sweep) const {
    const Link& link = model_.link(i);
    const auto v = static_cast<std::size_t>(link.v);
    Force<P>& F = sweep.force[i];
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) sweep.joint[v + k] += subspace_power<kRotation>(kin.S[v + k], F);
    if (link.parent == kWorld) return;
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) F -= scaled(U_hat_[v + k], sweep.joint[v + k]);
    sweep.force[link.parent] += shifted(F, kin.offset[i]);
  }

  template <int N, bool kRotation>
  DELASSUS_INLINE void carry_out(int i, const Kinematics<P>& kin, LaneSweep<P>& sweep) const {
    const Link& link = model_.link(i);
    const auto v = static_cast<std::size_t>(link.v);
    Ldlt<P, N> D;
    DELASSUS_UNROLL
    for (int k = 0; k < Sym<P, N>::kSize; ++k) D.factor.a[k] = D_factor_[static_cast<std::size_t>(link.factor + k)];
    Vec<P, N> x;
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) x[k] = sweep.joint[v + k];
    D.solve(x);
    Motion<P> a = Motion<P>::zero();
    if (link.parent != kWorld) {
      a = shifted(sweep.motion[link.parent], kin.offset[i]);
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) x[k] -= dot(a, U_hat_[v + k]);
    }
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) {
      sweep.joint[v + k] = x[k];
      a += scaled(kin.S[v + k], x[k]);
    }
    sweep.motion[i] = a;
  }

  const Model model_;
  LinkArray<ArticulatedInertia<P>> H_;
  std::vector<Force<P>> U_hat_;
  std::vector<P> D_factor_;
};

}  // namespace delassus
