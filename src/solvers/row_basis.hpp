// An orthonormal basis that grows by one row after the other: Gram and Schmidt, twice. A part of the constraint doctor.
#pragma once

#include <vector>

namespace delassus {

double length(const double* x, int n);

class RowBasis {
 public:
  explicit RowBasis(int dofs) : rest_(static_cast<std::size_t>(dofs)) {}

  int size() const { return static_cast<int>(basis_.size()); }

  /// Row = Σ along · basis + rest; the length of the rest.
  double project(const double* row);
  /// The row that was projected last, with what is left of it.
  void keep(double distance);
  /// The row that was projected last, but for the rest, as a sum of those that were kept.
  std::vector<double> weights() const;

 private:
  std::vector<double> rest_, along_;
  std::vector<std::vector<double>> basis_;
  std::vector<std::vector<double>> triangle_;  // column k: row k of those kept in the basis
};

}  // namespace delassus
