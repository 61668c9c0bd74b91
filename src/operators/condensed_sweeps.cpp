#include "delassus/operators/condensed_sweeps.hpp"

#include <algorithm>

#include "delassus/model/link_lanes.hpp"
#include "delassus/operators/condensed_rows.hpp"
#include "kinematics/width.hpp"
#include "math/kernel_scalars.hpp"
#include "operators/row_strips.hpp"

namespace delassus {
namespace {

using Kind = CondensedPlan::Kind;
using Node = CondensedPlan::Node;

template <class X>
DELASSUS_INLINE void add_force(X* to, const Force<X>& f) {
  DELASSUS_UNROLL
  for (int c = 0; c < 3; ++c) {
    to[c] += f.moment[c];
    to[c + 3] += f.force[c];
  }
}

// ------------------------------------------------------------------------------------------ rows at nodes

/// The numbers of a point: where it is from the reference point of its link, and its directions.
template <class T>
struct PlacedPoint {
  DELASSUS_INLINE PlacedPoint(const ConstraintRows<T>& rows, const CondensedPlan::Point& p,
                              const CondensedConfiguration<T>& c)
      : directions(&rows.values[p.value + 3]) {
    const T* lever = &rows.values[p.value];
    r = Vec3<T>{{lever[0], lever[1], lever[2]}} + c.art.frames.lever[p.link];
  }
  const T* directions;
  Vec3<T> r;
};

/// Σ d x: the force of all rows together.
template <int R, class T, class X>
DELASSUS_INLINE Vec3<X> sum_of_rows(const PlacedPoint<T>& p, const X* x) {
  Vec3<X> f;
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    f[i] = p.directions[i] * x[0];
    DELASSUS_UNROLL
    for (int r = 1; r < R; ++r) f[i] += p.directions[3 * r + i] * x[r];
  }
  return f;
}

template <class T, class X>
DELASSUS_INLINE Vec3<X> motion_of(const PlacedPoint<T>& p, const X* from) {
  const Motion<X> a = motion_at(from);
  return a.linear - cross(p.r, a.angular);
}

/// How fast the rows go where their point does.
template <int R, class T, class X>
DELASSUS_INLINE Vec<X, R> along_rows(const PlacedPoint<T>& p, const Vec3<X>& motion) {
  Vec<X, R> y;
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) {
    y[r] = p.directions[3 * r] * motion[0];
    DELASSUS_UNROLL
    for (int i = 1; i < 3; ++i) y[r] += p.directions[3 * r + i] * motion[i];
  }
  return y;
}

/// Ways from reference points of two links to the origin of the earlier, about which a strip of twins is.
template <class T>
struct StripLevers {
  DELASSUS_INLINE StripLevers(const CondensedConfiguration<T>& c, const CondensedPlan::Twins& t, std::size_t strip)
      : earlier(c.art.frames.lever[t.earlier.link]), later(c.art.frames.lever[t.later.link] + c.apart[strip]) {}
  const Vec3<T>& earlier;
  Vec3<T> later;
};

template <Laned T>
void push_strips(const CondensedPlan& plan, const CondensedConfiguration<T>& c, const T* x, T* value) {
  for (const CondensedPlan::Strip& s : plan.point_strips) {
    const CondensedPlan::Point& p = plan.points[s.parts.first];
    const Force<T> f = push_strip(&c.strip[s.pack], s.rows, x + s.first_row);
    add_force(value + plan.nodes[p.node].value, shifted(f, c.art.frames.lever[p.link]));
  }
  for (std::size_t k = 0; k < plan.twin_strips.size(); ++k) {
    const CondensedPlan::Strip& s = plan.twin_strips[k];
    const CondensedPlan::Twins& t = plan.twins[s.parts.first];
    const StripLevers<T> levers(c, t, k);
    const Force<T> f = push_strip(&c.strip[s.pack], s.rows, x + s.first_row);
    add_force(value + plan.nodes[t.earlier.node].value, shifted(f, levers.earlier));
    add_force(value + plan.nodes[t.later.node].value, -shifted(f, levers.later));
  }
}

