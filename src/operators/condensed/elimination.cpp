// New damping: the nodes are eliminated one after the other. For links this is the step of Sathya, Montaut, de Mont-Marin,
// Carpentier, "Matrix-Free Delassus Operations", algorithm 4 (line numbers below), with the corrections in
// docs/algorithms/lcaba.md.
#include <algorithm>

#include "delassus/math/boxed.hpp"
#include "kinematics/width.hpp"
#include "math/kernel_scalars.hpp"
#include "operators/condensed/lone.hpp"
#include "operators/condensed/panels.hpp"
#include "operators/condensed/stiffness.hpp"

namespace delassus {
namespace condensed {
namespace {

using Kind = CondensedPlan::Kind;

/// Line 25: so does each neighbour itself.
template <int N, class T>
void update_diagonals(const CondensedPlan& plan, const Node& node, const T* felt, const T* hat,
                      CondensedDamping<T>& d) {
  for (const CondensedPlan::Neighbour& n : part(plan.neighbours, node.neighbours)) {
    const Node& other = plan.nodes[n.node];
    const T *left = felt + n.column, *right = hat + n.column;
    if (other.kind != Kind::kMultiplier) {
      ArticulatedInertia<T> H = d.H[other.slot];
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) downdate(H, column_at(left + k * node.columns), column_at(right + k * node.columns));
      d.H[other.slot] = H;
      continue;
    }
    for (int k = 0; k < N; ++k) {
      T* triangle = &d.multiplier[other.slot];
      for (int r = 0; r < other.width; ++r) {
        for (int c = 0; c < r + 1; ++c) *triangle++ += left[k * node.columns + r] * right[k * node.columns + c];
      }
    }
    // Links add to a multiplier, and other multipliers take away.
    for (int r = 0; r < other.width; ++r) {
      T& peak = d.peak[other.first_row + r];
      peak = max(peak, d.multiplier[other.slot + Sym<T, 6>::index(r, r)]);
    }
  }
}

/// From the origins of links to the reference points, where the sweeps are.
template <class T>
void place_hat(const CondensedPlan& plan, const Node& node, const CondensedConfiguration<T>& c,
               CondensedDamping<T>& d) {
  for (const CondensedPlan::Neighbour& n : part(plan.neighbours, node.neighbours)) {
    const Node& other = plan.nodes[n.node];
    if (other.kind == Kind::kMultiplier || other.kind == Kind::kFree)
      continue;  // a free link is its own reference point
    for (int k = 0; k < node.width; ++k) {
      T* hat = d.hat.data() + node.hat + k * node.columns + n.column;
      const Force<T> f = shifted(force_at(hat), c.art.frames.lever[other.link]);
      store_six(hat, f.moment, f.force);
    }
  }
}

/// Eliminates the couplings of a node whose pivot is D.
template <int N, class T>
void eliminate_couplings(const CondensedPlan& plan, const Node& node, const Ldlt<T, N>& D, T* felt,
                         const CondensedConfiguration<T>& c, CondensedDamping<T>& d) {
  T* hat = d.hat.data() + node.hat;
  divide_felt<N>(D, felt, node.columns, hat);
  Exchange<T>::split(node, N, felt);
  update_panels<N>(plan, node, felt, hat, d.panel);
  update_diagonals<N>(plan, node, felt, hat, d);
  place_hat(plan, node, c, d);
}

template <int N, bool kRotation, class T>
void feel_panel(const ConstraintRows<T>& rows, const CondensedPlan& plan, const Node& node, const Motion<T>* S,
                CondensedDamping<T>& d) {
  feel<N, kRotation>(S, d.panel.data() + node.panel, node.columns, d.felt.data());
  for (const CondensedPlan::Weight& w : part(plan.weights, node.weights)) {
    d.felt[w.dof * node.columns + w.column] += rows.weights[w.entry];
  }
}

/// Factors D of the damped tree, with half of what its pivots are without damping as their floor.
template <int N, class T>
DELASSUS_INLINE T factor_damped(const ModelOf<T>& model, const ConstraintRows<T>& rows, const CondensedPlan& plan,
                                const Node& node, Sym<T, N> D, const CondensedConfiguration<T>& c,
                                CondensedDamping<T>& d, Ldlt<T, N>& factor) {
  Vec<T, N> floor;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) {
    D(k, k) += armature_of<T>(model, node.v + k);
    floor[k] = T(0.5) / c.art.D_factor[node.factor + Sym<T, N>::index(k, k)];
  }
  if (!plan.joints.pairs.empty()) {
    DELASSUS_UNROLL
    for (int k = 0; k < Sym<T, N>::kSize; ++k) D.a[k] += Exchange<T>::whole(node, d.stiff_joint[node.factor + k]);
  }
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) {
    d.growth = max(d.growth, D(k, k) * c.art.D_factor[node.factor + Sym<T, N>::index(k, k)]);
  }
  const Sym<T, N> inertia = D;
  if (node.lone >= 0) stiffen<N>(plan.lone, rows, node, d.rows, D);
  T margin;
  factor = factor_ldlt(D, floor, margin);
  if (node.lone >= 0) find_shares<N>(plan.lone, rows, node, inertia, factor, d);
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<T, N>::kSize; ++k) d.D_factor[node.factor + k] = factor.factor.a[k];
  return margin;
}

