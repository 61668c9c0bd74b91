#include "control/task_elimination.hpp"

#include <algorithm>

namespace delassus {
namespace {

/// y = A x
template <class T>
void multiply(MatrixView<const T> A, const T* x, T* y) {
  for (int r = 0; r < A.rows(); ++r) {
    T sum(0);
    for (int c = 0; c < A.cols(); ++c) sum += A(r, c) * x[c];
    y[r] = sum;
  }
}

}  // namespace

template <FloatingPoint T>
void TaskElimination<T>::append(int rows) {
  levels_.push_back({rows_, rows});
  rows_ += rows;
  const std::size_t size = static_cast<std::size_t>(rows_) * static_cast<std::size_t>(rows_);
  matrix_.assign(size, T(0));
  lower_.assign(size, T(0));
  achieved_.assign(static_cast<std::size_t>(rows_), T(0));
}

template <FloatingPoint T>
void TaskElimination<T>::add(int rows, const SingularityOptions& options) {
  append(rows);
  inverse_.emplace_back(rows, options);
}

template <FloatingPoint T>
void TaskElimination<T>::add_held(int rows) {
  append(rows);
  inverse_.push_back(RobustInverse<T>::make_held(rows));
}

template <FloatingPoint T>
MatrixView<const T> TaskElimination<T>::block(const Level& a, const Level& b) const {
  return {matrix_.data() + a.first * rows_ + b.first, a.rows, b.rows, rows_, 1};
}

template <FloatingPoint T>
void TaskElimination<T>::factor(const T* scale) {
  for (int k = 0; k < num_levels(); ++k) {
    inverse_[k].factor(inverse_inertia(k), scale + levels_[k].first);
    eliminate(k);
  }
}

/// L_ik = S_ik P_k and S_ij -= L_ik S_jkᵀ for all rows i, j below level k, on and below the diagonal.
template <FloatingPoint T>
void TaskElimination<T>::eliminate(int k) {
  const Level& level = levels_[k];
  const MatrixView<const T> P = inverse_[k].projection();
  const int below = level.first + level.rows;
  for (int i = below; i < rows_; ++i) {
    const T* S = matrix_.data() + i * rows_ + level.first;
    T* L = lower_.data() + i * rows_ + level.first;
    multiply(P, S, L);  // P is symmetric
    for (int j = below; j <= i; ++j) {
      const T* other = matrix_.data() + j * rows_ + level.first;
      T sum(0);
      for (int c = 0; c < level.rows; ++c) sum += L[c] * other[c];
      matrix_[i * rows_ + j] -= sum;
      if (i != j) matrix_[j * rows_ + i] = matrix_[i * rows_ + j];
    }
  }
}

template <FloatingPoint T>
void TaskElimination<T>::apply_inertia(int k, const T* acceleration, T* force) const {
  multiply(inertia(k), acceleration, force);
}

template <FloatingPoint T>
void TaskElimination<T>::subtract(int a, int b, const T* y, T* x) const {
  const Level &to = levels_[a], &from = levels_[b];
  for (int r = 0; r < to.rows; ++r) {
    const T* L = lower_.data() + (to.first + r) * rows_ + from.first;
    T sum(0);
    for (int c = 0; c < from.rows; ++c) sum += L[c] * y[c];
    x[r] -= sum;
  }
}

/// Levels below see what those above achieve, D_j F_j, which is less than what they were asked for where they are weak.
template <FloatingPoint T>
void TaskElimination<T>::solve(T* x) const {
  T* F = achieved_.data();  // of one level, then what it achieves
  for (int k = 0; k < num_levels(); ++k) {
    const Level& level = levels_[k];
    T* own = x + level.first;
    apply_inertia(k, own, F);
    std::copy_n(F, level.rows, own);
    multiply(inverse_inertia(k), own, F);
    for (int i = k + 1; i < num_levels(); ++i) subtract(i, k, F, x + levels_[i].first);
  }
  expand(num_levels() - 1, x);
}

template <FloatingPoint T>
void TaskElimination<T>::project(int last, T* x) const {
  reduce(last, x);
  for (int k = 0; k <= last; ++k) {
    T* own = x + levels_[k].first;
    multiply(inverse_[k].projection(), own, achieved_.data());
    std::copy_n(achieved_.data(), levels_[k].rows, own);
  }
  expand(last, x);
}

template <FloatingPoint T>
void TaskElimination<T>::reduce(int last, T* x) const {
  for (int k = 0; k <= last; ++k) {
    for (int j = 0; j < k; ++j) subtract(k, j, x + levels_[j].first, x + levels_[k].first);
  }
}

template <FloatingPoint T>
void TaskElimination<T>::expand(int last, T* x) const {
  if (last < 0) return;
  const int end = levels_[last].first + levels_[last].rows;
  std::fill(x + end, x + rows_, T(0));
  for (int k = last; k > 0; --k) {
    for (int r = levels_[k].first; r < levels_[k].first + levels_[k].rows; ++r) {
      const T* L = lower_.data() + r * rows_;
      for (int c = 0; c < levels_[k].first; ++c) x[c] -= L[c] * x[r];
    }
  }
}

template class TaskElimination<float>;
template class TaskElimination<double>;

}  // namespace delassus
