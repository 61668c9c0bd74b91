// Contact forces of the C interface.
#include <string>

#include "c/handles.hpp"
#include "delassus/solvers/admm.hpp"

struct delassus_contact_solver {
  delassus::Admm admm;
  delassus::SolveBudget budget{};
};

namespace delassus::c {
namespace {

AdmmOptions options_from(double tolerance, int iterations) {
  if (iterations < 0)
    throw Error("argument 'iterations' is " + std::to_string(iterations) + "; 0 is the library's own");
  AdmmOptions options;
  if (tolerance != 0) options.tolerance = tolerance;
  if (iterations != 0) options.iterations = iterations;
  return options;
}

delassus_certificate certificate_of(const ContactCertificate& c) {
  return {c.primal, c.dual, c.complementarity, c.force, c.velocity, c.iterations, c.dampings};
}

/// The damping is the solver's own then, and nobody's afterwards.
Status solve(delassus_contact_solver& self, Operator<double>& op, const ContactProblem& problem,
             VectorView<double> impulse) {
  self.admm.reserve(static_cast<int>(op.constraints().size()), problem.rows());
  const Status status = self.admm.solve(op, problem, impulse, self.budget);
  op.forget_damping();
  if (status.code == Status::Code::kBadArgument) require_valid(problem);  // says why
  return status;
}

}  // namespace
}  // namespace delassus::c

using namespace delassus;     // NOLINT: from here on, functions of C alone
using namespace delassus::c;  // NOLINT

extern "C" {

delassus_status delassus_contact_solver_new(double tolerance, int iterations, delassus_contact_solver** solver) {
  return hand_out(solver, "solver",
                  [&] { return new delassus_contact_solver{Admm(options_from(tolerance, iterations))}; });
}

void delassus_contact_solver_free(delassus_contact_solver* solver) { delete solver; }

delassus_status delassus_contact_solver_set_max_time(delassus_contact_solver* solver, double seconds) {
  return guarded([&] {
    if (!(seconds >= 0)) throw Error("argument 'seconds' has to be zero or more");
    required(solver, "solver").budget.seconds = seconds;
    return DELASSUS_OK;
  });
}

delassus_status delassus_contact_solver_solve(delassus_contact_solver* solver, delassus_operator* op,
                                              const double* free_velocity, double* impulse, int rows, double time_step,
                                              delassus_certificate* certificate) {
  return guarded([&] {
    delassus_contact_solver& by = required(solver, "solver");
    delassus_operator& self = required(op, "op");
    self.require_ready();
    (void)input(impulse, rows, self.op.rows(), "impulse");  // where the solve starts
    const ConstraintRows<double>& contacts = self.op.state().rows();
    const ContactProblem problem{.spans = contacts.spans,
                                 .sets = contacts.sets,
                                 .free_velocity = input(free_velocity, rows, self.op.rows(), "free_velocity"),
                                 .time_step = time_step};
    const Status status = solve(by, self.op, problem, output(impulse, rows, self.op.rows(), "impulse"));
    if (certificate != nullptr) *certificate = certificate_of(by.admm.certificate());
    return outcome(status, self.op.model(), self.op.constraints());
  });
}

}  // extern "C"
