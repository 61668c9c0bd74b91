// Branches with loops in them: the rows of a limb carried together, over all its joints, to the node above. As of a group, K̂ is
// what that node feels of them, and Ω how much they give way on the branch alone. With L D Lᵀ = R⁻¹ + Ω and Y = L⁻¹ K̂,
//
//   K̂ᵀ (R⁻¹ + Ω)⁻¹ K̂ = Yᵀ D⁻¹ Y,    z = L⁻ᵀ D⁻¹ (L⁻¹ b − Y a):
//
// one elimination of the rows [ R⁻¹ + Ω, K̂ ] gives all of it. Rows whose damping stays go first, and what they leave is kept.
#pragma once

#include <cstring>

#include "dynamics/link_step.hpp"
#include "kinematics/width.hpp"
#include "operators/condensed/panels.hpp"
#include "operators/condensed/placed.hpp"
#include "operators/condensed/strip_lanes.hpp"

namespace delassus::condensed {

using Branch = Branches::Branch;

/// Of how much entries of R⁻¹ + Ω are larger than their pivots, what is rounding: L D Lᵀ leaves residuals of at most five such ratios (Cassie with
/// and without friction, dampings from 1e-2 to 1e-8), where stiffness leaves up to two hundred.
inline constexpr double kBranchGrowth = 1.0 / 32;

/// Numbers that go side by side in rows of branches. There are always whole lanes.
template <class T>
inline constexpr int kSide = Laned<T> ? 4 : 1;
template <class T>
constexpr int lane_of(int at) {
  return at / kSide<T> * kSide<T>;
}

/// Row `row` of a branch in an array of rows like these.
template <class T>
DELASSUS_INLINE T* row_of(const Branch& b, T* fronts, int row) {
  return fronts + b.front + row * b.stride;
}

// ---------------------------------------------------------------------------------------------- place

/// Rows of a branch while they are carried: components of wrenches on each link, what each joint feels of them, G, and D⁻¹ G.
template <class T>
struct CarriedRows {
  CarriedRows(const Branch& branch, std::vector<T>& memory)
      : columns(branch.columns),
        first(memory.data()),
        felt(first + 6 * columns * (branch.steps.count + 1)),
        divided(felt + branch.dofs * columns) {
    std::fill(first, divided + branch.dofs * columns, T(0));
  }
  /// On the link of a step, counted from the first; -1: on the link above all.
  T* on(int step) const { return first + 6 * columns * (step + 1); }

