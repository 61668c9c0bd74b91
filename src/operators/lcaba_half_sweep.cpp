#include "operators/lcaba_half_sweep.hpp"

#include <algorithm>

#include "kinematics/width.hpp"
#include "math/chunks.hpp"
#include "math/instantiate.hpp"
#include "operators/condensed/panels.hpp"
#include "operators/condensed/small_blocks.hpp"

namespace delassus {
namespace {

using Kind = CondensedPlan::Kind;
using Node = CondensedPlan::Node;

/// Everything about one node that a chunk of columns needs.
template <class T>
struct Step {
  const CondensedPlan& plan;
  const Node& node;
  const WorldFrames<T>& frames;
  const CondensedDamping<T>& d;
  int columns;  // of the panels
  T* force;     // all values
  T* felt;      // of this node's unknowns

  DELASSUS_INLINE T* value(int v, int column) const {
    return force + static_cast<std::ptrdiff_t>(v) * columns + column;
  }
  template <class X>
  DELASSUS_INLINE Force<X> load_force(int v, int column) const {
    Force<X> f;
    DELASSUS_UNROLL
    for (int c = 0; c < 3; ++c) {
      f.moment[c] = load<X>(value(v + c, column));
      f.force[c] = load<X>(value(v + c + 3, column));
    }
    return f;
  }
  template <class X>
  DELASSUS_INLINE void store_force(int v, int column, const Force<X>& f) const {
    DELASSUS_UNROLL
    for (int c = 0; c < 3; ++c) {
      store(value(v + c, column), f.moment[c]);
      store(value(v + c + 3, column), f.force[c]);
    }
  }
};

template <int N, class X, class T>
DELASSUS_INLINE void push_to_neighbours(const Step<T>& s, const Vec<X, N>& u, int column) {
  for (int r = s.node.runs.first; r < s.node.runs.first + s.node.runs.count; ++r) {
    const CondensedPlan::Run& run = s.plan.runs[r];
    const T* hat = &s.d.hat[s.node.hat + run.column];
    for (int c = 0; c < run.count; ++c) {
      T* to = s.value(run.value + c, column);
      X sum = load<X>(to);
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) sum -= hat[k * s.node.columns + c] * u[k];
      store(to, sum);
    }
  }
}

/// |D|^(-1/2) L⁻¹ u: its square is what the node gives way by, but for the sign.
template <int N, class X, class T>
DELASSUS_INLINE void store_share(const Step<T>& s, const Ldlt<T, N>& D, Vec<X, N> u, int column) {
  DELASSUS_UNROLL
  for (int r = 0; r < N; ++r) {
    DELASSUS_UNROLL
    for (int k = 0; k < r; ++k) u[r] -= D.factor(r, k) * u[k];
  }
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) {
    const T pivot = D.factor(k, k);
    store(s.felt + static_cast<std::ptrdiff_t>(k) * s.columns + column, sqrt(max(pivot, -pivot)) * u[k]);
  }
}

template <int N, class X, class T>
DELASSUS_INLINE void push_link(const Step<T>& s, const Link& link, const Ldlt<T, N>& D, int column) {
  Force<X> f = s.template load_force<X>(s.node.value, column);
  Vec<X, N> u = subspace_dot<N>(s.frames, link, f);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) u[k] += load<X>(s.felt + static_cast<std::ptrdiff_t>(k) * s.columns + column);
  push_to_neighbours<N>(s, u, column);
  if (s.node.parent >= 0) {
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) f -= scaled(s.d.U_hat[link.v + k], u[k]);
    const int parent = s.plan.nodes[s.node.parent].value;
    s.store_force(parent, column, s.template load_force<X>(parent, column) + to_parent(s.frames, s.node.link, f));
  }
  store_share<N>(s, D, u, column);
}

/// Of multipliers and of free links, whose value is their unknown.
template <int N, class X, class T>
DELASSUS_INLINE void push_value(const Step<T>& s, const Ldlt<T, N>& D, int column) {
  Vec<X, N> u;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) u[k] = load<X>(s.value(s.node.value + k, column));
  push_to_neighbours<N>(s, u, column);
  store_share<N>(s, D, u, column);
}

