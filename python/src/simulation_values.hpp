// Names and classes of what a Simulator is given and gives.
#pragma once

#include "contact_names.hpp"
#include "delassus/simulation/simulation_setup.hpp"
#include "operator_names.hpp"

namespace delassus::python {

template <>
struct EnumNames<ContactModel> {
  static std::span<const std::string_view> names() { return names_by_function<ContactModel, kContactModels.size()>(); }
};
template <>
struct EnumNames<ActuatorKind> {
  static std::span<const std::string_view> names() { return names_by_function<ActuatorKind, 3>(); }
};

/// What simulations are made of, as Python gives it; None where it does not.
struct SimulatorArguments {
  py::object scene, options, dt, solver, algorithm, restitution, actuators;
  py::object tolerance = py::none(), floating = py::none(), place_on_ground = py::none();
};
/// `model` becomes the one that Python sees.
SimulationSetup setup_from(const SimulatorArguments& arguments, std::shared_ptr<Model>& model);

/// Options, actuators, saved states and reports.
void bind_simulation_values(py::module_& m);

}  // namespace delassus::python
