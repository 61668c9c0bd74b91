// The three forms of the library.
#include <algorithm>

#include "bench/constrained/constrained_solver.hpp"
#include "cli/shell/delassus_matrix.hpp"
#include "delassus/operators/kkt.hpp"
#include "delassus/solvers/constrained_aba.hpp"
#include "delassus/solvers/constrained_dynamics.hpp"

namespace delassus::cli {
namespace {

template <class Form>
class FormSolver : public ConstrainedSolver {
 public:
  explicit FormSolver(const ConstrainedBench& bench)
      : bench_(bench), state_(bench.scene.model, bench.scene.constraints), form_(bench.scene.model) {
    form_.update_structure(state_);
    solution_.qdd.resize(bench.tau.size());
    solution_.lambda.resize(bench.scene.rows);
    target_.resize(bench.scene.rows);
  }

  void call(ConstrainedCall) override { solve_at(next_turn()); }
  EquationResiduals residuals() override {
    solve_at(0);
    return residuals_of(bench_, solution_);
  }
  int iterations() const override { return form_.report().iterations; }

 protected:
  void update(unsigned configuration) {
    require(state_.update(bench_.scene.q[configuration], bench_.v[configuration]));
  }
  void require(const Status& status) const { require_ok(status, bench_.scene.model, bench_.scene.constraints); }
  const ConstrainedBench& bench() const { return bench_; }
  const State<double>& state() const { return state_; }
  unsigned next_turn() { return turn_++ % 2; }

 private:
  void solve_at(unsigned configuration) {
    update(configuration);
    require(form_.factor(state_));
    state_.target(target_);
    std::ranges::fill(solution_.lambda, 0);
    require(form_.solve(state_, bench_.tau, target_, solution_.qdd, solution_.lambda));
  }

  const ConstrainedBench& bench_;
  State<double> state_;
  Form form_;
  Solution solution_;
  std::vector<double> target_;
  unsigned turn_ = 0;
};

/// With the stages of the factorization as well.
class KktSolver final : public FormSolver<ConstrainedDynamics<double, KktDelassus<double>>> {
 public:
  explicit KktSolver(const ConstrainedBench& bench)
      : FormSolver(bench),
        op_(bench.scene.model, state().rows()),
        force_(bench.tau),
        b_(bench.scene.rows, 1),
        acceleration_(bench.tau.size()),
        lambda_(bench.scene.rows) {}

  bool has(ConstrainedCall) const override { return true; }
  void call(ConstrainedCall call) override {
    switch (call) {
      case ConstrainedCall::kDynamics:
        return FormSolver::call(call);
      case ConstrainedCall::kMatrices:
        return factor();
      case ConstrainedCall::kFactor:
        factor();
        [[fallthrough]];
      case ConstrainedCall::kRedamp:
        return require(op_.update_damping(Damping<double>(kKktDampings[dampings_++ % 2])));
      case ConstrainedCall::kSolve:
        return require(op_.solve_system(force_, b_, acceleration_, lambda_));
    }
  }

 private:
  void factor() {
    update(next_turn());
    require(op_.factor(state()));
  }

  KktDelassus<double> op_;
  unsigned dampings_ = 0;
  std::vector<double> force_, b_, acceleration_, lambda_;
};

template <class Solver>
std::unique_ptr<ConstrainedSolver> make(const ConstrainedBench& bench) {
  return std::make_unique<Solver>(bench);
}

}  // namespace

std::vector<ConstrainedSolverEntry> constrained_forms() {
  return {{"condensed", make<FormSolver<ConstrainedDynamics<double>>>},
          {"kkt", make<KktSolver>},
          {"aba", make<FormSolver<ConstrainedAba<double>>>}};
}

}  // namespace delassus::cli