  const int columns;
  T *const first, *const felt, *const divided;
};

/// Side by side, from one column on.
template <class T>
DELASSUS_INLINE Force<RowLanes<T>> wrenches_at(const T* K, int columns) {
  Force<RowLanes<T>> out;
  DELASSUS_UNROLL
  for (int c = 0; c < 3; ++c) {
    out.moment[c] = load<RowLanes<T>>(K + c * columns);
    out.force[c] = load<RowLanes<T>>(K + (c + 3) * columns);
  }
  return out;
}
template <class T>
DELASSUS_INLINE void add_wrenches(const Force<RowLanes<T>>& K, T* to, int columns) {
  using P = RowLanes<T>;
  DELASSUS_UNROLL
  for (int c = 0; c < 3; ++c) {
    store(to + c * columns, load<P>(to + c * columns) + K.moment[c]);
    store(to + (c + 3) * columns, load<P>(to + (c + 3) * columns) + K.force[c]);
  }
}

/// All rows where they act: on links, and as weights on joints.
template <class T>
void begin_carrying(const Branches& branches, const Branch& b, const ConstraintRows<T>& rows,
                    const WorldFrames<T>& frames, const CarriedRows<T>& K) {
  for (int k = 0; k < b.steps.count; ++k) {
    const Branches::Step& step = branches.steps[b.steps.first + k];
    for (const Branches::Block& part_of : part(branches.blocks, step.blocks)) {
      const RowBlock& block = rows.blocks[part_of.block];
      T* to = K.on(k) + part_of.row;
      for (int r = 0; r < block.rows; ++r) {
        const Force<T> row = row_wrench(rows, block, r, frames.lever[step.link]);
        DELASSUS_UNROLL
        for (int e = 0; e < 6; ++e) to[e * K.columns + r] += entry_of(row, e);
      }
    }
    for (const Branches::Entry& e : part(branches.entries, step.entries)) {
      K.felt[(step.dof + e.dof) * K.columns + e.row] += rows.weights[e.entry];
    }
  }
}

/// With G = K S and weights on the joint, K − G Ûᵀ for the link above.
template <int N, class T>
DELASSUS_INLINE void cross_branch_joint(const Branches::Step& step, int own, const Articulation<T>& art,
                                        const Link& link, const CarriedRows<T>& K) {
  using P = RowLanes<T>;
  const Ldlt<T, N> D = joint_factor<N>(art, link);
  const int columns = K.columns, i = step.link, v = link.v;
  const bool on_world = link.parent == kWorld, moves = !on_world && !art.frames.plan.shares_parent[i];
  T *felt = K.felt + step.dof * columns, *divided = K.divided + step.dof * columns;
  T *from = K.on(own), *to = K.on(step.above);
  for (int at = lane_of<T>(step.first), end = step.end; at < end; at += kSide<T>) {
    Force<P> wrenches = wrenches_at(from + at, columns);
    Vec<P, N> G = subspace_dot<N>(art.frames, link, wrenches);
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) {
      G[k] += load<P>(felt + k * columns + at);
      store(felt + k * columns + at, G[k]);
    }
    if (!on_world) {
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) wrenches -= scaled(art.U_hat[v + k], G[k]);
      if (moves) wrenches.moment += cross(art.frames.step[i], wrenches.force);
      add_wrenches<T>(wrenches, to + at, columns);
    }
    D.solve(G);
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) store(divided + k * columns + at, G[k]);
  }
}

/// Ω = Σ G D⁻¹ Gᵀ over all joints, some rows and columns of it.
template <int R, class T>
DELASSUS_INLINE void add_compliance(const Branches& branches, const Branch& b, const CarriedRows<T>& K, int row, int at,
                                    T* front) {
  using P = RowLanes<T>;
  const int columns = K.columns;
  P sum[R];
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) sum[r] = P(0);
  for (const Branches::Step& step : part(branches.steps, b.steps)) {
    if (step.end <= row || step.first >= at + kSide<T>) continue;
    const int end = &step == &branches.steps[b.steps.end() - 1] ? b.dofs : (&step)[1].dof;
    for (int k = step.dof; k < end; ++k) {
      const P felt = load<P>(K.felt + k * columns + at);
      DELASSUS_UNROLL
      for (int r = 0; r < R; ++r) sum[r] += K.divided[k * columns + row + r] * felt;
    }
  }
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) store(front + (row + r) * b.stride + at, sum[r]);
}

/// Row by row below the diagonal, then the same above it.
template <class T>
void find_compliance(const Branches& branches, const Branch& b, const CarriedRows<T>& K, T* front) {
  int row = 0;
  if constexpr (Laned<T>) {
    for (; row + 4 <= b.rows.count; row += 4) {
      for (int at = 0; at <= row; at += 4) add_compliance<4>(branches, b, K, row, at, front);
    }
  }
  for (; row < b.rows.count; ++row) {
    for (int at = 0; at <= row; at += kSide<T>) add_compliance<1>(branches, b, K, row, at, front);
  }
  for (int r = 1; r < b.rows.count; ++r) {
    for (int s = 0; s < r; ++s) front[s * b.stride + r] = front[r * b.stride + s];
  }
}

template <class T>
void place_branch(const Branches& branches, const Branch& b, const Model& model, const ConstraintRows<T>& rows,
                  CondensedConfiguration<T>& c) {
  const CarriedRows<T> K(b, c.carried);
  begin_carrying(branches, b, rows, c.art.frames, K);
  for (int k = 0; k < b.steps.count; ++k) {
    const Branches::Step& step = branches.steps[b.steps.first + k];
    const Link& link = model.link(step.link);
    with_width(link.nv, [&](auto N) { cross_branch_joint<N()>(step, k, c.art, link, K); });
  }
  T* front = &c.front[b.front];
  std::fill_n(front, b.rows.count * b.stride, T(0));
  find_compliance(branches, b, K, front);
  for (int r = 0; r < b.rows.count && b.link >= 0; ++r) {
    const T* from = K.on(-1) + r;
    const Force<T> row{{{from[0], from[K.columns], from[2 * K.columns]}},
                       {{from[3 * K.columns], from[4 * K.columns], from[5 * K.columns]}}};
    const Force<T> placed = shifted(row, -c.art.frames.lever[b.link]);
    store_six(front + r * b.stride + b.columns, placed.moment, placed.force);
  }
}

