// The links of a model in Pinocchio, and its algorithms on them. Built where Pinocchio is found. Its own headers are included by
// robot_pinocchio.cpp alone, which takes minutes to compile.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>
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
  ~PinocchioRobot();
  PinocchioRobot(const PinocchioRobot&) = delete;
  PinocchioRobot& operator=(const PinocchioRobot&) = delete;

  /// Of the headers.
  static std::string version();

  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  /// Its algorithms in axes of links and of the world: which is faster depends on the compiler.
  enum class Axes : std::uint8_t { kLocal, kWorld };
  /// Its algorithms for Λ⁻¹: force propagators, Popov and Vereshchagin's, a Cholesky factor of the KKT matrix.
  enum class MatrixBy : std::uint8_t { kEfpa, kPv, kCholesky };
  enum class ConstrainedBy : std::uint8_t { kConstraintDynamics, kPv, kConstrainedAba };
  /// Fewer steps take less time; with too few, or too large a damping, contacts accelerate.
  struct Proximal {
    double damping;
    int most_steps;
  };

  void update_kinematics(const Vector& q);
  const Vector& inverse_dynamics(const Vector& q, const Vector& v, const Vector& a);
  const Vector& forward_dynamics(const Vector& q, const Vector& v, const Vector& tau, Axes axes);
  /// Both triangles.
  const Matrix& inertia(const Vector& q, Axes axes);
  /// In world axes.
  const Matrix& jacobian(const Vector& q);
  /// Λ⁻¹, its upper triangle alone, with rows in the axes of the links.
  const Matrix& delassus(const Vector& q, MatrixBy by);
  /// (Λ⁻¹ + damping) z = b, in world axes.
  const Vector& damped_solve(const Vector& q, double damping, const Vector& b);
  /// With contacts that do not accelerate.
  const Vector& constrained_dynamics(const Vector& q, const Vector& v, const Vector& tau, ConstrainedBy by,
                                     const Proximal& proximal);

  /// Of the link with the contact and of its point, in the world, after update_kinematics.
  Eigen::Matrix3d axes_of(std::size_t contact) const;
  Eigen::Vector3d position_of(std::size_t contact) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace delassus::cli
