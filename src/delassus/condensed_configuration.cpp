// Once per configuration: the articulated tree, chains crossed by the rows at their tips, rows placed.
#include <algorithm>

#include "delassus/delassus/condensed_rows.hpp"
#include "delassus/dynamics/link_step.hpp"
#include "delassus/math/instantiate.hpp"
#include "delassus/math/memory.hpp"

namespace delassus {
namespace {

// ------------------------------------------------------------------------------------------- articulation

/// The inverse of L D Lᵀ, by that of L.
template <class T>
ArticulatedInertia<T> inverse_of(const Ldlt<T, 6>& H) {
  Sym<T, 6> L = H.factor, W = Sym<T, 6>::zero();  // L becomes its inverse, row by row; its diagonal stays D⁻¹
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
  ArticulatedInertia<T> out;
  DELASSUS_UNROLL
  for (int r = 0; r < 3; ++r) {
    DELASSUS_UNROLL
    for (int c = 0; c < r + 1; ++c) {
      out.A(r, c) = W(r, c);
      out.M(r, c) = W(r + 3, c + 3);
    }
    DELASSUS_UNROLL
    for (int c = 0; c < 3; ++c) out.B(r, c) = W(c + 3, r);
  }
  return out;
}

template <class T>
T free_link(const Model& model, int i, int index, const Kinematics<T>& kin, CondensedConfiguration<T>& c) {
  ArticulatedInertia<T> H = articulated(kin.inertia[i]);
  H += c.art.H[i];
  Vec<T, 6> floor;
  for (int k = 0; k < 6; ++k) floor[k] = T(kPivotTolerance<T> * model.inertia_scale()[model.link(i).v + k]);
  T margin;
  const Ldlt<T, 6> factor = factor_ldlt(packed(H), floor, margin);
  for (int k = 0; k < 6; ++k) c.free_pivots[6 * index + k] = factor.factor(k, k);
  c.yield[index] = inverse_of(factor);
  return margin;
}

template <class T>
Status articulate_tree(const Model& model, const Kinematics<T>& kin, const CondensedPlan& plan,
                       CondensedConfiguration<T>& c) {
  for (std::size_t slot = 0; slot < plan.slot_links.size(); ++slot) {
    c.base[slot] = articulated(kin.inertia[plan.slot_links[slot]]);
  }
  begin_articulation(model, c.art);
  Status status;
  for (const int i : c.inwards) {
    if (plan.free_of[i] >= 0) {
      note_margin(i, free_link(model, i, plan.free_of[i], kin, c), status);
      continue;
    }
    ArticulatedInertia<T> handed;
    note_margin(i, eliminate_link(model, i, kin, c.art, handed), status);
    const int parent = model.link(i).parent;
    if (parent == kWorld) continue;
    c.art.H[parent] += handed;
    if (plan.base_of[i] >= 0) c.base[plan.base_of[i]] += handed;
  }
  return explained(model, kin, status);
}

// ---------------------------------------------------------------------------------------------- carriers

/// Ω += Gᵀ D⁻¹ G and K̂ -= G Ûᵀ, where G = K̂ S is what the joint feels of the rows.
template <int R, int N, class T>
DELASSUS_INLINE void cross_joint(const Articulation<T>& art, int i, const Link& link, Force<T>* rows, Sym<T, R>& omega) {
  Mat<T, N, R> G;
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) {
    const Vec<T, N> felt = subspace_dot<N>(art.frames, link, rows[r]);
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) G(k, r) = felt[k];
  }
  Mat<T, N, R> h = G;
  joint_factor<N>(art, link).solve(h);
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) {
    DELASSUS_UNROLL
    for (int s = 0; s < r + 1; ++s) {
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) omega(r, s) += G(k, r) * h(k, s);
    }
  }
  if (link.parent == kWorld) return;
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) {
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) rows[r] -= scaled(art.U_hat[link.v + k], G(k, r));
    rows[r] = to_parent(art.frames, i, rows[r]);
  }
}

template <int R, class T>
void cross_free(const ArticulatedInertia<T>& yield, const Force<T>* rows, Sym<T, R>& omega) {
  for (int s = 0; s < R; ++s) {
    const Motion<T> a = yielding(yield, rows[s]);
    for (int r = s; r < R; ++r) omega(r, s) += dot(a, rows[r]);
  }
}

template <class T>
DELASSUS_INLINE void add_block(const ConstraintRows<T>& rows, const CondensedPlan::GroupBlock& b, const Vec3<T>& lever,
                               Force<T>* to) {
  const RowBlock& block = rows.blocks[b.block];
  for (int r = 0; r < block.rows; ++r) to[b.row + r] += row_wrench(rows, block, r, lever);
}

