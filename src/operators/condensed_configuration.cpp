// Once per configuration: the articulated tree, chains crossed by the rows at their tips, rows placed.
#include <algorithm>

#include "delassus/math/chunks.hpp"
#include "delassus/math/heap_bytes.hpp"
#include "delassus/operators/condensed_rows.hpp"
#include "dynamics/link_step.hpp"
#include "math/kernel_scalars.hpp"
#include "operators/row_strips.hpp"

namespace delassus {
namespace {

// ------------------------------------------------------------------------------------------- articulation

/// The inverse of L D Lᵀ, by that of L.
template <class T>
Sym<T, 6> inverse_of(const Ldlt<T, 6>& H) {
  Sym<T, 6> L = H.factor, W;  // L becomes its inverse, row by row; its diagonal stays D⁻¹
  DELASSUS_UNROLL
  for (int r = 1; r < 6; ++r) {
    DELASSUS_UNROLL
    for (int c = 0; c < r; ++c) {
      T sum = -H.factor(r, c);
      DELASSUS_UNROLL
      for (int k = c + 1; k < r; ++k) sum -= H.factor(r, k) * L(k, c);
      L(r, c) = sum;
    }
  }
  DELASSUS_UNROLL
  for (int r = 0; r < 6; ++r) {
    DELASSUS_UNROLL
    for (int c = 0; c < r + 1; ++c) {
      T sum = c == r ? L(r, r) : L(r, r) * L(r, c);
      DELASSUS_UNROLL
      for (int k = r + 1; k < 6; ++k) sum += L(k, k) * L(k, r) * L(k, c);
      W(r, c) = sum;
    }
  }
  return W;
}

/// The inertia of a free link goes to `yield`, and floors of its pivots to `free_pivots`.
template <class T>
void place_free(const Model& model, int i, int index, const Kinematics<T>& kin, CondensedConfiguration<T>& c) {
  ArticulatedInertia<T> H = articulated(link_inertia(model, kin, i));
  add_whole<T>(model.link(i).trunk, c.art.H[i], H);
  c.yield[index] = packed(H);
  for (int k = 0; k < 6; ++k) c.free_pivots[6 * index + k] = pivot_floor_of<T>(model, model.link(i).v + k);
}

/// Numbers of neighbours side by side in the lanes of X, or one number.
template <class X, class F>
DELASSUS_INLINE X neighbours(F&& number) {
  if constexpr (std::same_as<X, std::remove_cvref_t<decltype(number(0))>>) {
    return number(0);
  } else {
    return X(typename X::Vector{number(0), number(1), number(2), number(3)});
  }
}
template <class X, class F>
DELASSUS_INLINE void set_neighbours(const X& x, F&& number) {
  if constexpr (std::same_as<X, std::remove_cvref_t<decltype(number(0))>>) {
    number(0) = x;
  } else {
    for (int l = 0; l < X::kWidth; ++l) number(l) = x[l];
  }
}

/// Inertias of free links, from this one on as many as X has lanes, become their inverses. Returns the margin of the pivots.
template <class X, class T>
X invert_free(int first, CondensedConfiguration<T>& c) {
  const auto pivot = [&](int k) { return [&c, first, k](int l) -> T& { return c.free_pivots[6 * (first + l) + k]; }; };
  const auto entry = [&](int k) { return [&c, first, k](int l) -> T& { return c.yield[first + l].a[k]; }; };
  Sym<X, 6> H;
  Vec<X, 6> floor;
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<X, 6>::kSize; ++k) H.a[k] = neighbours<X>(entry(k));
  DELASSUS_UNROLL
  for (int k = 0; k < 6; ++k) floor[k] = neighbours<X>(pivot(k));
  X margin;
  const Ldlt<X, 6> factor = factor_ldlt(H, floor, margin);
  DELASSUS_UNROLL
  for (int k = 0; k < 6; ++k) set_neighbours(factor.factor(k, k), pivot(k));
  const Sym<X, 6> inverse = inverse_of(factor);
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<X, 6>::kSize; ++k) set_neighbours(inverse.a[k], entry(k));
  return margin;
}