template <int N, bool kRotation, class T>
T eliminate_joint(const ModelOf<T>& model, const ConstraintRows<T>& rows, const CondensedPlan& plan, const Node& node,
                  const CondensedConfiguration<T>& c, CondensedDamping<T>& d) {
  Motion<T> S[N];  // about the origin, where that of an axis has no linear part
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) {
    S[k] = c.art.frames.S[node.v + k];
    if constexpr (!kRotation) S[k] = shifted(S[k], c.art.frames.lever[node.link]);
  }
  ArticulatedInertia<T> H = Exchange<T>::whole(node, d.H[node.slot]);
  Exchange<T>::join(node, 6, d.panel.data() + node.panel);
  typename ArticulatedInertia<T>::Column U_hat[N];
  Ldlt<T, N> D;
  const T margin =
      articulate_joint<N, kRotation>(S, node.parent < 0, H, U_hat, [&](const Sym<T, N>& A, Ldlt<T, N>& out) {
        const T m = factor_damped<N>(model, rows, plan, node, A, c, d, out);
        D = out;
        return m;
      });
  if (node.columns > 0) feel_panel<N, kRotation>(rows, plan, node, S, d);
  if (node.parent >= 0) {
    Exchange<T>::hand_over(plan, node, shifted(H, c.offset[node.link]), d.H);
    if (node.columns > 0) {
      T* panel = d.panel.data() + node.panel;
      cross_panel<N>(c.offset[node.link], node.columns, U_hat, d.felt.data(), panel);
      Exchange<T>::split(node, 6, panel);
      move_panel(plan, node, d.panel);
      if (node.parent_column >= 0)
        add_both(panel + node.parent_column, node.columns, d.H[plan.nodes[node.parent].slot]);
    }
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) d.U_hat[node.v + k] = shifted(U_hat[k], c.art.frames.lever[node.link]);
  }
  if (node.columns > 0) eliminate_couplings<N>(plan, node, D, d.felt.data(), c, d);
  return margin;
}

/// A free link is its own unknown: its inertia is the pivot, and its panel what it feels.
template <class T>
T eliminate_free(const CondensedPlan& plan, const Node& node, const CondensedConfiguration<T>& c,
                 CondensedDamping<T>& d) {
  const T* free = &c.free_pivots[6 * plan.free_of[node.link]];
  const Sym<T, 6> H = packed(Exchange<T>::whole(node, d.H[node.slot]));
  Exchange<T>::join(node, 6, d.panel.data() + node.panel);
  Vec<T, 6> floor;
  for_each_chunk<T>(6, [&]<class X>(std::type_identity<X>, int k) { store(floor.a + k, X(0.5) / load<X>(free + k)); });
  T margin;
  const Ldlt<T, 6> D = factor_ldlt(H, floor, margin);
  DELASSUS_UNROLL
  for (int k = 0; k < 6; ++k) d.growth = max(d.growth, H(k, k) * free[k]);
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<T, 6>::kSize; ++k) d.D_factor[node.factor + k] = D.factor.a[k];
  if (node.columns > 0) eliminate_couplings<6>(plan, node, D, d.panel.data() + node.panel, c, d);
  return margin;
}

/// A multiplier has no joint: its panel is what it feels, and its pivot is negative.
template <int N, class T>
T eliminate_multiplier(const CondensedPlan& plan, const Node& node, const CondensedConfiguration<T>& c,
                       CondensedDamping<T>& d) {
  Sym<T, N> E;
  T* triangle = &d.multiplier[node.slot];
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<T, N>::kSize; ++k) E.a[k] = triangle[k];
  T margin;
  Ldlt<T, N> D = factor_ldlt(E, Vec<T, N>::zero(), margin);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) {
    d.growth = max(d.growth, d.peak[node.first_row + k] * D.factor(k, k));
    D.factor(k, k) = -D.factor(k, k);
  }
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<T, N>::kSize; ++k) triangle[k] = D.factor.a[k];
  if (node.columns > 0) eliminate_couplings<N>(plan, node, D, d.panel.data() + node.panel, c, d);
  return margin;
}

