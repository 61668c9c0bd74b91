// Constraints as unknowns of their own, x = -λ: rows on nodes are couplings, and -R⁻¹ is their own block. They are placed as
// wrenches, and in products they are wrenches.
#pragma once

#include "operators/condensed/wrenches.hpp"

namespace delassus::condensed {

template <class T>
void place(const Multipliers& multipliers, const ConstraintRows<T>& rows, CondensedConfiguration<T>& c) {
  place(multipliers.wrenches, rows, c);
}

template <class T, class X>
void push(const Multipliers& multipliers, const Placed<T>& p, const X* b, X* values) {
  for (const int at : multipliers.nodes) {
    const CondensedPlan::Node& node = p.plan.nodes[at];
    for (int r = 0; r < node.width; ++r) values[node.value + r] = b[node.first_row + r];
  }
}

template <class T, class X>
void pull(const Multipliers& multipliers, const Placed<T>& p, const X* values, X* z) {
  for (const int at : multipliers.nodes) {
    const CondensedPlan::Node& node = p.plan.nodes[at];
    for (int r = 0; r < node.width; ++r) z[node.first_row + r] = -values[node.value + r];
  }
}

template <class T>
void stiffen(const Multipliers& multipliers, const Placed<T>& p, CondensedDamping<T>& d) {
  for (const Multipliers::Columns& m : multipliers.columns) {
    for (int r = 0; r < m.rows; ++r) {
      for (int i = 0; i < 6; ++i) d.panel[m.to + i * m.stride + r] = entry_of(p.c.wrench[m.wrench + r], i);
    }
  }
  for (const int at : multipliers.nodes) {
    const CondensedPlan::Node& node = p.plan.nodes[at];
    T* triangle = &d.multiplier[node.slot];
    for (int r = 0; r < node.width; ++r) {
      d.peak[node.first_row + r] = T(0);
      for (int s = 0; s < r + 1; ++s) *triangle++ = d.rows.damping_between(node.first_row + r, node.first_row + s);
    }
  }
}

}  // namespace delassus::condensed
