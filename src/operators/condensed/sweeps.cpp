// Products and damped solves, compiled for every scalar and for panels of right-hand sides.
#include "operators/condensed/sweeps.hpp"

#include "math/kernel_scalars.hpp"
#include "operators/condensed/damped_solve.hpp"

namespace delassus {

template <class T, class X>
void condensed_product(const ConstraintRows<T>& rows, const CondensedPlan& plan, const CondensedConfiguration<T>& c,
                       const X* x, X* y, NodeSweep<X>& work) {
  using namespace condensed;
  const Placed<T> p{rows, plan, c};
  X* values = work.value.data();
  std::fill(work.value.begin(), work.value.end(), X(0));
  push(plan.groups, plan, c.side, x, values);
  if constexpr (!kFolded<T>) push(plan.branches, p, x, values, work.branch);
  push_strips(p, x, values);
  push(plan.points, p, x, values);
  push(plan.wrenches, p, x, values);
  push(plan.multipliers.wrenches, p, x, values);
  const bool on_joints = !plan.joints.entries.empty();
  if (on_joints) push(plan.joints.entries, p, x, work.joint);
  const Factors<T> f{plan, c.art.frames, c.art.U_hat.data(), c.art.D_factor.data(), nullptr, nullptr, c.yield.data()};
  sweep_nodes(f, on_joints ? JointForces::kRows : JointForces::kNone, work);
  std::fill_n(y, rows.num_rows(), X(0));
  pull(plan.groups, p, x, values, y);
  if constexpr (!kFolded<T>) pull(plan.branches, p, values, work.branch, y);
  pull_strips<false>(p, values, y);
  pull<false>(plan.points, p, values, y);
  pull<false>(plan.wrenches, p, values, y);
  pull<false>(plan.multipliers.wrenches, p, values, y);
  pull<false>(plan.joints.entries, p, work.joint, y);
}

template <class T, class X>
void condensed_solve(const ConstraintRows<T>& rows, const CondensedPlan& plan, const CondensedConfiguration<T>& c,
                     const CondensedDamping<T>& d, const X* b, X* z, NodeSweep<X>& work) {
  condensed::solve_nodes(condensed::Placed<T>{rows, plan, c}, d, b, z, work, condensed::NoForces{});
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
