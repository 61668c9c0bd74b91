// Steps of MuJoCo. Built where MuJoCo is found.
#include <algorithm>

#include "bench/peers/links_mujoco.hpp"
#include "bench/peers/load_mujoco.hpp"
#include "bench/simulation/setup_mujoco.hpp"

namespace delassus::cli {
namespace {

class MujocoEngine final : public BenchEngine {
 public:
  MujocoEngine(const SimulationSetup& setup, MujocoMethod method)
      : setup_(setup),
        model_(load_mujoco(setup.model, as_mjcf(setup, CollisionWorld(setup.model, setup.options.collision), method))),
        data_(mj_makeData(model_.get())) {
    place_loops(setup, *model_);
    for (int b = 1; b < model_->nbody; ++b) {
      links_.push_back(std::stoi(mj_id2name(model_.get(), mjOBJ_BODY, b) + 1));
    }
  }

  /// Motors hold where it begins.
  void begin(const std::vector<double>& q, const std::vector<double>& v) override {
    mj_resetData(model_.get(), data_.get());
    set_state(mujoco_state(setup_.model, *model_, q, v), *data_);
    for (int k = 0; k < model_->nu; ++k) {
      data_->ctrl[k] = data_->qpos[model_->jnt_qposadr[model_->actuator_trnid[2 * k]]];
    }
    mj_forward(model_.get(), data_.get());
    qpos_.assign(data_->qpos, data_->qpos + model_->nq);
  }
  void step() override {
    qpos_.assign(data_->qpos, data_->qpos + model_->nq);
    mj_step(model_.get(), data_.get());
    if (data_->warning[mjWARN_BADQACC].number > 0) throw Error("MuJoCo: unstable, and reset");
    if (data_->warning[mjWARN_CONTACTFULL].number > 0 || data_->warning[mjWARN_CNSTRFULL].number > 0)
      throw Error("MuJoCo: no room for all contacts");
  }

  /// Contacts and forces in the data are those that the step began with.
  JudgedStep last_step() const override {
    JudgedStep out{own_configuration(setup_.model, *model_, qpos_.data()),
                   own_velocity(setup_.model, *model_, qpos_.data(), data_->qvel), model_->opt.timestep};
    for (int c = 0; c < data_->ncon; ++c) {
      if (data_->contact[c].efc_address >= 0) out.contacts.push_back(contact(data_->contact[c]));
    }
    return out;
  }
  double penetration() const override {
    double most = 0;
    for (int c = 0; c < data_->ncon; ++c) most = std::max(most, -data_->contact[c].dist);
    return most;
  }
  int contacts() const override { return data_->ncon; }
  std::vector<double> q() const override { return own_configuration(setup_.model, *model_, data_->qpos); }
  std::vector<double> v() const override { return own_velocity(setup_.model, *model_, data_->qpos, data_->qvel); }

 private:
  int link_of(int geom) const {
    const int body = model_->geom_bodyid[geom];
    return body > 0 ? links_[static_cast<std::size_t>(body - 1)] : kWorld;
  }

  JudgedContact contact(const mjContact& from) const {
    JudgedContact out;
    const int first = link_of(from.geom1), second = link_of(from.geom2);
    const double side = second != kWorld ? 1 : -1;  // the normal points from the first to the second
    out.link_a = second != kWorld ? second : first;
    out.link_b = second != kWorld ? first : second;
    const double* force = data_->efc_force + from.efc_address;
    const int rows = std::min(from.dim, 3);
    for (int k = 0; k < 3; ++k) {
      out.position[k] = from.pos[k];
      out.normal[k] = side * from.frame[k];
      for (int row = 0; row < rows; ++row) out.force[k] += side * from.frame[3 * row + k] * force[row];
    }
    out.gap = from.dist;
    out.mu = from.dim > 1 ? from.friction[0] : 0;
    return out;
  }

  const SimulationSetup& setup_;
  MujocoModel model_;
  MujocoData data_;
  std::vector<int> links_;    // of its bodies, but for the world
  std::vector<double> qpos_;  // where the last step began
};

}  // namespace

std::unique_ptr<BenchEngine> make_mujoco_engine(const SimulationSetup& setup, MujocoMethod method) {
  return std::make_unique<MujocoEngine>(setup, method);
}

}  // namespace delassus::cli
