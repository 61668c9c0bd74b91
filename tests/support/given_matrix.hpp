// The operator of a problem whose matrix is in long double.
#pragma once

#include <vector>

#include "delassus/operators/matrix_operator.hpp"
#include "support/contact_reference.hpp"

namespace delassus::testing {

inline GivenDelassus<double> make_given(const ReferenceProblem& problem) {
  const int rows = problem.A.rows();
  std::vector<double> matrix(static_cast<std::size_t>(rows) * static_cast<std::size_t>(rows));
  const MatrixView<double> view(matrix.data(), rows, rows);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < rows; ++c) view(r, c) = static_cast<double>(problem.A(r, c));
  }
  return {MatrixView<const double>(matrix.data(), rows, rows), problem.spans};
}

}  // namespace delassus::testing