template <class T>
T eliminate(const ModelOf<T>& model, const ConstraintRows<T>& rows, const CondensedPlan& plan, const Node& node,
            const CondensedConfiguration<T>& c, CondensedDamping<T>& d) {
  switch (node.kind) {
    case Kind::kAxis:
      return eliminate_joint<1, true>(model, rows, plan, node, c, d);
    case Kind::kFree:
      return eliminate_free(plan, node, c, d);
    case Kind::kMultiplier:
      return with_rows(node.width, [&](auto N) { return eliminate_multiplier<N()>(plan, node, c, d); });
    default:
      return with_width(node.width, [&](auto N) { return eliminate_joint<N(), false>(model, rows, plan, node, c, d); });
  }
}

/// Who is to blame for a pivot: the multiplier, or the row damped least.
template <class T>
int stiffest_row(const Node& node, const RowWeights<T>& w, int rows) {
  if (node.kind == Kind::kMultiplier) return node.first_row;
  const auto damping = [&](int r) {
    return w.kind == Damping<T>::Kind::kBlocks ? w.damping[w.begin[r] + r - w.first[r]] : w.damping[r];
  };
  T least = damping(0);
  for (int r = 1; r < rows; ++r) least = min(least, damping(r));
  least = -largest_lane(-least);  // of all limbs
  int stiffest = 0;
  while (stiffest < rows - 1 && all_lanes(least < damping(stiffest))) ++stiffest;
  return stiffest;
}

}  // namespace
}  // namespace condensed

template <class T>
void CondensedDamping<T>::resize(const Model& model, const CondensedPlan& plan, int num_rows) {
  H.resize(plan.slot_links.size());
  unit_H.resize(H.size());
  panel.resize(plan.panel_size);
  unit_panel.resize(plan.panel_size);
  hat.resize(plan.hat_size);
  U_hat.resize(model.nv());
  D_factor.resize(model.factor_size());
  multiplier.resize(plan.multipliers.size);
  peak.resize(num_rows);
  stiff_joint.resize(model.factor_size());
  share.resize(plan.lone.shares);
  felt.resize(6 * static_cast<std::size_t>(plan.widest));
  dual.resize(plan.groups.triangles);
  dual_side.resize(plan.groups.wrenches);
  branches.resize(plan.branches);
  unit_ready = false;
}

template <class T>
void BranchDamping<T>::resize(const condensed::Branches& plan) {
  reserve(plan.inner_rows);
  front.resize(plan.size);
  rest.resize(plan.size);
  lower.assign(plan.lower, T(0));
  inverse.assign(plan.values, T(0));
  damping.resize(6 * plan.rows.size());
  kept.assign(plan.list.size(), Kept{});
}

template <class T>
std::size_t CondensedDamping<T>::bytes() const {
  return rows.bytes() + branches.bytes() +
         heap_bytes(H, panel, hat, U_hat, D_factor, multiplier, peak, stiff_joint, share, felt, dual, dual_side, unit_H,
                    unit_panel);
}

template <class T>
Status damp(const ModelOf<T>& model, const ConstraintRows<T>& rows, const CondensedPlan& plan,
            const CondensedConfiguration<T>& c, CondensedDamping<T>& d) {
  d.growth = T(1);
  if (const Status status = stiffen_nodes(rows, plan, c, d); !status.ok()) return status;
  end_stage<T>("stiffness");
  for (const CondensedPlan::Node& node : plan.nodes) {
    const T margin = condensed::eliminate<T>(model, rows, plan, node, c, d);
    // A comparison of numbers, but not a choice of arithmetic: it only ends what has no result.
    if (!all_lanes(T(0) < margin))
      return {Status::Code::kNotPositive, condensed::stiffest_row(node, d.rows, rows.num_rows())};
  }
  end_stage<T>("elimination");
  return {};
}

#define DELASSUS_INSTANTIATE(T)     \
  template struct BranchDamping<T>; \
  template struct CondensedDamping<T>;
DELASSUS_FOR_EACH_TREE_SCALAR(DELASSUS_INSTANTIATE)
#define DELASSUS_INSTANTIATE_KERNEL(T)                                                    \
  template Status damp(const ModelOf<T>&, const ConstraintRows<T>&, const CondensedPlan&, \
                       const CondensedConfiguration<T>&, CondensedDamping<T>&);
DELASSUS_FOR_EACH_KERNEL_SCALAR(DELASSUS_INSTANTIATE_KERNEL)

}  // namespace delassus