/// K̂ and Ω.
template <class T>
void place(const Branches& branches, const Model& model, const ConstraintRows<T>& rows, CondensedConfiguration<T>& c) {
  for (const Branch& b : branches.list) place_branch(branches, b, model, rows, c);
}

// -------------------------------------------------------------------------------------- push and pull

/// Σ K̂ x over the rows, K̂ᵀ x: of rows of numbers that have wrenches behind their columns.
template <class T, class X>
DELASSUS_INLINE Force<X> force_of(const Branch& b, const T* front, const X* x) {
  if constexpr (Laned<T> && std::same_as<T, X>) {
    using P = Pack<T, 4>;
    P first(0), second(0);
    for (int r = 0; r < b.rows.count; ++r) {
      const T* K = row_of(b, front, r) + b.columns;
      first += x[r] * load<P>(K);
      second += x[r] * load<P>(K + 4);
    }
    return {{{first[0], first[1], first[2]}}, {{first[3], second[0], second[1]}}};
  } else {
    Force<X> f = Force<X>::zero();
    for (int r = 0; r < b.rows.count; ++r) f += scaled(force_at(row_of(b, front, r) + b.columns), x[r]);
    return f;
  }
}

/// x += K̂ a, or -=. Four rows at a time; there are no more in the last lanes than columns.
template <bool kMinus, class T, class X>
DELASSUS_INLINE void add_motion(const Branch& b, const T* front, const Motion<X>& a, X* x) {
  if constexpr (Laned<T> && std::same_as<T, X>) {
    using P = Pack<T, 4>;
    const P first(typename P::Vector{a.angular[0], a.angular[1], a.angular[2], a.linear[0]});
    const P second(typename P::Vector{a.linear[1], a.linear[2], T(0), T(0)});
    for (int r = 0; r < b.rows.count; r += 4) {
      P sum[4];
      DELASSUS_UNROLL
      for (int k = 0; k < 4; ++k) {
        const T* K = row_of(b, front, r + k < b.rows.count ? r + k : r) + b.columns;
        sum[k] = first * load<P>(K) + second * load<P>(K + 4);
      }
      const P felt = lane_sums(sum[0], sum[1], sum[2], sum[3]), before = load<P>(x + r);
      store(x + r, kMinus ? before - felt : before + felt);
    }
  } else {
    for (int r = 0; r < b.rows.count; ++r) {
      const X felt = dot(a, force_at(row_of(b, front, r) + b.columns));
      kMinus ? x[r] -= felt : x[r] += felt;
    }
  }
}

/// x += s row, or -=, for columns from `first` on, as far as those of Ω go.
template <bool kMinus, class T, class X>
DELASSUS_INLINE void add_row(const T* row, const X& s, int first, int end, X* x) {
  if constexpr (std::same_as<T, X>) {
    using P = RowLanes<T>;
    for (int at = lane_of<T>(first); at < end; at += kSide<T>) {
      const P added = s * load<P>(row + at), before = load<P>(x + at);
      store(x + at, kMinus ? before - added : before + added);
    }
  } else {
    for (int at = first; at < end; ++at) kMinus ? x[at] -= row[at] * s : x[at] += row[at] * s;
  }
}