template <bool kMinus, Laned T>
void pull_strips(const CondensedPlan& plan, const CondensedConfiguration<T>& c, const T* value, T* y) {
  for (const CondensedPlan::Strip& s : plan.point_strips) {
    const CondensedPlan::Point& p = plan.points[s.parts.first];
    const Motion<T> a = shifted(motion_at(value + plan.nodes[p.node].value), c.art.frames.lever[p.link]);
    pull_strip<kMinus>(&c.strip[s.pack], s.rows, a, y + s.first_row);
  }
  for (std::size_t k = 0; k < plan.twin_strips.size(); ++k) {
    const CondensedPlan::Strip& s = plan.twin_strips[k];
    const CondensedPlan::Twins& t = plan.twins[s.parts.first];
    const StripLevers<T> levers(c, t, k);
    const Motion<T> apart = shifted(motion_at(value + plan.nodes[t.earlier.node].value), levers.earlier) -
                            shifted(motion_at(value + plan.nodes[t.later.node].value), levers.later);
    pull_strip<kMinus>(&c.strip[s.pack], s.rows, apart, y + s.first_row);
  }
}

/// Kᵀ x of rows at nodes: of stiffness, or of all.
template <class T, class X>
void push_points(const ConstraintRows<T>& rows, const CondensedPlan& plan, const CondensedConfiguration<T>& c,
                 const X* x, X* value) {
  if constexpr (kInStrips<T, X>) push_strips(plan, c, x, value);
  for (const CondensedPlan::Point& p : without_strips(plan.points, kInStrips<T, X>, plan.loose_points)) {
    const PlacedPoint<T> point(rows, p, c);
    X* to = value + plan.nodes[p.node].value;
    with_directions(p.rows, [&](auto R) {
      const Vec3<X> f = sum_of_rows<R()>(point, x + p.first_row);
      add_force(to, Force<X>{cross(point.r, f), f});
    });
  }
  for (const CondensedPlan::Twins& t : without_strips(plan.twins, kInStrips<T, X>, plan.loose_twins)) {
    const PlacedPoint<T> a(rows, t.earlier, c), b(rows, t.later, c);
    with_directions(t.earlier.rows, [&](auto R) {
      const Vec3<X> f = sum_of_rows<R()>(a, x + t.earlier.first_row);
      add_force(value + plan.nodes[t.earlier.node].value, Force<X>{cross(a.r, f), f});
      add_force(value + plan.nodes[t.later.node].value, Force<X>{-cross(b.r, f), -f});
    });
  }
}
template <class T, class X>
void push_parts(const std::vector<CondensedPlan::Rows>& parts, const CondensedPlan& plan,
                const CondensedConfiguration<T>& c, const X* x, X* value) {
  for (const CondensedPlan::Rows& p : parts) {
    for (int r = 0; r < p.rows; ++r) {
      add_force(value + plan.nodes[p.node].value, scaled(c.placed[p.wrench + r], x[p.first_row + r]));
    }
  }
}

