// Some columns of a matrix at once: row by row in the lanes of X, which is the scalar itself where it goes one by one.
#pragma once

#include <algorithm>

#include "delassus/math/view.hpp"
#include "math/columns.hpp"

namespace delassus {

/// Lanes beyond the last column repeat it, so that they hold numbers like any other.
template <class X, class T>
void load_columns(const MatrixView<const T>& from, int column, X* to) {
  T lanes[kVectors<X, T>];
  for (int r = 0; r < from.rows(); ++r) {
    for (int l = 0; l < kVectors<X, T>; ++l) lanes[l] = from(r, std::min(column + l, from.cols() - 1));
    to[r] = load<X>(lanes);
  }
}

template <class X, class T>
void store_columns(const X* from, int column, const MatrixView<T>& to) {
  const int count = std::min(kVectors<X, T>, to.cols() - column);
  T lanes[kVectors<X, T>];
  for (int r = 0; r < to.rows(); ++r) {
    store(lanes, from[r]);
    for (int l = 0; l < count; ++l) to(r, column + l) = lanes[l];
  }
}

}  // namespace delassus
