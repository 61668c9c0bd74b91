#include "robot_pinocchio.hpp"

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/delassus.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/pv.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include "delassus/math/error.hpp"

namespace delassus::cli {
namespace {

Eigen::Vector3d as_eigen(const Vec3<double>& v) { return {v[0], v[1], v[2]}; }

pinocchio::SE3 as_se3(const Pose<double>& pose) {
  pinocchio::SE3 out = pinocchio::SE3::Identity();
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) out.rotation()(r, c) = pose.R(r, c);
  }
  out.translation() = as_eigen(pose.p);
  return out;
}

pinocchio::Inertia as_inertia(const RigidInertia<double>& I) {
  Eigen::Matrix3d about_origin;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) about_origin(r, c) = I.rotational(r, c);
  }
  const Eigen::Vector3d centre = as_eigen(I.moment) / I.mass;
  return {I.mass, centre,
          about_origin + I.mass * (centre * centre.transpose() - centre.squaredNorm() * Eigen::Matrix3d::Identity())};
}

pinocchio::JointModel joint_of(JointKind kind) {
  if (kind == JointKind::kFree) return pinocchio::JointModelFreeFlyer();
  if (kind == JointKind::kRevolute) return pinocchio::JointModelRZ();
  throw Error("only free and revolute joints are made for Pinocchio");
}

/// Joint 0 is the world.
pinocchio::JointIndex index_of(int link) { return static_cast<pinocchio::JointIndex>(link + 1); }

pinocchio::Model make_model(const Model& model) {
  pinocchio::Model out;
  out.gravity.linear() = as_eigen(model.gravity());
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    const pinocchio::JointIndex joint =
        out.addJoint(index_of(link.parent), joint_of(link.kind), as_se3(link.placement), model.joint_name(i));
    out.appendBodyToJoint(joint, as_inertia(link.inertia));
    for (int k = 0; k < link.nv; ++k) out.armature[link.v + k] = model.armature()[link.v + k];
  }
  return out;
}

/// What its proximal steps leave of the rows' accelerations; its hint for the damping is 1e-6.
constexpr double kAccuracy = 1e-11, kProximalDamping = 1e-6;
constexpr int kMostSteps = 50;

}  // namespace

PinocchioRobot::PinocchioRobot(const Model& model, const std::vector<Contact>& contacts)
    : model_(make_model(model)),
      data_(model_),
      delassus_data_(model_),
      dynamics_data_(model_),
      settings_(kAccuracy, kProximalDamping, kMostSteps),
      frame_jacobian_(6, model_.nv) {
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const pinocchio::SE3 placement(Eigen::Matrix3d::Identity(), as_eigen(contacts[k].point));
    frames_.push_back(model_.addFrame(pinocchio::Frame("contact " + std::to_string(k), index_of(contacts[k].link), 0,
                                                       placement, pinocchio::OP_FRAME)));
  }
  data_ = delassus_data_ = dynamics_data_ = pinocchio::Data(model_);  // with the frames
  in_world_axes_ = make_contacts(contacts, pinocchio::LOCAL_WORLD_ALIGNED);
  in_link_axes_ = make_contacts(contacts, pinocchio::LOCAL);
  for (const auto& contact : in_world_axes_) world_datas_.emplace_back(contact);
  for (const auto& contact : in_link_axes_) link_datas_.emplace_back(contact);
  cholesky_.allocate(model_, in_world_axes_);
  pinocchio::initPvDelassus(model_, delassus_data_, in_link_axes_);
  pinocchio::initPvSolver(model_, dynamics_data_, in_link_axes_);
  const auto rows = static_cast<Eigen::Index>(3 * contacts.size());
  jacobian_.resize(rows, model_.nv);
  delassus_.resize(rows, rows);
  solution_.resize(rows);
}

PinocchioRobot::Contacts PinocchioRobot::make_contacts(const std::vector<Contact>& contacts,
                                                       pinocchio::ReferenceFrame axes) const {
  Contacts out;
  for (const Contact& contact : contacts) {
    out.emplace_back(pinocchio::CONTACT_3D, model_, index_of(contact.link),
                     pinocchio::SE3(Eigen::Matrix3d::Identity(), as_eigen(contact.point)), axes);
  }
  return out;
}

void PinocchioRobot::update_kinematics(const Vector& q) { pinocchio::forwardKinematics(model_, data_, q); }

const PinocchioRobot::Vector& PinocchioRobot::inverse_dynamics(const Vector& q, const Vector& v, const Vector& a) {
  return pinocchio::rnea(model_, data_, q, v, a);
}

const PinocchioRobot::Vector& PinocchioRobot::forward_dynamics(const Vector& q, const Vector& v, const Vector& tau) {
  return pinocchio::aba(model_, data_, q, v, tau, pinocchio::Convention::WORLD);
}

const PinocchioRobot::Matrix& PinocchioRobot::inertia(const Vector& q) {
  pinocchio::crba(model_, data_, q, pinocchio::Convention::WORLD);
  data_.M.triangularView<Eigen::StrictlyLower>() = data_.M.transpose().triangularView<Eigen::StrictlyLower>();
  return data_.M;
}

const PinocchioRobot::Matrix& PinocchioRobot::jacobian(const Vector& q) {
  pinocchio::computeJointJacobians(model_, data_, q);
  for (std::size_t k = 0; k < frames_.size(); ++k) {
    frame_jacobian_.setZero();
    pinocchio::updateFramePlacement(model_, data_, frames_[k]);
    pinocchio::getFrameJacobian(model_, data_, frames_[k], pinocchio::LOCAL_WORLD_ALIGNED, frame_jacobian_);
    jacobian_.middleRows<3>(3 * static_cast<Eigen::Index>(k)) = frame_jacobian_.topRows<3>();
  }
  return jacobian_;
}

const PinocchioRobot::Matrix& PinocchioRobot::delassus(const Vector& q) {
  pinocchio::computeDelassusMatrix(model_, delassus_data_, q, in_link_axes_, link_datas_, delassus_);
  return delassus_;
}

const PinocchioRobot::Vector& PinocchioRobot::damped_solve(const Vector& q, double damping, const Vector& b) {
  pinocchio::crba(model_, data_, q, pinocchio::Convention::WORLD);
  cholesky_.compute(model_, data_, in_world_axes_, world_datas_, damping);
  solution_ = b;
  cholesky_.getDelassusCholeskyExpression().solveInPlace(solution_);
  return solution_;
}

const PinocchioRobot::Vector& PinocchioRobot::constrained_dynamics(const Vector& q, const Vector& v,
                                                                   const Vector& tau) {
  return pinocchio::constrainedABA(model_, dynamics_data_, q, v, tau, in_link_axes_, link_datas_, settings_);
}

Eigen::Matrix3d PinocchioRobot::axes_of(std::size_t contact) const {
  return data_.oMi[in_link_axes_[contact].joint1_id].rotation();
}

Eigen::Vector3d PinocchioRobot::position_of(std::size_t contact) const {
  return data_.oMi[in_link_axes_[contact].joint1_id].act(in_link_axes_[contact].joint1_placement.translation());
}

}  // namespace delassus::cli
