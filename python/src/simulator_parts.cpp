// Bodies and joints of a Simulator by name: what they do, read anew each time, and its memory as they see it.
#include <pybind11/numpy.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "lock.hpp"
#include "model_arguments.hpp"
#include "simulator_object.hpp"

namespace delassus::python {
namespace {

/// One that keeps its Simulator alive.
struct SimulatorPart {
  py::object simulator;
  int index;  // of a body in the description, of a joint that of its link

  SimulatorObject& object() const { return simulator.cast<SimulatorObject&>(); }
  const Model& model() const { return *object().model; }
};
struct SimulatedBody : SimulatorPart {};
struct SimulatedJoint : SimulatorPart {};

const BodyDescription& description_of(const SimulatedBody& self) {
  return self.model().description().bodies[static_cast<std::size_t>(self.index)];
}

/// What `get` finds of the body, with the simulation to itself.
template <class Get>
auto of_body(Get get) {
  return [get](const SimulatedBody& self) {
    SimulatorObject& object = self.object();
    const auto value = [&] {
      const Working working(object.mutex);
      return get(object, self.index);
    }();
    return Convert<std::decay_t<decltype(value)>>::to(value);
  };
}

py::object repr_of_part(const SimulatorPart& self, const char* type, const std::string& name) {
  return Convert<std::string>::to(std::string("<delassus.") + type + " '" + name + "' of '" + self.model().name() +
                                  "'>");
}

void bind_body(py::module_& m) {
  using Object = SimulatorObject;
  py::class_<SimulatedBody> c(
      m, "SimulatedBody",
      "A body of a Simulator, as it is when it is asked: Simulator.body. Poses and velocities are those of q and v as "
      "they\n"
      "stand there, contacts those of the last step.");
  c.def_property_readonly(
      "simulator", [](const SimulatedBody& self) { return self.simulator; }, "The Simulator.");
  c.def_property_readonly(
      "name", [](const SimulatedBody& self) { return Convert<std::string>::to(description_of(self).name); },
      "As the model has it.");
  c.def_property_readonly(
      "mass", [](const SimulatedBody& self) { return description_of(self).inertial.mass; },
      "kg, without what is fixed to it.");
  c.def_property_readonly("position", of_body([](Object& o, int body) { return o.body_pose(body).p; }),
                          "Of its origin in the world, m, shape (3,).");
  c.def_property_readonly("quaternion", of_body([](Object& o, int body) {
                            const Quaternion<double> x = quaternion_of(o.body_pose(body).R);
                            return std::array{x[0], x[1], x[2], x[3]};
                          }),
                          "Its axes in the world, x y z w, shape (4,).");
  c.def_property_readonly("velocity", of_body([](Object& o, int body) { return o.body_velocity(body).linear; }),
                          "Of its origin, m/s, world axes, shape (3,).");
  c.def_property_readonly("angular_velocity",
                          of_body([](Object& o, int body) { return o.body_velocity(body).angular; }),
                          "rad/s, world axes, shape (3,).");
  c.def_property_readonly("contact_force", of_body([](Object& o, int body) { return o.body_contact(body).force; }),
                          "Sum of the contact forces on it in the last step, N, world axes, shape (3,). Contacts count "
                          "for the body whose\n"
                          "shape touches: a foot that is fixed to a shank has its own, and the shank does not have "
                          "them, as in a VectorSimulator.");
  c.def_property_readonly("in_contact", of_body([](Object& o, int body) { return o.body_contact(body).touches; }),
                          "Whether a contact force acted on it in the last step.");
  c.def("__repr__",
        [](const SimulatedBody& self) { return repr_of_part(self, "SimulatedBody", description_of(self).name); });
}

/// Entries of a vector of the simulator.
struct Slice {
  std::vector<double>& all;
  int first, size;
  double* begin() const { return all.data() + first; }
};

using SliceOf = Slice (*)(SimulatorObject& object, const Link& link);

/// One number for a joint that has one, or a list.
std::vector<double> entries_from(const py::object& value, const char* name, int size) {
  const bool lone = PyNumber_Check(value.ptr()) != 0 && dimensions_of(value) <= 0;
  if (size == 1 && lone) return {Convert<double>::from(value, name)};
  return numbers_from(value, name, {size});
}

void bind_slice(py::class_<SimulatedJoint>& c, const char* name, SliceOf slice_of, const char* doc) {
  c.def_property(
      name,
      [slice_of](const SimulatedJoint& self) {
        const Slice at = slice_of(self.object(), self.model().link(self.index));
        return py::array_t<double>(at.size, at.begin(), self.simulator);
      },
      [slice_of, name](const SimulatedJoint& self, const py::object& value) {
        const Slice at = slice_of(self.object(), self.model().link(self.index));
        const std::vector<double> entries = entries_from(value, name, at.size);
        std::copy(entries.begin(), entries.end(), at.begin());
      },
      doc);
}

py::object limits_of(const SimulatedJoint& self, double DofProperties::*limit) {
  const Link& link = self.model().link(self.index);
  std::vector<double> out;
  for (int k = link.v; k < link.v + link.nv; ++k)
    out.push_back(self.model().dofs()[static_cast<std::size_t>(k)].*limit);
  return Convert<std::vector<double>>::to(out);
}

void bind_joint(py::module_& m) {
  py::class_<SimulatedJoint> c(
      m, "SimulatedJoint",
      "A joint of a Simulator: Simulator.joint. q, v and force are views of the simulator's memory, to be written to "
      "between\n"
      "steps as Simulator.q is: joint.q[0] = 0.3, or joint.q = 0.3 where it has one coordinate.");
  c.def_property_readonly(
      "simulator", [](const SimulatedJoint& self) { return self.simulator; }, "The Simulator.");
  c.def_property_readonly(
      "name", [](const SimulatedJoint& self) { return Convert<std::string>::to(self.model().joint_name(self.index)); },
      "As the model has it.");
  bind_slice(
      c, "q",
      [](SimulatorObject& o, const Link& l) {
        return Slice{o.q, l.q, sizes_of(l.kind).nq};
      },
      "Coordinates, rad or m: one for a hinge or a slider, shape (1,); a free joint has a position and a quaternion x "
      "y "
      "z w,\n"
      "shape (7,).");
  bind_slice(
      c, "v",
      [](SimulatorObject& o, const Link& l) {
        return Slice{o.v, l.v, l.nv};
      },
      "Velocities, rad/s or m/s, one for each degree of freedom; of a free joint angular, then linear, in the body's "
      "axes.");
  bind_slice(
      c, "force",
      [](SimulatorObject& o, const Link& l) {
        return Slice{o.forces, l.v, l.nv};
      },
      "Forces beside the actuators', Nm or N, one for each degree of freedom.");
  c.def_property_readonly(
      "lower", [](const SimulatedJoint& self) { return limits_of(self, &DofProperties::lower); },
      "Lower limits, one for each degree of freedom; -inf where there is none.");
  c.def_property_readonly(
      "upper", [](const SimulatedJoint& self) { return limits_of(self, &DofProperties::upper); },
      "Upper limits, one for each degree of freedom; inf where there is none.");
  c.def("__repr__", [](const SimulatedJoint& self) {
    return repr_of_part(self, "SimulatedJoint", self.model().joint_name(self.index));
  });
}

/// The object of Python that it is.
py::object python_object(SimulatorObject& self) { return py::cast(self, py::return_value_policy::reference); }

}  // namespace

void bind_simulator_parts(py::module_& m) {
  bind_body(m);
  bind_joint(m);
  py::class_<SimulatorObject> c(m.attr("Simulator"));
  c.def(
      "body",
      [](SimulatorObject& self, const py::object& name) {
        return SimulatedBody{{python_object(self), body_index(*self.model, name, "name")}};
      },
      py::arg("name"),
      "The SimulatedBody of this name, or index in model.bodies. Raises Error with the closest name if there is none.");
  c.def(
      "joint",
      [](SimulatorObject& self, const py::object& name) {
        return SimulatedJoint{{python_object(self), link_index(*self.model, name, "name")}};
      },
      py::arg("name"),
      "The SimulatedJoint of this name, or index in model.joints. Raises Error with the closest name if there is "
      "none.");
}

}  // namespace delassus::python
