// The links of a model in Pinocchio, and its algorithms on them. Built where Pinocchio is found.
#pragma once

#include <Eigen/Core>
#include <pinocchio/algorithm/contact-cholesky.hpp>
#include <pinocchio/algorithm/contact-info.hpp>
#include <pinocchio/algorithm/proximal.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>
#include <vector>

#include "delassus/model/model.hpp"

namespace delassus::cli {

/// All calls begin at q, and results last until the next one. Coordinates are Pinocchio's (link_layout).
class PinocchioRobot {
 public:
  /// On a link, in its internal frame; held at this point in all three directions.
  struct Contact {
    int link;
    Vec3<double> point;
  };

  /// Free and revolute joints only, else an Error.
  PinocchioRobot(const Model& model, const std::vector<Contact>& contacts);

  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  void update_kinematics(const Vector& q);
  const Vector& inverse_dynamics(const Vector& q, const Vector& v, const Vector& a);
  const Vector& forward_dynamics(const Vector& q, const Vector& v, const Vector& tau);
  /// Both triangles.
  const Matrix& inertia(const Vector& q);
  /// In world axes.
  const Matrix& jacobian(const Vector& q);
  /// Λ⁻¹, with rows in the axes of the links.
  const Matrix& delassus(const Vector& q);
  /// (Λ⁻¹ + damping) z = b, in world axes.
  const Vector& damped_solve(const Vector& q, double damping, const Vector& b);
  /// With contacts that do not accelerate.
  const Vector& constrained_dynamics(const Vector& q, const Vector& v, const Vector& tau);

  /// Of the link with the contact and of its point, in the world, after update_kinematics.
  Eigen::Matrix3d axes_of(std::size_t contact) const;
  Eigen::Vector3d position_of(std::size_t contact) const;

 private:
  using Contacts = PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(pinocchio::RigidConstraintModel);
  using ContactDatas = PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(pinocchio::RigidConstraintData);

  Contacts make_contacts(const std::vector<Contact>& contacts, pinocchio::ReferenceFrame axes) const;

  pinocchio::Model model_;
  pinocchio::Data data_, delassus_data_, dynamics_data_;  // two are laid out for the contacts, each for one algorithm
  std::vector<pinocchio::FrameIndex> frames_;
  Contacts in_world_axes_, in_link_axes_;
  ContactDatas world_datas_, link_datas_;
  pinocchio::ContactCholeskyDecomposition cholesky_;
  pinocchio::ProximalSettings settings_;
  pinocchio::Data::Matrix6x frame_jacobian_;
  Matrix jacobian_, delassus_;
  Vector solution_;
};

}  // namespace delassus::cli
