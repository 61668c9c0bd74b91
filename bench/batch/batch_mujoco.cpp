// mj_forward over the same states: positions, M and its factorization, bias forces, accelerations. The model has no geometries and
// no constraints, so it finds no contacts and solves for no forces. Built where MuJoCo is found.
#include "bench/batch/batch.hpp"
#include "bench/peers/links_mujoco.hpp"
#include "bench/peers/load_mujoco.hpp"

namespace delassus::cli {
namespace {

class MujocoLoop final : public BatchContender {
 public:
  explicit MujocoLoop(const BatchStates& states)
      : model_(load_mujoco(states.scene.model, links_as_mjcf(states.scene.model))), data_(mj_makeData(model_.get())) {
    const auto nv = static_cast<std::ptrdiff_t>(states.scene.model.nv());
    for (int e = 0; e < states.size(); ++e) {
      const std::vector<double> v(states.v.begin() + e * nv, states.v.begin() + (e + 1) * nv);
      states_.push_back(mujoco_state(states.scene.model, *model_, states.scene.q[e], v));
    }
  }

  bool has(BatchVerb verb) const override { return verb == BatchVerb::kForwardDynamics; }
  void call(BatchVerb) override {
    for (const MujocoState& state : states_) {
      set_state(state, *data_);
      mj_forward(model_.get(), data_.get());
    }
  }

 private:
  MujocoModel model_;
  MujocoData data_;
  std::vector<MujocoState> states_;
};

}  // namespace

BatchEntry mujoco_entry(const BatchStates& states) {
  return {"mj_forward loop", "double", 1, std::make_shared<MujocoLoop>(states)};
}

}  // namespace delassus::cli
