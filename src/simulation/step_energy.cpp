#include "simulation/step_energy.hpp"

namespace delassus {
namespace {

/// The account that the work of a constraint goes to.
double StepEnergy::*account_of(const StepConstraints& constraints, std::size_t c) {
  const int index = static_cast<int>(c), drives = static_cast<int>(constraints.drives().size());
  if (index >= constraints.first_drive() && index < constraints.first_drive() + drives) return &StepEnergy::motors;
  if (index >= constraints.first_contact()) return &StepEnergy::contacts;
  const SetKind kind = constraints.rows().sets[c].kind;
  if (kind == SetKind::kEquality) return &StepEnergy::loops;
  return kind == SetKind::kBox ? &StepEnergy::friction : &StepEnergy::limits;
}

}  // namespace

void StepEnergy::add(const StepEnergy& next) {
  kinetic = next.kinetic;
  potential = next.potential;
  for (const WorkAccount& account : kWorkAccounts) this->*account.work += next.*account.work;
  solve += next.solve;
  drift += next.drift;
}

void add_joint_work(const JointLaws& laws, const JointInputs& in, std::span<const double> q, const StepVelocities& v,
                    StepEnergy& energy) {
  const double dt = laws.dt();
  const auto way = [&](std::size_t k) { return 0.5 * dt * (v.before[k] + v.after[k]); };
  for (std::size_t k = 0; k < in.forces.size(); ++k) {
    energy.forces += in.forces[k] * way(k);
    energy.damping -= laws.model().dofs()[k].damping * v.after[k] * way(k);
  }
  for (std::size_t k = 0; k < laws.drives().size(); ++k) {
    const Drive& d = laws.drives()[k];
    const auto at = static_cast<std::size_t>(d.v);
    if (!d.row) energy.motors += laws.effort(k, in, q[static_cast<std::size_t>(d.q)], v.after[at]) * way(at);
  }
}

void add_row_work(const StepConstraints& constraints, const StepProblem& problem, std::span<const double> lambda,
                  StepEnergy& energy) {
  const std::vector<RowSpan>& spans = constraints.rows().spans;
  for (std::size_t c = 0; c < spans.size(); ++c) {
    double work = 0;
    for (int k = 0; k < spans[c].rows; ++k) {
      const auto r = static_cast<std::size_t>(spans[c].first_row + k);
      work += 0.5 * lambda[r] * (problem.before()[r] + problem.after()[r]);
    }
    energy.*account_of(constraints, c) += work;
  }
}

}  // namespace delassus