/// x ← L⁻¹ x, and D⁻¹ times it.
template <class T, class X>
DELASSUS_INLINE void solve_lower(const Branch& b, const T* front, const T* lower, const T* inverse, X* x, X* divided) {
  int r = 0;
  if constexpr (Laned<T> && std::same_as<T, X>) {
    using P = Pack<T, 4>;
    for (; r + 4 <= b.rows.count; r += 4) {  // four at a time: others are read and written once
      T s[4];
      DELASSUS_UNROLL
      for (int k = 0; k < 4; ++k) {
        s[k] = x[r + k];
        DELASSUS_UNROLL
        for (int l = 0; l < k; ++l) s[k] -= lower[(r + k) * b.columns + r + l] * s[l];
      }
      DELASSUS_UNROLL
      for (int k = 0; k < 4; ++k) {
        x[r + k] = s[k];
        divided[r + k] = s[k] = inverse[r + k] * s[k];
      }
      const T* row = row_of(b, front, r);
      for (int at = r + 4; at < b.columns; at += 4) {
        P sum = load<P>(x + at);
        DELASSUS_UNROLL
        for (int k = 0; k < 4; ++k) sum -= s[k] * load<P>(row + k * b.stride + at);
        store(x + at, sum);
      }
    }
  }
  for (; r < b.rows.count; ++r) {
    divided[r] = inverse[r] * x[r];
    add_row<true>(row_of(b, front, r), divided[r], r + 1, b.columns, x);
  }
}

/// x ← L⁻ᵀ x.
template <class T, class X>
DELASSUS_INLINE void solve_upper(const Branch& b, const T* lower, X* x) {
  int r = b.rows.count;
  const int blocks = Laned<T> && std::same_as<T, X> ? b.rows.count / 4 * 4 : 0;
  for (; r > std::max(blocks, 1); --r) add_row<true>(lower + (r - 1) * b.columns, x[r - 1], 0, r - 1, x);
  if constexpr (Laned<T> && std::same_as<T, X>) {
    using P = Pack<T, 4>;
    for (r = blocks - 4; r >= 0; r -= 4) {
      T s[4];
      DELASSUS_UNROLL
      for (int k = 3; k >= 0; --k) {
        s[k] = x[r + k];
        DELASSUS_UNROLL
        for (int l = k + 1; l < 4; ++l) s[k] -= lower[(r + l) * b.columns + r + k] * s[l];
      }
      DELASSUS_UNROLL
      for (int k = 0; k < 4; ++k) x[r + k] = s[k];
      for (int at = 0; at < r; at += 4) {
        P sum = load<P>(x + at);
        DELASSUS_UNROLL
        for (int k = 0; k < 4; ++k) sum -= s[k] * load<P>(lower + (r + k) * b.columns + at);
        store(x + at, sum);
      }
    }
  }
}

template <class X>
DELASSUS_INLINE void gather(const Branches& branches, const Branch& b, const X* x, X* out) {
  const std::int32_t *rows = &branches.rows[b.rows.first], count = b.rows.count;
  int r = 0;
  if constexpr (Laned<X>) {  // as lanes, for those who read lanes: stored one by one they would have to be waited for
    using P = Pack<X, 4>;
    for (; r + 4 <= count; r += 4) {
      store(out + r, P(typename P::Vector{x[rows[r]], x[rows[r + 1]], x[rows[r + 2]], x[rows[r + 3]]}));
    }
  }
  for (; r < count; ++r) out[r] = x[rows[r]];
  for (; r < b.columns; ++r) out[r] = X(0);
}
template <class X>
DELASSUS_INLINE void scatter(const Branches& branches, const Branch& b, const X* in, X* y) {
  for (int r = 0; r < b.rows.count; ++r) y[branches.rows[b.rows.first + r]] = in[r];
}

template <class T, class X>
DELASSUS_INLINE void push_force(const Branch& b, const Placed<T>& p, const Force<X>& f, X* values) {
  if (b.link >= 0) add_force(p.at(b.node, values), shifted(f, p.lever(b.link)));
}
/// Of the node, about its origin.
template <class T, class X>
DELASSUS_INLINE Motion<X> motion_of_node(const Branch& b, const Placed<T>& p, const X* values) {
  return shifted(motion_at(p.at(b.node, values)), p.lever(b.link));
}

/// K̂ᵀ x on nodes.
template <class T, class X>
void push(const Branches& branches, const Placed<T>& p, const X* x, X* values, std::vector<X>& work) {
  for (const Branch& b : branches.list) {
    X* in = &work[b.value];
    gather(branches, b, x, in);
    push_force(b, p, force_of(b, p.c.front.data(), in), values);
  }
}

