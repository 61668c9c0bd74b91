// In which axes and about which points the sweeps write spatial vectors, and how a vector crosses a joint.
//
// Two choices. World axes about shared points (reference_plan.hpp): crossing a joint is nothing, or a translation. The
// library computes in these. Axes and origin of each link: crossing is a rotation and a translation, and motion
// subspaces are mostly zeros and ones that cost nothing. The papers count operations in these.
//
// No sweep writes a transform itself: each calls the functions below, and so runs in either.
#pragma once

#include <vector>

#include "delassus/constraints/rows.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/math/boxed.hpp"
#include "dynamics/reference_plan.hpp"
#include "kinematics/link_inertia.hpp"
#include "math/articulated_inertia.hpp"

namespace delassus {

/// World axes, about the reference point of each link.
template <class T>
struct WorldFrames {
  explicit WorldFrames(const ModelOf<T>& model, int hops = ReferencePlan::kDefaultHops);

  std::size_t bytes() const { return heap_bytes(plan, S, lever, step); }

  ReferencePlan plan;
  std::vector<Motion<T>> S;  // per degree of freedom
  LinkArray<Vec3<T>> lever;  // from the reference point to the link's origin
  LinkArray<Vec3<T>> step;   // from the parent's reference point to the link's; used where they differ
};

/// The axes of each link, about its origin.
template <class T>
struct LinkFrames {
  explicit LinkFrames(const Model& model);

  std::size_t bytes() const { return heap_bytes(S, R, r, pose, wrench, first_wrench); }

  std::vector<Motion<T>> S;                // per degree of freedom
  LinkArray<Mat3<T>> R;                    // axes of the link in those of its parent
  LinkArray<Vec3<T>> r;                    // origin of the link in the frame of its parent
  LinkArray<Mat3<T>> pose;                 // axes of the link in the world's, for what comes in world axes
  std::vector<Force<T>> wrench;            // rows of all blocks, one after the other
  std::vector<std::int32_t> first_wrench;  // per block
};

/// Takes the poses over. For WorldFrames this also places the reference points.
template <class T>
void place_frames(const ModelOf<T>& model, const Kinematics<T>& kin, WorldFrames<T>& frames);
template <class T>
void place_frames(const Model& model, const Kinematics<T>& kin, LinkFrames<T>& frames);

/// Takes the rows over, where they are not taken as they are.
template <class T>
void place_rows(const ConstraintRows<T>&, WorldFrames<T>&) {}
template <class T>
void place_rows(const ConstraintRows<T>& rows, LinkFrames<T>& frames);

// Across the joint of link i.

template <class T, class X>
DELASSUS_INLINE Force<X> to_parent(const WorldFrames<T>& frames, int i, const Force<X>& f) {
  if (frames.plan.shares_parent[i]) return f;
  return shifted(f, frames.step[i]);
}
template <class T, class X>
DELASSUS_INLINE Motion<X> from_parent(const WorldFrames<T>& frames, int i, const Motion<X>& m) {
  if (frames.plan.shares_parent[i]) return m;
  return shifted(m, frames.step[i]);
}
template <class T, class X>
DELASSUS_INLINE Force<X> to_parent(const LinkFrames<T>& frames, int i, const Force<X>& f) {
  return shifted(Force<X>{frames.R[i] * f.moment, frames.R[i] * f.force}, frames.r[i]);
}
template <class T, class X>
DELASSUS_INLINE Motion<X> from_parent(const LinkFrames<T>& frames, int i, const Motion<X>& m) {
  const Motion<X> here = shifted(m, frames.r[i]);
  return {transposed_times(frames.R[i], here.angular), transposed_times(frames.R[i], here.linear)};
}

// The motion subspace of a joint with N degrees of freedom.

/// Sᵀ f: what the joint feels of a wrench on its link.
template <int N, class T, class X>
DELASSUS_INLINE Vec<X, N> subspace_dot(const WorldFrames<T>& frames, const Link& link, const Force<X>& f) {
  Vec<X, N> out;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) out[k] = dot(frames.S[link.v + k], f);
  return out;
}
/// The same for degree of freedom k alone.
template <class T, class X>
DELASSUS_INLINE X subspace_dot(const WorldFrames<T>& frames, const Link& link, int k, const Force<X>& f) {
  return dot(frames.S[link.v + k], f);
}

