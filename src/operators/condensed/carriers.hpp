// Rows K carried inwards over a chain of joints, as in PV-OSIM: at each joint, with G = K S, Ω += G D⁻¹ Gᵀ and K -= G Ûᵀ
// (docs/algorithms/condensed.md).
#pragma once

#include "dynamics/link_step.hpp"
#include "kinematics/width.hpp"
#include "operators/condensed/placed.hpp"

namespace delassus::condensed {

/// R rows side by side: in the lanes of one register where the scalar has lanes, else one after the other.
template <class T, int R>
struct RowsOf {
  using type = Vec<T, R>;
};
template <Laned T, int R>
struct RowsOf<T, R> {
  using type = Pack<T, (R <= 4 ? 4 : 8)>;
};

/// Ω of a group while it is carried: column by column in lanes, else its lower triangle.
template <class T, int R>
struct Compliance {
  DELASSUS_INLINE Compliance() : lower(Sym<T, R>::zero()) {}
  /// Ω += g hᵀ, which is symmetric in the sum over the degrees of freedom of a joint.
  DELASSUS_INLINE void add(const Vec<T, R>& g, const Vec<T, R>& h) {
    DELASSUS_UNROLL
    for (int r = 0; r < R; ++r) {
      DELASSUS_UNROLL
      for (int s = 0; s < r + 1; ++s) lower(r, s) += g[r] * h[s];
    }
  }
  DELASSUS_INLINE T operator()(int r, int s) const { return lower(r, s); }
  Sym<T, R> lower;
};
template <Laned T, int R>
struct Compliance<T, R> {
  using X = typename RowsOf<T, R>::type;
  DELASSUS_INLINE Compliance() {
    DELASSUS_UNROLL
    for (int s = 0; s < R; ++s) column[s] = X(0);
  }
  DELASSUS_INLINE void add(const X& g, const X& h) {
    DELASSUS_UNROLL
    for (int s = 0; s < R; ++s) column[s] += h[s] * g;
  }
  DELASSUS_INLINE T operator()(int r, int s) const { return column[s][r]; }
  X column[R];
};

/// Ω += Gᵀ D⁻¹ G and K̂ -= G Ûᵀ, where G = K̂ S is what the joint feels of the rows.
template <int R, int N, class T, class X>
DELASSUS_INLINE void expand_joint(const Articulation<T>& art, int i, const Link& link, Force<X>& rows,
                                  Compliance<T, R>& omega) {
  const Vec<X, N> G = subspace_dot<N>(art.frames, link, rows);
  Vec<X, N> h = G;
  joint_factor<N>(art, link).solve(h);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) omega.add(G[k], h[k]);
  if (link.parent == kWorld) return;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) rows -= scaled(art.U_hat[link.v + k], G[k]);
  if (!art.frames.plan.shares_parent[i]) rows.moment += cross(art.frames.step[i], rows.force);
}

/// In a function of its own where scalars have no lanes: expanded for every width of a joint in every number of rows, its
/// sums took a third of the time to compile.
template <int R, int N, class T, class X>
[[gnu::noinline]] void cross_joint_apart(const Articulation<T>& art, int i, const Link& link, Force<X>& rows,
                                         Compliance<T, R>& omega) {
  expand_joint<R, N>(art, i, link, rows, omega);
}
template <int R, int N, class T, class X>
DELASSUS_INLINE void cross_joint(const Articulation<T>& art, int i, const Link& link, Force<X>& rows,
                                 Compliance<T, R>& omega) {
  if constexpr (Laned<T>) {
    expand_joint<R, N>(art, i, link, rows, omega);
  } else {
    cross_joint_apart<R, N>(art, i, link, rows, omega);
  }
}

