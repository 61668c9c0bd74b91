// LowerView: the lower triangle of a symmetric matrix while it is being computed. Columns are contiguous, so that kernels
// run down the rows several at a time.
#pragma once

#include <cstddef>

#include "delassus/math/scalar.hpp"

namespace delassus {

template <class T>
struct LowerView {
  T* data;
  std::ptrdiff_t stride;  // from one column to the next

  /// Only row >= column is read in the end; what is written above it is lost.
  DELASSUS_INLINE T* at(int row, int column) const { return data + column * stride + row; }
  DELASSUS_INLINE T& operator()(int row, int column) const { return *at(row, column); }
  DELASSUS_INLINE LowerView block(int row, int column) const { return {at(row, column), stride}; }
};

}  // namespace delassus
