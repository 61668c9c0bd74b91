// A damping as part of a matrix, and one that is kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "delassus/math/boxed.hpp"
#include "delassus/math/scalar.hpp"
#include "delassus/math/view.hpp"
#include "delassus/operators/delassus_operator.hpp"

namespace delassus {

/// What R⁻¹ has on the diagonal is not negative and a number. (Scalars are compared by `<` alone.)
template <class T>
bool is_damping(const T& x) {
  return all_lanes(T(-static_cast<double>(std::numeric_limits<Base<T>>::min())) < x) && all_lanes(is_finite(x));
}

/// What is wrong with a damping of a row, or with one entry of its block.
template <class T>
Status::Code damping_fault(const T& x) {
  return all_lanes(is_finite(x)) ? Status::Code::kNotPositive : Status::Code::kNotFinite;
}

/// Adds R⁻¹ to the lower triangle of a matrix with this many rows; blocks belong to these constraints. kNotPositive names a
/// row whose damping is negative, kNotFinite one whose is no number; part of it has been added then.
template <class T>
Status add_damping(const Damping<T>& damping, std::span<const RowSpan> spans, int rows, LowerView<T> to) {
  const T* value = damping.values().data();
  if (damping.kind() != Damping<T>::Kind::kBlocks) {
    const bool scalar = damping.kind() == Damping<T>::Kind::kScalar;
    for (int r = 0; r < rows; ++r) {
      const T& d = scalar ? damping.scalar() : value[r];
      if (!is_damping(d)) return {damping_fault(d), r};
      to(r, r) += d;
    }
    return {};
  }
  for (const RowSpan& span : spans) {
    const LowerView<T> block = to.block(span.first_row, span.first_row);
    for (int r = 0; r < span.rows; ++r, value += span.rows) {
      if (!is_damping(value[r])) return {damping_fault(value[r]), span.first_row + r};
      for (int c = 0; c <= r; ++c) {
        if (!all_lanes(is_finite(value[c]))) return {Status::Code::kNotFinite, span.first_row + r};
        block(r, c) += value[c];
      }
    }
  }
  return {};
}

/// Adds unsymmetric blocks to a whole matrix. kNotFinite names a row with what is no number.
template <class T>
Status add_unsymmetric(const Damping<T>& damping, std::span<const RowSpan> spans, LowerView<T> to) {
  const T* value = damping.values().data();
  for (const RowSpan& span : spans) {
    const LowerView<T> block = to.block(span.first_row, span.first_row);
    for (int r = 0; r < span.rows; ++r, value += span.rows) {
      for (int c = 0; c < span.rows; ++c) {
        if (!all_lanes(is_finite(value[c]))) return {Status::Code::kNotFinite, span.first_row + r};
        block(r, c) += value[c];
      }
    }
  }
  return {};
}

/// R⁻¹ by itself, after the call that it was given to.
template <class T>
class KeptDamping {
 public:
  /// Memory for dampings of these rows; take allocates beyond only.
  void reserve(std::span<const RowSpan> spans, int rows) {
    std::size_t entries = 0;
    for (const RowSpan& span : spans) entries += static_cast<std::size_t>(span.rows) * span.rows;
    values_.reserve(std::max(entries, 6 * static_cast<std::size_t>(rows)));  // constraints of up to six rows
    sizes_.reserve(std::max(spans.size(), static_cast<std::size_t>(rows)));
  }

  void take(const Damping<T>& damping, std::span<const RowSpan> spans, int rows) {
    kind_ = damping.kind();
    sizes_.clear();
    if (kind_ == Damping<T>::Kind::kScalar) {
      values_.assign(static_cast<std::size_t>(rows), damping.scalar());
      return;
    }
    values_.assign(damping.values().data(), damping.values().data() + damping.values().size());
    if (damping.has_blocks()) {
      for (const RowSpan& span : spans) sizes_.push_back(span.rows);
    }
  }

  typename Damping<T>::Kind kind() const { return kind_; }
  Damping<T> view() const {
    const VectorView<const T> values(values_.data(), static_cast<int>(values_.size()));
    if (kind_ == Damping<T>::Kind::kUnsymmetric) return Damping<T>::unsymmetric(values);
    return kind_ == Damping<T>::Kind::kBlocks ? Damping<T>::blocks(values) : Damping<T>(values);
  }

  /// y += R⁻¹ x.
  void add_product(const T* x, T* y) const {
    const bool symmetric = kind_ == Damping<T>::Kind::kBlocks;
    if (!symmetric && kind_ != Damping<T>::Kind::kUnsymmetric) {
      for (std::size_t r = 0; r < values_.size(); ++r) y[r] += values_[r] * x[r];
      return;
    }
    const T* block = values_.data();
    for (const std::int32_t size : sizes_) {
      for (int r = 0; r < size; ++r) {
        for (int c = 0; c < size; ++c) {
          const bool mirrored = symmetric && c > r;  // only the lower triangle counts
          y[r] += block[mirrored ? c * size + r : r * size + c] * x[c];
        }
      }
      block += size * size;
      x += size;
      y += size;
    }
  }

  std::size_t bytes() const { return heap_bytes(values_, sizes_); }

 private:
  typename Damping<T>::Kind kind_ = Damping<T>::Kind::kScalar;
  std::vector<T> values_;            // one per row, or of all blocks
  std::vector<std::int32_t> sizes_;  // rows of blocks
};

}  // namespace delassus
