// Rows on joints: weights 𝒦 on degrees of freedom.
#pragma once

#include "operators/condensed/placed.hpp"

namespace delassus::condensed {

/// 𝒦ᵀ x of some entries, as forces on joints: all others get none.
template <class T, class X>
void push(std::span<const std::int32_t> entries, const Placed<T>& p, const X* x, std::vector<X>& forces) {
  std::fill(forces.begin(), forces.end(), X(0));
  for (const int k : entries) {
    const JointEntry& entry = p.rows.entries[k];
    forces[entry.v] += p.rows.weights[k] * x[entry.row];
  }
}

/// y += 𝒦 ν̇, or -=.
template <bool kMinus, class T, class X>
void pull(std::span<const std::int32_t> entries, const Placed<T>& p, const std::vector<X>& motions, X* y) {
  for (const int k : entries) {
    const JointEntry& entry = p.rows.entries[k];
    const X felt = p.rows.weights[k] * motions[entry.v];
    kMinus ? y[entry.row] -= felt : y[entry.row] += felt;
  }
}

/// 𝒦ᵀ R 𝒦.
template <class T>
void stiffen(const Joints& joints, const ConstraintRows<T>& rows, CondensedDamping<T>& d) {
  std::fill(d.stiff_joint.begin(), d.stiff_joint.end(), T(0));
  const RowWeights<T>& w = d.rows;
  for (const Joints::Pair& s : joints.pairs) {
    const int left = rows.entries[s.left].row, right = rows.entries[s.right].row;
    if (left != right && w.kind != Damping<T>::Kind::kBlocks) continue;
    d.stiff_joint[s.place] += rows.weights[s.left] * rows.weights[s.right] * w.between(left, right);
  }
}

}  // namespace delassus::condensed
