// The parts of the module. Each binds one concept, in a file of the same name.
#pragma once

#include <pybind11/pybind11.h>

namespace delassus::python {

void bind_errors(pybind11::module_& m);
void bind_surface(pybind11::module_& m);
void bind_model(pybind11::module_& m);
void bind_builder(pybind11::module_& m);
void bind_constraints(pybind11::module_& m);
void bind_constraint_makers(pybind11::module_& m);
void bind_scene(pybind11::module_& m);
void bind_kinematics(pybind11::module_& m);
void bind_layouts(pybind11::module_& m);
void bind_dynamics(pybind11::module_& m);
void bind_planner(pybind11::module_& m);
void bind_doctor(pybind11::module_& m);
void bind_operator(pybind11::module_& m);
void bind_compile(pybind11::module_& m);
void bind_constrained_dynamics(pybind11::module_& m);
void bind_contact_solvers(pybind11::module_& m);
void bind_assembly(pybind11::module_& m);
void bind_integrator(pybind11::module_& m);
void bind_recording(pybind11::module_& m);
void bind_simulator(pybind11::module_& m);
void bind_simulator_parts(pybind11::module_& m);
void bind_tasks(pybind11::module_& m);
void bind_operational_space(pybind11::module_& m);
void bind_operational_controller(pybind11::module_& m);
void bind_augmented_object(pybind11::module_& m);
void bind_grasp_controller(pybind11::module_& m);
void bind_batch(pybind11::module_& m);
void bind_vector_simulator(pybind11::module_& m);
void bind_batch_controller(pybind11::module_& m);
void bind_sweep(pybind11::module_& m);

}  // namespace delassus::python
