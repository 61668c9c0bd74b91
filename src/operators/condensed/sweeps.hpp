// Products and damped solves on the condensed tree: rows in, two sweeps over the nodes, rows out.
//
// X is the factor's scalar, or a pack of it: several right-hand sides at once.
#pragma once

#include "operators/condensed/factor.hpp"

namespace delassus {

/// Forces on nodes and joints in, accelerations of nodes and joints out; of multipliers, minus the multiplier.
template <class X>
struct NodeSweep {
  void resize(const Model& model, const CondensedPlan& plan, int rows) {
    value.resize(plan.values);
    joint.resize(model.nv());
    weighted.resize(rows);
    lone.resize(plan.lone.list.size());
    branch.reserve(4 * static_cast<std::size_t>(plan.branches.inner_rows));
    branch.resize(plan.branches.values);
  }
  void reserve(const Model& model, std::size_t values, std::size_t rows) {
    value.reserve(values);
    joint.reserve(model.nv());
    weighted.reserve(rows);
    lone.reserve(model.nv());
    branch.reserve(4 * rows);
  }
  std::size_t bytes() const { return heap_bytes(value, joint, weighted, lone, branch); }

  std::vector<X> value;     // at CondensedPlan::Node::value
  std::vector<X> joint;     // per degree of freedom
  std::vector<X> weighted;  // R b; of carried groups S b in the end
  std::vector<X> branch;    // of branches: L⁻¹ b
  std::vector<X> lone;      // of lone rows: forces in, what of the joint's acceleration is theirs out
};

/// y = Λ⁻¹ x; x and y have one entry per row, and are not the same.
template <class T, class X>
void condensed_product(const ConstraintRows<T>& rows, const CondensedPlan& plan, const CondensedConfiguration<T>& c,
                       const X* x, X* y, NodeSweep<X>& work);

/// z = (R⁻¹ + Λ⁻¹)⁻¹ b, as far as rounding lets one solve; b and z are not the same.
template <class T, class X>
void condensed_solve(const ConstraintRows<T>& rows, const CondensedPlan& plan, const CondensedConfiguration<T>& c,
                     const CondensedDamping<T>& d, const X* b, X* z, NodeSweep<X>& work);

}  // namespace delassus