/// Each is a chain of divisions: side by side where the scalar has lanes.
template <class T>
void invert_free_links(const CondensedPlan& plan, CondensedConfiguration<T>& c, Status& status) {
  const auto note = [&](int index, const T& margin) {
    if (all_lanes(T(0) < margin)) return;
    note_margin(static_cast<int>(std::find(plan.free_of.begin(), plan.free_of.end(), index) - plan.free_of.begin()),
                margin, status);
  };
  int at = 0;
  if constexpr (Laned<T>) {
    for (; at + 4 <= plan.num_free; at += 4) {
      const auto margin = invert_free<Pack<T, 4>>(at, c);
      for (int l = 0; l < 4; ++l) note(at + l, margin[l]);
    }
  }
  for (; at < plan.num_free; ++at) note(at, invert_free<T>(at, c));
}

/// What the lanes of a link hand to different nodes.
inline void add_to_bases(const CondensedPlan& plan, int i, const ArticulatedInertia<Limbs>& handed,
                         CondensedConfiguration<Limbs>& c) {
  for (const CondensedPlan::BaseWay& way : plan.base_ways) {
    if (way.link == i) c.base[way.slot] += masked(handed, way.lanes);
  }
}

template <class T>
Status articulate_tree(const Model& model, const Kinematics<T>& kin, const CondensedPlan& plan,
                       CondensedConfiguration<T>& c) {
  for (const int i : c.tips) c.art.H[i] = ArticulatedInertia<T>::zero();
  if constexpr (kFewDigits<T>) {
    for (int i = 0; i < model.num_links(); ++i) c.art.felt[i] = T(0);
  }
  Status status;
  for (const int i : c.inwards) {
    if (plan.free_of[i] >= 0) {
      place_free(model, i, plan.free_of[i], kin, c);
      continue;
    }
    const Link& link = model.link(i);
    note_margin(i, eliminate_link(model, i, kin, c.art, c.handed[i]), status);
    if (link.parent == kWorld) continue;
    if (c.starts[i] != 0) {
      c.art.H[link.parent] = c.handed[i];
    } else {
      add_to_parents<T>(model, link, c.handed[i], c.art.H);
    }
  }
  invert_free_links(plan, c, status);
  return explained(model, kin, status);
}

/// Where the elimination of a damping begins: inertias of nodes, with those of links on them which are no nodes.
template <class T>
void place_bases(const Model& model, const Kinematics<T>& kin, const CondensedPlan& plan,
                 CondensedConfiguration<T>& c) {
  c.offset = kin.offset;
  for (std::size_t slot = 0; slot < plan.slot_links.size(); ++slot) {
    const int i = plan.slot_links[slot];
    c.base[slot] = in_parts<T>(model.link(i).trunk, articulated(link_inertia(model, kin, i)));
  }
  for (const int i : c.inwards) {
    if (plan.base_of[i] >= 0) c.base[plan.base_of[i]] += in_parts<T>(model.link(i).trunk, c.handed[i]);
    if constexpr (kFolded<T>) add_to_bases(plan, i, c.handed[i], c);
  }
}

// ---------------------------------------------------------------------------------------------- carriers

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
DELASSUS_INLINE void add_block(const ConstraintRows<T>& rows, const CondensedPlan::GroupBlock& b, const Vec3<T>& lever,
                               Force<T>* to) {
  const RowBlock& block = rows.blocks[b.block];
  for (int r = 0; r < block.rows; ++r) to[b.row + r] += row_wrench(rows, block, r, lever);
}

