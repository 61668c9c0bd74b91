// The tasks of a controller in order, what is held before what is pursued, and targets that move.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "delassus/control/task.hpp"
#include "delassus/math/error.hpp"

namespace delassus {

class TaskList {
 public:
  /// Throws an Error that names an option which makes no sense, a level or task whose name another one has, or a task that is called as a held constraint.
  TaskList(std::span<const TaskLevel> levels, std::span<const Constraint> held);

  /// Held ones first, then those of the levels. Their kinds, links and rows never change.
  std::span<const Constraint> constraints() const { return constraints_; }
  /// The index of a task by its name. Throws an Error with the names there are.
  int find(std::string_view name) const;

  /// Targets of tasks as the functions of task.hpp make them. kBadArgument if there is no such task, its target is no such thing,
  /// or the pose is none; kNotFinite if it is no number.
  Status set_target(int task, const Pose<double>& target) noexcept;
  Status set_target(int task, const Vec3<double>& target) noexcept;
  Status set_target(int task, double target) noexcept;

 private:
  bool has(int task) const { return task >= 0 && task < static_cast<int>(constraints_.size()); }

  std::vector<Constraint> constraints_;
};

}  // namespace delassus