/// Numbers of R rows side by side.
template <int R, class T, class F>
DELASSUS_INLINE typename RowsOf<T, R>::type side_by_side(F&& entry) {
  using X = typename RowsOf<T, R>::type;
  if constexpr (Laned<T>) {
    const auto lane = [&](int r) { return r < R ? entry(r < R ? r : 0) : T(0); };
    if constexpr (X::kWidth == 4) {
      return X(typename X::Vector{lane(0), lane(1), lane(2), lane(3)});
    } else {
      return X(typename X::Vector{lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7)});
    }
  } else {
    X out;
    DELASSUS_UNROLL
    for (int r = 0; r < R; ++r) out[r] = entry(r);
    return out;
  }
}

/// R directions at one point, which lies `r` away from the reference point.
template <int R, class T>
DELASSUS_INLINE Force<typename RowsOf<T, R>::type> point_rows(const T* directions, const Vec3<T>& r) {
  Force<typename RowsOf<T, R>::type> K;
  DELASSUS_UNROLL
  for (int c = 0; c < 3; ++c) K.force[c] = side_by_side<R, T>([&](int row) { return directions[3 * row + c]; });
  K.moment = cross(r, K.force);
  return K;
}

template <int R, class T>
void cross_free(const Sym<T, 6>& yield, const Force<typename RowsOf<T, R>::type>& K, Compliance<T, R>& omega) {
  const auto a = yielding(yield, K);
  for (int c = 0; c < 3; ++c) {
    omega.add(K.moment[c], a.angular[c]);
    omega.add(K.force[c], a.linear[c]);
  }
}

template <class T>
DELASSUS_INLINE void add_block(const ConstraintRows<T>& rows, const Groups::Block& b, const Vec3<T>& lever,
                               Force<T>* to) {
  const RowBlock& block = rows.blocks[b.block];
  for (int r = 0; r < block.rows; ++r) to[b.row + r] += row_wrench(rows, block, r, lever);
}

/// The rows of a carrier at its tip.
template <int R, class T>
DELASSUS_INLINE Force<typename RowsOf<T, R>::type> tip_rows(const ConstraintRows<T>& rows, const CondensedPlan& plan,
                                                            const Groups::Carrier& carrier, const Vec3<T>& lever) {
  const RowBlock& block = rows.blocks[plan.groups.blocks[carrier.blocks.first].block];
  if (carrier.blocks.count == 1 && block.kind == RowBlock::Kind::kPoint && block.rows == R && block.linear == R) {
    const T* value = &rows.values[block.value];
    return point_rows<R>(value + 3, Vec3<T>{{value[0], value[1], value[2]}} + lever);
  }
  Force<T> row[R];
  for (int r = 0; r < R; ++r) row[r] = Force<T>::zero();
  for (int b = carrier.blocks.first; b < carrier.blocks.end(); ++b) add_block(rows, plan.groups.blocks[b], lever, row);
  Force<typename RowsOf<T, R>::type> K;
  for (int c = 0; c < 3; ++c) {
    K.moment[c] = side_by_side<R, T>([&](int r) { return row[r].moment[c]; });
    K.force[c] = side_by_side<R, T>([&](int r) { return row[r].force[c]; });
  }
  return K;
}

/// The rows as the link above the chain feels them; adds to Ω what they give way by on the chain.
template <int R, class T>
DELASSUS_INLINE Force<typename RowsOf<T, R>::type> carry(const Model& model, const ConstraintRows<T>& rows,
                                                         const CondensedPlan& plan, const Groups::Carrier& carrier,
                                                         const CondensedConfiguration<T>& c, Compliance<T, R>& omega) {
  auto K = tip_rows<R>(rows, plan, carrier, c.art.frames.lever[plan.groups.chain_links[carrier.chain.first]]);
  for (int k = carrier.chain.first; k < carrier.chain.end(); ++k) {
    const int i = plan.groups.chain_links[k];
    const Link& link = model.link(i);
    if (link.nv == 1) {
      cross_joint<R, 1>(c.art, i, link, K, omega);
    } else if (plan.free_of[i] >= 0) {
      cross_free<R>(c.yield[plan.free_of[i]], K, omega);
    } else {
      with_width(link.nv, [&](auto N) { cross_joint<R, N()>(c.art, i, link, K, omega); });
    }
  }
  return K;
}

}  // namespace delassus::condensed
