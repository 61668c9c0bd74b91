// Arrays of a batch: one row per environment, in any layout that two strides describe. A C-ordered NumPy array of shape (B, n) and
// a Fortran-ordered one (a structure of arrays) both are such views, without a copy. A view does not own.
#pragma once

#include <cstddef>
#include <type_traits>

#include "delassus/math/scalar.hpp"

namespace delassus {

/// (environments, components). Strides count numbers, not bytes.
template <class T>
class BatchView {
 public:
  BatchView(T* data, int size, int components, std::ptrdiff_t environment_stride, std::ptrdiff_t component_stride)
      : data_(data),
        size_(size),
        components_(components),
        environment_stride_(environment_stride),
        component_stride_(component_stride) {}
  /// Dense, the numbers of an environment next to each other.
  BatchView(T* data, int size, int components) : BatchView(data, size, components, components, 1) {}
  /// Dense, the environments next to each other: vectors are read as they stand.
  static BatchView by_component(T* data, int size, int components) { return {data, size, components, 1, size}; }
  /// What may be written may be read.
  operator BatchView<const T>() const requires(!std::is_const_v<T>) {  // NOLINT: implicit by design
    return {data_, size_, components_, environment_stride_, component_stride_};
  }

  T* data() const { return data_; }
  int size() const { return size_; }
  int components() const { return components_; }
  std::ptrdiff_t environment_stride() const { return environment_stride_; }
  std::ptrdiff_t component_stride() const { return component_stride_; }
  T& operator()(int environment, int component) const { return *at(environment, component); }
  T* at(int environment, int component) const {
    return data_ + environment * environment_stride_ + component * component_stride_;
  }

 private:
  T* data_;
  int size_, components_;
  std::ptrdiff_t environment_stride_, component_stride_;
};

/// (environments, rows, columns).
template <class T>
class BatchMatrixView {
 public:
  BatchMatrixView(T* data, int size, int rows, int cols, std::ptrdiff_t environment_stride, std::ptrdiff_t row_stride,
                  std::ptrdiff_t col_stride)
      : data_(data),
        size_(size),
        rows_(rows),
        cols_(cols),
        environment_stride_(environment_stride),
        row_stride_(row_stride),
        col_stride_(col_stride) {}
  /// Dense, one matrix after the other, each by rows.
  BatchMatrixView(T* data, int size, int rows, int cols)
      : BatchMatrixView(data, size, rows, cols, static_cast<std::ptrdiff_t>(rows) * cols, cols, 1) {}
  /// Dense, the environments next to each other.
  static BatchMatrixView by_component(T* data, int size, int rows, int cols) {
    return {data, size, rows, cols, 1, static_cast<std::ptrdiff_t>(size) * cols, size};
  }

  T* data() const { return data_; }
  int size() const { return size_; }
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  std::ptrdiff_t environment_stride() const { return environment_stride_; }
  std::ptrdiff_t row_stride() const { return row_stride_; }
  std::ptrdiff_t col_stride() const { return col_stride_; }
  T& operator()(int environment, int row, int col) const {
    return data_[environment * environment_stride_ + row * row_stride_ + col * col_stride_];
  }
  /// Row r of every matrix.
  BatchView<T> row(int r) const { return {data_ + r * row_stride_, size_, cols_, environment_stride_, col_stride_}; }

 private:
  T* data_;
  int size_, rows_, cols_;
  std::ptrdiff_t environment_stride_, row_stride_, col_stride_;
};

/// Argument types: the scalar is that of the batch, and containers of views convert.
template <class T>
using BatchIn = std::type_identity_t<BatchView<const T>>;
template <class T>
using BatchOut = std::type_identity_t<BatchView<T>>;
template <class T>
using BatchMatrixOut = std::type_identity_t<BatchMatrixView<T>>;

}  // namespace delassus
