#include "bench/peers/robot_pinocchio.hpp"

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/contact-cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/delassus.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/proximal.hpp>
#include <pinocchio/algorithm/pv.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/config.hpp>

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

pinocchio::Model make_links(const Model& model) {
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

/// What ends its proximal steps early.
constexpr double kAccuracy = 1e-11;

pinocchio::Convention convention_of(PinocchioRobot::Axes axes) {
  return axes == PinocchioRobot::Axes::kWorld ? pinocchio::Convention::WORLD : pinocchio::Convention::LOCAL;
}

using Contacts = PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(pinocchio::RigidConstraintModel);
using ContactDatas = PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(pinocchio::RigidConstraintData);

pinocchio::SE3 placement_of(const PinocchioRobot::Contact& contact) {
  return {Eigen::Matrix3d::Identity(), as_eigen(contact.point)};
}

Contacts make_contacts(const pinocchio::Model& model, const std::vector<PinocchioRobot::Contact>& contacts,
                       pinocchio::ReferenceFrame axes) {
  Contacts out;
  for (const PinocchioRobot::Contact& contact : contacts) {
    out.emplace_back(pinocchio::CONTACT_3D, model, index_of(contact.link), placement_of(contact), axes);
  }
  return out;
}

ContactDatas make_datas(const Contacts& contacts) {
  ContactDatas out;
  for (const auto& contact : contacts) out.emplace_back(contact);
  return out;
}

pinocchio::Model make_model(const Model& model, const std::vector<PinocchioRobot::Contact>& contacts) {
  pinocchio::Model out = make_links(model);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    out.addFrame(pinocchio::Frame("contact " + std::to_string(k), index_of(contacts[k].link), 0,
                                  placement_of(contacts[k]), pinocchio::OP_FRAME));
  }
  return out;
}

}  // namespace

struct PinocchioRobot::Parts {
  Parts(const Model& from, const std::vector<Contact>& contacts)
      : model(make_model(from, contacts)),
        data(model),
        delassus_data(model),
        pv_data(model),
        constraint_data(model),
        in_world_axes(make_contacts(model, contacts, pinocchio::LOCAL_WORLD_ALIGNED)),
        in_link_axes(make_contacts(model, contacts, pinocchio::LOCAL)),
        world_datas(make_datas(in_world_axes)),
        link_datas(make_datas(in_link_axes)),
        first_frame(model.frames.size() - contacts.size()),
        frame_jacobian(6, model.nv),
        jacobian(3 * contacts.size(), model.nv),
        delassus(3 * contacts.size(), 3 * contacts.size()),
        solution(3 * contacts.size()) {
    cholesky.allocate(model, in_world_axes);
    link_cholesky.allocate(model, in_link_axes);
    pinocchio::initPvDelassus(model, delassus_data, in_link_axes);
    pinocchio::initPvSolver(model, pv_data, in_link_axes);
    pinocchio::initConstraintDynamics(model, constraint_data, in_link_axes);
  }

  pinocchio::Model model;
  pinocchio::Data data, delassus_data, pv_data, constraint_data;  // the last are laid out for the contacts
  Contacts in_world_axes, in_link_axes;
  ContactDatas world_datas, link_datas;
  pinocchio::ContactCholeskyDecomposition cholesky, link_cholesky;
  std::size_t first_frame;  // of the contacts
  pinocchio::Data::Matrix6x frame_jacobian;
  Matrix jacobian, delassus;
  Vector solution;
};

PinocchioRobot::PinocchioRobot(const Model& model, const std::vector<Contact>& contacts)
    : parts_(std::make_unique<Parts>(model, contacts)) {}
PinocchioRobot::~PinocchioRobot() = default;

std::string PinocchioRobot::version() { return PINOCCHIO_VERSION; }

void PinocchioRobot::update_kinematics(const Vector& q) {
  pinocchio::forwardKinematics(parts_->model, parts_->data, q);
}

const PinocchioRobot::Vector& PinocchioRobot::inverse_dynamics(const Vector& q, const Vector& v, const Vector& a) {
  return pinocchio::rnea(parts_->model, parts_->data, q, v, a);
}

