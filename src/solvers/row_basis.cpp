#include "solvers/row_basis.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {

double length(const double* x, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += x[k] * x[k];
  return std::sqrt(sum);
}

double RowBasis::project(const double* row) {
  const std::size_t dofs = rest_.size();
  std::copy_n(row, dofs, rest_.begin());
  along_.assign(basis_.size(), 0);
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t k = 0; k < basis_.size(); ++k) {
      double d = 0;
      for (std::size_t i = 0; i < dofs; ++i) d += basis_[k][i] * rest_[i];
      for (std::size_t i = 0; i < dofs; ++i) rest_[i] -= d * basis_[k][i];
      along_[k] += d;
    }
  }
  return length(rest_.data(), static_cast<int>(dofs));
}

void RowBasis::keep(double distance) {
  for (double& x : rest_) x /= distance;
  basis_.push_back(rest_);
  along_.push_back(distance);
  triangle_.push_back(along_);
}

std::vector<double> RowBasis::weights() const {
  std::vector<double> x = along_;
  for (int k = size() - 1; k >= 0; --k) {
    x[k] /= triangle_[k][k];
    for (int i = 0; i < k; ++i) x[i] -= x[k] * triangle_[k][i];
  }
  return x;
}

}  // namespace delassus
