// MuJoCo's forward dynamics of the same links, written for it as MJCF: equality constraints at the same places, as hard as it
// allows, and its defaults for the rest: Newton's method, which needs one iteration here. It is not started from the last
// solution, which is that of another state, and costs more than it brings. Built where MuJoCo is found.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/constrained/constrained_solver.hpp"
#include "bench/peers/links_mujoco.hpp"
#include "bench/peers/load_mujoco.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/math/error.hpp"

namespace delassus::cli {
namespace {

/// Where they hold is set later, as MJCF takes it from the neutral configuration.
std::string equality(const Model& model, const Constraint& c) {
  constexpr const char* kHard = "solimp='0.9999 0.9999 0.001 0.5 2'";
  if (const auto* contact = std::get_if<PointContact>(&c)) {
    return fmt::format("<connect body1='{}' anchor='0 0 0' {}/>", name_of_link(model.frame(contact->a.frame).link),
                       kHard);
  }
  const int link = model.frame(std::get<LoopClosure>(c).first.frame).link;
  return fmt::format("<weld body1='world' body2='{}' {}/>", name_of_link(link), kHard);
}

std::string make_mjcf(const BenchScene& scene) {
  std::string equalities;
  for (const Constraint& c : scene.constraints) equalities += equality(scene.model, c);
  return links_as_mjcf(scene.model, {.tail = fmt::format("<equality>{}</equality>", equalities)});
}

class MujocoSolver final : public ConstrainedSolver {
 public:
  explicit MujocoSolver(const ConstrainedBench& bench)
      : bench_(bench),
        model_(load_mujoco(bench.scene.model, make_mjcf(bench.scene))),
        data_(mj_makeData(model_.get())) {
    for (std::size_t k = 0; k < states_.size(); ++k) {
      states_[k] = mujoco_state(bench.scene.model, *model_, bench.scene.q[k], bench.v[k]);
    }
    hold();
    model_->opt.disableflags |= mjDSBL_WARMSTART;
    for (int i = 0; i < bench.scene.model.num_links(); ++i) {
      const Link& link = bench.scene.model.link(i);
      if (link.nv == 1) data_->qfrc_applied[mujoco_dof(*model_, i)] = bench.tau[link.v];
    }
  }

  void call(ConstrainedCall) override { solve_at(turn_++ % 2); }
  int iterations() const override { return data_->solver_iter; }
  /// In its own coordinates: what is left of its rows is their softness.
  EquationResiduals residuals() override {
    solve_at(0);
    const mjData& d = *data_;
    std::vector<double> inertial(model_->nv), rows(d.nefc), free_rows(d.nefc);
    mj_mulM(model_.get(), &d, inertial.data(), d.qacc);
    mj_mulJacVec(model_.get(), data_.get(), rows.data(), d.qacc);
    mj_mulJacVec(model_.get(), data_.get(), free_rows.data(), d.qacc_smooth);
    double forces = 0, size = 0, row = 0, row_size = 0;
    for (int k = 0; k < model_->nv; ++k) {
      forces = std::max(forces, std::abs(inertial[k] - d.qfrc_smooth[k] - d.qfrc_constraint[k]));
      size = std::max({size, std::abs(inertial[k]), std::abs(d.qfrc_smooth[k]), std::abs(d.qfrc_constraint[k])});
    }
    for (int k = 0; k < d.nefc; ++k) {
      row = std::max(row, std::abs(rows[k] - d.efc_aref[k]));
      row_size = std::max({row_size, std::abs(free_rows[k]), std::abs(d.efc_aref[k])});
    }
    return {forces / size, row / row_size};
  }

 private:
  /// Every equality holds where the first configuration is.
  void hold() {
    const Model& model = bench_.scene.model;
    Kinematics<double> kin(model);
    update_kinematics<double>(model, bench_.scene.q[0], kin);
    for (int e = 0; e < model_->neq; ++e) {
      mjtNum* data = model_->eq_data + static_cast<std::ptrdiff_t>(e) * mjNEQDATA;
      const Constraint& c = bench_.scene.constraints[e];
      if (const auto* contact = std::get_if<PointContact>(&c)) {
        write(model.frame(contact->a.frame).placement.p, data);
        write(frame_pose<double>(model, kin, contact->a.frame).p, data + 3);
      } else {
        const Pose<double> pose = kin.pose[model.frame(std::get<LoopClosure>(c).first.frame).link];
        write(Vec3<double>::zero(), data);
        write(pose.p, data + 3);
        write(quaternion_of(pose.R), data + 6);
      }
    }
  }

  void solve_at(unsigned configuration) {
    set_state(states_[configuration], *data_);
    mj_forward(model_.get(), data_.get());
  }

  const ConstrainedBench& bench_;
  MujocoModel model_;
  MujocoData data_;
  std::array<MujocoState, 2> states_;
  unsigned turn_ = 0;
};

std::unique_ptr<ConstrainedSolver> make_mujoco(const ConstrainedBench& bench) {
  return std::make_unique<MujocoSolver>(bench);
}

}  // namespace

std::vector<ConstrainedSolverEntry> mujoco_solvers() { return {{"MuJoCo", make_mujoco}}; }

}  // namespace delassus::cli
