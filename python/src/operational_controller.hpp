// What Python calls OperationalController: one of its own, or that of a grasp or a batch.
#pragma once

#include <functional>

#include "delassus/control/operational_controller.hpp"
#include "operational_space.hpp"

namespace delassus::python {

/// The pointers share what owns all of it, the model included.
struct ControllerObject {
  std::shared_ptr<ControlState> state;
  std::shared_ptr<OperationalController<double>> controller;
  bool own = true;  // false: a grasp or a batch computes it
  std::shared_ptr<Model> model;
  std::vector<std::string> level_names;
};

/// What all controllers are made of beside their tasks.
struct ControllerArguments {
  std::vector<Constraint> held;
  ControllerOptions options;
  std::optional<Actuation> actuation;
};
ControllerArguments controller_arguments(const Model& model, const py::object& held, const py::object& posture_gains,
                                         const py::object& held_gains, const py::object& motors,
                                         const py::object& supports);

using ComputeForces = std::function<ControlStatus(In<double> q, In<double> v, Out<double> tau)>;

/// Joint forces in `out` or a new array. Takes note of the status, and throws a StatusError where it leaves no forces.
py::object joint_forces(const OperationalSpace<double>& space, ControlState& state, const py::object& q,
                        const py::object& v, const py::object& out, const ComputeForces& compute);

void set_controller_posture(ControllerObject& self, const py::object& q);

/// "pulling": what a contact would do, before all else that leaves forces; "ok", or a code of Status.
const char* word_of(const ControlStatus& status);
/// The status of the last update or compute, in one word and in a sentence.
std::string status_word(ControlState& state);
std::string status_message(ControlState& state, const OperationalSpace<double>& space);
/// The ContactExcess of the last compute, or None.
py::object contact_excess(ControlState& state);

}  // namespace delassus::python
