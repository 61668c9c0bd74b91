// Contact forces over one time step: solvers, what they found, and how good it is.
#include <limits>

#include "arrays.hpp"
#include "bindings.hpp"
#include "constraints.hpp"
#include "contact_names.hpp"
#include "delassus/constraints/describe.hpp"
#include "delassus/solvers/admm.hpp"
#include "delassus/solvers/contact_interior_point.hpp"
#include "delassus/solvers/contact_newton.hpp"
#include "delassus/solvers/pgs.hpp"
#include "lock.hpp"
#include "operator_object.hpp"

namespace delassus::python {

struct ContactSolution {
  std::vector<double> impulse, velocity;
  ContactCertificate certificate;
  std::string status = "ok", message;
  int index = -1;
};

namespace {

template <class Solver>
struct ContactSolverObject {
  explicit ContactSolverObject(Solver s) : solver(std::move(s)) {}

  Solver solver;
  std::mutex mutex;
};

/// What Python says of a problem; spans and sets are the operator's.
struct ContactArguments {
  VectorView<const double> free_velocity, compliance;
  ContactLaw law;
  double time_step;

  ContactProblem problem(const ConstraintRows<double>& rows) const {
    ContactProblem out{rows.spans, rows.sets, free_velocity, compliance, law, time_step};
    return out;
  }
};

ContactArguments contact_arguments(const OperatorObject& op, const py::object& free_velocity,
                                   const py::object& compliance, const py::object& law, const py::object& time_step) {
  const int rows = op.rows;
  return {vector_in(free_velocity, "free_velocity", rows),
          compliance.is_none() ? VectorView<const double>(nullptr, 0) : vector_in(compliance, "compliance", rows),
          Convert<ContactLaw>::from(law, "law"), Convert<double>::from(time_step, "time_step")};
}

/// Whether there is a result, which says so.
bool has_result(const Status& status) {
  return status.ok() || status.code == Status::Code::kNotConverged || status.code == Status::Code::kInfeasible;
}

/// Numbers that are none leave no result; a solve that did not converge has one.
template <class Solver>
ContactSolution solve_contact(ContactSolverObject<Solver>& self, OperatorObject& op, const py::object& free_velocity,
                              const py::object& start, const py::object& compliance, const py::object& law,
                              const py::object& time_step, const py::object& max_time) {
  const ContactArguments arguments = contact_arguments(op, free_velocity, compliance, law, time_step);
  const SolveBudget budget{.seconds = Convert<double>::from(max_time, "max_time")};
  if (!(budget.seconds >= 0)) throw Error("argument 'max_time' has to be zero or more seconds");
  ContactSolution out;
  out.impulse.resize(static_cast<std::size_t>(arguments.free_velocity.size()));
  if (!start.is_none()) {
    const auto first = vector_in(start, "start", arguments.free_velocity.size());
    std::copy(first.data(), first.data() + first.size(), out.impulse.begin());
  }
  const Working working(self.mutex);
  const std::lock_guard lock(op.mutex);
  const Status status = op.lend(arguments.free_velocity.size(), [&](Operator<double>& held) {
    require_valid(arguments.problem(held.state().rows()));
    return self.solver.solve(held, arguments.problem(held.state().rows()), out.impulse, budget);
  });
  if (!has_result(status)) op.require_ok(status);
  out.velocity = self.solver.velocity();
  out.certificate = self.solver.certificate();
  if (status.ok()) return out;
  out.status = code_name(status.code);
  out.message = describe(status, op.op.model(), op.op.constraints());
  out.index = status.index;
  return out;
}

ContactCertificate judge_contact(OperatorObject& op, const py::object& free_velocity, const py::object& impulse,
                                 const py::object& compliance, const py::object& law, const py::object& time_step) {
  const ContactArguments arguments = contact_arguments(op, free_velocity, compliance, law, time_step);
  const auto forces = vector_in(impulse, "impulse", arguments.free_velocity.size());
  ContactCertificate out;
  CertificateWork work;
  const Working working(op.mutex);
  const Operator<double>& held = op.with_rows(forces.size());
  if (!held.ready()) op.require_ok(kTooEarly);
  static_cast<ContactResiduals&>(out) = certify(held, arguments.problem(held.state().rows()), forces, work);
  return out;
}

template <class Solver, class Options>
void bind_contact_solver(py::module_& m, const char* name, const char* doc) {
  using Object = ContactSolverObject<Solver>;
  const auto make = [](const py::object& options) {
    return std::make_unique<Object>(Solver(options.is_none() ? Options{} : Convert<Options>::from(options, "options")));
  };
  py::class_<Object> c(m, name, doc);
  c.def(py::init(make), py::arg("options") = py::none(), "The defaults without options.");
  c.def("solve", solve_contact<Solver>, py::arg("op"), py::arg("free_velocity"), py::kw_only(),
        py::arg("start") = py::none(), py::arg("compliance") = py::none(), py::arg("law") = "coulomb",
        py::arg("time_step") = 1.0, py::arg("max_time") = std::numeric_limits<double>::infinity(),
        "Impulses and the row velocities that they leave, a ContactSolution, for an updated Operator; its constraints\n"
        "say which forces are possible. free_velocity (rows,): row velocities without any, m/s and rad/s. start\n"
        "(rows,): impulses to begin with. compliance (rows,): velocity that a unit impulse gives way. law: \"coulomb\" "
        "or\n"
        "\"convex\". time_step in seconds: bounds of friction are forces. With a time_step of 1, impulses are forces "
        "and\n"
        "velocities accelerations. max_time: seconds after which the solve ends with the best that it has; results\n"
        "depend on the machine then.\n\n"
        "Where iterations or time ran out, the status is \"not_converged\"; where no impulses do what is asked, "
        "\"infeasible\".\n"
        "Raises NumericalError where there is no result.");
  c.def_property_readonly(
      "options", [](const Object& self) { return self.solver.options(); }, "What it was made with.");
  c.def("__repr__", [name](const Object& self) {
    const py::float_ tolerance(self.solver.options().tolerance);
    return py::str("<delassus.{} to {} m/s>").format(name, tolerance);
  });
  c.def(py::pickle([](const Object& self) { return py::make_tuple(self.solver.options()); },
                   [make](const py::tuple& state) {
                     if (state.size() != 1) throw Error("this pickle is of another version");
                     return make(state[0]);
                   }));
}

constexpr const char* kTolerance = "Largest velocity residual of a solution, m/s.";
constexpr const char* kRelative = "The same as a part of the largest free velocity; the larger one counts.";

void bind_contact_options(py::module_& m) {
  ValueClass<AdmmOptions>(
      m, "AdmmOptions", "Options of Admm.",
      {field("tolerance", &AdmmOptions::tolerance, kTolerance),
       field("relative_tolerance", &AdmmOptions::relative_tolerance, kRelative),
       field("modes", &AdmmOptions::modes, "Tries first whether what sticks, holds or is apart stays so."),
       field("start_tolerance", &AdmmOptions::start_tolerance,
             "A start within the tolerance is made better if its residual is above this, m/s."),
       field("iterations", &AdmmOptions::iterations, "At most."),
       field("relaxation", &AdmmOptions::relaxation, "How much of a step is taken, between 0 and 2."),
       field("penalty", &AdmmOptions::penalty, "To begin with, relative to the size of J M^-1 J^T; 0: the last one."),
       field("memory", &AdmmOptions::memory, "Steps that are extrapolated from; 0: none.")});
  ValueClass<ContactInteriorPointOptions>(
      m, "ContactInteriorPointOptions", "Options of ContactInteriorPoint.",
      {field("tolerance", &ContactInteriorPointOptions::tolerance, kTolerance),
       field("relative_tolerance", &ContactInteriorPointOptions::relative_tolerance, kRelative),
       field("iterations", &ContactInteriorPointOptions::iterations, "Dampings at most.")});
  ValueClass<ContactNewtonOptions>(
      m, "ContactNewtonOptions", "Options of ContactNewton.",
      {field("tolerance", &ContactNewtonOptions::tolerance, kTolerance),
       field("relative_tolerance", &ContactNewtonOptions::relative_tolerance, kRelative),
       field("iterations", &ContactNewtonOptions::iterations, "Newton steps at most."),
       field("proximal", &ContactNewtonOptions::proximal, "To begin with, relative to the size of J M^-1 J^T."),
       field("least_proximal", &ContactNewtonOptions::least_proximal, "Where it stops falling.")});
  ValueClass<PgsOptions>(
      m, "PgsOptions", "Options of Pgs.",
      {field("tolerance", &PgsOptions::tolerance, kTolerance),
       field("relative_tolerance", &PgsOptions::relative_tolerance, kRelative),
       field("iterations", &PgsOptions::iterations, "Sweeps at most."),
       field("relaxation", &PgsOptions::relaxation, "How much of a step is taken, between 0 and 2.")});
}

template <class M>
Field<ContactCertificate> certified(const char* name, M ContactCertificate::*member, const char* doc) {
  return field<ContactCertificate, M>(name, member, doc);
}

void bind_contact_results(py::module_& m) {
  using C = ContactCertificate;
  ValueClass<C>(
      m, "ContactCertificate", "How good contact forces are: the largest residuals over all constraints.",
      {certified<double>("primal", &C::primal, "How far a force lies outside of its set, N."),
       certified<double>("dual", &C::dual, "How far a velocity lies outside of what its set allows, m/s."),
       certified<double>("complementarity", &C::complementarity, "Work of forces that should do none, J."),
       certified<double>("force", &C::force, "By how much the law is missed, as a force, N."),
       certified<double>("velocity", &C::velocity, "The same as the velocity that this force would give, m/s."),
       certified<double>("rounding", &C::rounding, "What rounding may hide of velocities, m/s."),
       certified<int>("constraint", &C::constraint, "The one with the largest velocity; -1: there is none."),
       certified<StopReason>("reason", &C::reason, "Why the solver stopped: \"solved\", \"iterations ran out\", ..."),
       certified<int>("iterations", &C::iterations, "Of the solver."),
       certified<int>("dampings", &C::dampings, "How often the operator was given another one."),
       certified<int>(
           "against", &C::against,
           "Where no forces do what is asked: the constraint that contradicts `constraint` most; -1: that one "
           "cannot be met by itself.")});
  using S = ContactSolution;
  ValueClass<S>(m, "ContactSolution", "What a contact solver found.",
                {field("impulse", &S::impulse, "Of the constraints, Ns and Nms: shape (rows,)."),
                 field("velocity", &S::velocity, "Of the rows, with those impulses: shape (rows,)."),
                 field("certificate", &S::certificate, "A ContactCertificate."),
                 field("status", &S::status, "\"ok\", \"not_converged\" or \"infeasible\"."),
                 field("message", &S::message, "The status in words; empty if it is ok."),
                 field("index", &S::index, "Of the row that the message names; -1 if it is ok.")});
}

}  // namespace

void bind_contact_solvers(py::module_& m) {
  bind_contact_options(m);
  bind_contact_results(m);
  bind_contact_solver<Admm, AdmmOptions>(
      m, "Admm",
      "Contact forces by the alternating direction method of multipliers: one damped solve per iteration.\n\n"
      "Contacts with friction, limits, dry friction and loops in one problem, on any operator with damped solves.\n"
      "Remembers the penalty of its last solve. Calls run without the GIL.");
  bind_contact_solver<ContactInteriorPoint, ContactInteriorPointOptions>(
      m, "ContactInteriorPoint",
      "Contact forces by an interior-point method on Coulomb's law itself: some fifteen dampings where Admm takes\n"
      "hundreds of iterations. Calls run without the GIL.");
  bind_contact_solver<ContactNewton, ContactNewtonOptions>(
      m, "ContactNewton",
      "Contact forces by Newton's method: for problems whose forces are far from unique. Calls run without the GIL.");
  bind_contact_solver<Pgs, PgsOptions>(
      m, "Pgs", "Contact forces by projected Gauss-Seidel: the simple reference. Calls run without the GIL.");
  m.def("contact_residuals", judge_contact, py::arg("op"), py::arg("free_velocity"), py::arg("impulse"), py::kw_only(),
        py::arg("compliance") = py::none(), py::arg("law") = "coulomb", py::arg("time_step") = 1.0,
        "How good any impulses (rows,) are, a ContactCertificate; arguments as those of Admm.solve.");
}

}  // namespace delassus::python
