#include "cli/demo/box_plant.hpp"

#include <algorithm>

#include "delassus/kinematics/frames.hpp"
#include "delassus/model/builder.hpp"

namespace delassus::cli {
namespace {

/// A hand is welded to the box at its palm. The box comes first, so that forces are those on the box in its axes.
std::vector<Constraint> grasp(const BoxSetup& setup, const Model& model) {
  std::vector<Constraint> out;
  for (int k = 0; k < kHands; ++k) {
    const Attachment on_box{model.find_frame("box"), {Mat3<double>::identity(), setup.palms[k].p}};
    const Attachment on_palm{model.find_frame(kPalms[k]), {transposed(setup.palms[k].R), Vec3<double>::zero()}};
    out.emplace_back(make_weld(std::string(kHandNames[k]), on_box, on_palm));
  }
  return out;
}

/// The box is the last body, on a free joint: its position and quaternion end q, its velocity ends v.
Pose<double> pose_of_box(VectorView<const double> q) {
  const double* x = q.data() + q.size() - 7;
  return {rotation_of(Quaternion<double>{{x[3], x[4], x[5], x[6]}}), {{x[0], x[1], x[2]}}};
}

/// tau with the push of the floor at the free joint of the box.
void add_push(const Force<double>& push, VectorView<double> tau) {
  double* joint = tau.data() + tau.size() - 6;
  for (int axis = 0; axis < 3; ++axis) {
    joint[axis] += push.moment[axis];
    joint[3 + axis] += push.force[axis];
  }
}

/// Of the same joint.
Motion<double> velocity_of_box(VectorView<const double> v) {
  const double* x = v.data() + v.size() - 6;
  return {{{x[0], x[1], x[2]}}, {{x[3], x[4], x[5]}}};
}

}  // namespace

Model make_robot_with_box(const BoxSetup& setup) {
  ModelBuilder box("box");
  const int body = box.add_body("box", kWorld, joint(JointKind::kFree, "box_free"), setup.box);
  box.add_shape({.name = "box", .body = body, .kind = ShapeKind::kBox, .size = setup.half_extents});
  ModelDescription out = setup.robot;
  append_model(out, box.description(), "world", Pose<double>::identity(), "");
  return Model(std::move(out));
}

BoxPlant::BoxPlant(const BoxSetup& setup, double dt)
    : model_(make_robot_with_box(setup)),
      nq_robot_(setup.posture.size()),
      nv_robot_(static_cast<std::size_t>(model_.nv()) - 6),
      constraints_(grasp(setup, model_)),
      floor_(setup.half_extents),
      integrator_(model_, constraints_, {.kind = IntegratorKind::kRungeKutta4, .dt = dt}),
      state_(model_, constraints_),
      dynamics_(model_),
      q_(model_.neutral()) {
  dynamics_.update_structure(state_);
  std::ranges::copy(setup.posture, q_.begin());
  // The free joint comes last: position, then the quaternion.
  std::copy_n(setup.start.p.a, 3, q_.end() - 7);
  const auto nv = static_cast<std::size_t>(model_.nv()), rows = static_cast<std::size_t>(state_.num_rows());
  for (auto* x : {&v_, &tau_, &changed_tau_, &qdd_, &changed_qdd_}) x->assign(nv, 0.0);
  for (auto* x : {&target_, &lambda_}) x->assign(rows, 0.0);
  jacobian_.resize(6 * nv);
  forces_ = [this](double, VectorView<const double> q, VectorView<const double> v, VectorView<double> tau) {
    std::copy_n(tau_.data(), tau_.size(), tau.data());
    add_push(push_of_floor(q, v), tau);
  };
}

Force<double> BoxPlant::push_of_floor(VectorView<const double> q, VectorView<const double> v) const {
  return floor_.push(pose_of_box(q), velocity_of_box(v));
}

std::array<BoxFloor::CornerPush, 8> BoxPlant::corner_pushes() const {
  return floor_.corner_pushes(pose_of_box(q_), velocity_of_box(v_));
}

Status BoxPlant::apply(In<double> tau) {
  require_size("tau", tau.size(), static_cast<int>(nv_robot_));
  std::copy_n(tau.data(), tau.size(), tau_.begin());
  Status status = state_.update(q_, v_);
  if (status.ok()) status = dynamics_.factor(state_);
  if (!status.ok()) return status;
  state_.target(target_);
  floor_force_ = push_of_floor(q_, v_);
  status = accelerate(tau_, qdd_);
  for (int k = 0; k < kHands; ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      grips_[k].force[axis] = lambda_[6 * k + axis];
      grips_[k].moment[axis] = lambda_[6 * k + 3 + axis];
    }
  }
  return status;
}

/// Zero is the start, so that the same state and forces give the same to the last bit.
Status BoxPlant::accelerate(const std::vector<double>& tau, std::vector<double>& qdd) {
  std::ranges::fill(lambda_, 0.0);
  pushed_tau_ = tau;
  add_push(floor_force_, pushed_tau_);
  return dynamics_.solve(state_, pushed_tau_, target_, qdd, lambda_);
}

Status BoxPlant::palm_response(In<double> change, std::array<Motion<double>, kHands>& out) {
  require_size("change", change.size(), static_cast<int>(nv_robot_));
  changed_tau_ = tau_;
  for (int k = 0; k < change.size(); ++k) changed_tau_[k] += change[k];
  const Status status = accelerate(changed_tau_, changed_qdd_);
  const MatrixView<double> J(jacobian_.data(), 6, model_.nv());
  for (int hand = 0; hand < kHands; ++hand) {
    frame_jacobian(model_, state_.kinematics(), model_.find_frame(kPalms[hand]), JacobianAxes::kWorldAxes, J);
    out[hand] = Motion<double>::zero();
    for (int k = 0; k < model_.nv(); ++k) {
      const double change_of_k = changed_qdd_[k] - qdd_[k];
      for (int axis = 0; axis < 3; ++axis) {
        out[hand].angular[axis] += J(axis, k) * change_of_k;
        out[hand].linear[axis] += J(3 + axis, k) * change_of_k;
      }
    }
  }
  return status;
}

Status BoxPlant::step() { return integrator_.step(0, q_, v_, forces_); }

Pose<double> BoxPlant::box() const { return body_poses().back(); }

std::vector<Pose<double>> BoxPlant::body_poses() const {
  Kinematics<double> kin(model_);
  update_kinematics<double>(model_, q_, kin);
  std::vector<Pose<double>> out(model_.description().bodies.size());
  for (int body = 0; body < static_cast<int>(out.size()); ++body) {
    out[body] = frame_pose(model_, kin, model_.body_frame(body));
  }
  return out;
}

}  // namespace delassus::cli
