// Once per configuration: the articulated tree, chains crossed by the rows at their tips, rows placed.
#include <algorithm>

#include "delassus/math/boxed.hpp"
#include "dynamics/link_step.hpp"
#include "math/kernel_scalars.hpp"
#include "operators/condensed/branches.hpp"
#include "operators/condensed/free_links.hpp"
#include "operators/condensed/groups.hpp"
#include "operators/condensed/multipliers.hpp"
#include "operators/condensed/strips.hpp"

namespace delassus {
namespace {

/// What the lanes of a link hand to different nodes.
template <class T>
void add_to_bases(const CondensedPlan& plan, int i, const ArticulatedInertia<T>& handed, CondensedConfiguration<T>& c) {
  for (const condensed::Ways::ToBase& way : plan.ways.bases) {
    if (way.link == i) c.base[way.slot] += masked(handed, way.lanes);
  }
}

template <class T>
Status articulate_tree(const ModelOf<T>& model, const Kinematics<T>& kin, const CondensedPlan& plan,
                       CondensedConfiguration<T>& c) {
  for (const int i : c.tips) c.art.H[i] = ArticulatedInertia<T>::zero();
  if constexpr (kFewDigits<T>) {
    for (int i = 0; i < model.num_links(); ++i) c.art.felt[i] = T(0);
  }
  Status status;
  for (const int i : c.inwards) {
    if (plan.free_of[i] >= 0) {
      condensed::place_free(model, i, plan.free_of[i], kin, c);
      continue;
    }
    const Link& link = model.link(i);
    // The first child hands over at once, unless a base may want the same.
    const bool first = c.starts[i] != 0, kept = kFolded<T> || !c.rows_follow || plan.base_of[i] >= 0;
    ArticulatedInertia<T>& handed = first && !kept ? c.art.H[link.parent] : c.handed[i];
    note_margin(i, eliminate_link(model, i, kin, c.art, handed), status);
    if (link.parent == kWorld) continue;
    if (!first) {
      LinkExchange<T>::add_to_parent(model, i, handed, c.art.H);
    } else if (kept) {
      c.art.H[link.parent] = handed;
    }
  }
  condensed::invert_free_links(plan, c, status);
  return explained(model, kin, status);
}

/// Where the elimination of a damping begins: inertias of nodes, with those of links on them which are no nodes.
template <class T>
void place_bases(const ModelOf<T>& model, const Kinematics<T>& kin, const CondensedPlan& plan,
                 CondensedConfiguration<T>& c) {
  c.offset = kin.offset;
  for (std::size_t slot = 0; slot < plan.slot_links.size(); ++slot) {
    const int i = plan.slot_links[slot];
    c.base[slot] = LinkExchange<T>::in_parts(model, i, articulated(link_inertia(model, kin, i)));
  }
  for (const int i : c.inwards) {
    if (plan.base_of[i] >= 0) c.base[plan.base_of[i]] += LinkExchange<T>::in_parts(model, i, c.handed[i]);
    if constexpr (kFolded<T>) add_to_bases(plan, i, c.handed[i], c);
  }
}

}  // namespace

template <class T>
CondensedConfiguration<T>::CondensedConfiguration(const ModelOf<T>& model)
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
    starts[i] = children[parent]++ == 0 && !LinkExchange<T>::adds_in_parts(model, parent);
    if (children[i] == 0 || LinkExchange<T>::adds_in_parts(model, i)) tips.push_back(i);
  }
}

template <class T>
void CondensedConfiguration<T>::resize(const CondensedPlan& plan) {
  base.resize(plan.slot_links.size());
  yield.resize(plan.num_free);
  free_pivots.resize(6 * static_cast<std::size_t>(plan.num_free));
  side.resize(plan.groups.wrenches);
  omega.resize(plan.groups.triangles);
  front.reserve(condensed::kBranchRow * static_cast<std::size_t>(plan.branches.inner_rows));
  front.resize(plan.branches.size);
  carried.reserve(plan.branches.inner_carried);
  carried.resize(plan.branches.carried);
  wrench.resize(plan.num_wrenches);
  placed.resize(plan.num_wrenches);
  strip.resize(plan.strips.packs);
  apart.resize(plan.strips.twins.size());
}

template <class T>
std::size_t CondensedConfiguration<T>::bytes() const {
  return art.bytes() + offset.bytes() + handed.bytes() +
         heap_bytes(inwards, starts, tips, free_of, base, yield, free_pivots, side, omega, front, carried, wrench,
                    placed, strip, apart);
}

template <class T>
Status configure_tree(const ModelOf<T>& model, const Kinematics<T>& kin, const CondensedPlan& plan,
                      CondensedConfiguration<T>& c) {
  place_frames(model, kin, c.art.frames);
  const Status status = articulate_tree(model, kin, plan, c);
  c.free_of = plan.free_of;
  end_stage<T>("articulation");
  return status;
}

template <class T>
void configure_rows(const ModelOf<T>& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows,
                    const CondensedPlan& plan, CondensedConfiguration<T>& c) {
  if (!c.products_only) place_bases(model, kin, plan, c);
  place(plan.groups, model, rows, plan, c);
  if constexpr (!kFolded<T>) place(plan.branches, model, rows, c);
  end_stage<T>("carriers");
  place(plan.wrenches, rows, c);
  place(plan.multipliers, rows, c);
  if constexpr (Laned<T>) place(plan.strips, kin, rows, plan.points, c);
  end_stage<T>("rows");
}

#define DELASSUS_INSTANTIATE(T) template struct CondensedConfiguration<T>;
DELASSUS_FOR_EACH_TREE_SCALAR(DELASSUS_INSTANTIATE)
#define DELASSUS_INSTANTIATE_KERNEL(T)                                                            \
  template Status configure_tree(const ModelOf<T>&, const Kinematics<T>&, const CondensedPlan&,   \
                                 CondensedConfiguration<T>&);                                     \
  template void configure_rows(const ModelOf<T>&, const Kinematics<T>&, const ConstraintRows<T>&, \
                               const CondensedPlan&, CondensedConfiguration<T>&);
DELASSUS_FOR_EACH_KERNEL_SCALAR(DELASSUS_INSTANTIATE_KERNEL)

}  // namespace delassus
