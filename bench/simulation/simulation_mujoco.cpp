// Piles of boxes in MuJoCo: its defaults, but for elliptic cones, which are Coulomb's and faster on piles than its pyramids, and for
// the solver. Matrices are sparse by default where there are so many bodies. Built where MuJoCo is found.
#include <fmt/format.h>

#include <algorithm>

#include "bench/peers/load_mujoco.hpp"
#include "bench/simulation/simulation.hpp"

namespace delassus::cli {
namespace {

std::string as_mjcf(const Scene& scene, double dt, MujocoMethod method) {
  const ModelDescription& model = scene.model.description();
  const Vec3<double>& gravity = model.gravity;
  std::string bodies;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyDescription& body = model.bodies[b];
    const auto shape = std::ranges::find(model.shapes, static_cast<int>(b), &ShapeDescription::body);
    if (body.joints.size() != 1 || body.joints[0].kind != JointKind::kFree || shape == model.shapes.end() ||
        shape->kind != ShapeKind::kBox || body.placement != Pose<double>::identity()) {
      throw Error("only piles of free boxes are written for MuJoCo");
    }
    const Inertial& inertial = body.inertial;
    const auto diagonal = [&](int k) { return inertial.inertia(k, k); };
    bodies += fmt::format(
        "<body><freejoint/><inertial pos='0 0 0' mass='{}' diaginertia='{} {} {}'/>"
        "<geom type='box' size='{} {} {}' friction='{} {} {}'/></body>\n",
        inertial.mass, diagonal(0), diagonal(1), diagonal(2), shape->size[0], shape->size[1], shape->size[2],
        shape->friction[0], shape->friction[1], shape->friction[2]);
  }
  const Vec3<double> friction = model.shapes.front().friction;
  return fmt::format(
      "<mujoco><option timestep='{}' gravity='{} {} {}' cone='elliptic' solver='{}'/><size njmax='8000' "
      "nconmax='2000'/>\n"
      "<worldbody><geom type='plane' size='50 50 1' friction='{} {} {}'/>\n{}</worldbody></mujoco>\n",
      dt, gravity[0], gravity[1], gravity[2], method == MujocoMethod::kNewton ? "Newton" : "CG", friction[0],
      friction[1], friction[2], bodies);
}

class MujocoEngine final : public BenchEngine {
 public:
  MujocoEngine(const Scene& scene, double dt, MujocoMethod method)
      : scene_model_(scene.model),
        bodies_(scene.model.description().bodies.size()),
        model_(load_mujoco(as_mjcf(scene, dt, method))),
        data_(mj_makeData(model_.get())) {
    for (const BodyDescription& body : scene.model.description().bodies) origins_.push_back(body.joints[0].placement);
    for (std::size_t b = 0; b < bodies_; ++b) {
      const double* q = &scene.q[7 * b];
      const Pose<double> body =
          origins_[b] * Pose<double>{rotation_of(Quaternion<double>{{q[3], q[4], q[5], q[6]}}), {{q[0], q[1], q[2]}}};
      const Quaternion<double> turn = quaternion_of(body.R);
      const double qpos[7] = {body.p[0], body.p[1], body.p[2], turn[3], turn[0], turn[1], turn[2]};
      std::copy_n(qpos, 7, data_->qpos + 7 * b);
    }
    mj_forward(model_.get(), data_.get());
    keep_state();
  }

  void step() override {
    keep_state();
    mj_step(model_.get(), data_.get());
  }
  std::vector<double> q() const override { return configuration(data_->qpos); }
  double penetration() const override {
    double most = 0;
    for (int c = 0; c < data_->ncon; ++c) most = std::max(most, -data_->contact[c].dist);
    return most;
  }

  ContactResiduals residuals() const override { return judge_step(scene_model_, last_step()); }
  int contacts() const override { return data_->ncon; }

 private:
  /// Contacts and forces in the data are those that the step began with.
  JudgedStep last_step() const {
    JudgedStep out{configuration(qpos_.data()), velocity(), model_->opt.timestep, {}};
    for (int c = 0; c < data_->ncon; ++c) {
      const mjContact& contact = data_->contact[c];
      if (contact.efc_address < 0) continue;
      JudgedContact point;
      const int first = model_->geom_bodyid[contact.geom1], second = model_->geom_bodyid[contact.geom2];
      const double side = second > 0 ? 1 : -1;  // the normal points from the first to the second
      point.body_a = (second > 0 ? second : first) - 1;
      const int other = second > 0 ? first : second;
      point.body_b = other > 0 ? other - 1 : kWorld;
      const double* force = data_->efc_force + contact.efc_address;
      for (int k = 0; k < 3; ++k) {
        point.position[k] = contact.pos[k];
        point.normal[k] = side * contact.frame[k];
        for (int row = 0; row < 3; ++row) point.force[k] += side * contact.frame[3 * row + k] * force[row];
      }
      point.gap = contact.dist;
      point.mu = contact.friction[0];
      out.contacts.push_back(point);
    }
    return out;
  }

  void keep_state() {
    qpos_.assign(data_->qpos, data_->qpos + model_->nq);
    qvel_.assign(data_->qvel, data_->qvel + model_->nv);
  }
  std::vector<double> configuration(const double* qpos) const {
    std::vector<double> q(7 * bodies_);
    for (std::size_t b = 0; b < bodies_; ++b) {
      const double* p = qpos + 7 * b;
      const Pose<double> body{rotation_of(Quaternion<double>{{p[4], p[5], p[6], p[3]}}), {{p[0], p[1], p[2]}}};
      const Pose<double> joint = inverse(origins_[b]) * body;
      const Quaternion<double> turn = quaternion_of(joint.R);
      const double ours[7] = {joint.p[0], joint.p[1], joint.p[2], turn[0], turn[1], turn[2], turn[3]};
      std::copy_n(ours, 7, q.begin() + static_cast<std::ptrdiff_t>(7 * b));
    }
    return q;
  }
  /// Its linear velocities are in world axes, ours in those of the body.
  std::vector<double> velocity() const {
    std::vector<double> v(6 * bodies_);
    for (std::size_t b = 0; b < bodies_; ++b) {
      double turn[9];
      mju_quat2Mat(turn, qpos_.data() + 7 * b + 3);
      std::copy_n(qvel_.begin() + static_cast<std::ptrdiff_t>(6 * b + 3), 3,
                  v.begin() + static_cast<std::ptrdiff_t>(6 * b));
      mju_rotVecMatT(&v[6 * b + 3], &qvel_[6 * b], turn);
    }
    return v;
  }

  const Model& scene_model_;
  std::size_t bodies_;
  std::vector<Pose<double>> origins_;  // of the bodies' coordinates
  MujocoModel model_;
  MujocoData data_;
  std::vector<double> qpos_, qvel_;
};

}  // namespace

std::unique_ptr<BenchEngine> make_mujoco_engine(const Scene& scene, double dt, MujocoMethod method) {
  return std::make_unique<MujocoEngine>(scene, dt, method);
}

}  // namespace delassus::cli
