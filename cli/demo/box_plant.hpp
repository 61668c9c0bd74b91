// The world of the demonstration: robot, box and grasp as one closed chain, moved by constrained dynamics, above a floor. It knows
// nothing of the controller's model.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "cli/demo/box_floor.hpp"
#include "cli/demo/box_setup.hpp"
#include "delassus/simulation/integrator.hpp"

namespace delassus::cli {

/// What a hand does to the box, in the axes of the box; the moment is about the palm.
using Grip = Force<double>;

/// The robot, then the box on a free joint of its own.
Model make_robot_with_box(const BoxSetup& setup);

class BoxPlant {
 public:
  /// A step is dt seconds.
  BoxPlant(const BoxSetup& setup, double dt);
  // The solvers point to the model and the constraints.
  BoxPlant(const BoxPlant&) = delete;
  BoxPlant& operator=(const BoxPlant&) = delete;

  /// Joint forces of the robot from now on, and the grips with which they hold the box.
  Status apply(In<double> tau);
  /// Accelerations of the palms that a change of the joint forces would make now.
  Status palm_response(In<double> change, std::array<Motion<double>, kHands>& out);
  /// To the end of the step; the joint forces stay the same.
  Status step();

  /// Of the robot alone.
  std::span<const double> q() const { return std::span(q_).first(nq_robot_); }
  std::span<const double> v() const { return std::span(v_).first(nv_robot_); }
  /// Of robot and box.
  std::span<const double> all_q() const { return q_; }
  std::span<const double> all_v() const { return v_; }
  Pose<double> box() const;
  /// Of all bodies, the box last.
  std::vector<Pose<double>> body_poses() const;
  const Grip& grip(int hand) const { return grips_[hand]; }
  /// What the floor does to the box, in its axes.
  const Force<double>& floor() const { return floor_force_; }
  std::array<BoxFloor::CornerPush, 8> corner_pushes() const;

  const Model& model() const { return model_; }
  std::span<const Constraint> constraints() const { return constraints_; }

 private:
  Status accelerate(const std::vector<double>& tau, std::vector<double>& qdd);
  Force<double> push_of_floor(VectorView<const double> q, VectorView<const double> v) const;

  Model model_;
  std::size_t nq_robot_, nv_robot_;
  std::vector<Constraint> constraints_;
  BoxFloor floor_;
  Integrator integrator_;
  State<double> state_;
  ConstrainedDynamics<double> dynamics_;
  std::vector<double> q_, v_, tau_, changed_tau_, pushed_tau_, qdd_, changed_qdd_, target_, lambda_, jacobian_;
  JointForces forces_;
  std::array<Grip, kHands> grips_{};
  Force<double> floor_force_ = Force<double>::zero();
};

}  // namespace delassus::cli