/// y = Ω x + K̂ a.
template <class T, class X>
void pull(const Branches& branches, const Placed<T>& p, const X* values, const std::vector<X>& work, X* y) {
  X out[kMostBranchRows];
  for (const Branch& b : branches.list) {
    const X* in = &work[b.value];
    const T* front = p.c.front.data();
    std::fill_n(out, b.columns, X(0));
    for (int r = 0; r < b.rows.count; ++r) add_row<false>(row_of(b, front, r), in[r], 0, b.columns, out);
    if (b.link >= 0) add_motion<false>(b, front, motion_of_node(b, p, values), out);
    scatter(branches, b, out, y);
  }
}

/// (S K̂)ᵀ b on nodes, as Yᵀ D⁻¹ L⁻¹ b. Leaves L⁻¹ b in `work`, and D⁻¹ times it in `weighted`.
template <class T, class X>
void push(const Branches& branches, const Placed<T>& p, const CondensedDamping<T>& d, const X* b, X* values,
          std::vector<X>& work, X* weighted) {
  X divided[kMostBranchRows];
  for (const Branch& branch : branches.list) {
    X* x = &work[branch.value];
    const T *front = d.branches.front.data(), *inverse = &d.branches.inverse[branch.value];
    gather(branches, branch, b, x);
    solve_lower(branch, front, &d.branches.lower[branch.lower], inverse, x, divided);
    push_force(branch, p, force_of(branch, front, divided), values);
    scatter(branches, branch, divided, weighted);
  }
}

/// z = L⁻ᵀ D⁻¹ (L⁻¹ b − Y a).
template <class T, class X>
void pull(const Branches& branches, const Placed<T>& p, const CondensedDamping<T>& d, const X* values,
          const std::vector<X>& work, X* z) {
  X x[kMostBranchRows];
  for (const Branch& b : branches.list) {
    const T *inverse = &d.branches.inverse[b.value], *lower = &d.branches.lower[b.lower];
    std::copy_n(&work[b.value], b.columns, x);
    if (b.link >= 0) add_motion<true>(b, d.branches.front.data(), motion_of_node(b, p, values), x);
    multiply_rows(b.rows.count, inverse, x, x);
    solve_upper(b, lower, x);
    scatter(branches, b, x, z);
  }
}

// -------------------------------------------------------------------------------------------- stiffen

/// R⁻¹ on and above the diagonal of row r, six numbers: those of other constraints are zero.
template <class T>
DELASSUS_INLINE void damping_of(const Branches& branches, const Branch& b, const RowWeights<T>& w, int r, T* out) {
  const std::int32_t* rows = &branches.rows[b.rows.first];
  const bool blocks = w.kind == Damping<T>::Kind::kBlocks;
  out[0] = w.damping_between(rows[r], rows[r]);
  for (int k = 1; k < 6; ++k) {
    const bool same = blocks && r + k < b.rows.count && w.first[rows[r]] == w.first[rows[r + k]];
    out[k] = same ? w.damping_between(rows[r], rows[r + k]) : T(0);
  }
}

/// Rows from `first` to `end` are damped and go: what is left of those behind them stays in place.
template <class T>
class BranchElimination {
 public:
  BranchElimination(const Branches& branches, const Branch& b, const CondensedConfiguration<T>& c,
                    CondensedDamping<T>& d, typename BranchDamping<T>::Pivots& pivots)
      : branches_(branches),
        b_(b),
        d_(d),
        blocks_(d.rows.kind == Damping<T>::Kind::kBlocks),
        undamped_(&c.front[b.front]),
        front_(d.branches.front.data()),
        lower_(&d.branches.lower[b.lower]),
        inverse_(&d.branches.inverse[b.value]),
        pivots_(pivots) {}