/// y += sign K a.
template <bool kMinus, class T, class X>
void pull_points(const ConstraintRows<T>& rows, const CondensedPlan& plan, const CondensedConfiguration<T>& c,
                 const X* value, X* y) {
  if constexpr (kInStrips<T, X>) pull_strips<kMinus>(plan, c, value, y);
  for (const CondensedPlan::Point& p : without_strips(plan.points, kInStrips<T, X>, plan.loose_points)) {
    const PlacedPoint<T> point(rows, p, c);
    const X* from = value + plan.nodes[p.node].value;
    with_directions(p.rows, [&](auto R) {
      constexpr int kRows = decltype(R)::value;
      const auto felt = along_rows<kRows>(point, motion_of(point, from));
      DELASSUS_UNROLL
      for (int r = 0; r < kRows; ++r) kMinus ? y[p.first_row + r] -= felt[r] : y[p.first_row + r] += felt[r];
    });
  }
  for (const CondensedPlan::Twins& t : without_strips(plan.twins, kInStrips<T, X>, plan.loose_twins)) {
    const PlacedPoint<T> a(rows, t.earlier, c), b(rows, t.later, c);
    const Vec3<X> apart =
        motion_of(a, value + plan.nodes[t.earlier.node].value) - motion_of(b, value + plan.nodes[t.later.node].value);
    X* out = y + t.earlier.first_row;
    with_directions(t.earlier.rows, [&](auto R) {
      constexpr int kRows = decltype(R)::value;
      const auto felt = along_rows<kRows>(a, apart);
      DELASSUS_UNROLL
      for (int r = 0; r < kRows; ++r) kMinus ? out[r] -= felt[r] : out[r] += felt[r];
    });
  }
}
template <bool kMinus, class T, class X>
void pull_parts(const std::vector<CondensedPlan::Rows>& parts, const CondensedPlan& plan,
                const CondensedConfiguration<T>& c, const X* value, X* y) {
  for (const CondensedPlan::Rows& p : parts) {
    const Motion<X> a = motion_at(value + plan.nodes[p.node].value);
    for (int r = 0; r < p.rows; ++r) {
      const X felt = dot(a, c.placed[p.wrench + r]);
      kMinus ? y[p.first_row + r] -= felt : y[p.first_row + r] += felt;
    }
  }
}

// ----------------------------------------------------------------------------------------- carried groups

template <int R, class X>
DELASSUS_INLINE Vec<X, R> gather(const CondensedPlan& plan, const CondensedPlan::Group& g, const X* x) {
  Vec<X, R> out;
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) out[r] = x[plan.group_rows[g.row + r]];
  return out;
}

/// K̂ᵀ x, or (S K̂)ᵀ b.
template <class T, class X>
void push_groups(const CondensedPlan& plan, const std::vector<Force<T>>& side, const X* x, X* value) {
  for (const CondensedPlan::Group& g : plan.groups) {
    with_rows(g.rows, [&](auto R) {
      constexpr int kRows = decltype(R)::value;
      const auto rows = gather<kRows>(plan, g, x);
      for (int k = g.sides.first; k < g.sides.end(); ++k) {
        const Force<T>* K = &side[plan.sides[k].panel];
        Force<X> f = scaled(K[0], rows[0]);
        DELASSUS_UNROLL
        for (int r = 1; r < kRows; ++r) f += scaled(K[r], rows[r]);
        add_force(value + plan.nodes[plan.sides[k].node].value, f);
      }
    });
  }
}

/// y = Ω x + K̂ a.
template <class T, class X>
void pull_groups(const CondensedPlan& plan, const CondensedConfiguration<T>& c, const X* x, const X* value, X* y) {
  for (const CondensedPlan::Group& g : plan.groups) {
    with_rows(g.rows, [&](auto R) {
      constexpr int kRows = decltype(R)::value;
      const auto in = gather<kRows>(plan, g, x);
      Vec<X, kRows> out;
      DELASSUS_UNROLL
      for (int r = 0; r < kRows; ++r) {
        out[r] = c.omega[g.triangle + Sym<T, 6>::index(r, 0)] * in[0];
        DELASSUS_UNROLL
        for (int s = 1; s < kRows; ++s) out[r] += c.omega[g.triangle + Sym<T, 6>::index(r, s)] * in[s];
      }
      for (int k = g.sides.first; k < g.sides.end(); ++k) {
        const Motion<X> a = motion_at(value + plan.nodes[plan.sides[k].node].value);
        DELASSUS_UNROLL
        for (int r = 0; r < kRows; ++r) out[r] += dot(a, c.side[plan.sides[k].panel + r]);
      }
      DELASSUS_UNROLL
      for (int r = 0; r < kRows; ++r) y[plan.group_rows[g.row + r]] = out[r];
    });
  }
}

