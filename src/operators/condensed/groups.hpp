// Groups of rows at tips: K̂, what nodes feel of them, and Ω, how much they give way on their own chains. With the node standing
// still, S = (R⁻¹ + Ω)⁻¹ is their damped inverse.
#pragma once

#include "operators/condensed/carriers.hpp"

namespace delassus::condensed {

// ---------------------------------------------------------------------------------------------- place

/// K̂ for the node of a side, from some lanes.
template <int R, class T>
DELASSUS_INLINE void hand_over(const Force<typename RowsOf<T, R>::type>& K, bool alone, LaneSet lanes, Force<T>* side) {
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) {
    Force<T> row;
    DELASSUS_UNROLL
    for (int e = 0; e < 3; ++e) {
      row.moment[e] = K.moment[e][r];
      row.force[e] = K.force[e][r];
    }
    if constexpr (kFolded<T>) {
      if (lanes != kAllLanes) row = masked(row, lanes);
    }
    alone ? side[r] = row : side[r] += row;
  }
}

template <int R, class T>
void place_group(const Groups& groups, const Groups::Group& group, const Model& model, const ConstraintRows<T>& rows,
                 const CondensedPlan& plan, CondensedConfiguration<T>& c) {
  Compliance<T, R> omega;
  // Most groups have one carrier and nothing else: what it hands over is all that its node feels.
  const bool lone = group.carriers.count == 1 && group.direct.count == 0;
  for (int k = group.sides.first; k < group.sides.end() && !lone; ++k) {
    for (int r = 0; r < R; ++r) c.side[groups.sides[k].panel + r] = Force<T>::zero();
  }
  for (int k = group.carriers.first; k < group.carriers.end(); ++k) {
    const Groups::Carrier& carrier = groups.carriers[k];
    const auto K = carry<R>(model, rows, plan, carrier, c, omega);
    if (carrier.side < 0) continue;
    if (carrier.ways.count == 0) hand_over<R, T>(K, lone, kAllLanes, &c.side[groups.sides[carrier.side].panel]);
    for (int w = carrier.ways.first; w < carrier.ways.end(); ++w) {
      const Ways::ToSide& way = plan.ways.sides[w];
      hand_over<R, T>(K, lone, way.lanes, &c.side[groups.sides[way.side].panel]);
    }
  }
  for (int k = group.direct.first; k < group.direct.end(); ++k) {
    const Groups::Side& side = groups.sides[groups.blocks[k].side];
    add_block(rows, groups.blocks[k], c.art.frames.lever[side.link], &c.side[side.panel]);
  }
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) {
    DELASSUS_UNROLL
    for (int q = 0; q < r + 1; ++q) c.omega[group.triangle + Sym<T, R>::index(r, q)] = omega(r, q);
  }
}

/// K̂ and Ω.
template <class T>
void place(const Groups& groups, const Model& model, const ConstraintRows<T>& rows, const CondensedPlan& plan,
           CondensedConfiguration<T>& c) {
  for (const Groups::Group& g : groups.list) {
    with_rows(g.rows, [&](auto R) { place_group<R()>(groups, g, model, rows, plan, c); });
  }
}

// -------------------------------------------------------------------------------------- push and pull

template <int R, class X>
DELASSUS_INLINE Vec<X, R> gather(const Groups& groups, const Groups::Group& g, const X* x) {
  Vec<X, R> out;
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) out[r] = x[groups.rows[g.row + r]];
  return out;
}
template <int R, class X>
DELASSUS_INLINE void scatter(const Groups& groups, const Groups::Group& g, const Vec<X, R>& in, X* y) {
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) y[groups.rows[g.row + r]] = in[r];
}

/// K̂ᵀ x, or (S K̂)ᵀ b, on nodes.
template <class T, class X>
void push(const Groups& groups, const CondensedPlan& plan, const std::vector<Force<T>>& sides, const X* x, X* values) {
  for (const Groups::Group& g : groups.list) {
    with_rows(g.rows, [&](auto R) {
      constexpr int kRows = decltype(R)::value;
      const auto rows = gather<kRows>(groups, g, x);
      for (int k = g.sides.first; k < g.sides.end(); ++k) {
        const Force<T>* K = &sides[groups.sides[k].panel];
        Force<X> f = scaled(K[0], rows[0]);
        DELASSUS_UNROLL
        for (int r = 1; r < kRows; ++r) f += scaled(K[r], rows[r]);
        add_force(values + plan.nodes[groups.sides[k].node].value, f);
      }
    });
  }
}

/// y = Ω x + K̂ a.
template <class T, class X>
void pull(const Groups& groups, const Placed<T>& p, const X* x, const X* values, X* y) {
  for (const Groups::Group& g : groups.list) {
    with_rows(g.rows, [&](auto R) {
      constexpr int kRows = decltype(R)::value;
      const auto in = gather<kRows>(groups, g, x);
      const T* omega = &p.c.omega[g.triangle];
      Vec<X, kRows> out;
      DELASSUS_UNROLL
      for (int r = 0; r < kRows; ++r) {
        out[r] = omega[Sym<T, 6>::index(r, 0)] * in[0];
        DELASSUS_UNROLL
        for (int s = 1; s < kRows; ++s) out[r] += omega[Sym<T, 6>::index(r, s)] * in[s];
      }
      for (int k = g.sides.first; k < g.sides.end(); ++k) {
        const Motion<X> a = motion_at(p.at(groups.sides[k].node, values));
        DELASSUS_UNROLL
        for (int r = 0; r < kRows; ++r) out[r] += dot(a, p.c.side[groups.sides[k].panel + r]);
      }
      scatter<kRows>(groups, g, out, y);
    });
  }
}

