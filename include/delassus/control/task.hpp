// What a controller is asked for: tasks in order of priority, and targets that move. A task is a constraint that is pursued instead
// of held: its rows say which motion is meant, and their positions how far it is from its target.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/math/error.hpp"
#include "delassus/math/spatial.hpp"

namespace delassus {

/// Row accelerations towards a target that moves: ẍ = ẍ_d + damping (ẋ_d - ẋ) - stiffness φ. Both zero: ẍ_d alone.
struct TaskGains {
  double stiffness = 100;  // 1/s²
  double damping = 20;     // 1/s
};

/// That acceleration, of one row with position φ and velocity ẋ.
template <class T>
T pursuing(const TaskGains& gains, T target_acceleration, T target_velocity, T velocity, T position) {
  return target_acceleration + static_cast<T>(gains.damping) * (target_velocity - velocity) -
         static_cast<T>(gains.stiffness) * position;
}

/// What happens along directions in which a task can hardly be moved, because the posture is singular for it or because tasks of
/// higher priority need them (docs/algorithms/operational-space.md).
enum class SingularHandling : std::uint8_t {
  kClamp,  // their inertia is taken to be no larger than the threshold allows: the condition is clamped
  kDamp,  // all directions of the level are damped, by as much as the weakest one needs, and by nothing at regular postures
  kTruncate,  // they are given up, and left to the levels below
};

struct SingularityOptions {
  SingularHandling handling = SingularHandling::kClamp;
  /// Directions are weak where Λ⁻¹ is less than this share of what it is along the softest row of the same kind (linear or
  /// angular) of the same task, with nothing above in the way.
  double threshold = 1e-4;  // between 0 and 1; at least 1e-9 is taken, in float 1e-4
  /// Weak directions are what is expected of this level, and no reason for a status.
  bool best_effort = false;
};

/// Tasks of one priority: each level moves only what the levels before it leave free.
struct TaskLevel {
  std::string name;
  std::vector<Constraint> tasks;
  TaskGains gains{};
  SingularityOptions singular{};
};

/// What directions of a level are weak at the last configuration.
template <class T>
struct LevelReport {
  int weak = 0;   // how many
  T smallest{1};  // share of the softest row that the weakest one yields, or a bound below it where none is weak
  int row = -1;   // within the level, the one that the weakest direction moves most; -1: none is weak
  bool ok() const { return weak == 0; }
};

/// Where a frame shall be, world axes; the linear parts are those of its origin.
struct PoseTarget {
  Pose<double> pose = Pose<double>::identity();
  Motion<double> velocity = Motion<double>::zero();
  Motion<double> acceleration = Motion<double>::zero();
};

/// Throws an Error that names what they are of, unless they are numbers of zero or more.
void require_gains(const std::string& what, const TaskGains& gains);

/// Whether it is one: R a rotation, to what single precision leaves of it, and p finite.
bool is_pose(const Pose<double>& pose);

/// kBadArgument if its pose is none, kNotFinite if it moves by no number.
Status require_target(const PoseTarget& target) noexcept;

/// Where a point shall be, world axes.
struct PointTarget {
  Vec3<double> position{{0, 0, 0}}, velocity{{0, 0, 0}}, acceleration{{0, 0, 0}};
};

/// What a number shall be.
struct ScalarTarget {
  double position = 0, velocity = 0, acceleration = 0;
};

// Tasks whose targets can move (OperationalController::set_target), all in world axes. Any other constraint is a task too, with a target
// that stands still.

/// A frame at a pose: three linear rows, three angular ones.
Constraint make_pose_task(std::string name, const Attachment& frame, const Pose<double>& target);
/// The origin of a frame at a point: three rows.
Constraint make_position_task(std::string name, const Attachment& frame, const Vec3<double>& target);
/// The axes of a frame along others: three rows.
Constraint make_orientation_task(std::string name, const Attachment& frame, const Mat3<double>& target);
/// The centre of mass at a point: three rows.
Constraint make_centre_of_mass_task(std::string name, const Vec3<double>& target);
/// A joint of one degree of freedom at a coordinate: one row. Throws an Error if there is no such joint.
Constraint make_joint_task(std::string name, const Model& model, std::string_view joint, double target);

/// The tasks of a controller in order, what is held before what is pursued.
class TaskList {
 public:
  /// Throws an Error that names an option which makes no sense, a level or task whose name another one has, or a task that is
  /// called as a held constraint.
  TaskList(std::span<const TaskLevel> levels, std::span<const Constraint> held);

  /// Held ones first, then those of the levels. Their kinds, links and rows never change.
  std::span<const Constraint> constraints() const { return constraints_; }
  /// The index of a task by its name. Throws an Error with the names there are.
  int find(std::string_view name) const;

  /// Targets of tasks as the functions above make them. kBadArgument if there is no such task, its target is no such thing,
  /// or the pose is none; kNotFinite if it is no number.
  Status set_target(int task, const Pose<double>& target) noexcept;
  Status set_target(int task, const Vec3<double>& target) noexcept;
  Status set_target(int task, double target) noexcept;

 private:
  bool has(int task) const { return task >= 0 && task < static_cast<int>(constraints_.size()); }

  std::vector<Constraint> constraints_;
};

/// From one pose to another and at rest at both, along a cubic in time: a straight line for the origin, a turn about one axis.
class CubicPath {
 public:
  /// Times in seconds. Throws an Error if they are no numbers or the duration is not above zero, or if a pose is none.
  CubicPath(const Pose<double>& from, const Pose<double>& to, double start, double duration);

  /// At rest before the start and after the end.
  PoseTarget at(double t) const noexcept;
  double end() const noexcept { return start_ + duration_; }

 private:
  Pose<double> from_;
  Vec3<double> way_;   // of the origin
  Vec3<double> turn_;  // rotation vector, world axes
  double start_, duration_;
};

}  // namespace delassus