/// S x: how the link moves when the joint does.
template <int N, class T, class X>
DELASSUS_INLINE Motion<X> subspace_times(const WorldFrames<T>& frames, const Link& link, const X* x) {
  Motion<X> out = scaled(frames.S[link.v], x[0]);
  DELASSUS_UNROLL
  for (int k = 1; k < N; ++k) out += scaled(frames.S[link.v + k], x[k]);
  return out;
}

/// motion + S x, where the motion is what the link has of its parent.
template <int N, class T, class X>
DELASSUS_INLINE Motion<X> plus_subspace_times(const WorldFrames<T>& frames, const Link& link, const Motion<X>& motion,
                                              const X* x) {
  return motion + subspace_times<N>(frames, link, x);
}

/// In the link's own axes the columns of S are unit vectors, and cost nothing, for these kinds.
constexpr bool unit_subspace(JointKind kind) {
  return kind == JointKind::kRevolute || kind == JointKind::kPrismatic || kind == JointKind::kCylindrical ||
         kind == JointKind::kSpherical || kind == JointKind::kFree;
}
/// Which entry of (angular; linear) column k is then.
DELASSUS_INLINE int unit_entry(JointKind kind, int k) {
  switch (kind) {
    case JointKind::kRevolute:
      return 2;
    case JointKind::kPrismatic:
      return 5;
    case JointKind::kCylindrical:
      return k == 0 ? 2 : 5;
    default:
      return k;
  }
}
template <class V>
DELASSUS_INLINE auto& entry(V& first, V& second, int e) {
  return e < 3 ? first[e] : second[e - 3];
}

template <class T, class X>
DELASSUS_INLINE X subspace_dot(const LinkFrames<T>& frames, const Link& link, int k, const Force<X>& f) {
  return unit_subspace(link.kind) ? entry(f.moment, f.force, unit_entry(link.kind, k)) : dot(frames.S[link.v + k], f);
}
template <int N, class T, class X>
DELASSUS_INLINE Vec<X, N> subspace_dot(const LinkFrames<T>& frames, const Link& link, const Force<X>& f) {
  Vec<X, N> out;
  for (int k = 0; k < N; ++k) out[k] = subspace_dot(frames, link, k, f);
  return out;
}

template <int N, class T, class X>
DELASSUS_INLINE Motion<X> subspace_times(const LinkFrames<T>& frames, const Link& link, const X* x) {
  Motion<X> out = Motion<X>::zero();
  for (int k = 0; k < N; ++k) {
    if (unit_subspace(link.kind)) {
      entry(out.angular, out.linear, unit_entry(link.kind, k)) = x[k];
    } else {
      out += scaled(frames.S[link.v + k], x[k]);
    }
  }
  return out;
}

template <int N, class T>
DELASSUS_INLINE Motion<T> plus_subspace_times(const LinkFrames<T>& frames, const Link& link, Motion<T> motion,
                                              const T* x) {
  for (int k = 0; k < N; ++k) {
    if (unit_subspace(link.kind)) {
      entry(motion.angular, motion.linear, unit_entry(link.kind, k)) += x[k];
    } else {
      motion += scaled(frames.S[link.v + k], x[k]);
    }
  }
  return motion;
}

// Unit wrenches, of which most entries are known. `e` counts the entries of (moment; force).

/// Sᵀ times unit wrench e: entry e of S.
template <int N, class F>
DELASSUS_INLINE auto felt_of_unit(const F& frames, const Link& link, int e) {
  Vec<std::remove_cvref_t<decltype(frames.S[0].angular[0])>, N> out;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) out[k] = entry(frames.S[link.v + k].angular, frames.S[link.v + k].linear, e);
  return out;
}