/// The rows of a carrier at its tip.
template <int R, class T>
DELASSUS_INLINE Force<typename RowsOf<T, R>::type> tip_rows(const ConstraintRows<T>& rows, const CondensedPlan& plan,
                                                            const CondensedPlan::Carrier& carrier,
                                                            const Vec3<T>& lever) {
  const RowBlock& block = rows.blocks[plan.group_blocks[carrier.blocks.first].block];
  if (carrier.blocks.count == 1 && block.kind == RowBlock::Kind::kPoint && block.rows == R && block.linear == R) {
    const T* value = &rows.values[block.value];
    return point_rows<R>(value + 3, Vec3<T>{{value[0], value[1], value[2]}} + lever);
  }
  Force<T> row[R];
  for (int r = 0; r < R; ++r) row[r] = Force<T>::zero();
  for (int b = carrier.blocks.first; b < carrier.blocks.end(); ++b) add_block(rows, plan.group_blocks[b], lever, row);
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
                                                         const CondensedPlan& plan,
                                                         const CondensedPlan::Carrier& carrier,
                                                         const CondensedConfiguration<T>& c, Compliance<T, R>& omega) {
  auto K = tip_rows<R>(rows, plan, carrier, c.art.frames.lever[plan.chain_links[carrier.chain.first]]);
  for (int k = carrier.chain.first; k < carrier.chain.end(); ++k) {
    const int i = plan.chain_links[k];
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
void carry_group(const Model& model, const ConstraintRows<T>& rows, const CondensedPlan& plan,
                 const CondensedPlan::Group& group, CondensedConfiguration<T>& c) {
  Compliance<T, R> omega;
  // Most groups have one carrier and nothing else: what it hands over is all that its node feels.
  const bool lone = group.carriers.count == 1 && group.direct.count == 0;
  for (int k = group.sides.first; k < group.sides.end() && !lone; ++k) {
    for (int r = 0; r < R; ++r) c.side[plan.sides[k].panel + r] = Force<T>::zero();
  }
  for (int k = group.carriers.first; k < group.carriers.end(); ++k) {
    const CondensedPlan::Carrier& carrier = plan.carriers[k];
    const auto K = carry<R>(model, rows, plan, carrier, c, omega);
    if (carrier.side < 0) continue;
    if (carrier.ways.count == 0) hand_over<R, T>(K, lone, kAllLanes, &c.side[plan.sides[carrier.side].panel]);
    for (int w = carrier.ways.first; w < carrier.ways.end(); ++w) {
      const CondensedPlan::SideWay& way = plan.side_ways[w];
      hand_over<R, T>(K, lone, way.lanes, &c.side[plan.sides[way.side].panel]);
    }
  }
  for (int k = group.direct.first; k < group.direct.end(); ++k) {
    const CondensedPlan::GroupBlock& b = plan.group_blocks[k];
    const CondensedPlan::Side& side = plan.sides[b.side];
    add_block(rows, b, c.art.frames.lever[side.link], &c.side[side.panel]);
  }
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) {
    DELASSUS_UNROLL
    for (int q = 0; q < r + 1; ++q) c.omega[group.triangle + Sym<T, R>::index(r, q)] = omega(r, q);
  }
}

// ------------------------------------------------------------------------------------------------- rows

template <class T>
void place_wrenches(const ConstraintRows<T>& rows, const CondensedPlan& plan, CondensedConfiguration<T>& c) {
  std::fill(c.wrench.begin(), c.wrench.end(), Force<T>::zero());
  for (const CondensedPlan::Placing& p : plan.placings) {
    const RowBlock& block = rows.blocks[p.block];
    for (int r = 0; r < block.rows; ++r) c.wrench[p.wrench + r] += row_wrench(rows, block, r, Vec3<T>::zero());
  }
  for (const auto* parts : {&plan.stiff_rows, &plan.multiplier_parts}) {
    for (const CondensedPlan::Rows& part : *parts) {
      for (int r = 0; r < part.rows; ++r) {
        c.placed[part.wrench + r] = shifted(c.wrench[part.wrench + r], c.art.frames.lever[part.link]);
      }
    }
  }
}

/// `point(k)` is the point k of the strip.
template <Laned T, class F>
void place_strip(const ConstraintRows<T>& rows, const CondensedPlan::Strip& s, F&& point, Force<Pack<T, 4>>* out) {
  const T* from[4];
  with_directions(point(0).rows, [&](auto R) {
    for (int first = 0; first < s.parts.count; first += 4, out += R()) {
      const int count = std::min(s.parts.count - first, 4);
      for (int k = 0; k < 4; ++k) from[k] = k < count ? &rows.values[point(first + k).value] : nullptr;
      fill_strip<R()>(from, count, out);
    }
  });
}

template <class T>
void place_strips(const Kinematics<T>& kin, const ConstraintRows<T>& rows, const CondensedPlan& plan,
                  CondensedConfiguration<T>& c) {
  if constexpr (Laned<T>) {
    for (const CondensedPlan::Strip& s : plan.point_strips) {
      place_strip(
          rows, s, [&](int k) -> auto& { return plan.points[s.parts.first + k]; }, &c.strip[s.pack]);
    }
    for (std::size_t k = 0; k < plan.twin_strips.size(); ++k) {
      const CondensedPlan::Strip& s = plan.twin_strips[k];
      const CondensedPlan::Twins* twins = &plan.twins[s.parts.first];
      place_strip(
          rows, s, [&](int t) -> auto& { return twins[t].earlier; }, &c.strip[s.pack]);
      c.apart[k] = kin.pose[twins->earlier.link].p - kin.pose[twins->later.link].p;
    }
  }
}

}  // namespace

