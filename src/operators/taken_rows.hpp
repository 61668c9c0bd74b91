// Rows as an operator keeps them: a copy of those that it was given last.
#pragma once

#include "delassus/constraints/rows.hpp"
#include "delassus/math/error.hpp"
#include "math/chunks.hpp"
#include "math/lane3.hpp"

namespace delassus {

/// Takes values over into a copy of the same structure, and looks at them on the way: returns whether squares of all numbers are
/// finite, which their sum tells.
template <class T>
bool take_values(const ConstraintRows<T>& rows, ConstraintRows<T>& copy) {
  using X = std::conditional_t<Laned<T>, Pack<Base<T>, 8>, T>;
  constexpr std::size_t kWidth = Laned<T> ? 8 : 1;
  copy.identity = rows.identity;
  copy.weights = rows.weights;
  copy.values.resize(rows.values.size());
  const T* from = rows.values.data();
  T* to = copy.values.data();
  X sums[4] = {X(0), X(0), X(0), X(0)};
  const std::size_t n = rows.values.size(), whole = n / (4 * kWidth) * (4 * kWidth);
  for (std::size_t k = 0; k < whole; k += 4 * kWidth) {
    DELASSUS_UNROLL
    for (std::size_t l = 0; l < 4; ++l) {
      const X x = load<X>(from + k + l * kWidth);
      store(to + k + l * kWidth, x);
      sums[l] += x * x;
    }
  }
  const X all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  T sum;
  if constexpr (Laned<T>) {
    sum = all[0];
    for (std::size_t l = 1; l < kWidth; ++l) sum += all[static_cast<int>(l)];
  } else {
    sum = all;
  }
  for (std::size_t k = whole; k < n; ++k) {
    to[k] = from[k];
    sum += from[k] * from[k];
  }
  for (const T& weight : rows.weights) sum += weight * weight;
  return all_lanes(is_finite(sum));
}

/// The same of values that are there already.
template <class T>
bool has_finite_values(const ConstraintRows<T>& rows) {
  T sums[4] = {T(0), T(0), T(0), T(0)};
  for (std::size_t k = 0; k < rows.values.size(); ++k) sums[k % 4] += rows.values[k] * rows.values[k];
  for (const T& weight : rows.weights) sums[0] += weight * weight;
  return all_lanes(is_finite((sums[0] + sums[1]) + (sums[2] + sums[3])));
}

/// The row whose square is not finite, if there is one.
template <class T>
Status find_not_finite(const ConstraintRows<T>& rows) {
  for (const RowBlock& block : rows.blocks) {
    for (int r = 0; r < block.rows; ++r) {
      const Force<T> K = row_wrench(rows, block, r, Vec3<T>::zero());
      if (!all_lanes(is_finite(dot(K.moment, K.moment) + dot(K.force, K.force)))) {
        return {Status::Code::kNotFinite, block.first_row + r};
      }
    }
  }
  for (std::size_t k = 0; k < rows.entries.size(); ++k) {
    if (!all_lanes(is_finite(rows.weights[k] * rows.weights[k])))
      return {Status::Code::kNotFinite, rows.entries[k].row};
  }
  return {};
}

}  // namespace delassus