/// z = S b - S K̂ a. Leaves S b in `weighted`.
template <class T, class X>
void pull_dual_groups(const CondensedPlan& plan, const CondensedDamping<T>& d, const X* b, const X* value, X* weighted,
                      X* z) {
  for (const CondensedPlan::Group& g : plan.groups) {
    with_rows(g.rows, [&](auto R) {
      constexpr int kRows = decltype(R)::value;
      auto out = gather<kRows>(plan, g, b);
      ldlt_at<kRows>(&d.dual[g.triangle]).solve(out);
      DELASSUS_UNROLL
      for (int r = 0; r < kRows; ++r) weighted[plan.group_rows[g.row + r]] = out[r];
      for (int k = g.sides.first; k < g.sides.end(); ++k) {
        const Motion<X> a = motion_at(value + plan.nodes[plan.sides[k].node].value);
        DELASSUS_UNROLL
        for (int r = 0; r < kRows; ++r) out[r] -= dot(a, d.dual_side[plan.sides[k].panel + r]);
      }
      DELASSUS_UNROLL
      for (int r = 0; r < kRows; ++r) z[plan.group_rows[g.row + r]] = out[r];
    });
  }
}

// ------------------------------------------------------------------------------------------------ sweeps

/// The factors that a sweep goes through.
template <class T>
struct Factors {
  const CondensedPlan& plan;
  const WorldFrames<T>& frames;
  const Force<T>* U_hat;
  const T* D_factor;
  const T* hat;            // couplings, or null
  const Sym<T, 6>* yield;  // of free joints, or null: then D_factor has theirs
};

/// Numbers of a factor for the lanes of L: next to each other for columns side by side, the same for right-hand sides X.
template <class L, class X, class T>
DELASSUS_INLINE auto factor_at(const T* from) {
  if constexpr (std::same_as<L, X>) {
    return *from;
  } else {
    return load<L>(from);
  }
}

/// value -= hatᵀ u on all neighbours (algorithm 4, line 24).
template <int N, class T, class X>
DELASSUS_INLINE void push_to_neighbours(const Factors<T>& f, const Node& node, const Vec<X, N>& u, X* values) {
  for (int r = node.runs.first; r < node.runs.end(); ++r) {
    const CondensedPlan::Run& run = f.plan.runs[r];
    const T* hat = f.hat + node.hat + run.column;
    for_each_chunk<X>(run.count, [&]<class L>(std::type_identity<L>, int c) {
      L sum = load<L>(values + run.value + c);
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) sum -= factor_at<L, X>(hat + k * node.columns + c) * u[k];
      store(values + run.value + c, sum);
    });
  }
}

/// Sums over columns in lanes: with six unknowns there are enough of them to share the sums over lanes.
template <Laned T>
DELASSUS_INLINE void pull_lanes(const Factors<T>& f, const Node& node, const T* values, Vec<T, 6>& u) {
  using P = Pack<T, 4>;
  P sum[6] = {P(0), P(0), P(0), P(0), P(0), P(0)};
  for (int r = node.runs.first; r < node.runs.end(); ++r) {
    const CondensedPlan::Run& run = f.plan.runs[r];
    const T* hat = f.hat + node.hat + run.column;
    for (int c = 0; c < run.count; c += 4) {
      const P value = load_lanes(values + run.value + c, run.count - c);
      DELASSUS_UNROLL
      for (int k = 0; k < 6; ++k) sum[k] += load_lanes(hat + k * node.columns + c, run.count - c) * value;
    }
  }
  const P first = lane_sums(sum[0], sum[1], sum[2], sum[3]), last = lane_sums(sum[4], sum[5], sum[4], sum[5]);
  DELASSUS_UNROLL
  for (int k = 0; k < 6; ++k) u[k] -= k < 4 ? first[k] : last[k - 4];
}

/// u -= hat value of all neighbours (line 36).
template <int N, class T, class X>
DELASSUS_INLINE void pull_from_neighbours(const Factors<T>& f, const Node& node, const X* values, Vec<X, N>& u) {
  if constexpr (N == 6 && kInStrips<T, X>) return pull_lanes(f, node, values, u);
  for (int r = node.runs.first; r < node.runs.end(); ++r) {
    const CondensedPlan::Run& run = f.plan.runs[r];
    const T* hat = f.hat + node.hat + run.column;
    for (int c = 0; c < run.count; ++c) {
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) u[k] -= hat[k * node.columns + c] * values[run.value + c];
    }
  }
}

