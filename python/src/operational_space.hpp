// What Python calls OperationalSpace: one of its own, or that of a controller.
#pragma once

#include <memory>
#include <mutex>

#include "delassus/control/held_contacts.hpp"
#include "delassus/control/operational_space.hpp"
#include "tasks.hpp"

namespace delassus::python {

/// What a space and its controllers have in common.
struct ControlState {
  ControlState() : mutex(own_) {}
  /// Of one among many that share a lock.
  explicit ControlState(std::mutex& shared) : mutex(shared) {}

  std::mutex& mutex;
  ControlStatus status;  // of the last update or solve
  bool updated = false;  // whether the last update left values

 private:
  std::mutex own_;
};

/// The pointers share what owns all of it, the model included.
struct SpaceObject {
  std::shared_ptr<ControlState> state;
  std::shared_ptr<const OperationalSpace<double>> space;
  std::shared_ptr<OperationalSpace<double>> own;  // none, if it is a controller's
  std::shared_ptr<Model> model;
  std::vector<std::string> level_names;
};

/// "<delassus.Name of 'model': level, level>"
py::object repr_of_levels(const char* type, const Model& model, const std::vector<std::string>& names);

std::vector<std::string> names_of_levels(std::span<const TaskLevel> levels);

/// A level by its name or index. Throws an Error with the closest name if there is none.
int level_index(const std::vector<std::string>& names, py::handle level);

/// Throws a StatusError for a status that leaves nothing to go on with.
void require_result(const ControlStatus& status, const OperationalSpace<double>& space);
/// Takes note of the status of an update, and throws as above.
void settle_update(const ControlStatus& status, const OperationalSpace<double>& space, ControlState& state);
void require_updated(const ControlState& state);

}  // namespace delassus::python
