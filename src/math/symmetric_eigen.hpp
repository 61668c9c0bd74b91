// Eigenvalues and eigenvectors of small symmetric matrices, by rotations of Jacobi: in place, without allocation, and exact to
// rounding for eigenvalues near zero as well, which is what it is for.
#pragma once

#include <cmath>
#include <limits>

#include "delassus/math/scalar.hpp"

namespace delassus {

/// Turns rows and columns p and q of A so that A(p, q) becomes zero, and rows p and q of V along.
template <FloatingPoint T>
void rotate_pair(int n, T* A, T* V, int p, int q) {
  const T off = A[p * n + q];
  const T half = (A[q * n + q] - A[p * n + p]) / (2 * off);
  const T t = (half < 0 ? T(-1) : T(1)) / (std::abs(half) + std::sqrt(T(1) + half * half));  // none where half is huge
  const T c = 1 / std::sqrt(T(1) + t * t), s = t * c;
  const auto turn = [c, s](T& x, T& y) {
    const T old = x;
    x = c * old - s * y;
    y = s * old + c * y;
  };
  const T p_end = A[p * n + p] - t * off, q_end = A[q * n + q] + t * off;
  for (int k = 0; k < n; ++k) {
    turn(A[p * n + k], A[q * n + k]);
    turn(V[p * n + k], V[q * n + k]);
  }
  A[p * n + p] = p_end;
  A[q * n + q] = q_end;
  A[p * n + q] = A[q * n + p] = T(0);
  for (int k = 0; k < n; ++k) {
    A[k * n + p] = A[p * n + k];
    A[k * n + q] = A[q * n + k];
  }
}

/// A = Vᵀ W V of a symmetric matrix (n × n, both triangles): W is left on the diagonal of A, in no order, and the eigenvectors
/// are the rows of V. Some 20 n³ operations. Matrices that hold no numbers come back as they may.
template <FloatingPoint T>
void symmetric_eigen(int n, T* A, T* V) {
  constexpr int kSweeps = 30;  // quadratic convergence: six or seven are enough
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) V[r * n + c] = T(r == c ? 1 : 0);
  }
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool turned = false;
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        const T floor = std::numeric_limits<T>::epsilon() * (std::abs(A[p * n + p]) + std::abs(A[q * n + q])) / 8;
        if (!(std::abs(A[p * n + q]) > floor)) continue;
        rotate_pair(n, A, V, p, q);
        turned = true;
      }
    }
    if (!turned) return;
  }
}

}  // namespace delassus
