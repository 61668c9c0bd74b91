#include "delassus/dynamics/articulate.hpp"

#include <limits>

#include "delassus/kinematics/width.hpp"
#include "delassus/math/instantiate.hpp"
#include "delassus/math/ldlt.hpp"

namespace delassus {
namespace {

/// A pivot of D below this fraction of Model::inertia_scale() is rounding, not inertia.
template <class T>
constexpr double kPivotTolerance = 16 * static_cast<double>(std::numeric_limits<Base<T>>::epsilon());

/// Where each link's reference point lies.
template <class T>
void place_references(const Model& model, const Kinematics<T>& kin, Articulation<T>& art) {
  for (int i = 0; i < model.num_links(); ++i) {
    const int parent = model.link(i).parent;
    if (art.plan.shares_parent[i]) {
      art.lever[i] = art.lever[parent] + kin.offset[i];
    } else {
      art.lever[i] = Vec3<T>::zero();
      art.step[i] = art.lever[parent] + kin.offset[i];
    }
  }
}

/// Û = U D⁻¹, row by row of the 6 × N matrix.
template <int N, class T>
DELASSUS_INLINE void divide(const Force<T>* U, const Ldlt<T, N>& D, Force<T>* U_hat) {
  Mat<T, N, 6> rows;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) {
    DELASSUS_UNROLL
    for (int c = 0; c < 3; ++c) {
      rows(k, c) = U[k].moment[c];
      rows(k, c + 3) = U[k].force[c];
    }
  }
  D.solve(rows);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) {
    DELASSUS_UNROLL
    for (int c = 0; c < 3; ++c) {
      U_hat[k].moment[c] = rows(k, c);
      U_hat[k].force[c] = rows(k, c + 3);
    }
  }
}

/// H S, where S of a pure rotation has no linear part: half the work.
template <bool kRotation, class T>
DELASSUS_INLINE Force<T> times_subspace(const ArticulatedInertia<T>& H, const Motion<T>& S) {
  if constexpr (kRotation) return {H.A * S.angular, transposed_times(H.B, S.angular)};
  return H * S;
}
template <bool kRotation, class T>
DELASSUS_INLINE T subspace_dot(const Motion<T>& S, const Force<T>& f) {
  return kRotation ? dot(S.angular, f.moment) : dot(S, f);
}
template <bool kRotation, class T>
DELASSUS_INLINE Motion<T> shifted_subspace(const Motion<T>& S, const Vec3<T>& r) {
  if constexpr (kRotation) return {S.angular, cross(S.angular, r)};
  return shifted(S, r);
}

/// Eliminates the joint of link i: factors D and hands what is left of H to the parent. Returns the margin of D.
template <int N, bool kRotation, class T>
DELASSUS_INLINE T eliminate_joint(const Link& link, int i, const double* armature, const double* scale,
                                  const Kinematics<T>& kin, Articulation<T>& art) {
  const Motion<T>* S = &kin.S[link.v];
  ArticulatedInertia<T> H = articulated(kin.inertia[i]);
  H += art.H[i];
  Force<T> U[N], U_hat[N];
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) U[k] = times_subspace<kRotation>(H, S[k]);
  Sym<T, N> D;
  Vec<T, N> floor;
  DELASSUS_UNROLL
  for (int r = 0; r < N; ++r) {
    DELASSUS_UNROLL
    for (int c = 0; c < r + 1; ++c) D(r, c) = subspace_dot<kRotation>(S[r], U[c]);
    D(r, r) += T(armature[link.v + r]);
    floor[r] = T(kPivotTolerance<T> * scale[link.v + r]);
  }
  T margin;
  const Ldlt<T, N> factor = factor_ldlt(D, floor, margin);
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<T, N>::kSize; ++k) art.D_factor[link.factor + k] = factor.factor.a[k];
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) art.S[link.v + k] = shifted_subspace<kRotation>(S[k], -art.lever[i]);
  if (link.parent == kWorld) return margin;
  divide<N>(U, factor, U_hat);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) {
    downdate(H, U[k], U_hat[k]);
    art.U_hat[link.v + k] = shifted(U_hat[k], art.lever[i]);
  }
  art.H[link.parent] += shifted(H, kin.offset[i]);
  return margin;
}

}  // namespace

template <class T>
Articulation<T>::Articulation(const Model& model, int hops)
    : plan(make_reference_plan(model, hops)),
      S(model.nv(), Motion<T>::filled(unwritten<T>())),
      U_hat(model.nv(), Force<T>::filled(unwritten<T>())),
      D_factor(model.factor_size(), unwritten<T>()),
      lever(model, Vec3<T>::zero()),
      step(model, Vec3<T>::zero()),
      H(model, ArticulatedInertia<T>::zero()) {}

template <class T>
Status articulate(const Model& model, const Kinematics<T>& kin, Articulation<T>& art) {
  require_size("art (a workspace of another model?)", static_cast<int>(art.S.size()), model.nv());
  const int n = model.num_links();
  const double* armature = model.armature().data();
  const double* scale = model.inertia_scale().data();
  place_references(model, kin, art);
  for (int i = 0; i < n; ++i) art.H[i] = ArticulatedInertia<T>::zero();
  Status status;
  for (int i = n - 1; i >= 0; --i) {
    const Link& link = model.link(i);
    const T margin = link.pure_rotation ? eliminate_joint<1, true>(link, i, armature, scale, kin, art)
                                        : with_width(link.nv, [&](auto N) {
                                            return eliminate_joint<N(), false>(link, i, armature, scale, kin, art);
                                          });
    // A comparison of numbers, but not a choice of arithmetic: it only ends what has no result.
    if (!all_lanes(T(0) < margin)) [[unlikely]] {
      if (status.ok()) status = {Status::Code::kSingularJoint, i};
    }
  }
  // A joint that no number describes is not singular.
  if (!status.ok()) {
    for (int k = 0; k < model.nq(); ++k) {
      if (!all_lanes(is_finite(kin.q[k]))) return {Status::Code::kNotFinite, k};
    }
  }
  return status;
}

#define DELASSUS_INSTANTIATE(T)    \
  template struct Articulation<T>; \
  template Status articulate<T>(const Model&, const Kinematics<T>&, Articulation<T>&);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