template <int R, class T>
void carry(const Model& model, const ConstraintRows<T>& rows, const CondensedPlan& plan,
           const CondensedPlan::Carrier& carrier, CondensedConfiguration<T>& c, Sym<T, R>& omega) {
  Force<T> K[R];
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) K[r] = Force<T>::zero();
  const Vec3<T>& lever = c.art.frames.lever[plan.chain_links[carrier.chain.first]];
  for (int b = carrier.blocks.first; b < carrier.blocks.end(); ++b) add_block(rows, plan.group_blocks[b], lever, K);
  for (int k = carrier.chain.first; k < carrier.chain.end(); ++k) {
    const int i = plan.chain_links[k];
    const Link& link = model.link(i);
    if (plan.free_of[i] >= 0) {
      cross_free<R>(c.yield[plan.free_of[i]], K, omega);
    } else {
      with_width(link.nv, [&](auto N) { cross_joint<R, N()>(c.art, i, link, K, omega); });
    }
  }
  if (carrier.side < 0) return;
  Force<T>* side = &c.side[plan.sides[carrier.side].panel];
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) side[r] += K[r];
}

template <int R, class T>
void carry_group(const Model& model, const ConstraintRows<T>& rows, const CondensedPlan& plan,
                 const CondensedPlan::Group& group, CondensedConfiguration<T>& c) {
  Sym<T, R> omega = Sym<T, R>::zero();
  for (int k = group.sides.first; k < group.sides.end(); ++k) {
    for (int r = 0; r < R; ++r) c.side[plan.sides[k].panel + r] = Force<T>::zero();
  }
  for (int k = group.carriers.first; k < group.carriers.end(); ++k) {
    carry<R>(model, rows, plan, plan.carriers[k], c, omega);
  }
  for (int k = group.direct.first; k < group.direct.end(); ++k) {
    const CondensedPlan::GroupBlock& b = plan.group_blocks[k];
    const CondensedPlan::Side& side = plan.sides[b.side];
    add_block(rows, b, c.art.frames.lever[side.link], &c.side[side.panel]);
  }
  for (int k = 0; k < Sym<T, R>::kSize; ++k) c.omega[group.triangle + k] = omega.a[k];
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

/// Whether squares of all numbers are finite, at a glance: their sum is.
template <class T>
bool all_finite(const ConstraintRows<T>& rows) {
  T sums[4] = {T(0), T(0), T(0), T(0)};
  const std::size_t n = rows.values.size(), whole = n / 4 * 4;
  for (std::size_t k = 0; k < whole; k += 4) {
    DELASSUS_UNROLL
    for (int l = 0; l < 4; ++l) sums[l] += rows.values[k + l] * rows.values[k + l];
  }
  for (std::size_t k = whole; k < n; ++k) sums[0] += rows.values[k] * rows.values[k];
  for (const JointEntry<T>& entry : rows.entries) sums[1] += entry.weight * entry.weight;
  return all_lanes(is_finite((sums[0] + sums[1]) + (sums[2] + sums[3])));
}

/// The row that is not.
template <class T>
Status find_not_finite(const ConstraintRows<T>& rows) {
  for (const RowBlock& block : rows.blocks) {
    for (int r = 0; r < block.rows; ++r) {
      const Force<T> K = row_wrench(rows, block, r, Vec3<T>::zero());
      if (!all_lanes(is_finite(dot(K.moment, K.moment) + dot(K.force, K.force)))) {
        return {Status::Code::kNotFinite, block.first_row + r};
      }
    }
  }
  for (const JointEntry<T>& entry : rows.entries) {
    if (!all_lanes(is_finite(entry.weight * entry.weight))) return {Status::Code::kNotFinite, entry.row};
  }
  return {};
}

}  // namespace

template <class T>
CondensedConfiguration<T>::CondensedConfiguration(const Model& model)
    : art(model), inwards(model.num_links()), offset(model, Vec3<T>::zero()) {
  LinkArray<int> depth(model, 0);
  for (int i = 0; i < model.num_links(); ++i) {
    inwards[i] = i;
    depth[i] = depth[model.link(i).parent] + 1;
  }
  std::stable_sort(inwards.begin(), inwards.end(), [&](int a, int b) { return depth[a] > depth[b]; });
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
}

template <class T>
std::size_t CondensedConfiguration<T>::bytes() const {
  return art.bytes() + offset.bytes() + bytes_of(inwards, base, yield, free_pivots, side, omega, wrench, placed);
}

template <class T>
Status configure(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, const CondensedPlan& plan,
                 CondensedConfiguration<T>& c) {
  place_frames(model, kin, c.art.frames);
  c.offset = kin.offset;
  const Status tree = articulate_tree(model, kin, plan, c);
  end_stage<T>("articulation");
  if (!tree.ok()) return tree;
  for (const CondensedPlan::Group& group : plan.groups) {
    with_rows(group.rows, [&](auto R) { carry_group<R()>(model, rows, plan, group, c); });
  }
  end_stage<T>("carriers");
  place_wrenches(rows, plan, c);
  end_stage<T>("rows");
  return all_finite(rows) ? Status{} : find_not_finite(rows);
}

#define DELASSUS_INSTANTIATE(T)                                                                                       \
  template struct CondensedConfiguration<T>;                                                                          \
  template Status configure(const Model&, const Kinematics<T>&, const ConstraintRows<T>&, const CondensedPlan&,       \
                            CondensedConfiguration<T>&);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
