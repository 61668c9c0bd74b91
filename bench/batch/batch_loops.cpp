// One state after the other, as programs without batches do.
#include "bench/batch/batch.hpp"
#include "bench/measure/operators.hpp"
#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/math/error.hpp"

namespace delassus::cli {
namespace {

/// Dynamics without constraints, for any scalar.
template <class T>
class DynamicsLoop {
 public:
  explicit DynamicsLoop(const BatchStates& states)
      : states_(states), forward_(states.scene.model), inverse_(states.scene.model), out_(states.scene.model.nv()) {
    for (const std::vector<double>& q : states.scene.q) q_.emplace_back(q.begin(), q.end());
    v_.assign(states.v.begin(), states.v.end());
    tau_.assign(states.tau.begin(), states.tau.end());
  }

  void forward(int environment) {
    const Status status = aba<T>(model(), q_[environment], of(v_, environment), of(tau_, environment), out_, forward_);
    require_ok(status, model(), {});
  }
  void inverse(int environment) {
    update_kinematics<T>(model(), q_[environment], forward_.kin);
    update_velocities<T>(model(), forward_.kin, of(v_, environment), forward_.vel);
    rnea<T>(model(), forward_.kin, forward_.vel, of(tau_, environment), out_, inverse_);
  }

 private:
  const Model& model() const { return states_.scene.model; }
  VectorView<const T> of(const std::vector<T>& all, int environment) const {
    const int nv = model().nv();
    return {all.data() + static_cast<std::ptrdiff_t>(environment) * nv, nv};
  }

  const BatchStates& states_;
  std::vector<std::vector<T>> q_;
  std::vector<T> v_, tau_;
  ForwardDynamics<T> forward_;
  InverseDynamics<T> inverse_;
  std::vector<T> out_;
};

Verb as_verb(BatchVerb verb) {
  if (verb == BatchVerb::kProduct) return Verb::kProductFromQ;
  return verb == BatchVerb::kDampedInverse ? Verb::kSolveFromQ : Verb::kMatrixFromQ;
}

bool is_dynamics(BatchVerb verb) { return verb == BatchVerb::kForwardDynamics || verb == BatchVerb::kInverseDynamics; }

class LoopContender final : public BatchContender {
 public:
  LoopContender(const BatchStates& states, std::string_view name, bool with_dynamics)
      : states_(states), with_dynamics_(with_dynamics), dynamics_(states) {
    if (states.scene.rows > 0) op_ = find_bench_operator(std::string(name)).make(states.scene);
  }

  bool has(BatchVerb verb) const override { return is_dynamics(verb) ? with_dynamics_ : op_ != nullptr; }
  void call(BatchVerb verb) override {
    if (!is_dynamics(verb)) return op_->call(as_verb(verb), states_.size());
    for (int e = 0; e < states_.size(); ++e) {
      verb == BatchVerb::kForwardDynamics ? dynamics_.forward(e) : dynamics_.inverse(e);
    }
  }

 private:
  const BatchStates& states_;
  bool with_dynamics_;
  DynamicsLoop<double> dynamics_;
  std::unique_ptr<Contender> op_;  // none without rows
};

}  // namespace

std::vector<BatchEntry> loop_entries(const BatchStates& states) {
  return {{"condensed loop", "double", 1, std::make_shared<LoopContender>(states, "condensed", true)},
          {"limbs loop", "double", 1, std::make_shared<LoopContender>(states, "limbs", false)}};
}

ByBatchVerb<std::int64_t> count_batch(const BatchStates& states) {
  ByBatchVerb<std::int64_t> out;
  DynamicsLoop<Counted> dynamics(states);
  out[BatchVerb::kForwardDynamics] = count_operations([&] { dynamics.forward(0); }).total();
  out[BatchVerb::kInverseDynamics] = count_operations([&] { dynamics.inverse(0); }).total();
  if (states.scene.rows == 0) return out;
  const VerbOperations operations = find_bench_operator("condensed").count(states.scene);
  for (const BatchVerb verb : kBatchVerbs) {
    if (!is_dynamics(verb)) out[verb] = operations[as_verb(verb)];
  }
  return out;
}

}  // namespace delassus::cli
