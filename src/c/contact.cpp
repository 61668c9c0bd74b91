// Contact forces of the C interface: ADMM, and an interior-point method where that does not arrive, as steps of the Simulator have them.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "c/handles.hpp"
#include "delassus/solvers/admm.hpp"
#include "delassus/solvers/contact_interior_point.hpp"

struct delassus_contact_solver {
  delassus::Admm admm;
  delassus::ContactInteriorPoint interior;
  delassus::SolveBudget budget{};
  delassus::ContactCertificate certificate{};
  std::vector<double> first{};  // impulses of ADMM, while the other one looks for better ones
};

namespace delassus::c {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kTolerance = 1e-6;  // m/s, as in SimulationOptions
/// Beyond, ADMM takes longer than the other one.
constexpr int kFirstIterations = 150, kPatience = 50;

/// Both have the tolerance that was asked for, also where bodies are fast.
template <class Options>
Options with_tolerance(Options options, double tolerance) {
  options.tolerance = tolerance != 0 ? tolerance : kTolerance;
  options.relative_tolerance = 0;
  return options;
}

delassus_contact_solver* make_solver(double tolerance, int iterations) {
  if (iterations < 0)
    throw Error("argument 'iterations' is " + std::to_string(iterations) + "; 0 is the library's own");
  auto* out = new delassus_contact_solver{
      Admm(with_tolerance(AdmmOptions{.iterations = kFirstIterations, .patience = kPatience}, tolerance)),
      ContactInteriorPoint(with_tolerance(ContactInteriorPointOptions{}, tolerance))};
  if (iterations > 0) out->budget.iterations = iterations;
  return out;
}

delassus_certificate certificate_of(const ContactCertificate& c) {
  return {c.primal, c.dual, c.complementarity, c.force, c.velocity, c.iterations, c.dampings};
}

/// With what is left of the budget. Impulses stay those of ADMM where they are nearer to the law.
Status go_on(delassus_contact_solver& self, Operator<double>& op, const ContactProblem& problem,
             VectorView<double> impulse, double spent) {
  const ContactCertificate first = self.certificate;
  SolveBudget rest = self.budget;
  rest.iterations = std::max(rest.iterations - first.iterations, 0);
  rest.seconds = std::max(rest.seconds - spent, 0.0);
  self.first.assign(impulse.data(), impulse.data() + impulse.size());
  const Status status = self.interior.solve(op, problem, impulse, rest);
  ContactCertificate& found = self.certificate = self.interior.certificate();
  if (!status.ok() && !(found.worst() < first.worst())) {
    std::ranges::copy(self.first, impulse.data());
    static_cast<ContactResiduals&>(found) = first;
  }
  found.iterations += first.iterations;
  found.dampings += first.dampings;
  return status;
}

/// The damping is the solver's own then, and nobody's afterwards.
Status solve(delassus_contact_solver& self, Operator<double>& op, const ContactProblem& problem,
             VectorView<double> impulse) {
  const Clock::time_point begin = Clock::now();
  const auto constraints = static_cast<int>(op.constraints().size());
  self.admm.reserve(constraints, problem.rows());
  self.interior.reserve(constraints, problem.rows());
  self.first.reserve(static_cast<std::size_t>(problem.rows()));
  Status status = self.admm.solve(op, problem, impulse, self.budget);
  self.certificate = self.admm.certificate();
  if (status.code == Status::Code::kNotConverged) {
    const std::chrono::duration<double> spent = Clock::now() - begin;
    status = go_on(self, op, problem, impulse, spent.count());
  }
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
  return hand_out(solver, "solver", [&] { return make_solver(tolerance, iterations); });
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
    if (certificate != nullptr) *certificate = certificate_of(by.certificate);
    return outcome(status, self.op.model(), self.op.constraints());
  });
}

}  // extern "C"
