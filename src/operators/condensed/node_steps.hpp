// One node of the two sweeps: forces inwards, motions outwards. The steps are those of articulated bodies; a node that is coupled
// to others passes on to them, too (line numbers: Sathya, Montaut, de Mont-Marin, Carpentier, "Matrix-Free Delassus Operations",
// algorithm 4).
#pragma once

#include "operators/condensed/exchange.hpp"
#include "operators/condensed/strip_lanes.hpp"
#include "operators/condensed/sweeps.hpp"

namespace delassus::condensed {

/// The factors that a sweep goes through.
template <class T>
struct Factors {
  const CondensedPlan& plan;
  const WorldFrames<T>& frames;
  const Force<T>* U_hat;
  const T* D_factor;
  const T* hat;            // couplings, or null
  const T* multiplier;     // their factors, or null
  const Sym<T, 6>* yield;  // of free joints, or null: then D_factor has theirs

  bool couples(const Node& node) const { return hat != nullptr && node.columns > 0; }
};

/// Which forces there are on joints.
enum class JointForces { kNone, kRows, kRowsAndLone };

// ---------------------------------------------------------------------------------------- neighbours

/// Numbers of a factor for the lanes of L: next to each other for columns side by side, the same for right-hand sides X.
template <class L, class X, class T>
DELASSUS_INLINE auto factor_at(const T* from) {
  if constexpr (std::same_as<L, X>) {
    return *from;
  } else {
    return load<L>(from);
  }
}

/// value -= hatᵀ u on all neighbours (line 24).
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

// -------------------------------------------------------------------------------------------- joints

/// Adds forces of lone rows; what they alone give the joint is kept apart.
template <int N, class T, class X>
DELASSUS_INLINE void push_lone(const Factors<T>& f, const Node& node, NodeSweep<X>& sweep, Vec<X, N>& all) {
  Vec<X, N> lone;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) all[k] += lone[k] = Exchange<X>::whole(node, sweep.lone[node.lone + k]);
  ldlt_at<N>(f.D_factor + node.factor).solve(lone);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) sweep.lone[node.lone + k] = lone[k];
}

/// The force on a link becomes what is left of it for the parent: u = Sᵀ f + τ, f ← f - Û u.
template <int N, JointForces kForces, class T, class X>
DELASSUS_INLINE void push_joint(const Factors<T>& f, const Node& node, Force<X>& force, NodeSweep<X>& sweep) {
  Vec<X, N> u;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) {
    u[k] = dot(f.frames.S[node.v + k], force);
    if constexpr (kForces != JointForces::kNone) u[k] += Exchange<X>::whole(node, sweep.joint[node.v + k]);
  }
  Vec<X, N> all = u;
  if constexpr (kForces == JointForces::kRowsAndLone) {
    if (node.lone >= 0) push_lone<N>(f, node, sweep, all);
  }
  if (f.couples(node)) push_to_neighbours<N, T, X>(f, node, Exchange<X>::parts(node, all), sweep.value.data());
  if (node.parent >= 0) {
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) force -= scaled(f.U_hat[node.v + k], all[k]);
    force = to_parent(f.frames, node.link, force);
  }
  ldlt_at<N>(f.D_factor + node.factor).solve(u);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) sweep.joint[node.v + k] = u[k];
}

/// ν̇ = D⁻¹ u - Ûᵀ a, a ← a + S ν̇. Of joints with lone rows sweep.joint is left without what those give: see lone.hpp.
template <int N, JointForces kForces, class T, class X>
DELASSUS_INLINE void pull_joint(const Factors<T>& f, const Node& node, Motion<X>& last, NodeSweep<X>& sweep) {
  Vec<X, N> u;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) u[k] = sweep.joint[node.v + k];
  if (f.couples(node)) pull_from_neighbours<N>(f, node, sweep.value.data(), u);
  Motion<X> a = Motion<X>::zero();
  if (node.parent >= 0) {
    a = node.hands_on ? last : Exchange<X>::pull(f.plan, node, sweep.value.data());
    a = from_parent(f.frames, node.link, a);
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) u[k] -= dot(a, f.U_hat[node.v + k]);
  }
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) sweep.joint[node.v + k] = u[k];
  if constexpr (kForces == JointForces::kRowsAndLone) {
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

// ----------------------------------------------------------- free links and multipliers: their value is their unknown

/// The force on a node, with what the node before hands on.
template <class X>
DELASSUS_INLINE Force<X> received(const Node& node, const Force<X>& handed, const X* values) {
  Force<X> force = Exchange<X>::whole(node, force_at(values + node.value));
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
    Exchange<X>::push(f.plan, node, force, values);
  }
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
  push_to_neighbours<6, T, X>(f, node, Exchange<X>::parts(node, u), values);
  ldlt_at<6>(f.D_factor + node.factor).solve(u);
  DELASSUS_UNROLL
  for (int k = 0; k < 6; ++k) value[k] = u[k];
}

// Multipliers are few, and take no part in what the sweeps are expanded for: functions of their own, once for all sweeps.

template <int N, class T, class X>
[[gnu::noinline]] void push_multiplier(const Factors<T>& f, const Node& node, X* values) {
  Vec<X, N> u;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) u[k] = values[node.value + k];
  push_to_neighbours<N>(f, node, u, values);
  ldlt_at<N>(f.multiplier + node.slot).solve(u);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) values[node.value + k] = u[k];
}

/// Of free links and of multipliers.
template <int N, class T, class X>
[[gnu::noinline]] void pull_value(const Factors<T>& f, const Node& node, X* values) {
  if (!f.couples(node)) return;
  Vec<X, N> u;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) u[k] = values[node.value + k];
  pull_from_neighbours<N>(f, node, values, u);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) values[node.value + k] = u[k];
}

}  // namespace delassus::condensed
