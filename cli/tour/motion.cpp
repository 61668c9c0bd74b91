#include "cli/tour/motion.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "delassus/constraints/describe.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/operators/kkt.hpp"
#include "delassus/solvers/constrained_aba.hpp"
#include "delassus/solvers/constrained_dynamics.hpp"
#include "delassus/solvers/constrained_inverse_dynamics.hpp"

namespace delassus::cli {
namespace {

using Vector = std::vector<double>;

double size_of(const Vector& x) {
  double most = 0;
  for (const double e : x) most = std::max(most, std::abs(e));
  return most;
}

/// A form with all that a call needs.
template <class Solver>
class Form {
 public:
  Form(std::string_view name, const Scene& scene)
      : name_(name),
        scene_(scene),
        state_(scene.model, scene.constraints),
        solver_(scene.model),
        limp_(scene.model.nv()),
        qdd_(limp_),
        target_(state_.num_rows()),
        lambda_(target_) {
    solver_.update_structure(state_);
  }

  TimedCall timed() {
    return {std::string(name_), [this](std::int64_t calls) {
              for (; calls > 0; --calls) (void)solve();
            }};
  }

  FormResult result(const TimedCall& timed) {
    const Status status = solve();
    FormResult out{name_, timed.median_us(), solver_.report().iterations, 0, 0, {}};
    if (!status.ok()) out.trouble = describe(status, scene_.model, scene_.constraints);
    measure(out);
    return out;
  }

 private:
  Status solve() {
    Status status = state_.update(scene_.q, scene_.v);
    if (status.ok()) status = solver_.factor(state_);
    if (!status.ok()) return status;
    state_.target(target_);
    std::ranges::fill(lambda_, 0);
    return solver_.solve(state_, limp_, target_, qdd_, lambda_);
  }

  /// Both equations, by inverse dynamics and J, which the solvers do not use.
  void measure(FormResult& out) {
    const Model& model = scene_.model;
    Vector needed(model.nv()), given(model.nv()), rows(state_.num_rows());
    InverseDynamics<double> work(model);
    LinkForces<double> forces(model);
    LinkMotions<double> motions(model);
    rnea<double>(model, state_.kinematics(), state_.velocities(), qdd_, needed, work);
    apply_jacobian_transpose<double>(model, state_.kinematics(), state_.rows(), lambda_, given, forces);
    const double weight = model.mass() * std::sqrt(dot(model.gravity(), model.gravity()));
    const double size = std::max({size_of(needed), size_of(given), weight});
    for (int k = 0; k < model.nv(); ++k) needed[k] -= given[k];
    out.forces = size_of(needed) / size;
    apply_jacobian<double>(model, state_.kinematics(), state_.rows(), qdd_, rows, motions);
    const double fall = std::sqrt(dot(model.gravity(), model.gravity()));
    const double fastest = std::max({size_of(rows), size_of(target_), fall});
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r] -= target_[r];
    out.rows = size_of(rows) / fastest;
  }

  std::string_view name_;
  const Scene& scene_;
  State<double> state_;
  Solver solver_;
  Vector limp_, qdd_, target_, lambda_;
};

/// In turns, so that a disturbance meets all of them.
std::vector<FormResult> run_forms(const Scene& scene, const Effort& effort) {
  Form<ConstrainedDynamics<double>> condensed("condensed", scene);
  Form<ConstrainedDynamics<double, KktDelassus<double>>> kkt("kkt", scene);
  Form<ConstrainedAba<double>> aba("aba", scene);
  std::vector<TimedCall> timed{condensed.timed(), kkt.timed(), aba.timed()};
  for (TimedCall& call : timed) call.calibrate(effort);
  for (int round = 0; round < effort.rounds; ++round) {
    for (TimedCall& call : timed) call.sample(effort);
  }
  return {condensed.result(timed[0]), kkt.result(timed[1]), aba.result(timed[2])};
}

/// Motors at all joints but free ones. Forces are those of rows that measure metres.
void hold_still(const Scene& scene, MotionResult& out) {
  const Model& model = scene.model;
  State<double> state(model, scene.constraints);
  const Vector rest(model.nv());
  Vector tau(model.nv()), lambda(state.num_rows());
  Status status = state.update(scene.q, rest);
  ConstrainedInverseDynamics<double> inverse(model, Actuation(model));
  if (status.ok()) status = inverse.solve(state, rest, tau, lambda);
  if (!status.ok()) {
    out.unbalanced = describe(status, model, scene.constraints);
    return;
  }
  int row = 0;
  for (std::size_t e = 0; e < scene.constraints.size(); ++e) {
    double squares = 0;
    for (const RowLabel& label : row_labels(model, scene.constraints[e])) {
      if (label.unit == "m") squares += lambda[row] * lambda[row];
      ++row;
    }
    if (squares > 0) out.forces.push_back({constraint_name(scene.constraints[e], e), std::sqrt(squares)});
  }
  std::ranges::stable_sort(out.forces, std::greater{}, &HeldForce::newtons);
}

}  // namespace

MotionResult run_motion(const Scene& scene, const Effort& effort) {
  MotionResult out;
  out.forms = run_forms(scene, effort);
  out.weight = scene.model.mass() * std::sqrt(dot(scene.model.gravity(), scene.model.gravity()));
  hold_still(scene, out);
  return out;
}

}  // namespace delassus::cli
