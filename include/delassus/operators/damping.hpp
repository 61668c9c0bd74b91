// R⁻¹ as operators take it: one number for all rows, one per row, or one symmetric block per constraint.
#pragma once

#include <cstdint>
#include <span>

#include "delassus/constraints/rows.hpp"
#include "delassus/math/error.hpp"
#include "delassus/math/view.hpp"

namespace delassus {

/// A view: the numbers have to live as long as the call that they are given to.
template <class T>
class Damping {
 public:
  enum class Kind : std::uint8_t { kScalar, kDiagonal, kBlocks };

  Damping(const T& scalar)
      : kind_(Kind::kScalar), scalar_(scalar), values_(nullptr, 0) {}  // NOLINT: implicit by design
  /// One positive number per row.
  template <class V>
  requires std::convertible_to<V, VectorView<const T>> Damping(const V& diagonal)  // NOLINT: implicit by design
      : kind_(Kind::kDiagonal), scalar_(0), values_(diagonal) {}
  /// For each constraint with m rows its m × m block by rows, positive definite and symmetric (the lower triangle is
  /// read); constraints in their order, no gaps.
  static Damping blocks(In<T> values) {
    Damping d(values);
    d.kind_ = Kind::kBlocks;
    return d;
  }

  Kind kind() const { return kind_; }
  const T& scalar() const { return scalar_; }
  /// Per row, or of all blocks.
  VectorView<const T> values() const { return values_; }

  /// Whether there are as many numbers as rows, or as entries of blocks.
  bool fits(std::span<const RowSpan> spans, int rows) const {
    if (kind_ != Kind::kBlocks) return kind_ == Kind::kScalar || values_.size() == rows;
    std::int64_t entries = 0;
    for (const RowSpan& span : spans) entries += static_cast<std::int64_t>(span.rows) * span.rows;
    return values_.size() == entries;
  }

 private:
  Kind kind_;
  T scalar_;
  VectorView<const T> values_;
};

}  // namespace delassus