template <class T>
CondensedConfiguration<T>::CondensedConfiguration(const Model& model)
    : art(model),
      inwards(model.num_links()),
      starts(model.num_links()),
      free_of(model.num_links(), -1),
      handed(model, ArticulatedInertia<T>::zero()),
      offset(model, Vec3<T>::zero()) {
  LinkArray<int> depth(model, 0), children(model, 0);
  for (int i = 0; i < model.num_links(); ++i) {
    inwards[i] = i;
    depth[i] = depth[model.link(i).parent] + 1;
  }
  std::stable_sort(inwards.begin(), inwards.end(), [&](int a, int b) { return depth[a] > depth[b]; });
  for (const int i : inwards) {
    const int parent = model.link(i).parent;
    // To the trunk of a fold lanes add each for itself.
    starts[i] = children[parent]++ == 0 && (parent == kWorld || !model.link(parent).trunk);
    if (children[i] == 0 || model.link(i).trunk) tips.push_back(i);
  }
}

template <class T>
void CondensedConfiguration<T>::resize(const CondensedPlan& plan) {
  base.resize(plan.slot_links.size());
  yield.resize(plan.num_free);
  free_pivots.resize(6 * static_cast<std::size_t>(plan.num_free));
  side.resize(plan.side_wrenches);
  omega.resize(plan.triangles);
  wrench.resize(plan.wrenches);
  placed.resize(plan.wrenches);
  strip.resize(plan.strip_packs);
  apart.resize(plan.twin_strips.size());
}

template <class T>
std::size_t CondensedConfiguration<T>::bytes() const {
  return art.bytes() + offset.bytes() + handed.bytes() +
         heap_bytes(inwards, starts, tips, free_of, base, yield, free_pivots, side, omega, wrench, placed, strip, apart);
}

template <class T>
Status configure_tree(const Model& model, const Kinematics<T>& kin, const CondensedPlan& plan,
                      CondensedConfiguration<T>& c) {
  place_frames(model, kin, c.art.frames);
  const Status status = articulate_tree(model, kin, plan, c);
  c.free_of = plan.free_of;
  end_stage<T>("articulation");
  return status;
}

template <class T>
void configure_rows(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows,
                    const CondensedPlan& plan, CondensedConfiguration<T>& c) {
  if (!c.products_only) place_bases(model, kin, plan, c);
  for (const CondensedPlan::Group& group : plan.groups) {
    with_rows(group.rows, [&](auto R) { carry_group<R()>(model, rows, plan, group, c); });
  }
  end_stage<T>("carriers");
  place_wrenches(rows, plan, c);
  place_strips(kin, rows, plan, c);
  end_stage<T>("rows");
}

#define DELASSUS_INSTANTIATE(T) template struct CondensedConfiguration<T>;
DELASSUS_FOR_EACH_TREE_SCALAR(DELASSUS_INSTANTIATE)
#define DELASSUS_INSTANTIATE_KERNEL(T)                                                                             \
  template Status configure_tree(const Model&, const Kinematics<T>&, const CondensedPlan&,                         \
                                 CondensedConfiguration<T>&);                                                      \
  template void configure_rows(const Model&, const Kinematics<T>&, const ConstraintRows<T>&, const CondensedPlan&, \
                               CondensedConfiguration<T>&);
DELASSUS_FOR_EACH_KERNEL_SCALAR(DELASSUS_INSTANTIATE_KERNEL)

}  // namespace delassus
