// Several hands that move one object: the augmented object under operational-space control, with the posture in the null space.
//
// Papers: Chang, Khatib, "Efficient recursive algorithm for the operational space inertia matrix of branching mechanisms", section 4; Khatib,
// "Object manipulation in a multi-effector robot system" (docs/algorithms/operational-space.md).
//
// The object's acceleration ẍ, from its target and its gains, is that of the hands by W, and what it takes to move the object is
// shared among them, beside a squeeze that moves nothing: F = Λ (W ẍ + Ẇẋ) + μ + p + (shares of I ẍ and the object's weight).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "delassus/control/augmented_object.hpp"
#include "delassus/control/operational_controller.hpp"

namespace delassus {

struct GraspOptions {
  TaskGains object{400, 40};
  double squeeze = 0;  // N, of each hand towards the middle of all
  /// Metres and radians that a hand may be from where the object has it, by the first hand.
  double tolerance = 0.05;
  SingularityOptions singular{};
  std::vector<TaskLevel> below{};  // what else is to be done, as far as the hands allow
  std::vector<Constraint> held{};  // contacts of the robot with the ground
  ControllerOptions controller{};
  std::optional<Actuation> actuation{};  // motors at all joints but free ones
};

template <FloatingPoint T>
class GraspController {
 public:
  /// The robot alone, without the object; a frame of it for each of the object's hands, in the same order.
  /// Throws an Error that says what does not fit.
  GraspController(const Model& model, std::span<const Attachment> hands, const HeldObject& object,
                  const GraspOptions& options = {});

  /// Where the object shall be. kBadArgument if it is no pose, kNotFinite if it moves by no number.
  Status set_target(const PoseTarget& target) noexcept;
  Status set_posture(In<T> q) noexcept { return controller_.set_posture(q); }
  /// Joint forces; statuses are those of OperationalController::solve. kInfeasible, and no forces, if a hand is not where the object has
  /// it; the index is that of its first row.
  ControlStatus compute(In<T> q, In<T> v, Out<T> tau) noexcept;

  /// Of the last compute: the object where the first hand has it, the acceleration asked of it, and the forces of the hands on it.
  const AugmentedObject<T>& object() const { return object_; }
  const Motion<T>& acceleration() const { return acceleration_; }
  const std::vector<T>& forces() const { return forces_; }
  /// Λ⊕ (6 × 6, linear rows first).
  Status inertia(MatrixOut<T> out) const noexcept;
  /// The hands are level 0; those below follow. Tasks `hand 0`, `hand 1`, ... are those of the hands.
  const OperationalController<T>& controller() const { return controller_; }
  OperationalController<T>& controller() { return controller_; }

 private:
  Pose<T> hand_pose(std::size_t hand) const noexcept;
  void find_object() noexcept;
  Status require_grasp() const noexcept;
  void find_acceleration() noexcept;

  OperationalController<T> controller_;
  std::vector<Attachment> hands_;
  std::vector<int> tasks_;
  AugmentedObject<T> object_;
  GraspOptions options_;
  PoseTarget target_;
  bool has_target_ = false;
  Motion<T> acceleration_ = Motion<T>::zero();
  std::vector<T> rows_, forces_;
  mutable std::vector<T> Lambda_;
};

}  // namespace delassus
