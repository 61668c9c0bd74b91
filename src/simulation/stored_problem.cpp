#include "simulation/stored_problem.hpp"

namespace delassus {

ContactProblem view_of(const io::StoredProblem& problem) {
  return {problem.spans,
          problem.sets,
          problem.free_velocity,
          problem.compliance,
          problem.convex ? ContactLaw::kConvex : ContactLaw::kCoulomb,
          problem.time_step};
}

GivenDelassus<double> make_operator(const io::StoredProblem& problem) {
  return {MatrixView<const double>(problem.matrix.data(), problem.rows(), problem.rows()), problem.spans};
}

io::StoredProblem make_stored(OperatorRef<double> op, const ContactProblem& problem, VectorView<const double> start) {
  const auto n = static_cast<std::size_t>(problem.rows());
  io::StoredProblem out;
  out.matrix.resize(n * n);
  op.dense(MatrixView<double>(out.matrix.data(), problem.rows(), problem.rows()));
  out.free_velocity.assign(problem.free_velocity.data(), problem.free_velocity.data() + n);
  out.compliance.assign(n, 0.0);
  for (int r = 0; r < problem.rows(); ++r) out.compliance[static_cast<std::size_t>(r)] = problem.compliance_of(r);
  out.start.assign(start.data(), start.data() + n);
  out.spans.assign(problem.spans.begin(), problem.spans.end());
  out.sets.assign(problem.sets.begin(), problem.sets.end());
  out.time_step = problem.time_step;
  out.convex = problem.law == ContactLaw::kConvex;
  return out;
}

}  // namespace delassus