  /// As many rows as go at once, from `first` on and before `end`, if there are.
  void run(int first, int end) {
    if (first >= end) return;
    const int block = std::min(end - first, kBlock);
    for (int r = first; r < first + block && blocks_; ++r) add_block(r);
    const T least = with_block(block, [&](auto B) { return eliminate<B()>(first); });
    pivots_.margin = min(pivots_.margin, least);
  }
  /// Yᵀ D⁻¹ Y of these rows.
  void stiffen(int first, int end, ArticulatedInertia<T>& to) const {
    ArticulatedInertia<T> H = to;  // in registers: it might be one of the rows, for all that the compiler knows
    for (int r = first; r < end; ++r) {
      const T* Y = row_of(b_, front_, r) + b_.columns;
      if constexpr (Laned<T>) {
        const auto y = column_at(Y);
        const Lane3<T> weight(-inverse_[r], -inverse_[r], -inverse_[r]);
        downdate(H, y, {weight * y.moment, weight * y.force});
      } else {
        downdate(H, force_at(Y), scaled(force_at(Y), -inverse_[r]));
      }
    }
    to = H;
  }

  /// Rows that go at once: what is left of others is read and written once for all of them.
  static constexpr int kBlock = Laned<T> ? 6 : 1;

 private:
  /// R⁻¹ off the diagonal.
  void add_block(int r) {
    T damping[6];
    damping_of(branches_, b_, d_.rows, r, damping);
    for (int k = 1; k < 6 && r + k < b_.rows.count; ++k) row_of(b_, front_, r)[r + k] += damping[k];
  }

  using P = RowLanes<T>;

  template <class F>
  DELASSUS_INLINE static T with_block(int rows, F&& f) {
    if constexpr (kBlock == 1) {
      return f(std::integral_constant<int, 1>{});
    } else {
      switch (rows) {
        case 1:
          return f(std::integral_constant<int, 1>{});
        case 2:
          return f(std::integral_constant<int, 2>{});
        case 3:
          return f(std::integral_constant<int, 3>{});
        case 4:
          return f(std::integral_constant<int, 4>{});
        case 5:
          return f(std::integral_constant<int, 5>{});
        default:
          return f(std::integral_constant<int, 6>{});
      }
    }
  }

  /// Rows from r on become D Lᵀ and Y, those behind them lose what these give.
  template <int B>
  DELASSUS_INLINE T eliminate(int r) {
    T margin;
    const Ldlt<T, B> D = factor<B>(r, margin);
    alignas(64) T factors[B][kMostBranchRows];
    divide<B>(r, D, factors);
    int i = r + B;
    for (; i + 2 <= b_.rows.count; i += 2) update<B, 2>(r, i, factors);
    if (i < b_.rows.count) update<B, 1>(r, i, factors);
    return margin;
  }

  /// R rows from i on lose what those from r on give.
  template <int B, int R>
  DELASSUS_INLINE void update(int r, int i, const T (&factors)[B][kMostBranchRows]) {
    // Numbers of the branch are copied: what is stored in lanes might be them, for all that the compiler knows.
    const int columns = b_.columns, stride = b_.stride, end = columns + 6;
    const T* row = front_ + b_.front + r * stride;
    T *other = front_ + b_.front + i * stride, *lower = lower_ + i * columns + r;
    T factor[R][B];
    DELASSUS_UNROLL
    for (int l = 0; l < R; ++l) {
      DELASSUS_UNROLL
      for (int k = 0; k < B; ++k) lower[l * columns + k] = factor[l][k] = factors[k][i + l];
    }
    for (int at = lane_of<T>(i); at < end; at += kSide<T>) {
      P sum[R];
      DELASSUS_UNROLL
      for (int l = 0; l < R; ++l) sum[l] = load<P>(other + l * stride + at);
      DELASSUS_UNROLL
      for (int k = 0; k < B; ++k) {
        const P gone = load<P>(row + k * stride + at);
        DELASSUS_UNROLL
        for (int l = 0; l < R; ++l) sum[l] -= factor[l][k] * gone;
      }
      DELASSUS_UNROLL
      for (int l = 0; l < R; ++l) store(other + l * stride + at, sum[l]);
    }
  }

  template <int B>
  DELASSUS_INLINE static Ldlt<T, B> factor_by_pairs(const Sym<T, B>& A, const Vec<T, B>& floor, T& margin) {
    if constexpr (Laned<T>) {
      return factor_ldlt_by_pairs(A, floor, margin);
    } else {
      return factor_ldlt(A, floor, margin);
    }
  }