/// A force on the parent, or on the parents of the lanes of a fold.
template <class T, class X>
DELASSUS_INLINE void push_to_parent(const Factors<T>& f, const Node& node, const Force<X>& force, X* values) {
  if constexpr (kFolded<X>) {
    for (int k = node.ways.first; k < node.ways.end(); ++k) {
      const CondensedPlan::NodeWay& way = f.plan.node_ways[k];
      add_force(values + f.plan.nodes[way.node].value, masked(force, way.lanes));
    }
    if (node.ways.count > 0) return;
  }
  add_force(values + f.plan.nodes[node.parent].value, in_parts<X>(node.trunk, force));
}

/// The motion of the parent, or of the parents of the lanes of a fold.
template <class T, class X>
DELASSUS_INLINE Motion<X> motion_of_parent(const Factors<T>& f, const Node& node, const X* values) {
  Motion<X> motion = motion_at(values + f.plan.nodes[node.parent].value);
  if constexpr (kFolded<X>) {
    if (node.ways.count > 1) motion = masked(motion, f.plan.node_ways[node.ways.first].lanes);
    for (int k = node.ways.first + 1; k < node.ways.end(); ++k) {
      const CondensedPlan::NodeWay& way = f.plan.node_ways[k];
      motion += masked(motion_at(values + f.plan.nodes[way.node].value), way.lanes);
    }
  }
  return motion;
}

/// Which rows act on joints.
enum class JointRows { kNone, kForces, kLone };

/// The force on a node, with what the node before hands on.
template <class X>
DELASSUS_INLINE Force<X> received(const Node& node, const Force<X>& handed, const X* values) {
  Force<X> force = whole<X>(node.trunk, force_at(values + node.value));
  if (node.receives) force += handed;
  return force;
}

/// To the next node, or to the parent, or to nobody.
template <class T, class X>
DELASSUS_INLINE void hand_on(const Factors<T>& f, const Node& node, const Force<X>& force, Force<X>& handed,
                             X* values) {
  if (node.hands_on) {
    handed = force;
  } else if (node.parent >= 0) {
    push_to_parent(f, node, force, values);
  }
}

/// The force on a link becomes what is left of it for the parent.
template <int N, JointRows kRows, class T, class X>
DELASSUS_INLINE void push_joint(const Factors<T>& f, const Node& node, Force<X>& force, NodeSweep<X>& sweep) {
  Vec<X, N> u;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) {
    u[k] = dot(f.frames.S[node.v + k], force);
    if constexpr (kRows != JointRows::kNone) u[k] += whole<X>(node.trunk, sweep.joint[node.v + k]);
  }
  Vec<X, N> all = u;
  if constexpr (kRows == JointRows::kLone) {
    if (node.lone >= 0) {
      Vec<X, N> lone;
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) all[k] += lone[k] = whole<X>(node.trunk, sweep.lone[node.lone + k]);
      ldlt_at<N>(f.D_factor + node.factor).solve(lone);
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) sweep.lone[node.lone + k] = lone[k];
    }
  }
  if (f.hat != nullptr && node.columns > 0)
    push_to_neighbours<N>(f, node, in_parts<X>(node.trunk, all), sweep.value.data());
  if (node.parent >= 0) {
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) force -= scaled(f.U_hat[node.v + k], all[k]);
    force = to_parent(f.frames, node.link, force);
  }
  ldlt_at<N>(f.D_factor + node.factor).solve(u);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) sweep.joint[node.v + k] = u[k];
}

