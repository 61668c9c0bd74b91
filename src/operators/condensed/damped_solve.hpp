// Damped solves: rows push nodes, two sweeps over the factored nodes, nodes pull rows.
#pragma once

#include <algorithm>

#include "operators/condensed/branches.hpp"
#include "operators/condensed/groups.hpp"
#include "operators/condensed/joints.hpp"
#include "operators/condensed/lone.hpp"
#include "operators/condensed/multipliers.hpp"
#include "operators/condensed/node_sweeps.hpp"
#include "operators/condensed/points.hpp"
#include "operators/condensed/strips.hpp"

namespace delassus::condensed {

/// Forces beside those of the rows: none.
struct NoForces {
  static constexpr bool kOnJoints = false;
  template <class T, class X>
  void add(const Placed<T>&, NodeSweep<X>&) const {}
};

/// z = (R⁻¹ + Λ⁻¹)⁻¹ b; with forces, that of M ν̇ = forces + Jᵀ z and J ν̇ + R⁻¹ z = b.
template <class T, class X, class Forces>
void solve_nodes(const Placed<T>& p, const CondensedDamping<T>& d, const X* b, X* z, NodeSweep<X>& work,
                 const Forces& forces) {
  const CondensedPlan& plan = p.plan;
  const int m = p.rows.num_rows();
  X *values = work.value.data(), *weighted = work.weighted.data();
  const bool lone = !plan.lone.list.empty(), on_joints = Forces::kOnJoints || lone || !plan.joints.stiff.empty();
  std::fill(work.value.begin(), work.value.end(), X(0));
  weigh(p.rows.spans, m, d.rows, b, weighted);
  push(plan.groups, plan, d.dual_side, b, values);
  if constexpr (!kFolded<T>) push(plan.branches, p, d, b, values, work.branch, weighted);
  push_strips(p, weighted, values);
  push(plan.points, p, weighted, values);
  push(plan.wrenches, p, weighted, values);
  push(plan.multipliers, p, b, values);
  if (on_joints) push(plan.joints.stiff, p, weighted, work.joint);
  push(plan.lone, p, weighted, work.lone);
  forces.add(p, work);

  const Factors<T> f{plan,         p.c.art.frames,      d.U_hat.data(), d.D_factor.data(),
                     d.hat.data(), d.multiplier.data(), nullptr};
  sweep_nodes(f, lone ? JointForces::kRowsAndLone : on_joints ? JointForces::kRows : JointForces::kNone, work);

  // R (b - J ν̇), one subtraction among accelerations; groups and multipliers then replace it.
  std::copy_n(b, m, z);
  pull_strips<true>(p, values, z);
  pull<true>(plan.points, p, values, z);
  pull<true>(plan.wrenches, p, values, z);
  pull<true>(plan.joints.stiff, p, work.joint, z);
  pull(plan.lone, p, d, b, work.joint, z);
  weigh(p.rows.spans, m, d.rows, z, z);
  pull(plan.groups, p, d, b, values, weighted, z);
  if constexpr (!kFolded<T>) pull(plan.branches, p, d, values, work.branch, z);
  pull(plan.multipliers, p, values, z);
}

}  // namespace delassus::condensed