  template <int B>
  DELASSUS_INLINE Ldlt<T, B> factor(int r, T& margin) {
    const std::int32_t* rows = &branches_.rows[b_.rows.first + r];
    Sym<T, B> A;
    Vec<T, B> damping, floor;
    DELASSUS_UNROLL
    for (int k = 0; k < B; ++k) {
      damping[k] = blocks_ ? d_.rows.damping_between(rows[k], rows[k]) : d_.rows.damping[rows[k]];
      floor[k] = blocks_ ? T(0) : T(0.5) * damping[k];
      DELASSUS_UNROLL
      for (int l = k; l < B; ++l) A(l, k) = row_of(b_, front_, r + k)[r + l];
      A(k, k) += damping[k];
    }
    const Ldlt<T, B> D = factor_by_pairs(A, floor, margin);
    DELASSUS_UNROLL
    for (int k = 0; k < B; ++k) {
      pivots_.growth = max(pivots_.growth, (undamped_[(r + k) * (b_.stride + 1)] + damping[k]) * D.factor(k, k));
      inverse_[r + k] = D.factor(k, k);
      DELASSUS_UNROLL
      for (int l = 0; l < k; ++l) lower_[(r + k) * b_.columns + r + l] = D.factor(k, l);
    }
    return D;
  }

  /// Rows from r on lose what those before them give, and zeros come on and below the diagonal. Leaves L behind them in `factors`.
  template <int B>
  DELASSUS_INLINE void divide(int r, const Ldlt<T, B>& D, T (&factors)[B][kMostBranchRows]) {
    T* row = row_of(b_, front_, r);
    const int columns = b_.columns, stride = b_.stride, end = columns + 6;
    for (int at = lane_of<T>(r); at < end; at += kSide<T>) {
      P x[B];
      DELASSUS_UNROLL
      for (int k = 0; k < B; ++k) {
        x[k] = load<P>(row + k * stride + at);
        DELASSUS_UNROLL
        for (int l = 0; l < k; ++l) x[k] -= D.factor(k, l) * x[l];
      }
      DELASSUS_UNROLL
      for (int k = 0; k < B; ++k) {
        if (at < columns) store(factors[k] + at, D.factor(k, k) * x[k]);
        store(row + k * stride + at, at <= r + k ? above_diagonal(x[k], at, r + k) : x[k]);
      }
    }
  }
  /// Of entries of a row, those in columns behind one.
  DELASSUS_INLINE static P above_diagonal(const P& x, int at, int column) {
    if constexpr (kSide<T> == 1) {
      return P(0);
    } else {
      const P columns(typename P::Vector{T(0), T(1), T(2), T(3)});
      return select(P(T(column - at)) < columns, x, P(0));
    }
  }

  const Branches& branches_;
  const Branch& b_;
  CondensedDamping<T>& d_;
  const bool blocks_;
  const T* undamped_;
  T *front_, *lower_, *inverse_;
  typename BranchDamping<T>::Pivots& pivots_;
};

/// Puts a number in the place of another; whether they are the same, bit by bit where they are more than a number.
template <class T>
DELASSUS_INLINE bool replaces_same(const T& now, T& before) {
  bool same;
  if constexpr (std::floating_point<T>) {
    same = now == before;
  } else {
    // Bits that are no part of a number can only make them differ, which costs time and changes nothing.
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    same = std::memcmp(static_cast<const void*>(&now), &before, sizeof(T)) == 0;
  }
  before = now;
  return same;
}

/// Whether the rows that are kept have the damping that they had; remembers it.
template <class T>
bool is_damped_as_before(const Branches& branches, const Branch& b, CondensedDamping<T>& d) {
  T* before = &d.branches.damping[6 * static_cast<std::size_t>(b.rows.first)];
  const std::int32_t* rows = &branches.rows[b.rows.first];
  bool same = true;
  if (d.rows.kind != Damping<T>::Kind::kBlocks) {
    for (int r = 0; r < b.kept; ++r) same &= replaces_same(d.rows.damping[rows[r]], before[r]);
    return same;
  }
  for (int r = 0; r < b.kept; ++r) {
    T now[6];
    damping_of(branches, b, d.rows, r, now);
    for (int k = 0; k < 6; ++k) same &= replaces_same(now[k], before[6 * r + k]);
  }
  return same;
}

