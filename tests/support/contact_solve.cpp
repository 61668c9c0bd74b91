#include "support/contact_solve.hpp"

#include "delassus/operators/any_delassus.hpp"
#include "delassus/solvers/admm.hpp"
#include "delassus/solvers/contact_interior_point.hpp"
#include "delassus/solvers/contact_newton.hpp"
#include "delassus/solvers/pgs.hpp"

namespace delassus::testing {
namespace {

AnyDelassus<double> make_operator(const ContactCase& c, Algorithm algorithm) {
  AnyDelassus<double> op(algorithm, c.model, c.rows);
  EXPECT_TRUE(op.factor({c.model, c.kin, c.rows}).ok());
  return op;
}

template <class Solver, class Options>
ContactOutcome solve_by(const ContactCase& c, Options given, const SolveOptions& options) {
  given.tolerance = options.tolerance;
  given.relative_tolerance = 0;
  if (options.iterations > 0) given.iterations = options.iterations;
  AnyDelassus<double> op = make_operator(c, options.algorithm);
  Solver solver(given);
  ContactOutcome out;
  out.lambda = options.start;
  out.lambda.resize(static_cast<std::size_t>(c.m()));
  out.status = solver.solve(op, c.problem(), out.lambda);
  out.certificate = solver.certificate();
  out.sigma = solver.velocity();
  return out;
}

}  // namespace

std::string name_of(ContactSolver solver) {
  return std::array{"ADMM", "Newton", "PGS", "interior point"}[static_cast<std::size_t>(solver)];
}

ContactOutcome solve_contact(const ContactCase& c, ContactSolver solver, const SolveOptions& options) {
  switch (solver) {
    case ContactSolver::kAdmm:
      return solve_by<Admm>(c, AdmmOptions{}, options);
    case ContactSolver::kNewton:
      return solve_by<ContactNewton>(c, ContactNewtonOptions{}, options);
    case ContactSolver::kPgs:
      return solve_by<Pgs>(c, PgsOptions{}, options);
    case ContactSolver::kInteriorPoint:
      return solve_by<ContactInteriorPoint>(c, ContactInteriorPointOptions{}, options);
  }
  return {};
}

ContactResiduals certified(const ContactCase& c, const std::vector<double>& lambda) {
  CertificateWork work;
  return certify(make_operator(c, Algorithm::kLtl), c.problem(), lambda, work);
}

}  // namespace delassus::testing
