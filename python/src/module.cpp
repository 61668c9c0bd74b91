// The extension module delassus._delassus.
#include "bindings.hpp"
#include "delassus/version.hpp"

namespace {

pybind11::list public_names(const pybind11::module_& m) {
  pybind11::list out;
  for (const auto& item : m.attr("__dict__").cast<pybind11::dict>()) {
    if (!item.first.cast<std::string>().starts_with('_')) out.append(item.first);
  }
  return out;
}

}  // namespace

PYBIND11_MODULE(_delassus, m) {
  using namespace delassus::python;
  m.doc() = "The compiled part of the package delassus.";
  m.attr("__version__") = std::string(delassus::kVersion);
  // Users find everything in `delassus`: signatures and pickles name it so.
  const pybind11::object own_name = m.attr("__name__");
  m.attr("__name__") = "delassus";
  bind_errors(m);
  bind_surface(m);
  bind_model(m);
  bind_builder(m);
  bind_constraints(m);
  bind_constraint_makers(m);
  bind_scene(m);
  bind_kinematics(m);
  bind_layouts(m);
  bind_dynamics(m);
  bind_planner(m);
  bind_doctor(m);
  bind_operator(m);
  bind_compile(m);
  bind_constrained_dynamics(m);
  bind_contact_solvers(m);
  bind_assembly(m);
  bind_integrator(m);
  bind_recording(m);
  bind_simulator(m);
  bind_simulator_parts(m);
  bind_tasks(m);
  bind_operational_space(m);
  bind_operational_controller(m);
  bind_augmented_object(m);
  bind_grasp_controller(m);
  bind_batch(m);
  bind_vector_simulator(m);
  bind_batch_controller(m);
  bind_sweep(m);
  m.attr("__name__") = own_name;
  m.attr("__all__") = public_names(m);
}