/// z = S b - S K̂ a. Leaves S b in `weighted`.
template <class T, class X>
void pull(const Groups& groups, const Placed<T>& p, const CondensedDamping<T>& d, const X* b, const X* values,
          X* weighted, X* z) {
  for (const Groups::Group& g : groups.list) {
    with_rows(g.rows, [&](auto R) {
      constexpr int kRows = decltype(R)::value;
      auto out = gather<kRows>(groups, g, b);
      ldlt_at<kRows>(&d.dual[g.triangle]).solve(out);
      scatter<kRows>(groups, g, out, weighted);
      for (int k = g.sides.first; k < g.sides.end(); ++k) {
        const Motion<X> a = motion_at(p.at(groups.sides[k].node, values));
        DELASSUS_UNROLL
        for (int r = 0; r < kRows; ++r) out[r] -= dot(a, d.dual_side[groups.sides[k].panel + r]);
      }
      scatter<kRows>(groups, g, out, z);
    });
  }
}

// -------------------------------------------------------------------------------------------- stiffen

/// R⁻¹ + Ω, and half of the damping as the floor of its pivots.
template <int R, class T>
DELASSUS_INLINE Sym<T, R> damped_omega(const std::int32_t* rows, const T* omega, const RowWeights<T>& w,
                                       Vec<T, R>& floor) {
  Sym<T, R> A;
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<T, R>::kSize; ++k) A.a[k] = omega[k];
  if (w.kind != Damping<T>::Kind::kBlocks) {
    DELASSUS_UNROLL
    for (int r = 0; r < R; ++r) {
      A(r, r) += w.damping[rows[r]];
      floor[r] = T(0.5) * w.damping[rows[r]];
    }
    return A;
  }
  for (int r = 0; r < R; ++r) {
    floor[r] = T(0);
    for (int s = 0; s < r + 1; ++s) {
      if (w.first[rows[r]] == w.first[rows[s]]) A(r, s) += w.damping_between(rows[r], rows[s]);
    }
  }
  return A;
}

template <int R, class T>
DELASSUS_INLINE T factor_group(const Groups& groups, const Groups::Group& g, const CondensedConfiguration<T>& c,
                               CondensedDamping<T>& d) {
  Vec<T, R> floor;
  const Sym<T, R> A = damped_omega<R>(&groups.rows[g.row], &c.omega[g.triangle], d.rows, floor);
  T margin;
  const Ldlt<T, R> S = factor_ldlt(A, floor, margin);
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) d.growth = max(d.growth, A(r, r) * S.factor(r, r));
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<T, R>::kSize; ++k) d.dual[g.triangle + k] = S.factor.a[k];
  return margin;
}

/// K̂ᵀ S K̂ for the node of a side, and S K̂.
template <int R, class T>
DELASSUS_INLINE void stiffen_side(const Groups::Side& side, const Ldlt<T, R>& S, const Placed<T>& p,
                                  CondensedDamping<T>& d) {
  using Column = typename ArticulatedInertia<T>::Column;
  const Vec3<T>& lever = p.lever(side.link);
  Column K[R], SK[R];
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) K[r] = Column(shifted(p.c.side[side.panel + r], -lever));
  divide<R>(K, S, SK);
  ArticulatedInertia<T> H = d.H[p.plan.nodes[side.node].slot];
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) {
    downdate(H, K[r], -SK[r]);
    d.dual_side[side.panel + r] = shifted(SK[r], lever);
  }
  d.H[p.plan.nodes[side.node].slot] = H;
}

template <class T>
void stiffen_pair(const Groups& groups, const Groups::Pair& pair, const Placed<T>& p, CondensedDamping<T>& d) {
  const Groups::Side &a = groups.sides[pair.earlier], &b = groups.sides[pair.later];
  for (int r = 0; r < groups.list[pair.group].rows; ++r) {
    add_products(shifted(p.c.side[a.panel + r], -p.lever(a.link)), shifted(d.dual_side[b.panel + r], -p.lever(b.link)),
                 &d.panel[pair.to], pair.stride);
  }
}

/// First the small factorizations of all groups: each is a chain of divisions, and chains overlap when they are short.
template <class T>
Status stiffen(const Groups& groups, const Placed<T>& p, CondensedDamping<T>& d) {
  for (const Groups::Group& g : groups.list) {
    const T margin = with_rows(g.rows, [&](auto R) { return factor_group<R()>(groups, g, p.c, d); });
    if (!all_lanes(T(0) < margin)) return {Status::Code::kNotPositive, groups.rows[g.row]};
  }
  for (const Groups::Group& g : groups.list) {
    with_rows(g.rows, [&](auto R) {
      const auto S = ldlt_at<R()>(&d.dual[g.triangle]);
      for (int k = g.sides.first; k < g.sides.end(); ++k) stiffen_side<R()>(groups.sides[k], S, p, d);
    });
  }
  for (const Groups::Pair& pair : groups.pairs) stiffen_pair(groups, pair, p, d);
  return {};
}

}  // namespace delassus::condensed