/// f(branch, kept) for all of them.
template <class T, class F>
DELASSUS_INLINE void for_each_branch(const Branches& branches, CondensedDamping<T>& d, F&& f) {
  for (std::size_t k = 0; k < branches.list.size(); ++k) f(branches.list[k], d.branches.kept[k]);
}

/// Rows of all branches in turns: each is a chain of divisions, and chains overlap.
template <class T, class F>
DELASSUS_INLINE void for_each_turn(const Branches& branches, CondensedDamping<T>& d, F&& f) {
  for (int row = 0; row < branches.most_rows; row += BranchElimination<T>::kBlock) {
    for_each_branch(branches, d, [&](const Branch& b, auto& kept) { f(b, kept, row); });
  }
}

/// Where elimination begins: with all rows, or behind those that are kept.
template <class T>
void begin_branch(const Branches& branches, const Branch& b, const CondensedConfiguration<T>& c, CondensedDamping<T>& d,
                  typename BranchDamping<T>::Kept& kept) {
  const bool blocks = d.rows.kind == Damping<T>::Kind::kBlocks, same = is_damped_as_before(branches, b, d);
  kept.anew = !(kept.ready && same && kept.blocks == blocks);
  kept.blocks = blocks;
  if (kept.anew) kept.pivots = {T(1), T(1)};
  const int first = b.front + (kept.anew ? 0 : b.kept * b.stride), end = b.front + b.rows.count * b.stride;
  const auto& from = kept.anew ? c.front : d.branches.rest;
  std::copy_n(from.data() + first, end - first, d.branches.front.data() + first);
}

/// What rows leave that are kept.
template <class T>
void keep_branch(const Branches& branches, const Branch& b, const CondensedConfiguration<T>& c, CondensedDamping<T>& d,
                 typename BranchDamping<T>::Kept& kept) {
  kept.H = ArticulatedInertia<T>::zero();
  if (b.link >= 0) BranchElimination<T>(branches, b, c, d, kept.pivots).stiffen(0, b.kept, kept.H);
  kept.ready = all_lanes(T(0) < kept.pivots.margin);
  const int rest = b.front + b.kept * b.stride;
  std::copy_n(d.branches.front.data() + rest, (b.rows.count - b.kept) * b.stride, d.branches.rest.data() + rest);
}

/// K̂ᵀ S K̂ for the node above, and all that solves need.
template <class T>
Status stiffen(const Branches& branches, const Placed<T>& p, CondensedDamping<T>& d) {
  for_each_branch(branches, d, [&](const Branch& b, auto& kept) { begin_branch(branches, b, p.c, d, kept); });
  for_each_turn(branches, d, [&](const Branch& b, auto& kept, int row) {
    if (kept.anew) BranchElimination<T>(branches, b, p.c, d, kept.pivots).run(row, b.kept);
  });
  for_each_branch(branches, d, [&](const Branch& b, auto& kept) {
    if (kept.anew) keep_branch(branches, b, p.c, d, kept);
    kept.all = kept.pivots;
  });
  for_each_turn(branches, d, [&](const Branch& b, auto& kept, int row) {
    BranchElimination<T>(branches, b, p.c, d, kept.all).run(b.kept + row, b.rows.count);
  });
  Status status;
  for_each_branch(branches, d, [&](const Branch& b, auto& kept) {
    if (!all_lanes(T(0) < kept.all.margin) && status.ok())
      status = {Status::Code::kNotPositive, branches.rows[b.rows.first]};
    d.growth = max(d.growth, T(kBranchGrowth) * kept.all.growth);
    if (b.link < 0) return;
    ArticulatedInertia<T>& H = d.H[p.plan.nodes[b.node].slot];
    H += kept.H;
    BranchElimination<T>(branches, b, p.c, d, kept.all).stiffen(b.kept, b.rows.count, H);
  });
  return status;
}

}  // namespace delassus::condensed
