// What constraints add to the nodes, their couplings and their joints: Kᵀ R K, and K̂ᵀ (R⁻¹ + Ω)⁻¹ K̂ of carried groups.
#include "operators/condensed/stiffness.hpp"

#include <algorithm>

#include "math/kernel_scalars.hpp"
#include "operators/condensed/branches.hpp"
#include "operators/condensed/groups.hpp"
#include "operators/condensed/joints.hpp"
#include "operators/condensed/multipliers.hpp"
#include "operators/condensed/points.hpp"
#include "operators/condensed/strips.hpp"

namespace delassus {
namespace condensed {
namespace {

/// Rows at nodes that are stiffness.
template <class T>
void stiffen_by_rows(const Placed<T>& p, const RowWeights<T>& w, const Stiffened<T>& to) {
  stiffen(p.plan.points, p, w, to);
  if constexpr (Laned<T>) {
    if (stiffens_strips(w)) stiffen(p.plan.strips, p, w, to);
  }
  stiffen(p.plan.wrenches, p, w, to);
}

/// With one damping r for all rows stiffness is 1/r times what it is for r = 1, which is kept.
template <class T>
void stiffen_alike(const Placed<T>& p, CondensedDamping<T>& d) {
  const int rows = p.rows.num_rows();
  const T weight = d.rows.weight.empty() ? T(0) : d.rows.weight[0];
  if (!d.unit_ready) {
    std::fill(d.unit_H.begin(), d.unit_H.end(), ArticulatedInertia<T>::zero());
    std::fill(d.unit_panel.begin(), d.unit_panel.end(), T(0));
    fill_rows(rows, T(1), d.rows.weight.data());
    stiffen_by_rows<T>(p, d.rows, {d.unit_H, d.unit_panel});
    fill_rows(rows, weight, d.rows.weight.data());
    d.unit_ready = true;
  }
  for (std::size_t k = 0; k < d.H.size(); ++k) {
    d.H[k] = p.c.base[k];
    add_scaled(d.H[k], weight, d.unit_H[k]);
  }
  for_each_chunk<T>(static_cast<int>(d.panel.size()), [&]<class X>(std::type_identity<X>, int at) {
    store(&d.panel[at], weight * load<X>(&d.unit_panel[at]));
  });
}

}  // namespace
}  // namespace condensed

template <class T>
Status stiffen_nodes(const ConstraintRows<T>& rows, const CondensedPlan& plan, const CondensedConfiguration<T>& c,
                     CondensedDamping<T>& d) {
  using namespace condensed;
  const Placed<T> p{rows, plan, c};
  if (d.rows.kind == Damping<T>::Kind::kScalar) {
    stiffen_alike(p, d);
  } else {
    d.H = c.base;
    std::fill(d.panel.begin(), d.panel.end(), T(0));
    stiffen_by_rows<T>(p, d.rows, {d.H, d.panel});
  }
  if (const Status status = stiffen(plan.groups, p, d); !status.ok()) return status;
  if constexpr (!kFolded<T>) {
    if (const Status status = stiffen(plan.branches, p, d); !status.ok()) return status;
  }
  if (!plan.joints.pairs.empty()) stiffen(plan.joints, rows, d);
  stiffen(plan.multipliers, p, d);
  return {};
}

#define DELASSUS_INSTANTIATE(T)                                                                                   \
  template Status stiffen_nodes(const ConstraintRows<T>&, const CondensedPlan&, const CondensedConfiguration<T>&, \
                                CondensedDamping<T>&);
DELASSUS_FOR_EACH_KERNEL_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
