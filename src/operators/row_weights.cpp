#include "operators/row_weights.hpp"

#include <algorithm>
#include <limits>

#include "delassus/math/boxed.hpp"
#include "math/instantiate.hpp"
#include "math/ldlt.hpp"
#include "operators/add_damping.hpp"
#include "operators/condensed/small_blocks.hpp"

namespace delassus {
namespace {

/// R of a block by its LDLᵀ. Returns the margin of the pivots.
template <int N, class T>
T invert_block(const T* block, T* out) {
  Sym<T, N> A;
  Vec<T, N> floor = Vec<T, N>::zero();
  for (int r = 0; r < N; ++r) {
    for (int c = 0; c < r + 1; ++c) A(r, c) = block[r * N + c];
  }
  T margin;
  const Ldlt<T, N> L = factor_ldlt(A, floor, margin);
  Mat<T, N, N> inverse = Mat<T, N, N>::identity();
  L.solve(inverse);
  for (int r = 0; r < N; ++r) {
    for (int c = 0; c < N; ++c) out[r * N + c] = r < c ? inverse(c, r) : inverse(r, c);
  }
  return margin;
}

/// A positive number that is finite: by comparisons only, which no number fails.
template <class T>
bool is_positive(const T& x) {
  return all_lanes(T(0) < x) && all_lanes(x < T(std::numeric_limits<Base<T>>::infinity()));
}

/// Why a block has no inverse.
template <class T>
Status::Code block_fault(const T* block, int entries) {
  for (int k = 0; k < entries; ++k) {
    if (!all_lanes(is_finite(block[k]))) return Status::Code::kNotFinite;
  }
  return Status::Code::kNotPositive;
}

template <class T>
Status set_blocks(std::span<const RowSpan> spans, const Damping<T>& damping, RowWeights<T>& out) {
  int at = 0;
  for (const RowSpan& span : spans) {
    const int m = span.rows;
    if (m > 6) return {Status::Code::kBadArgument, 0};
    if (m == 0) continue;
    for (int r = 0; r < m; ++r) {
      out.begin[span.first_row + r] = at + r * m;
      out.first[span.first_row + r] = span.first_row;
    }
    for (int r = 0; r < m; ++r) {
      for (int c = 0; c < r + 1; ++c) {
        out.damping[at + r * m + c] = out.damping[at + c * m + r] = damping.values()[at + r * m + c];
      }
    }
    const T margin = with_rows(m, [&](auto N) { return invert_block<N()>(&out.damping[at], &out.weight[at]); });
    T sum(0);
    for (int k = at; k < at + m * m; ++k) sum += out.damping[k] + out.weight[k];
    if (!all_lanes(T(0) < margin) || !all_lanes(is_finite(sum))) {
      return {block_fault(&out.damping[at], m * m), span.first_row};
    }
    at += m * m;
  }
  return {};
}

/// One number per row, side by side where rows stand next to each other. False: one might not be positive and finite.
template <FloatingPoint T>
bool set_rows(int rows, const VectorView<const T>& values, RowWeights<T>& out) {
  if (rows > 1 && &values[1] != &values[0] + 1) return false;
  using Wide = Pack<T, kChunk<T>>;
  Wide wide_sum(0), wide_least(1);
  T sum(0), least(1);
  const auto add = [&](const T& gone, const T& low) {
    sum += gone;
    least = min(least, low);
  };
  for_each_chunk<T>(rows, [&]<class X>(std::type_identity<X>, int at) {
    const X d = load<X>(&values[at]), weight = X(1) / d;
    store(&out.damping[at], d);
    store(&out.weight[at], weight);
    const X gone = (d - d) + (weight - weight), low = min(d, weight);  // not a number if one is infinite or none
    if constexpr (std::same_as<X, Wide>) {
      wide_sum += gone;
      wide_least = min(wide_least, low);
    } else if constexpr (std::same_as<X, T>) {
      add(gone, low);
    } else {
      for (int k = 0; k < X::kWidth; ++k) add(gone[k], low[k]);
    }
  });
  for (int k = 0; k < Wide::kWidth; ++k) add(wide_sum[k], wide_least[k]);
  return 0 < least && is_finite(sum);
}

}  // namespace

template <class T>
void RowWeights<T>::resize(std::span<const RowSpan> spans, int rows) {
  std::size_t entries = 0;
  for (const RowSpan& span : spans) entries += static_cast<std::size_t>(span.rows) * std::min(span.rows, 6);
  damping.resize(entries);
  weight.resize(entries);
  begin.resize(rows);
  first.resize(rows);
}

template <class T>
std::size_t RowWeights<T>::bytes() const {
  return heap_bytes(damping, weight, begin, first);
}

template <class T>
Status set_weights(std::span<const RowSpan> spans, int rows, const Damping<T>& damping, RowWeights<T>& out) {
  out.kind = damping.kind();
  if (out.kind == Damping<T>::Kind::kUnsymmetric) return {Status::Code::kBadArgument, 0};
  if (out.kind == Damping<T>::Kind::kBlocks) return set_blocks(spans, damping, out);
  if (out.kind == Damping<T>::Kind::kScalar) {
    const T weight = T(1) / damping.scalar();
    if (rows > 0 && !(is_positive(damping.scalar()) && is_positive(weight)))
      return {damping_fault(damping.scalar()), 0};
    fill_rows(rows, damping.scalar(), out.damping.data());
    fill_rows(rows, weight, out.weight.data());
    return {};
  }
  if constexpr (FloatingPoint<T>) {
    if (set_rows(rows, damping.values(), out)) return {};
  }
  for (int r = 0; r < rows; ++r) {
    const T& d = damping.values()[r];
    const T weight = T(1) / d;
    if (!is_positive(d) || !is_positive(weight)) return {damping_fault(d), r};
    out.damping[r] = d;
    out.weight[r] = weight;
  }
  return {};
}

template <class T>
void RowWeights<T>::reserve(int rows) {
  const auto m = static_cast<std::size_t>(rows);
  damping.reserve(6 * m);
  weight.reserve(6 * m);
  begin.reserve(m);
  first.reserve(m);
}

#define DELASSUS_INSTANTIATE(T)  \
  template struct RowWeights<T>; \
  template Status set_weights(std::span<const RowSpan>, int, const Damping<T>&, RowWeights<T>&);
DELASSUS_FOR_EACH_TREE_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
