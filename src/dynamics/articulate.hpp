// Articulation: the factored inertia of the tree.
//
//   symbol  here                       Featherstone 2008, ch. 7
//   H       articulated inertia        I^A
//   S       motion subspace            S
//   D       Sᵀ H S + armature          D
//   Û       H S D⁻¹                    U D⁻¹
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "delassus/math/boxed.hpp"
#include "delassus/math/error.hpp"
#include "dynamics/joint_frames.hpp"
#include "math/ldlt.hpp"

namespace delassus {

/// What the sweeps need of a configuration, in the frames F.
template <class T, class F = WorldFrames<T>>
struct Articulation {
  explicit Articulation(const ModelOf<T>& model) : Articulation(model, F(model)) {}
  Articulation(const Model& model, F frames);

  std::size_t bytes() const { return heap_bytes(frames, U_hat, D_factor, H, felt); }

  F frames;
  std::vector<Force<T>> U_hat;         // per degree of freedom; not written for joints on the world, which need none
  std::vector<T> D_factor;             // packed LDLᵀ of D, per link at Link::factor
  LinkArray<ArticulatedInertia<T>> H;  // what the children hand to a link, about its origin
  LinkArray<T> felt;                   // float: the size of the inertias that a link and its children had
};

/// Factors the tree. kSingularJoint names the joint whose D is not positive definite beyond rounding: a massless leaf
/// without armature, a point mass on its axis, a hip in gimbal lock. kNotFinite names the entry of q that is no number.
template <class T>
Status articulate(const Model& model, const Kinematics<T>& kin, Articulation<T>& art);

/// The same where place_frames has been called on art.frames.
template <class T, class F>
Status articulate_placed(const Model& model, const Kinematics<T>& kin, Articulation<T, F>& art);

/// The same in parts: first begin_articulation, then lists of links, each ascending, together all links, no parent before
/// its children are done. Between lists, art.H of a link holds what those of its children hand to it that are done.
template <class T, class F>
void begin_articulation(const Model& model, Articulation<T, F>& art);
template <class T>
Status articulate_links(const Model& model, const Kinematics<T>& kin, std::span<const std::int32_t> links,
                        Articulation<T>& art);

/// D of a joint with N degrees of freedom.
template <int N, class T, class F>
DELASSUS_INLINE Ldlt<T, N> joint_factor(const Articulation<T, F>& art, const Link& link) {
  Ldlt<T, N> D;
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<T, N>::kSize; ++k) D.factor.a[k] = art.D_factor[link.factor + k];
  return D;
}

}  // namespace delassus
