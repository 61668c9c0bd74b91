// Lone rows: one row for each degree of freedom of a joint, and no others there. Their R may be as large as it likes: with D the
// inertia at the joint and k² R what the row adds, b - k ν̇ = (D / (D + k² R)) b - k ν̇₀, where ν̇₀ is the joint's acceleration
// without what R b gives. So there is no difference of nearly equal numbers.
#pragma once

#include "operators/condensed/exchange.hpp"

namespace delassus::condensed {

/// 𝒦ᵀ x, apart from other forces on joints.
template <class T, class X>
void push(const LoneRows& lone, const Placed<T>& p, const X* x, std::vector<X>& forces) {
  for (std::size_t k = 0; k < lone.list.size(); ++k) {
    const LoneRows::Row& row = lone.list[k];
    forces[k] = p.rows.weights[row.entry] * x[row.row];
  }
}

/// z = share b - 𝒦 ν̇₀.
template <class T, class X>
void pull(const LoneRows& lone, const Placed<T>& p, const CondensedDamping<T>& d, const X* b,
          const std::vector<X>& motions, X* z) {
  for (const LoneRows::Row& row : lone.list) {
    X sum = -(p.rows.weights[row.entry] * motions[row.v]);
    for (int s = 0; s < row.count; ++s) sum += d.share[row.share + s] * b[lone.list[row.first + s].row];
    z[row.row] = sum;
  }
}

/// D += 𝒦ᵀ R 𝒦 on the joint of a node, where 𝒦 is diagonal.
template <int N, class T>
DELASSUS_INLINE void stiffen(const LoneRows& lone, const ConstraintRows<T>& rows, const Node& node,
                             const RowWeights<T>& w, Sym<T, N>& D) {
  const LoneRows::Row* row = &lone.list[node.lone];
  DELASSUS_UNROLL
  for (int r = 0; r < N; ++r) {
    DELASSUS_UNROLL
    for (int s = 0; s < r + 1; ++s) {
      if (r != s && w.kind != Damping<T>::Kind::kBlocks) continue;
      const T added = rows.weights[row[r].entry] * rows.weights[row[s].entry] * w.between(row[r].row, row[s].row);
      D(r, s) += Exchange<T>::whole(node, added);
    }
  }
}

/// 1 - 𝒦 (D + 𝒦ᵀ R 𝒦)⁻¹ 𝒦ᵀ R, whose diagonal is that of (D + 𝒦ᵀ R 𝒦)⁻¹ D: no difference of nearly equal numbers.
template <int N, class T>
DELASSUS_INLINE void find_shares(const LoneRows& lone, const ConstraintRows<T>& rows, const Node& node,
                                 const Sym<T, N>& inertia, const Ldlt<T, N>& factor, CondensedDamping<T>& d) {
  const LoneRows::Row* row = &lone.list[node.lone];
  if constexpr (N == 1) {
    d.share[row->share] = inertia(0, 0) * factor.factor(0, 0);
    return;
  }
  Mat<T, N, N> left = full(inertia), right;
  for (int r = 0; r < N; ++r) {
    for (int s = 0; s < N; ++s) right(r, s) = rows.weights[row[r].entry] * d.rows.between(row[r].row, row[s].row);
  }
  factor.solve(left);
  factor.solve(right);
  for (int r = 0; r < N; ++r) {
    for (int s = 0; s < N; ++s) {
      d.share[row[r].share + s] = r == s ? left(r, r) : -rows.weights[row[r].entry] * right(r, s);
    }
  }
}

}  // namespace delassus::condensed
