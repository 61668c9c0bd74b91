// MuJoCo's forward dynamics of the same links, written for it as MJCF: equality constraints at the same places, as hard as it
// allows, and its defaults for the rest. Built where MuJoCo is found.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench_constrained_solver.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/math/error.hpp"
#include "load_mujoco.hpp"

namespace delassus::cli {
namespace {

std::string text_of(const Vec3<double>& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v[0], v[1], v[2]); }

std::string name_of_link(int link) { return link == kWorld ? "world" : fmt::format("l{}", link); }

std::string inertial(const RigidInertia<double>& I) {
  const Vec3<double> c = (1 / I.mass) * I.moment;
  const auto about_centre = [&](int r, int k) {
    return I.rotational(r, k) + I.mass * (c[r] * c[k] - (r == k ? dot(c, c) : 0));
  };
  return fmt::format(
      "<inertial mass='{:.17g}' pos='{}' fullinertia='{:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}'/>", I.mass,
      text_of(c), about_centre(0, 0), about_centre(1, 1), about_centre(2, 2), about_centre(0, 1), about_centre(0, 2),
      about_centre(1, 2));
}

std::string joint(const Model& model, int i) {
  const Link& link = model.link(i);
  if (link.kind == JointKind::kFree) return fmt::format("<freejoint name='l{}'/>", i);
  if (link.kind != JointKind::kRevolute) throw Error("only free and revolute joints are written for MuJoCo");
  return fmt::format("<joint name='l{}' axis='0 0 1' armature='{:.17g}'/>", i, model.armature()[link.v]);
}

std::string bodies_on(const Model& model, int parent) {
  std::string text;
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    if (link.parent != parent) continue;
    const Quaternion<double> q = quaternion_of(link.placement.R);
    text += fmt::format("<body name='l{}' pos='{}' quat='{:.17g} {:.17g} {:.17g} {:.17g}'>{}{}{}</body>\n", i,
                        text_of(link.placement.p), q[3], q[0], q[1], q[2], joint(model, i), inertial(link.inertia),
                        bodies_on(model, i));
  }
  return text;
}

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
  return fmt::format(
      "<mujoco><compiler angle='radian' balanceinertia='true'/><option gravity='{}'/>\n"
      "<worldbody>\n{}</worldbody>\n<equality>{}</equality></mujoco>\n",
      text_of(scene.model.gravity()), bodies_on(scene.model, kWorld), equalities);
}

void copy(const Vec3<double>& from, mjtNum* to) { std::copy_n(from.a, 3, to); }
void copy(const Quaternion<double>& q, mjtNum* to) {
  to[0] = q[3];
  std::copy_n(q.a, 3, to + 1);
}

class MujocoSolver final : public ConstrainedSolver {
 public:
  explicit MujocoSolver(const ConstrainedBench& bench)
      : bench_(bench), model_(load_mujoco(make_mjcf(bench.scene))), data_(mj_makeData(model_.get())) {
    for (std::size_t k = 0; k < qpos_.size(); ++k) convert(k);
    hold();
    for (int i = 0; i < bench.scene.model.num_links(); ++i) {
      const Link& link = bench.scene.model.link(i);
      if (link.nv == 1) data_->qfrc_applied[dof_of(i)] = bench.tau[link.v];
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
  int joint_of(int link) const { return mj_name2id(model_.get(), mjOBJ_JOINT, name_of_link(link).c_str()); }
  int dof_of(int link) const { return model_->jnt_dofadr[joint_of(link)]; }

  /// docs/conventions.md: free joints have their pose in the world, and their linear velocity in its axes.
  void convert(std::size_t at) {
    const Model& model = bench_.scene.model;
    Kinematics<double> kin(model);
    Velocities<double> vel(model);
    update_kinematics<double>(model, bench_.scene.q[at], kin);
    update_velocities<double>(model, kin, bench_.v[at], vel);
    qpos_[at].resize(model_->nq);
    qvel_[at].resize(model_->nv);
    for (int i = 0; i < model.num_links(); ++i) {
      const Link& link = model.link(i);
      mjtNum* q = qpos_[at].data() + model_->jnt_qposadr[joint_of(i)];
      mjtNum* v = qvel_[at].data() + dof_of(i);
      if (link.kind == JointKind::kFree) {
        copy(kin.pose[i].p, q);
        copy(quaternion_of(kin.pose[i].R), q + 3);
        copy(vel.velocity[i].linear, v);
        copy(transposed(kin.pose[i].R) * vel.velocity[i].angular, v + 3);
      } else {
        *q = bench_.scene.q[at][link.q];
        *v = bench_.v[at][link.v];
      }
    }
  }

  /// Every equality holds where the first configuration is.
  void hold() {
    const Model& model = bench_.scene.model;
    Kinematics<double> kin(model);
    update_kinematics<double>(model, bench_.scene.q[0], kin);
    for (int e = 0; e < model_->neq; ++e) {
      mjtNum* data = model_->eq_data + static_cast<std::ptrdiff_t>(e) * mjNEQDATA;
      const Constraint& c = bench_.scene.constraints[e];
      if (const auto* contact = std::get_if<PointContact>(&c)) {
        copy(model.frame(contact->a.frame).placement.p, data);
        copy(frame_pose<double>(model, kin, contact->a.frame).p, data + 3);
      } else {
        const Pose<double> pose = kin.pose[model.frame(std::get<LoopClosure>(c).first.frame).link];
        copy(Vec3<double>::zero(), data);
        copy(pose.p, data + 3);
        copy(quaternion_of(pose.R), data + 6);
      }
    }
  }

  void solve_at(unsigned configuration) {
    std::ranges::copy(qpos_[configuration], data_->qpos);
    std::ranges::copy(qvel_[configuration], data_->qvel);
    mj_forward(model_.get(), data_.get());
  }

  const ConstrainedBench& bench_;
  MujocoModel model_;
  MujocoData data_;
  std::array<std::vector<double>, 2> qpos_, qvel_;
  unsigned turn_ = 0;
};

std::unique_ptr<ConstrainedSolver> make_mujoco(const ConstrainedBench& bench) {
  return std::make_unique<MujocoSolver>(bench);
}

}  // namespace

std::vector<ConstrainedSolverEntry> mujoco_solvers() { return {{"MuJoCo", make_mujoco}}; }

}  // namespace delassus::cli