/// Of joints with a lone row sweep.joint is left without what that row gives: see condensed_solve.
template <int N, JointRows kRows, class T, class X>
DELASSUS_INLINE void pull_joint(const Factors<T>& f, const Node& node, Motion<X>& last, NodeSweep<X>& sweep) {
  Vec<X, N> u;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) u[k] = sweep.joint[node.v + k];
  if (f.hat != nullptr && node.columns > 0) pull_from_neighbours<N>(f, node, sweep.value.data(), u);
  Motion<X> a = Motion<X>::zero();
  if (node.parent >= 0) {
    a = node.hands_on ? last : motion_of_parent(f, node, sweep.value.data());
    a = from_parent(f.frames, node.link, a);
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) u[k] -= dot(a, f.U_hat[node.v + k]);
  }
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) sweep.joint[node.v + k] = u[k];
  if constexpr (kRows == JointRows::kLone) {
    if (node.lone >= 0) {
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) u[k] += sweep.lone[node.lone + k];
    }
  }
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) a += scaled(f.frames.S[node.v + k], u[k]);
  store_six(&sweep.value[node.value], a.angular, a.linear);
  last = a;
}

template <class T, class X>
DELASSUS_INLINE void push_free(const Factors<T>& f, const Node& node, const Force<X>& handed, X* values) {
  X* value = values + node.value;
  const Force<X> force = received(node, handed, values);
  if (f.yield != nullptr) {
    const Motion<X> a = yielding(f.yield[f.plan.free_of[node.link]], force);
    store_six(value, a.angular, a.linear);
    return;
  }
  Vec<X, 6> u;
  DELASSUS_UNROLL
  for (int k = 0; k < 6; ++k) u[k] = entry_of(force, k);
  push_to_neighbours<6>(f, node, in_parts<X>(node.trunk, u), values);
  ldlt_at<6>(f.D_factor + node.factor).solve(u);
  DELASSUS_UNROLL
  for (int k = 0; k < 6; ++k) value[k] = u[k];
}

// Multipliers are few, and take no part in what the sweeps are expanded for: functions of their own, once for all sweeps.

/// Of free links and of multipliers, whose value is their unknown.
template <int N, class T, class X>
[[gnu::noinline]] void pull_value(const Factors<T>& f, const Node& node, X* values) {
  if (f.hat == nullptr || node.columns == 0) return;
  Vec<X, N> u;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) u[k] = values[node.value + k];
  pull_from_neighbours<N>(f, node, values, u);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) values[node.value + k] = u[k];
}

template <int N, class T, class X>
[[gnu::noinline]] void push_multiplier(const Factors<T>& f, const T* factor, const Node& node, X* values) {
  Vec<X, N> u;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) u[k] = values[node.value + k];
  push_to_neighbours<N>(f, node, u, values);
  ldlt_at<N>(factor).solve(u);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) values[node.value + k] = u[k];
}

template <JointRows kRows, class T, class X>
void sweep_in(const Factors<T>& f, const T* multipliers, NodeSweep<X>& sweep) {
  Force<X> handed = Force<X>::zero();
  X* values = sweep.value.data();
  for (const Node *at = f.plan.nodes.data(), *end = at + f.plan.nodes.size(); at != end; ++at) {
    const Node& node = *at;
    switch (node.kind) {
      case Kind::kAxis: {
        Force<X> force = received(node, handed, values);
        push_joint<1, kRows>(f, node, force, sweep);
        // Along a chain of axes the force stays in registers.
        for (; at->hands_on && at[1].kind == Kind::kAxis; ++at) {
          force = received(at[1], force, values);
          push_joint<1, kRows>(f, at[1], force, sweep);
        }
        hand_on(f, *at, force, handed, values);
        break;
      }
      case Kind::kFree:
        push_free(f, node, handed, values);
        break;
      case Kind::kMultiplier:
        if (multipliers == nullptr) break;
        with_rows(node.width, [&](auto N) { push_multiplier<N()>(f, multipliers + node.slot, node, values); });
        break;
      default:
        with_width(node.width, [&](auto N) {
          Force<X> force = received(node, handed, values);
          push_joint<N(), kRows>(f, node, force, sweep);
          hand_on(f, node, force, handed, values);
        });
    }
  }
}

