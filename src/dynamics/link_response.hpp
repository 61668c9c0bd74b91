// Ω: how a link moves per unit of each component of a wrench on a link, and how joints pass that on.
//
//   here          Chang and Khatib 2001    Kreutz-Delgado, Jain and Rodriguez 1992
//   Ω_ij          Ω_i,j     eq. (21)       Ω(i, j)
//   1 - S Ûᵀ      (ʰL)ᵀ     eq. (9)        ψᵀ, the transpose of the articulated transition
//   Ω_ii          eq. (24)                 the recursion of Ω from the base to the tips
#pragma once

#include "dynamics/articulate.hpp"
#include "kinematics/width.hpp"

namespace delassus {

/// A column per component (moment; force) of the wrench. With fewer columns, per unit of something else.
template <class T>
struct LinkResponse {
  Motion<T> column[6];
};

/// Ω_ji = Ω_ijᵀ: who moves and who is pushed change places.
template <class T>
DELASSUS_INLINE LinkResponse<T> transposed(const LinkResponse<T>& omega) {
  LinkResponse<T> out;
  DELASSUS_UNROLL
  for (int c = 0; c < 6; ++c) {
    DELASSUS_UNROLL
    for (int r = 0; r < 3; ++r) {
      out.column[c].angular[r] = entry(omega.column[r].angular, omega.column[r].linear, c);
      out.column[c].linear[r] = entry(omega.column[r + 3].angular, omega.column[r + 3].linear, c);
    }
  }
  return out;
}

/// Ω f: the motion under a wrench.
template <class T>
DELASSUS_INLINE Motion<T> operator*(const LinkResponse<T>& omega, const Force<T>& f) {
  Motion<T> out = scaled(omega.column[0], f.moment[0]);
  DELASSUS_UNROLL
  for (int c = 1; c < 6; ++c) out += scaled(omega.column[c], entry(f.moment, f.force, c));
  return out;
}

/// Motions of the parent of link i become those of the link, its joint free and unforced.
template <class T, class F>
void propagate(const Model& model, const Articulation<T, F>& art, int i, int columns, LinkResponse<T>& omega) {
  const Link& link = model.link(i);
  with_width(link.nv, [&](auto n) {
    constexpr int N = n();
    for (int c = 0; c < columns; ++c) {
      const Motion<T> motion = from_parent(art.frames, i, omega.column[c]);
      Vec<T, N> x;
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) x[k] = -dot(motion, art.U_hat[link.v + k]);
      omega.column[c] = plus_subspace_times<N>(art.frames, link, motion, x.a);
    }
  });
}

/// S: motions of link i per unit velocity of its joint, as many columns as that has degrees of freedom.
template <class T, class F>
LinkResponse<T> joint_response(const Model& model, const Articulation<T, F>& art, int i) {
  const Link& link = model.link(i);
  LinkResponse<T> out;
  for (int k = 0; k < link.nv; ++k) out.column[k] = art.frames.S[link.v + k];
  return out;
}

/// Ω_ii = S D⁻¹ Sᵀ + (1 - S Ûᵀ) X Ω_parent Xᵀ (1 - Û Sᵀ); `parent` is not read at the root.
template <class T, class F>
LinkResponse<T> own_response(const Model& model, const Articulation<T, F>& art, int i, const LinkResponse<T>& parent) {
  const Link& link = model.link(i);
  LinkResponse<T> omega;
  if (link.parent != kWorld) {
    omega = parent;
    propagate(model, art, i, 6, omega);
    omega = transposed(omega);
  }
  with_width(link.nv, [&](auto n) {
    constexpr int N = n();
    const Ldlt<T, N> D = joint_factor<N>(art, link);
    for (int c = 0; c < 6; ++c) {
      Vec<T, N> x;
      for (int k = 0; k < N; ++k) x[k] = entry(art.frames.S[link.v + k].angular, art.frames.S[link.v + k].linear, c);
      D.solve(x);
      if (link.parent == kWorld) {
        omega.column[c] = subspace_times<N>(art.frames, link, x.a);
        continue;
      }
      const Motion<T> motion = from_parent(art.frames, i, omega.column[c]);
      for (int k = 0; k < N; ++k) x[k] -= dot(motion, art.U_hat[link.v + k]);
      omega.column[c] = plus_subspace_times<N>(art.frames, link, motion, x.a);
    }
  });
  return omega;
}

}  // namespace delassus
