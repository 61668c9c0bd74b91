// Views of the caller's vectors and matrices: pointer, sizes, strides. Anything with data() and size() converts
// without a copy: std::vector, std::array, Eigen vectors. Matrices convert from Eigen's of either storage order.
// A view does not own: what it shows must live longer than it. The public headers need no Eigen, so neither compile time nor ABI depends on it.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "delassus/math/scalar.hpp"

namespace delassus {

/// Eigen's vectors can be strided and its blocks have two dimensions; only contiguous vectors are vectors here.
template <class V>
concept ContiguousVector = !requires(const V& v) {
  v.innerStride();
}
|| (std::remove_cvref_t<V>::InnerStrideAtCompileTime == 1 && std::remove_cvref_t<V>::IsVectorAtCompileTime != 0);

template <class T>
class VectorView {
 public:
  VectorView(T* data, int size) : data_(data), size_(size) {}

  template <class V>
  requires(ContiguousVector<V>&& requires(V& v) {
    { v.data() } -> std::convertible_to<T*>;
    v.size();
  }) VectorView(V&& v)
      : data_(v.data()), size_(static_cast<int>(v.size())) {}  // NOLINT: implicit by design

  T* data() const { return data_; }
  int size() const { return size_; }
  T& operator[](int i) const { return data_[i]; }

 private:
  T* data_;
  int size_;
};

template <class T>
class MatrixView {
 public:
  MatrixView(T* data, int rows, int cols, std::ptrdiff_t row_stride, std::ptrdiff_t col_stride)
      : data_(data), rows_(rows), cols_(cols), row_stride_(row_stride), col_stride_(col_stride) {}

  /// Row-major and dense.
  MatrixView(T* data, int rows, int cols) : MatrixView(data, rows, cols, cols, 1) {}

  template <class M>
  requires requires(M& m) {
    { m.data() } -> std::convertible_to<T*>;
    m.rows();
    m.cols();
    m.rowStride();
    m.colStride();
  }
  MatrixView(M&& m)  // NOLINT: implicit by design
      : MatrixView(m.data(), static_cast<int>(m.rows()), static_cast<int>(m.cols()), m.rowStride(), m.colStride()) {}

  T* data() const { return data_; }
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  std::ptrdiff_t rowStride() const { return row_stride_; }
  std::ptrdiff_t colStride() const { return col_stride_; }
  T& operator()(int r, int c) const { return data_[r * row_stride_ + c * col_stride_]; }

 private:
  T* data_;
  int rows_, cols_;
  std::ptrdiff_t row_stride_, col_stride_;
};

/// The lower triangle of a symmetric matrix while it is being computed. Columns are contiguous, so that kernels run down the rows
/// several at a time.
template <class T>
struct LowerView {
  T* data;
  std::ptrdiff_t stride;  // from one column to the next

  /// Only row >= column is read in the end; what is written above it is lost.
  DELASSUS_INLINE T* at(int row, int column) const { return data + column * stride + row; }
  DELASSUS_INLINE T& operator()(int row, int column) const { return *at(row, column); }
  DELASSUS_INLINE LowerView block(int row, int column) const { return {at(row, column), stride}; }
};

/// Argument types of the public functions. The scalar is deduced from the workspaces, never from a view, so that
/// containers convert.
template <class T>
using In = std::type_identity_t<VectorView<const T>>;
template <class T>
using Out = std::type_identity_t<VectorView<T>>;
template <class T>
using MatrixIn = std::type_identity_t<MatrixView<const T>>;
template <class T>
using MatrixOut = std::type_identity_t<MatrixView<T>>;

}  // namespace delassus