/// Whether the joint is known not to feel it at all.
template <int N, class T>
DELASSUS_INLINE bool unit_untouched(const WorldFrames<T>&, const Link&, int) {
  return false;
}
template <int N, class T>
DELASSUS_INLINE bool unit_untouched(const LinkFrames<T>&, const Link& link, int e) {
  if (!unit_subspace(link.kind)) return false;
  for (int k = 0; k < N; ++k) {
    if (unit_entry(link.kind, k) == e) return false;
  }
  return true;
}

/// to_parent of a unit wrench: columns of the transform.
template <class T>
DELASSUS_INLINE Force<T> unit_to_parent(const WorldFrames<T>& frames, int i, int e) {
  Force<T> f = Force<T>::zero();
  entry(f.moment, f.force, e) = T(1);
  return to_parent(frames, i, f);
}
template <class T>
DELASSUS_INLINE Force<T> unit_to_parent(const LinkFrames<T>& frames, int i, int e) {
  const Vec3<T> axis = column(frames.R[i], e % 3);
  if (e < 3) return {axis, Vec3<T>::zero()};
  return {cross(frames.r[i], axis), axis};
}

// Inertias. In world axes they stay about the origins of links, where no digits are lost.

template <class T>
DELASSUS_INLINE RigidInertia<T> link_inertia(const WorldFrames<T>&, const Kinematics<T>& kin, const Model& model,
                                             int i) {
  return link_inertia(model, kin, i);
}
template <class T>
DELASSUS_INLINE RigidInertia<T> link_inertia(const LinkFrames<T>&, const Kinematics<T>&, const Model& model, int i) {
  const Link& link = model.link(i);
  return {T(link.inertia.mass), cast<T>(link.inertia.moment), cast<T>(link.inertia.rotational)};
}
template <class T>
DELASSUS_INLINE RigidInertia<T> to_parent(const WorldFrames<T>&, const Kinematics<T>& kin, int i,
                                          const RigidInertia<T>& I) {
  return shifted(I, kin.offset[i]);
}
template <class T>
DELASSUS_INLINE RigidInertia<T> to_parent(const LinkFrames<T>& frames, const Kinematics<T>&, int i,
                                          const RigidInertia<T>& I) {
  return shifted(rotated(I, frames.R[i]), frames.r[i]);
}
template <class T>
DELASSUS_INLINE ArticulatedInertia<T> to_parent(const WorldFrames<T>&, const Kinematics<T>& kin, int i,
                                                const ArticulatedInertia<T>& H) {
  return shifted(H, kin.offset[i]);
}
template <class T>
DELASSUS_INLINE ArticulatedInertia<T> to_parent(const LinkFrames<T>& frames, const Kinematics<T>&, int i,
                                                const ArticulatedInertia<T>& H) {
  const Mat3<T>& R = frames.R[i];
  return shifted(
      ArticulatedInertia<T>{congruence(R, Sym3<T>(H.A)), R * Mat3<T>(H.B) * transposed(R), congruence(R, Sym3<T>(H.M))},
      frames.r[i]);
}
/// I times column k of S, as a wrench on the link.
template <class T>
DELASSUS_INLINE Force<T> inertia_times_subspace(const WorldFrames<T>& frames, const Kinematics<T>& kin,
                                                const Link& link, int i, const RigidInertia<T>& I, int k) {
  return shifted(I * kin.S[link.v + k], frames.lever[i]);
}
template <class T>
DELASSUS_INLINE Force<T> inertia_times_subspace(const LinkFrames<T>& frames, const Kinematics<T>&, const Link& link,
                                                int, const RigidInertia<T>& I, int k) {
  return unit_subspace(link.kind) ? column(articulated(I), unit_entry(link.kind, k)) : I * frames.S[link.v + k];
}

/// Row `row` of a block as a wrench on its link.
template <class T>
DELASSUS_INLINE Force<T> placed_row(const WorldFrames<T>& frames, const ConstraintRows<T>& rows, int block, int row) {
  return row_wrench(rows, rows.blocks[block], row, frames.lever[rows.blocks[block].link]);
}
template <class T>
DELASSUS_INLINE Force<T> placed_row(const LinkFrames<T>& frames, const ConstraintRows<T>&, int block, int row) {
  return frames.wrench[frames.first_wrench[block] + row];
}

}  // namespace delassus
