// An operator whose matrix is given, without any mechanism.
#pragma once

#include <vector>

#include "delassus/operators/matrix_operator.hpp"
#include "support/contact_reference.hpp"

namespace delassus::testing {

class GivenMatrix : public MatrixOperator<double> {
 public:
  explicit GivenMatrix(const ReferenceProblem& problem) : spans_(problem.spans) {
    const int rows = problem.A.rows();
    reserve(problem.spans, rows);
    const LowerView<double> lower = begin(rows);
    for (int c = 0; c < rows; ++c) {
      for (int r = c; r < rows; ++r) lower(r, c) = static_cast<double>(problem.A(r, c));
    }
    status_ = finish({});
  }

  Status status() const { return status_; }
  Status update_damping(const Damping<double>& damping) { return damp(damping, spans_); }
  void joint_response(In<double>, Out<double>) const {}  // there are no joints
  std::size_t bytes() const { return MatrixOperator<double>::bytes(); }

 private:
  std::vector<RowSpan> spans_;
  Status status_;
};

}  // namespace delassus::testing
