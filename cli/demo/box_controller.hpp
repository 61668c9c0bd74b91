// The controller of the demonstration: robot and box as an augmented object along a cubic path, the posture in the null space of
// both hands.
//
//   symbol  here
//   τ₀      springs of all joints towards the posture
//   N       null space of both palms, dynamically consistent: Nᵀ τ₀ moves no palm
#pragma once

#include <string>
#include <vector>

#include "cli/demo/box_setup.hpp"
#include "delassus/control/grasp_controller.hpp"
#include "delassus/control/task.hpp"

namespace delassus::cli {

class BoxController {
 public:
  /// All masses of its model, that of the box too, are wrong by this share.
  BoxController(const BoxSetup& setup, double mass_error);
  // The library's controller points to the model.
  BoxController(const BoxController&) = delete;
  BoxController& operator=(const BoxController&) = delete;

  /// Joint forces at time t.
  ControlStatus compute(double t, In<double> q, In<double> v, Out<double> tau);

  /// A status of compute in words.
  std::string describe(const ControlStatus& status) const;

  /// Of the last compute: where the box should be, and Nᵀ τ₀, which is part of its joint forces.
  const PoseTarget& target() const { return target_; }
  Status posture_force(Out<double> tau) const;

 private:
  Model model_;
  CubicPath path_;
  GraspController<double> grasp_;
  std::vector<double> posture_, spring_;
  PoseTarget target_;
};

/// Both palms of a robot.
std::vector<Attachment> palms_of(const Model& robot);

}  // namespace delassus::cli
