// How well conditioned a Delassus matrix is.
#pragma once

#include "delassus/math/view.hpp"

namespace delassus {

struct Spectrum {
  double largest = 0;
  double smallest = 0;  // may be slightly negative by rounding
  int rank = 0;         // eigenvalues above size · ε · largest

  /// Ratio of the largest eigenvalue to the smallest of those that count for the rank.
  double condition = 0;
};

/// Eigenvalues of a symmetric matrix in double precision. Allocates: for diagnosis, not for the loop.
Spectrum make_spectrum(MatrixView<const double> matrix);

}  // namespace delassus