template <JointRows kRows, class T, class X>
void sweep_out(const Factors<T>& f, const T* multipliers, NodeSweep<X>& sweep) {
  Motion<X> last = Motion<X>::zero();  // of the node before
  const Node* const begin = f.plan.nodes.data();
  for (const Node* at = begin + f.plan.nodes.size(); at-- != begin;) {
    const Node& node = *at;
    switch (node.kind) {
      case Kind::kAxis: {
        Motion<X> a = last;
        pull_joint<1, kRows>(f, node, a, sweep);
        for (; at != begin && at[-1].hands_on && at[-1].kind == Kind::kAxis; --at) {
          pull_joint<1, kRows>(f, at[-1], a, sweep);
        }
        last = a;
        break;
      }
      case Kind::kFree:
        pull_value<6>(f, node, sweep.value.data());
        last = motion_at(&sweep.value[node.value]);
        break;
      case Kind::kMultiplier:
        if (multipliers == nullptr) break;
        with_rows(node.width, [&](auto N) { pull_value<N()>(f, node, sweep.value.data()); });
        break;
      default:
        with_width(node.width, [&](auto N) { pull_joint<N(), kRows>(f, node, last, sweep); });
    }
  }
}

template <JointRows kRows, class T, class X>
void sweep_nodes(const Factors<T>& f, const T* multipliers, NodeSweep<X>& sweep) {
  sweep_in<kRows>(f, multipliers, sweep);
  sweep_out<kRows>(f, multipliers, sweep);
}
template <class T, class X>
void sweep_nodes(const Factors<T>& f, const T* multipliers, JointRows rows, NodeSweep<X>& sweep) {
  switch (rows) {
    case JointRows::kNone:
      return sweep_nodes<JointRows::kNone>(f, multipliers, sweep);
    case JointRows::kForces:
      return sweep_nodes<JointRows::kForces>(f, multipliers, sweep);
    case JointRows::kLone:
      return sweep_nodes<JointRows::kLone>(f, multipliers, sweep);
  }
}

/// Forces on joints that rows act on: all others get none.
template <class T, class X>
void push_entries(const ConstraintRows<T>& rows, const std::vector<std::int32_t>& entries, const X* x,
                  NodeSweep<X>& sweep) {
  std::fill(sweep.joint.begin(), sweep.joint.end(), X(0));
  for (const int k : entries) {
    const JointEntry& entry = rows.entries[k];
    sweep.joint[entry.v] += rows.weights[k] * x[entry.row];
  }
}

}  // namespace

template <class T, class X>
void condensed_product(const ConstraintRows<T>& rows, const CondensedPlan& plan, const CondensedConfiguration<T>& c,
                       const X* x, X* y, NodeSweep<X>& work) {
  std::fill(work.value.begin(), work.value.end(), X(0));
  X* value = work.value.data();
  push_groups(plan, c.side, x, value);
  push_points(rows, plan, c, x, value);
  push_parts(plan.stiff_rows, plan, c, x, value);
  push_parts(plan.multiplier_parts, plan, c, x, value);
  const bool joint_rows = !plan.joint_entries.empty();
  if (joint_rows) push_entries(rows, plan.joint_entries, x, work);
  const Factors<T> f{plan, c.art.frames, c.art.U_hat.data(), c.art.D_factor.data(), nullptr, c.yield.data()};
  sweep_nodes<T, X>(f, nullptr, joint_rows ? JointRows::kForces : JointRows::kNone, work);
  for (int r = 0; r < rows.num_rows(); ++r) y[r] = X(0);
  pull_groups(plan, c, x, value, y);
  pull_points<false>(rows, plan, c, value, y);
  pull_parts<false>(plan.stiff_rows, plan, c, value, y);
  pull_parts<false>(plan.multiplier_parts, plan, c, value, y);
  for (const int k : plan.joint_entries) {
    const JointEntry& entry = rows.entries[k];
    y[entry.row] += rows.weights[k] * work.joint[entry.v];
  }
}

