// R⁻¹ of a batch: one number for all, one per environment, or one per row of each environment.
#pragma once

#include <cstdint>

#include "delassus/batch/batch_view.hpp"

namespace delassus {

/// A view: the numbers have to live as long as the call that they are given to. All have to be positive.
template <class T>
class BatchDamping {
 public:
  enum class Kind : std::uint8_t { kScalar, kPerEnvironment, kPerRow };

  BatchDamping(T scalar)
      : kind_(Kind::kScalar), scalar_(scalar), values_(nullptr, 0, 0) {}  // NOLINT: implicit by design
  /// (B, 1).
  static BatchDamping per_environment(BatchView<const T> values) { return {Kind::kPerEnvironment, values}; }
  /// (B, Batch::max_rows()); what is beyond the rows of an environment is not read.
  static BatchDamping per_row(BatchView<const T> values) { return {Kind::kPerRow, values}; }

  Kind kind() const { return kind_; }
  T scalar() const { return scalar_; }
  const BatchView<const T>& values() const { return values_; }

 private:
  BatchDamping(Kind kind, const BatchView<const T>& values) : kind_(kind), scalar_(0), values_(values) {}

  Kind kind_;
  T scalar_;
  BatchView<const T> values_;
};

}  // namespace delassus
