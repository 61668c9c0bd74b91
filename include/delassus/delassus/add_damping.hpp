// A damping as part of a matrix.
#pragma once

#include <limits>
#include <span>

#include "delassus/delassus/damping.hpp"
#include "delassus/math/lower_view.hpp"
#include "delassus/math/scalar.hpp"

namespace delassus {

/// What R⁻¹ has on the diagonal is not negative and a number. (Scalars are compared by `<` alone.)
template <class T>
bool is_damping(const T& x) {
  return all_lanes(T(-static_cast<double>(std::numeric_limits<Base<T>>::min())) < x);
}

/// Adds R⁻¹ to the lower triangle of a matrix with this many rows; blocks belong to these constraints. kNotPositive names a
/// row whose damping is negative or no number; part of it has been added then.
template <class T>
Status add_damping(const Damping<T>& damping, std::span<const RowSpan> spans, int rows, LowerView<T> to) {
  const T* value = damping.values().data();
  if (damping.kind() != Damping<T>::Kind::kBlocks) {
    const bool scalar = damping.kind() == Damping<T>::Kind::kScalar;
    for (int r = 0; r < rows; ++r) {
      const T& d = scalar ? damping.scalar() : value[r];
      if (!is_damping(d)) return {Status::Code::kNotPositive, r};
      to(r, r) += d;
    }
    return {};
  }
  for (const RowSpan& span : spans) {
    const LowerView<T> block = to.block(span.first_row, span.first_row);
    for (int r = 0; r < span.rows; ++r, value += span.rows) {
      if (!is_damping(value[r])) return {Status::Code::kNotPositive, span.first_row + r};
      for (int c = 0; c <= r; ++c) block(r, c) += value[c];
    }
  }
  return {};
}

}  // namespace delassus
