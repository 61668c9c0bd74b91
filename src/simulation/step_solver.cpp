#include "simulation/step_solver.hpp"

#include "delassus/delassus/any_delassus.hpp"

namespace delassus {
namespace {

constexpr int kMostRows = 6;

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

}  // namespace

struct StepSolver::Held {
  bool by_sweeps;  // Gauss-Seidel
  AnyDelassus<double> op;
  Admm admm;
  Pgs pgs;
};

StepSolver::StepSolver(const Model& model, const SimulationOptions& options, int constraints,
                       const ConstraintRows<double>& lasting)
    : held_(new Held{options.model == ContactModel::kPgs,
                     make_operator(model, options.algorithm, room_beside(model, constraints, lasting)),
                     Admm(options.admm), Pgs(options.pgs)}) {
  const int rows = kMostRows * constraints + lasting.num_rows();
  if (held_->by_sweeps) {
    held_->pgs.reserve(constraints, rows);
  } else {
    held_->admm.reserve(constraints, rows);
  }
}

StepSolver::~StepSolver() = default;

Status StepSolver::factor(const Model& model, const Kinematics<double>& kin, const ConstraintRows<double>& rows) {
  return held_->op.factor(model, kin, rows);
}

void StepSolver::joint_response(VectorView<const double> lambda, VectorView<double> out) const {
  held_->op.joint_response(lambda, out);
}

Status StepSolver::solve(const ContactProblem& problem, VectorView<double> lambda) {
  return held_->by_sweeps ? held_->pgs.solve(held_->op, problem, lambda)
                          : held_->admm.solve(held_->op, problem, lambda);
}

const ContactCertificate& StepSolver::certificate() const {
  return held_->by_sweeps ? held_->pgs.certificate() : held_->admm.certificate();
}

double StepSolver::penalty() const { return held_->admm.penalty(); }
void StepSolver::set_penalty(double penalty) { held_->admm.set_penalty(penalty); }

}  // namespace delassus