const PinocchioRobot::Vector& PinocchioRobot::forward_dynamics(const Vector& q, const Vector& v, const Vector& tau,
                                                               Axes axes) {
  return pinocchio::aba(parts_->model, parts_->data, q, v, tau, convention_of(axes));
}

const PinocchioRobot::Matrix& PinocchioRobot::inertia(const Vector& q, Axes axes) {
  Matrix& M = parts_->data.M;
  pinocchio::crba(parts_->model, parts_->data, q, convention_of(axes));
  M.triangularView<Eigen::StrictlyLower>() = M.transpose().triangularView<Eigen::StrictlyLower>();
  return M;
}

const PinocchioRobot::Matrix& PinocchioRobot::jacobian(const Vector& q) {
  Parts& p = *parts_;
  pinocchio::computeJointJacobians(p.model, p.data, q);
  for (std::size_t k = 0; k < p.in_link_axes.size(); ++k) {
    const pinocchio::FrameIndex frame = p.first_frame + k;
    p.frame_jacobian.setZero();
    pinocchio::updateFramePlacement(p.model, p.data, frame);
    pinocchio::getFrameJacobian(p.model, p.data, frame, pinocchio::LOCAL_WORLD_ALIGNED, p.frame_jacobian);
    p.jacobian.middleRows<3>(3 * static_cast<Eigen::Index>(k)) = p.frame_jacobian.topRows<3>();
  }
  return p.jacobian;
}

const PinocchioRobot::Matrix& PinocchioRobot::delassus(const Vector& q, MatrixBy by) {
  Parts& p = *parts_;
  switch (by) {
    case MatrixBy::kEfpa:
      pinocchio::computeDelassusMatrix(p.model, p.delassus_data, q, p.in_link_axes, p.link_datas, p.delassus);
      break;
    case MatrixBy::kPv:
      pinocchio::computePvDelassusMatrix(p.model, p.delassus_data, q, p.in_link_axes, p.link_datas, p.delassus, 0.);
      break;
    case MatrixBy::kCholesky:
      pinocchio::crba(p.model, p.data, q, pinocchio::Convention::WORLD);
      p.link_cholesky.compute(p.model, p.data, p.in_link_axes, p.link_datas);
      p.link_cholesky.getInverseOperationalSpaceInertiaMatrix(p.delassus);
      break;
  }
  return p.delassus;
}

const PinocchioRobot::Vector& PinocchioRobot::damped_solve(const Vector& q, double damping, const Vector& b) {
  Parts& p = *parts_;
  pinocchio::crba(p.model, p.data, q, pinocchio::Convention::WORLD);
  p.cholesky.compute(p.model, p.data, p.in_world_axes, p.world_datas, damping);
  p.solution = b;
  p.cholesky.getDelassusCholeskyExpression().solveInPlace(p.solution);
  return p.solution;
}

const PinocchioRobot::Vector& PinocchioRobot::constrained_dynamics(const Vector& q, const Vector& v, const Vector& tau,
                                                                   ConstrainedBy by, const Proximal& proximal) {
  Parts& p = *parts_;
  pinocchio::ProximalSettings settings(kAccuracy, proximal.damping, proximal.most_steps);
  switch (by) {
    case ConstrainedBy::kConstraintDynamics:
      return pinocchio::constraintDynamics(p.model, p.constraint_data, q, v, tau, p.in_link_axes, p.link_datas,
                                           settings);
    case ConstrainedBy::kPv:
      return pinocchio::pv(p.model, p.pv_data, q, v, tau, p.in_link_axes, p.link_datas, settings);
    case ConstrainedBy::kConstrainedAba:
      break;
  }
  return pinocchio::constrainedABA(p.model, p.pv_data, q, v, tau, p.in_link_axes, p.link_datas, settings);
}

Eigen::Matrix3d PinocchioRobot::axes_of(std::size_t contact) const {
  return parts_->data.oMi[parts_->in_link_axes[contact].joint1_id].rotation();
}

Eigen::Vector3d PinocchioRobot::position_of(std::size_t contact) const {
  const pinocchio::RigidConstraintModel& at = parts_->in_link_axes[contact];
  return parts_->data.oMi[at.joint1_id].act(at.joint1_placement.translation());
}

}  // namespace delassus::cli
