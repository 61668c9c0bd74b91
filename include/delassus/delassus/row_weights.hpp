// R, the inverse of the damping, as algorithms that turn constraints into stiffness need it.
#pragma once

#include "delassus/delassus/damping.hpp"

namespace delassus {

/// R = damping⁻¹.
template <class T>
struct RowWeights {
  /// R of two rows.
  T between(int r, int s) const {
    if (kind != Damping<T>::Kind::kBlocks) return r == s ? weight[r] : T(0);
    return first[r] == first[s] ? weight[begin[r] + s - first[s]] : T(0);
  }

  void resize(std::span<const RowSpan> spans, int rows);
  void reserve(int rows);
  std::size_t bytes() const;

  typename Damping<T>::Kind kind;
  std::vector<T> damping;           // R⁻¹: per row, or blocks by rows
  std::vector<T> weight;            // R, likewise
  std::vector<std::int32_t> begin;  // blocks, per row: where its row of the block begins
  std::vector<std::int32_t> first;  // blocks, per row: the first row of its constraint
};

/// kNotPositive names a row whose damping, or its block, is not positive.
template <class T>
Status set_weights(std::span<const RowSpan> spans, int rows, const Damping<T>& damping, RowWeights<T>& out);

}  // namespace delassus
