// Any rows on nodes that are no directions at points, as wrenches.
#pragma once

#include "dynamics/joint_step.hpp"
#include "operators/condensed/placed.hpp"

namespace delassus::condensed {

/// Rows about the origins of links, and about reference points.
template <class T>
void place(const Wrenches& wrenches, const ConstraintRows<T>& rows, CondensedConfiguration<T>& c) {
  for (const Wrenches::Part& part : wrenches.parts) std::fill_n(&c.wrench[part.wrench], part.rows, Force<T>::zero());
  for (const Wrenches::Placing& p : wrenches.placings) {
    const RowBlock& block = rows.blocks[p.block];
    for (int r = 0; r < block.rows; ++r) c.wrench[p.wrench + r] += row_wrench(rows, block, r, Vec3<T>::zero());
  }
  for (const Wrenches::Part& part : wrenches.parts) {
    for (int r = 0; r < part.rows; ++r) {
      c.placed[part.wrench + r] = shifted(c.wrench[part.wrench + r], c.art.frames.lever[part.link]);
    }
  }
}

/// Kᵀ x on nodes.
template <class T, class X>
void push(const Wrenches& wrenches, const Placed<T>& p, const X* x, X* values) {
  for (const Wrenches::Part& part : wrenches.parts) {
    for (int r = 0; r < part.rows; ++r) {
      add_force(p.at(part.node, values), scaled(p.c.placed[part.wrench + r], x[part.first_row + r]));
    }
  }
}

/// y += K a, or -=.
template <bool kMinus, class T, class X>
void pull(const Wrenches& wrenches, const Placed<T>& p, const X* values, X* y) {
  for (const Wrenches::Part& part : wrenches.parts) {
    const Motion<X> a = motion_at(p.at(part.node, values));
    for (int r = 0; r < part.rows; ++r) {
      const X felt = dot(a, p.c.placed[part.wrench + r]);
      kMinus ? y[part.first_row + r] -= felt : y[part.first_row + r] += felt;
    }
  }
}

/// Row r of R K, for a part or a pair.
template <class T, class Part>
Force<T> weighed_row(const RowWeights<T>& w, const Part& p, const Force<T>* K, int r) {
  if (w.kind != Damping<T>::Kind::kBlocks) return scaled(K[r], w.weight[p.first_row + r]);
  Force<T> sum = Force<T>::zero();
  for (int s = 0; s < p.rows; ++s) sum += scaled(K[s], w.weight[w.begin[p.first_row + r] + s]);
  return sum;
}

/// Kᵀ R K on nodes and between them.
template <class T>
void stiffen(const Wrenches& wrenches, const Placed<T>& at, const RowWeights<T>& w, const Stiffened<T>& to) {
  const std::vector<Force<T>>& wrench = at.c.wrench;
  for (const Wrenches::Part& p : wrenches.parts) {
    const Force<T>* K = &wrench[p.wrench];
    for (int r = 0; r < p.rows; ++r) downdate(to.H[p.slot], K[r], -weighed_row(w, p, K, r));
  }
  for (const Wrenches::Pair& p : wrenches.pairs) {
    for (int r = 0; r < p.rows; ++r) {
      add_products(wrench[p.earlier + r], weighed_row(w, p, &wrench[p.later], r), &to.panel[p.to], p.stride);
    }
  }
}

}  // namespace delassus::condensed
