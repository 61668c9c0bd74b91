// Once per configuration: the articulated tree, chains crossed by the rows at their tips, rows placed.
#include <algorithm>

#include "delassus/dynamics/link_step.hpp"
#include "delassus/math/heap_bytes.hpp"
#include "math/kernel_scalars.hpp"
#include "operators/condensed/free_links.hpp"
#include "operators/condensed/groups.hpp"
#include "operators/condensed/multipliers.hpp"
#include "operators/condensed/strips.hpp"

namespace delassus {
namespace {

/// What the lanes of a link hand to different nodes.
inline void add_to_bases(const CondensedPlan& plan, int i, const ArticulatedInertia<Limbs>& handed,
                         CondensedConfiguration<Limbs>& c) {
  for (const condensed::Ways::ToBase& way : plan.ways.bases) {
    if (way.link == i) c.base[way.slot] += masked(handed, way.lanes);
  }
}

template <class T>
Status articulate_tree(const ModelOf<T>& model, const Kinematics<T>& kin, const CondensedPlan& plan,
                       CondensedConfiguration<T>& c) {
  const bool bases = !c.products_only;
  for (std::size_t slot = 0; slot < plan.slot_links.size() && bases; ++slot) {
    const int i = plan.slot_links[slot];
    c.base[slot] = LinkExchange<T>::in_parts(model, i, articulated(link_inertia(model, kin, i)));
  }
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
    const bool first = c.starts[i] != 0;
    if (bases) c.offset[i] = kin.offset[i];
    ArticulatedInertia<T> further;
    ArticulatedInertia<T>& handed = first ? c.art.H[link.parent] : further;
    note_margin(i, eliminate_link(model, i, kin, c.art, handed), status);
    if (link.parent == kWorld) continue;
    if (!first) LinkExchange<T>::add_to_parent(model, i, handed, c.art.H);
    if (!bases) continue;
    if (plan.base_of[i] >= 0) c.base[plan.base_of[i]] += LinkExchange<T>::in_parts(model, i, handed);
    if constexpr (kFolded<T>) add_to_bases(plan, i, handed, c);
  }
  condensed::invert_free_links(plan, c, status);
  return explained(model, kin, status);
}

}  // namespace

template <class T>
CondensedConfiguration<T>::CondensedConfiguration(const ModelOf<T>& model)
    : art(model), inwards(model.num_links()), starts(model.num_links()), offset(model, Vec3<T>::zero()) {
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
  wrench.resize(plan.num_wrenches);
  placed.resize(plan.num_wrenches);
  strip.resize(plan.strips.packs);
  apart.resize(plan.strips.twins.size());
}

template <class T>
std::size_t CondensedConfiguration<T>::bytes() const {
  return art.bytes() + offset.bytes() +
         heap_bytes(inwards, starts, tips, base, yield, free_pivots, side, omega, wrench, placed, strip, apart);
}

template <class T>
Status configure(const ModelOf<T>& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows,
                 const CondensedPlan& plan, CondensedConfiguration<T>& c) {
  place_frames(model, kin, c.art.frames);
  const Status tree = articulate_tree(model, kin, plan, c);
  end_stage<T>("articulation");
  if (!tree.ok()) return tree;
  place(plan.groups, model, rows, plan, c);
  end_stage<T>("carriers");
  place(plan.wrenches, rows, c);
  place(plan.multipliers, rows, c);
  if constexpr (Laned<T>) place(plan.strips, kin, rows, plan.points, c);
  end_stage<T>("rows");
  return {};
}

#define DELASSUS_INSTANTIATE(T) template struct CondensedConfiguration<T>;
DELASSUS_FOR_EACH_TREE_SCALAR(DELASSUS_INSTANTIATE)
#define DELASSUS_INSTANTIATE_KERNEL(T)                                                                               \
  template Status configure(const ModelOf<T>&, const Kinematics<T>&, const ConstraintRows<T>&, const CondensedPlan&, \
                            CondensedConfiguration<T>&);
DELASSUS_FOR_EACH_KERNEL_SCALAR(DELASSUS_INSTANTIATE_KERNEL)

}  // namespace delassus
