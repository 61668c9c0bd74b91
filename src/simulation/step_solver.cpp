#include "simulation/step_solver.hpp"

#include <algorithm>
#include <chrono>

#include "delassus/operators/any_delassus.hpp"
#include "delassus/solvers/admm.hpp"
#include "delassus/solvers/contact_interior_point.hpp"
#include "delassus/solvers/contact_newton.hpp"
#include "delassus/solvers/pgs.hpp"
#include "dynamics/articulated_body.hpp"

namespace delassus {
namespace {

constexpr int kMostRows = 6;
/// Rows up to which Gauss-Seidel is the last resort: it works on the whole matrix.
constexpr int kMostSwept = 300;
constexpr int kLastSweeps = 500;
/// Forces of the step before that are off by less are taken as they are, in m/s. With more, a pile of boxes began to rattle after some dozen steps.
constexpr double kStill = 1e-9;
/// Of the interior point: two paths at least, and all that a step is worth which would fail without.
constexpr int kIterations = 100, kLastIterations = 300;

/// Room for so many contacts and limits, beside rows that may act on many links each, and may couple all those with each other.
CondensedCapacity room_beside(const Model& model, int constraints, const ConstraintRows<double>& lasting) {
  CondensedCapacity room = room_for(constraints);
  room.rows += lasting.num_rows();
  room.blocks += static_cast<int>(lasting.blocks.size());
  room.entries += static_cast<int>(lasting.entries.size());
  bool wide = false;
  for (const RowSpan& span : lasting.spans) wide = wide || span.blocks > 2 || span.entries > 2;
  if (wide) room.couplings += model.num_links() * model.num_links();
  return room;
}

AnyDelassus<double> make_operator(const Model& model, Algorithm algorithm, const CondensedCapacity& room) {
  if (algorithm != Algorithm::kCondensed) return {algorithm, model};
  CondensedOptions options;
  options.capacity = room;
  return AnyDelassus<double>(CondensedDelassus<double>(model, options));
}

/// The tolerance of a step is the one number: also where bodies are fast.
template <class Options>
void ask_for(double tolerance, Options& out) {
  out.tolerance = tolerance;
  out.relative_tolerance = 0;
}

/// An interior-point solve takes as long as some fifty iterations of ADMM, from the damping to the last product: beyond that, ADMM's own rate
/// says when it is time to leave.
AdmmOptions first_options(const SimulationOptions& options) {
  AdmmOptions out;
  ask_for(options.tolerance, out);
  out.start_tolerance = kStill;
  out.iterations = 150;
  out.patience = 50;
  return out;
}

ContactInteriorPointOptions second_options(const SimulationOptions& options) {
  ContactInteriorPointOptions out;
  ask_for(options.tolerance, out);
  out.iterations = kLastIterations;
  return out;
}

/// For one step in some thousands of a robot that falls: where all paths turned back.
ContactNewtonOptions third_options(const SimulationOptions& options) {
  ContactNewtonOptions out;
  ask_for(options.tolerance, out);
  out.iterations = 100;  // of the solves that arrive, most do by then
  return out;
}

/// As the last resort it has to be quick.
PgsOptions sweep_options(const SimulationOptions& options) {
  PgsOptions out;
  ask_for(options.tolerance, out);
  if (options.model != ContactModel::kPgs) out.iterations = kLastSweeps;
  return out;
}

}  // namespace

struct StepSolver::Held {
  bool by_sweeps;     // Gauss-Seidel
  double acceptable;  // residual, where iterations ran out
  AnyDelassus<double> op;
  Articulation<double> art;  // of operators that factor M otherwise
  Sweep<double> sweep;
  Admm admm;
  ContactInteriorPoint interior;  // where ADMM would take too long
  ContactNewton newton;           // where that one stalls
  Pgs pgs;                        // where none arrives
  int most_iterations;            // of a step; zero: any number
  double seconds;                 // of a step; zero: any time
  std::chrono::steady_clock::time_point began{};
  int iterations = 0;  // since then
  ContactCertificate certificate{};
  std::vector<double> best{};   // λ of the certificate, while another is looked for
  std::vector<double> given{};  // λ that the solve began with

