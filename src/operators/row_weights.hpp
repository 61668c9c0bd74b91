// R, the inverse of the damping, as algorithms that turn constraints into stiffness need it.
#pragma once

#include "delassus/operators/delassus_operator.hpp"
#include "math/chunks.hpp"

namespace delassus {

/// R = damping⁻¹.
template <class T>
struct RowWeights {
  /// R of two rows.
  T between(int r, int s) const {
    if (kind != Damping<T>::Kind::kBlocks) return r == s ? weight[r] : T(0);
    return first[r] == first[s] ? weight[begin[r] + s - first[s]] : T(0);
  }

  /// R⁻¹ of two rows of one constraint.
  T damping_between(int r, int s) const {
    if (kind != Damping<T>::Kind::kBlocks) return r == s ? damping[r] : T(0);
    return damping[begin[r] + s - first[s]];
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

/// kNotPositive names a row whose damping, or its block, is not positive, kNotFinite one with what is no number; kBadArgument: unsymmetric blocks
/// have no place here.
template <class T>
Status set_weights(std::span<const RowSpan> spans, int rows, const Damping<T>& damping, RowWeights<T>& out);

/// out = R x, or R⁻¹ x if `values` are those of the damping, block by block; may be the same vector.
template <class T, class X>
void multiply_blocks(std::span<const RowSpan> spans, const RowWeights<T>& w, const std::vector<T>& values, const X* x,
                     X* out) {
  for (const RowSpan& span : spans) {
    X in[6];
    for (int s = 0; s < span.rows; ++s) in[s] = x[span.first_row + s];
    for (int r = 0; r < span.rows; ++r) {
      const T* block = &values[w.begin[span.first_row + r]];
      X sum = block[0] * in[0];
      for (int s = 1; s < span.rows; ++s) sum += block[s] * in[s];
      out[span.first_row + r] = sum;
    }
  }
}

/// out = diag(values) x; may be the same vector.
template <class T, class X>
void multiply_rows(int rows, const T* values, const X* x, X* out) {
  if constexpr (std::same_as<T, X>) {
    for_each_chunk<T>(
        rows, [&]<class V>(std::type_identity<V>, int at) { store(out + at, load<V>(values + at) * load<V>(x + at)); });
  } else {
    for (int r = 0; r < rows; ++r) out[r] = values[r] * x[r];
  }
}

/// The same number for all rows.
template <class T>
void fill_rows(int rows, const T& value, T* out) {
  for_each_chunk<T>(rows, [&]<class X>(std::type_identity<X>, int at) { store(out + at, X(value)); });
}

/// out = R x.
template <class T, class X>
void weigh(std::span<const RowSpan> spans, int rows, const RowWeights<T>& w, const X* x, X* out) {
  const bool blocks = w.kind == Damping<T>::Kind::kBlocks;
  blocks ? multiply_blocks(spans, w, w.weight, x, out) : multiply_rows(rows, w.weight.data(), x, out);
}

/// out = R⁻¹ x.
template <class T, class X>
void multiply_damping(std::span<const RowSpan> spans, int rows, const RowWeights<T>& w, const X* x, X* out) {
  const bool blocks = w.kind == Damping<T>::Kind::kBlocks;
  blocks ? multiply_blocks(spans, w, w.damping, x, out) : multiply_rows(rows, w.damping.data(), x, out);
}

}  // namespace delassus
