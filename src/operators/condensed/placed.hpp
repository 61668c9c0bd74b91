// What the kernels of all kinds of rows read and write.
#pragma once

#include "operators/condensed/factor.hpp"
#include "operators/condensed/small_blocks.hpp"

namespace delassus::condensed {

/// Rows, where they act, and the tree as q has placed it.
template <class T>
struct Placed {
  const ConstraintRows<T>& rows;
  const CondensedPlan& plan;
  const CondensedConfiguration<T>& c;

  /// From the origin of a link to its reference point.
  const Vec3<T>& lever(int link) const { return c.art.frames.lever[link]; }
  /// Where vectors have the force on a node, or its motion.
  template <class X>
  X* at(int node, X* values) const {
    return values + plan.nodes[node].value;
  }
};

/// Inertias and panels of nodes that stiffness is added to.
template <class T>
struct Stiffened {
  std::vector<ArticulatedInertia<T>>& H;
  std::vector<T>& panel;
};

template <class X>
DELASSUS_INLINE void add_force(X* to, const Force<X>& f) {
  DELASSUS_UNROLL
  for (int c = 0; c < 3; ++c) {
    to[c] += f.moment[c];
    to[c + 3] += f.force[c];
  }
}

/// Σ left rightᵀ, into a panel.
template <class T>
void add_products(const Force<T>& left, const Force<T>& right, T* to, int stride) {
  for (int i = 0; i < 6; ++i) {
    DELASSUS_UNROLL
    for (int c = 0; c < 6; ++c) to[i * stride + c] += entry_of(left, i) * entry_of(right, c);
  }
}

}  // namespace delassus::condensed
