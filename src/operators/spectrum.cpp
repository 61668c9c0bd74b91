#include "delassus/operators/matrix_operator.hpp"

#include <Eigen/Eigenvalues>
#include <limits>

namespace delassus {

Spectrum make_spectrum(MatrixView<const double> matrix) {
  Spectrum spectrum;
  const int n = matrix.rows();
  if (n == 0) return spectrum;
  Eigen::MatrixXd A(n, n);
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) A(r, c) = matrix(r, c);
  }
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
  spectrum.smallest = values[0];
  spectrum.largest = values[n - 1];
  const double threshold = n * std::numeric_limits<double>::epsilon() * spectrum.largest;
  for (int k = n - 1; k >= 0 && values[k] > threshold; --k) {
    ++spectrum.rank;
    spectrum.condition = spectrum.largest / values[k];
  }
  return spectrum;
}

}  // namespace delassus
