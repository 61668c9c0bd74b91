// Several hands that move one object: the augmented object, and its operational-space control with the posture in the null space.
//
// Papers: Khatib, "Object manipulation in a multi-effector robot system"; Chang, Holmberg, Khatib, "The augmented object model:
// cooperative manipulation and parallel mechanism dynamics"; Chang, Khatib, "Efficient recursive algorithm for the operational space
// inertia matrix of branching mechanisms", section 4 (docs/algorithms/operational-space.md).
//
//   symbol  here
//   W       motion of all hands from that of the object, which holds them rigidly: ẋ_hands = W ẋ
//   Λ⊕      I + Wᵀ Λ W, with the object's own inertia I and the hands' Λ, which couples them where arms share a trunk
//   μ⊕+p⊕   the object's own bias and Wᵀ (μ + p + Λ Ẇẋ)
//
// The object's acceleration ẍ, from its target and its gains, is that of the hands by W, and what it takes to move the object is
// shared among them, beside a squeeze that moves nothing: F = Λ (W ẍ + Ẇẋ) + μ + p + (shares of I ẍ and the object's weight).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "delassus/control/operational_controller.hpp"
#include "delassus/control/task.hpp"
#include "delassus/math/scalar.hpp"
#include "delassus/math/spatial.hpp"
#include "delassus/math/view.hpp"
#include "delassus/model/description.hpp"

namespace delassus {

/// A body that hands hold.
struct HeldObject {
  Inertial inertial;                // in its frame
  std::vector<Pose<double>> hands;  // frames of the hands in its frame
};

/// What several hands and the body that they hold are together, seen at the body. Rows are those of pose tasks: three linear, three
/// angular, world axes; for each hand in turn, at its frame's origin. Motions of the object are those at the origin of its frame.
template <FloatingPoint T>
class AugmentedObject {
 public:
  /// Throws an Error if nobody holds the object, a pose is none, its mass is no mass, or its inertia no number.
  explicit AugmentedObject(HeldObject object);

  int num_hands() const { return static_cast<int>(object_.hands.size()); }
  int rows() const { return 6 * num_hands(); }
  const HeldObject& object() const { return object_; }

  /// Everything at one pose and velocity of the object.
  void update(const Pose<T>& pose, const Motion<T>& velocity) noexcept;
  /// The same from where one of the hands is and how it moves.
  void update_from_hand(int hand, const Pose<T>& pose, const Motion<T>& velocity) noexcept;
  const Pose<T>& pose() const { return pose_; }
  const Motion<T>& velocity() const { return velocity_; }

  /// W ẍ + Ẇ ẋ: accelerations of the hands.
  void hand_accelerations(const Motion<T>& acceleration, T* rows) const noexcept;
  /// Wᵀ F, about the object's origin.
  Force<T> wrench(const T* forces) const noexcept;
  /// The wrench that moves the object alone: I ẍ and its bias, gravity included.
  Force<T> load(const Motion<T>& acceleration, const Vec3<T>& gravity) const noexcept;

  /// Forces of the hands on the object that are this wrench together: of all of them, the nearest to `wish`, in the sum of squares
  /// with moments over the distance of the hands. Without a wish nothing is squeezed but for balance; wish and result may be the
  /// same.
  void distribute(const Force<T>& wrench, const T* wish, T* forces) const noexcept;
  /// Forces with which the hands press towards their middle; alone they do nothing to the object but for what `distribute` takes
  /// back.
  void squeeze(T force, T* rows) const noexcept;

  /// Λ⊕ from Λ of the hands: 6 × 6, linear rows first.
  void inertia(MatrixView<const T> hands, MatrixView<T> out) const noexcept;
  /// μ⊕ + p⊕ from Λ and μ + p of the hands.
  Force<T> bias(MatrixView<const T> hands, const T* hand_bias, const Vec3<T>& gravity) const noexcept;

 private:
  void hand_rows(int hand, const Motion<T>& motion, T* rows) const noexcept;
  void add_wrench(int hand, const T* rows, Force<T>& to) const noexcept;
  void find_reach() noexcept;
  void factor_grasp() noexcept;

  HeldObject object_;
  Pose<T> pose_;
  Motion<T> velocity_;
  RigidInertia<T> inertia_;     // about the object's origin, world axes
  std::vector<Vec3<T>> lever_;  // from there to each hand, world axes
  T reach_{1};                  // of the hands about their middle
  Sym<T, 6> grasp_;             // LDLᵀ of Wᵀ Q W, linear rows first, with Q = 1 for forces and reach² for moments
};

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