/// Unit forces on stiff rows as wrenches, and on rows with multipliers as they are.
template <class T>
void begin_forces(const CondensedPlan& plan, const HalfSweepPlan& half, const WorldFrames<T>& frames,
                  const ConstraintRows<T>& rows, HalfSweep<T>& work) {
  const int columns = work.felt.y_columns;
  std::fill(work.force.begin(), work.force.end(), T(0));
  const auto at = [&](int value, int column) {
    return &work.force[static_cast<std::size_t>(value) * columns + column];
  };
  for (const int b : half.stiff_blocks) {
    const RowBlock& block = rows.blocks[b];
    for (int r = 0; r < block.rows; ++r) {
      const Force<T> K = row_wrench(rows, block, r, frames.lever[block.link]);
      for (int c = 0; c < 6; ++c) *at(half.value_of_link[block.link] + c, block.first_row + r) += entry_of(K, c);
    }
  }
  for (const int k : plan.multipliers.nodes) {
    const Node& node = plan.nodes[k];
    for (int r = 0; r < node.width; ++r) *at(node.value + r, node.first_row + r) = T(1);
  }
}

/// Weights of stiff rows stand where the joint's share will.
template <class T>
void begin_weights(const Model& model, const HalfSweepPlan& half, const ConstraintRows<T>& rows, const Node& node,
                   int at, HalfSweep<T>& work) {
  const condensed::Range& reached = half.reached[at];
  for (int k = 0; k < node.width; ++k) {
    for (int c = reached.first; c < reached.first + reached.count; ++c) {
      std::fill_n(work.felt.y(half.unknown[at] + k, half.columns[c].first), half.columns[c].count, T(0));
    }
  }
  const condensed::Range& weights = half.weights[at];
  for (int w = weights.first; w < weights.first + weights.count; ++w) {
    const std::int32_t k = half.weight_entries[w];
    const JointEntry& entry = rows.entries[k];
    *work.felt.y(half.unknown[at] + entry.v - model.link(node.link).v, entry.row) += rows.weights[k];
  }
}

}  // namespace

template <class T>
void HalfSweep<T>::resize(const CondensedPlan& plan, const HalfSweepPlan& half, int rows) {
  force.assign(static_cast<std::size_t>(plan.values) * rows, T(0));
  felt.y_columns = rows;
  felt.Y.assign(static_cast<std::size_t>(half.unknowns) * rows, T(0));
}

template <class T>
void sweep_half(const Model& model, const CondensedPlan& plan, const HalfSweepPlan& half,
                const CondensedConfiguration<T>& c, const CondensedDamping<T>& d, const ConstraintRows<T>& rows,
                HalfSweep<T>& work) {
  begin_forces(plan, half, c.art.frames, rows, work);
  for (int at = 0; at < static_cast<int>(plan.nodes.size()); ++at) {
    const Node& node = plan.nodes[at];
    begin_weights(model, half, rows, node, at, work);
    const Step<T> step{
        plan, node, c.art.frames, d, work.felt.y_columns, work.force.data(), work.felt.y(half.unknown[at], 0)};
    const T* factor = node.link < 0 ? &d.multiplier[node.slot] : &d.D_factor[node.factor];
    with_rows(node.width, [&](auto n) {
      constexpr int N = n();
      const Ldlt<T, N> D = ldlt_at<N>(factor);
      for (const HalfSweepPlan::Columns& columns : part(half.columns, half.reached[at])) {
        for_each_chunk<T>(columns.count, [&]<class X>(std::type_identity<X>, int offset) {
          if (node.kind == Kind::kMultiplier || node.kind == Kind::kFree) {
            push_value<N, X>(step, D, columns.first + offset);
          } else if constexpr (N != 4 && N != 5) {  // no joint has so many degrees of freedom
            push_link<N, X>(step, model.link(node.link), D, columns.first + offset);
          }
        });
      }
    });
  }
}

#define DELASSUS_INSTANTIATE(T)                                                                                        \
  template struct HalfSweep<T>;                                                                                        \
  template void sweep_half(const Model&, const CondensedPlan&, const HalfSweepPlan&, const CondensedConfiguration<T>&, \
                           const CondensedDamping<T>&, const ConstraintRows<T>&, HalfSweep<T>&);
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