template <class T, class X>
void condensed_solve(const ConstraintRows<T>& rows, const CondensedPlan& plan, const CondensedConfiguration<T>& c,
                     const CondensedDamping<T>& d, const X* b, X* z, NodeSweep<X>& work) {
  std::fill(work.value.begin(), work.value.end(), X(0));
  X *value = work.value.data(), *weighted = work.weighted.data();
  weigh(rows.spans, rows.num_rows(), d.rows, b, weighted);
  push_groups(plan, d.dual_side, b, value);
  push_points(rows, plan, c, weighted, value);
  push_parts(plan.stiff_rows, plan, c, weighted, value);
  for (const int at : plan.multipliers) {
    const Node& node = plan.nodes[at];
    for (int r = 0; r < node.width; ++r) value[node.value + r] = b[node.first_row + r];
  }
  const bool lone = !plan.lone_rows.empty(), joint_rows = lone || !plan.stiff_entries.empty();
  if (joint_rows) push_entries(rows, plan.stiff_entries, weighted, work);
  for (std::size_t k = 0; k < plan.lone_rows.size(); ++k) {
    const CondensedPlan::LoneRow& row = plan.lone_rows[k];
    work.lone[k] = rows.weights[row.entry] * weighted[row.row];
  }
  const Factors<T> f{plan, c.art.frames, d.U_hat.data(), d.D_factor.data(), d.hat.data(), nullptr};
  sweep_nodes<T, X>(f, d.multiplier.data(),
                    lone         ? JointRows::kLone
                    : joint_rows ? JointRows::kForces
                                 : JointRows::kNone,
                    work);
  // R (b - J ν̇), one subtraction among accelerations; groups and multipliers then replace it.
  std::copy_n(b, rows.num_rows(), z);
  pull_points<true>(rows, plan, c, value, z);
  pull_parts<true>(plan.stiff_rows, plan, c, value, z);
  for (const int k : plan.stiff_entries) {
    const JointEntry& entry = rows.entries[k];
    z[entry.row] -= rows.weights[k] * work.joint[entry.v];
  }
  // For a lone row, with D the inertia at its joint and k² R what it adds, b - k ν̇ = (D / (D + k² R)) b - k ν̇₀, where ν̇₀ is the
  // joint's acceleration without what R b gives: no difference of nearly equal numbers for large R.
  for (const CondensedPlan::LoneRow& row : plan.lone_rows) {
    X sum = -(rows.weights[row.entry] * work.joint[row.v]);
    for (int s = 0; s < row.count; ++s) sum += d.share[row.share + s] * b[plan.lone_rows[row.first + s].row];
    z[row.row] = sum;
  }
  weigh(rows.spans, rows.num_rows(), d.rows, z, z);
  pull_dual_groups(plan, d, b, value, weighted, z);
  for (const int at : plan.multipliers) {
    const Node& node = plan.nodes[at];
    for (int r = 0; r < node.width; ++r) z[node.first_row + r] = -value[node.value + r];
  }
}

#define DELASSUS_INSTANTIATE_PAIR(T, X)                                                                             \
  template void condensed_product(const ConstraintRows<T>&, const CondensedPlan&, const CondensedConfiguration<T>&, \
                                  const X*, X*, NodeSweep<X>&);                                                     \
  template void condensed_solve(const ConstraintRows<T>&, const CondensedPlan&, const CondensedConfiguration<T>&,   \
                                const CondensedDamping<T>&, const X*, X*, NodeSweep<X>&);
#define DELASSUS_INSTANTIATE(T) DELASSUS_INSTANTIATE_PAIR(T, T)
DELASSUS_FOR_EACH_KERNEL_SCALAR(DELASSUS_INSTANTIATE)
template <class T>
using Panel = Pack<T, 8>;
#define DELASSUS_INSTANTIATE_PANEL(T) DELASSUS_INSTANTIATE_PAIR(T, Panel<T>)
DELASSUS_FOR_EACH_KERNEL_NUMBER(DELASSUS_INSTANTIATE_PANEL)

}  // namespace delassus