  SolveBudget budget() const;
  /// The operator, if it is the condensed tree.
  CondensedDelassus<double>* tree() { return std::get_if<CondensedDelassus<double>>(&op.held()); }
};

StepSolver::StepSolver(const Model& model, const SimulationOptions& options, int constraints,
                       const ConstraintRows<double>& lasting)
    : held_(new Held{options.model == ContactModel::kPgs, options.acceptable,
                     make_operator(model, options.algorithm, room_beside(model, constraints, lasting)),
                     Articulation<double>(model), Sweep<double>(model), Admm(first_options(options)),
                     ContactInteriorPoint(second_options(options)), ContactNewton(third_options(options)),
                     Pgs(sweep_options(options)), options.max_iterations, options.max_step_time}) {
  const int rows = kMostRows * constraints + lasting.num_rows();
  for (std::vector<double>* x : {&held_->best, &held_->given}) x->reserve(static_cast<std::size_t>(rows));
  held_->pgs.reserve(constraints, held_->by_sweeps ? rows : std::min(rows, kMostSwept));
  if (held_->by_sweeps) return;
  held_->admm.reserve(constraints, rows);
  held_->interior.reserve(constraints, rows);
  held_->newton.reserve(constraints, rows);
}

StepSolver::~StepSolver() = default;

Status StepSolver::articulate(const Model& model, const Kinematics<double>& kin) {
  CondensedDelassus<double>* tree = held_->tree();
  return tree ? tree->articulate(model, kin) : delassus::articulate(model, kin, held_->art);
}

void StepSolver::free_acceleration(const Model& model, const Kinematics<double>& kin, const Velocities<double>& vel,
                                   VectorView<const double> tau, VectorView<double> out) {
  Sweep<double>& sweep = held_->sweep;
  const CondensedDelassus<double>* tree = held_->tree();
  if (!tree) return forward_dynamics<double>(model, kin, vel, held_->art, tau, out, sweep);
  begin_forward_dynamics<double>(model, kin, vel, tree->articulation(), tau, sweep);
  tree->respond_forces(Reach::kAll, sweep);
  tree->respond_motions(Reach::kAll, sweep);
  std::ranges::copy(sweep.joint, out.data());
}

Status StepSolver::factor(const StateView<double>& at) {
  CondensedDelassus<double>* tree = held_->tree();
  return tree ? tree->factor_rows(at) : held_->op.factor(at);
}

void StepSolver::joint_response(VectorView<const double> lambda, VectorView<double> out) const {
  held_->op.joint_response(lambda, out);
}

void StepSolver::diagonal(VectorView<double> out) const { held_->op.diagonal(out); }

OperatorRef<double> StepSolver::op() { return held_->op; }

void StepSolver::begin_step(double penalty) {
  held_->admm.set_penalty(penalty);
  held_->iterations = 0;
  if (held_->seconds > 0) held_->began = std::chrono::steady_clock::now();
}

void StepSolver::repeat_step(double penalty, const StepSolver& other) {
  held_->admm.set_penalty(penalty);
  held_->iterations = other.held_->iterations;
  held_->began = other.held_->began;
}

/// What is left of the step's.
SolveBudget StepSolver::Held::budget() const {
  SolveBudget out;
  if (most_iterations > 0) out.iterations = std::max(most_iterations - iterations, 0);
  if (seconds > 0) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began;
    out.seconds = std::max(seconds - spent.count(), 0.0);
  }
  return out;
}

/// Runs another solver, from λ or from where the step began, for so many iterations at most. Its result replaces the one that is there if it is nearer to
/// solved; the work of both counts.
template <class Solver>
Status StepSolver::attempt(Solver& solver, const ContactProblem& problem, VectorView<double> lambda, int most,
                           Start start) {
  Held& h = *held_;
  const bool first = h.certificate.reason == StopReason::kNone;
  h.best.assign(lambda.data(), lambda.data() + lambda.size());
  if (first) h.given = h.best;
  if (start == Start::kGiven) std::ranges::copy(h.given, lambda.data());
  SolveBudget budget = h.budget();
  budget.iterations = std::min(budget.iterations, most);
  const Status status = solver.solve(h.op, problem, lambda, budget);
  ContactCertificate own = solver.certificate();
  h.iterations += own.iterations;
  const bool better =
      first || status.ok() || (own.reason != StopReason::kFailed && own.worst() < h.certificate.worst());
  if (!better) {
    std::copy(h.best.begin(), h.best.end(), lambda.data());
    static_cast<ContactResiduals&>(own) = h.certificate;
    if (own.reason != StopReason::kTime) own.reason = h.certificate.reason;
  }
  own.iterations += h.certificate.iterations;
  own.dampings += h.certificate.dampings;
  h.certificate = own;
  return status;
}

Status StepSolver::solve(const ContactProblem& problem, VectorView<double> lambda) {
  Held& h = *held_;
  h.certificate = {};
  if (h.by_sweeps) return attempt(h.pgs, problem, lambda);
  Status status = attempt(h.admm, problem, lambda);
  if (status.code == Status::Code::kNotConverged) status = attempt(h.interior, problem, lambda, kIterations);
  // From forces that are nearly right ADMM may arrive at once; its own rate says if not.
  if (status.code == Status::Code::kNotConverged) status = attempt(h.admm, problem, lambda);
  // Forces of the step before may be nearer to the solution than those of smaller residuals.
  if (status.code == Status::Code::kNotConverged) status = attempt(h.newton, problem, lambda, kAny, Start::kGiven);
  // For the last digits that is enough: what is acceptable is reported as it is.
  const auto fails = [&] {
    return status.code == Status::Code::kNotConverged && !is_within(h.certificate, h.acceptable);
  };
  if (fails()) status = attempt(h.interior, problem, lambda);
  if (fails() && problem.rows() <= kMostSwept) status = attempt(h.pgs, problem, lambda);
  return status;
}

const ContactCertificate& StepSolver::certificate() const { return held_->certificate; }

double StepSolver::penalty() const { return held_->admm.penalty(); }

}  // namespace delassus
