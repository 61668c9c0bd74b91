// Model and the plain values that it is described by.
#include "delassus/model/model.hpp"

#include <pybind11/numpy.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "delassus/io/scene.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/model/builder.hpp"
#include "model_arguments.hpp"
#include "names.hpp"
#include "surface.hpp"
#include "value_class.hpp"

namespace delassus::python {
namespace {

/// A joint has as many entries as degrees of freedom; the struct has room for six.
Field<JointDescription> dofs_field() {
  return {"dofs",
          [](const JointDescription& j) {
            return Convert<std::vector<DofProperties>>::to({j.dofs.begin(), j.dofs.begin() + sizes_of(j.kind).nv});
          },
          [](JointDescription& j, py::handle value) {
            const auto dofs = Convert<std::vector<DofProperties>>::from(value, "dofs");
            if (dofs.size() > j.dofs.size()) throw Error("argument 'dofs' has more than 6 entries");
            j.dofs = {};
            std::copy(dofs.begin(), dofs.end(), j.dofs.begin());
          },
          "One Dof for each degree of freedom; those left out have the defaults."};
}

void bind_poses(py::module_& m) {
  ValueClass<Pose<double>> pose(
      m, "Pose",
      "A frame in another: its origin, and its axes as the columns of a rotation.\n\n"
      "Poses multiply: (a * b) is b, given in a, seen from outside; a * x takes a point (3,) from the frame to the "
      "outside.",
      {field("p", &Pose<double>::p, "Origin, metres, shape (3,)."),
       field("R", &Pose<double>::R, "Rotation matrix, shape (3, 3).")});
  pose.bound.def_static(
      "from_rpy",
      [](const py::object& p, const py::object& rpy) {
        return Pose<double>{rotation_from_rpy(Convert<Vec3<double>>::from(rpy, "rpy")),
                            Convert<Vec3<double>>::from(p, "p")};
      },
      py::arg("p"), py::arg("rpy"), "From roll, pitch and yaw (3,) in radians, about fixed axes as in URDF.");
  pose.bound.def(
      "inverse", [](const Pose<double>& self) { return inverse(self); }, "The outside, seen from the frame.");
  pose.bound.def(
      "__mul__",
      [](const Pose<double>& self, const py::object& other) {
        if (py::isinstance<Pose<double>>(other)) return py::cast(self * other.cast<const Pose<double>&>());
        return Convert<Vec3<double>>::to(self * Convert<Vec3<double>>::from(other, "other"));
      },
      py::arg("other"), "A pose or a point (3,), seen from outside.");
}

void bind_descriptions(py::module_& m) {
  ValueClass<Inertial>(
      m, "Inertial", "Mass, centre of mass, and inertia about it; all in the body's frame.",
      {field("mass", &Inertial::mass, "kg."), field("com", &Inertial::com, "Centre of mass, metres, shape (3,)."),
       field("inertia", &Inertial::inertia, "About the centre of mass, kg m^2, symmetric, shape (3, 3).")});
  ValueClass<DofProperties>(
      m, "Dof", "What belongs to one degree of freedom. Units: rad or m for it, Nm or N for its force.",
      {field("lower", &DofProperties::lower, "Least coordinate; -inf if there is none."),
       field("upper", &DofProperties::upper, "Largest coordinate; inf if there is none."),
       field("velocity_limit", &DofProperties::velocity_limit, "Largest speed."),
       field("effort_limit", &DofProperties::effort_limit, "Largest force of its actuator."),
       field("armature", &DofProperties::armature, "Inertia of the rotor seen at the joint: part of M."),
       field("damping", &DofProperties::damping, "Viscous damping; data only."),
       field("friction_loss", &DofProperties::friction_loss, "Dry friction, a bound on force; data only."),
       field("stiffness", &DofProperties::stiffness, "Of a spring; data only."),
       field("spring_reference", &DofProperties::spring_reference, "Coordinate at which the spring is at rest."),
       field("reference", &DofProperties::reference, "What the source file's coordinate has at q = 0.")});
  ValueClass<JointDescription>(
      m, "Joint", "A joint: its kind, where it is, and along which axes it moves.",
      {field("name", &JointDescription::name, "Unique in a model."),
       field("kind", &JointDescription::kind,
             "revolute, prismatic, helical, cylindrical, universal, spherical, planar or free."),
       field("axis", &JointDescription::axis, "Axis in the joint's frame, shape (3,); of a planar joint the normal."),
       field("placement", &JointDescription::placement,
             "The joint's frame at zero, in the frame of the parent body (or that the joint before it moves)."),
       field("axis2", &JointDescription::axis2, "Second axis of a universal joint, shape (3,)."),
       field("pitch", &JointDescription::pitch, "Of a helical joint, metres per radian."), dofs_field()});
  ValueClass<BodyDescription>(
      m, "Body", "A body of a model's description.",
      {field("name", &BodyDescription::name, "Unique in a model."),
       field("parent", &BodyDescription::parent, "Index of the parent body; -1: the world."),
       field("joints", &BodyDescription::joints, "The joints that move it against its parent; none: it is fixed."),
       field("placement", &BodyDescription::placement, "Its frame in the frame that its last joint moves."),
       field("inertial", &BodyDescription::inertial, "Mass, centre of mass and inertia.")});
  ValueClass<ShapeDescription>(
      m, "Shape", "A shape on a body.",
      {field("name", &ShapeDescription::name, "May be empty."),
       field("body", &ShapeDescription::body, "Index of the body; -1: the world."),
       field("kind", &ShapeDescription::kind,
             "sphere, box, cylinder, capsule, ellipsoid, plane, hull, mesh or heightfield."),
       field("size", &ShapeDescription::size,
             "Metres, shape (3,): radius; half extents; radius and half length; half axes."),
       field("placement", &ShapeDescription::placement, "In the body's frame."),
       field("friction", &ShapeDescription::friction, "Sliding; torsional and rolling in metres; shape (3,)."),
       field("condim", &ShapeDescription::condim, "Rows of a contact with it: 1, 3, 4 or 6."),
       field("surface", &ShapeDescription::surface, "Of a hull, a mesh or a heightfield; None for the others.")});
  ValueClass<Keyframe>(
      m, "Keyframe", "A state that the file names.",
      {field("name", &Keyframe::name, "May be empty."), field("q", &Keyframe::q, "Coordinates, shape (nq,)."),
       field("v", &Keyframe::v, "Velocities, shape (nv,).")});
}

py::tuple frame_names(const Model& model) {
  py::tuple out(model.frames().size());
  for (std::size_t k = 0; k < model.frames().size(); ++k) out[k] = Convert<std::string>::to(model.frames()[k].name);
  return out;
}

py::tuple joint_names(const Model& model) {
  py::tuple out(static_cast<std::size_t>(model.num_links()));
  for (int k = 0; k < model.num_links(); ++k) {
    out[static_cast<std::size_t>(k)] = Convert<std::string>::to(model.joint_name(k));
  }
  return out;
}

py::tuple link_parents(const Model& model) {
  py::tuple out(static_cast<std::size_t>(model.num_links()));
  for (int k = 0; k < model.num_links(); ++k) out[static_cast<std::size_t>(k)] = model.link(k).parent;
  return out;
}

/// One number of every degree of freedom.
py::object per_dof(const Model& model, double DofProperties::*member) {
  std::vector<double> out;
  for (const DofProperties& dof : model.dofs()) out.push_back(dof.*member);
  return Convert<std::vector<double>>::to(out);
}

std::string text_of(const Model& model) { return write_scene(Scene(model)); }

void bind_steps(py::class_<Model, std::shared_ptr<Model>>& c) {
  c.def(
      "neutral",
      [](const Model& self) {
        const std::vector<double> q = self.neutral();
        py::object out = new_vector(self.nq());
        std::copy(q.begin(), q.end(), vector_out(out, "out", self.nq()).data());
        return out;
      },
      "The coordinates at which every joint is at zero: a new array, shape (nq,).");
  c.def(
      "integrate",
      [](const Model& self, const py::object& q, const py::object& v, const py::object& out) {
        const auto from = vector_in(q, "q", self.nq());
        const auto step = vector_in(v, "v", self.nv());
        py::object result = vector_or_new(out, self.nq());
        const auto to = vector_out(result, "out", self.nq());
        require_apart(v, "v", result, Sharing::kNone);
        require_apart(q, "q", result, Sharing::kSame);
        const py::gil_scoped_release release;
        integrate(self, from, step, to);
        return result;
      },
      py::arg("q"), py::arg("v"), py::arg("out") = py::none(),
      "q moved for unit time with the joint velocities v: shapes (nq,), (nv,), result (nq,). For a time step, pass\n"
      "v * dt. `out` may be q itself.");
  c.def(
      "difference",
      [](const Model& self, const py::object& q0, const py::object& q1, const py::object& out) {
        const auto from = vector_in(q0, "q0", self.nq()), to = vector_in(q1, "q1", self.nq());
        py::object result = vector_or_new(out, self.nv());
        const auto step = vector_out(result, "out", self.nv());
        require_apart(q0, "q0", result, Sharing::kNone);
        require_apart(q1, "q1", result, Sharing::kNone);
        const py::gil_scoped_release release;
        difference(self, from, to, step);
        return result;
      },
      py::arg("q0"), py::arg("q1"), py::arg("out") = py::none(),
      "The velocity (nv,) that takes q0 to q1 in unit time, by the shortest rotation.");
  c.def(
      "normalise", [](const Model& self, const py::object& q) { normalise(self, vector_out(q, "q", self.nq())); },
      py::arg("q"), "Brings every quaternion in q (nq,) to unit length, in place.");
}

/// A matrix, or its diagonal.
Sym3<double> inertia_from(py::handle value, std::string_view argument) {
  const py::array array = py::array::ensure(value);
  PyErr_Clear();
  if (!array || array.ndim() != 1) return Convert<Sym3<double>>::from(value, argument);
  const auto moments = Convert<Vec3<double>>::from(value, argument);
  Sym3<double> out = Sym3<double>::zero();
  for (int k = 0; k < 3; ++k) out(k, k) = moments[k];
  return out;
}

std::shared_ptr<Model> other_mass(const Model& self, const py::object& body, const py::object& mass,
                                  const py::object& com, const py::object& inertia) {
  BodyMass wanted;
  wanted.mass = Convert<double>::from(mass, "mass");
  if (!com.is_none()) wanted.com = Convert<Vec3<double>>::from(com, "com");
  if (!inertia.is_none()) wanted.inertia = inertia_from(inertia, "inertia");
  return std::make_shared<Model>(with_mass(self, body_index(self, body, "body"), wanted));
}

void bind_model_class(py::module_& m) {
  py::class_<Model, std::shared_ptr<Model>> c(
      m, "Model",
      "A robot, compiled for the algorithms. It cannot be changed, so threads and operators share it.\n\n"
      "Models come from load(), from ModelBuilder.make_model(), or out of a pickle.");
  c.def_property_readonly(
      "name", [](const Model& self) { return Convert<std::string>::to(self.name()); }, "As the file has it.");
  c.def_property_readonly("nq", &Model::nq, "Number of coordinates.");
  c.def_property_readonly("nv", &Model::nv, "Number of degrees of freedom.");
  c.def_property_readonly("num_links", &Model::num_links, "Number of links: one for each joint.");
  c.def_property_readonly("depth", &Model::depth, "Number of links on the longest path from the world.");
  c.def_property_readonly("mass", &Model::mass, "Mass of everything, kg.");
  c.def_property_readonly(
      "gravity", [](const Model& self) { return Convert<Vec3<double>>::to(self.gravity()); }, "m/s^2, shape (3,).");
  c.def_property_readonly(
      "bodies", [](const Model& self) { return Convert<std::vector<BodyDescription>>::to(self.description().bodies); },
      "The bodies of the description, a tuple of Body.");
  c.def_property_readonly(
      "shapes", [](const Model& self) { return Convert<std::vector<ShapeDescription>>::to(self.description().shapes); },
      "The shapes on bodies, a tuple of Shape.");
  c.def_property_readonly(
      "keyframes", [](const Model& self) { return Convert<std::vector<Keyframe>>::to(self.description().keyframes); },
      "The states that the file names, a tuple of Keyframe.");
  c.def_property_readonly("frames", frame_names, "Names of all frames: the world, one per body, then the others.");
  c.def_property_readonly("joints", joint_names, "Names of the joints, in the order of the links that they move.");
  c.def_property_readonly("link_parents", link_parents, "Per link the index of its parent link; -1: the world.");
  c.def_property_readonly(
      "armature", [](const Model& self) { return per_dof(self, &DofProperties::armature); }, "Shape (nv,).");
  c.def_property_readonly(
      "lower", [](const Model& self) { return per_dof(self, &DofProperties::lower); },
      "Lower limits of the joints, -inf where there is none, shape (nv,).");
  c.def_property_readonly(
      "upper", [](const Model& self) { return per_dof(self, &DofProperties::upper); },
      "Upper limits of the joints, inf where there is none, shape (nv,).");
  c.def(
      "find_frame", [](const Model& self, const py::object& frame) { return frame_index(self, frame, "frame"); },
      py::arg("frame"), "The index of a frame by its name. Raises Error with the closest name if there is none.");
  c.def(
      "find_joint", [](const Model& self, const py::object& joint) { return link_index(self, joint, "joint"); },
      py::arg("joint"), "The index of a joint, which is that of the link that it moves, by its name.");
  c.def(
      "link_of_frame",
      [](const Model& self, const py::object& frame) { return self.frame(frame_index(self, frame, "frame")).link; },
      py::arg("frame"), "The link that carries a frame; -1: the world.");
  c.def(
      "q_slice",
      [](const Model& self, const py::object& joint) {
        const Link& link = self.link(link_index(self, joint, "joint"));
        return py::slice(link.q, link.q + sizes_of(link.kind).nq, 1);
      },
      py::arg("joint"), "Where the coordinates of a joint stand in q, as a slice.");
  c.def(
      "v_slice",
      [](const Model& self, const py::object& joint) {
        const Link& link = self.link(link_index(self, joint, "joint"));
        return py::slice(link.v, link.v + link.nv, 1);
      },
      py::arg("joint"), "Where the velocities of a joint stand in v, as a slice.");
  bind_steps(c);
  c.def("with_mass", other_mass, py::arg("body"), py::arg("mass"), py::kw_only(), py::arg("com") = py::none(),
        py::arg("inertia") = py::none(),
        "A Model in which one body (its name, or its index in bodies) has this mass, kg. Scene.with_model takes it.\n\n"
        "com: centre of mass, m, in the body's frame, shape (3,); it stays unless given.\n"
        "inertia: about the centre of mass, kg m^2, in the body's axes: (3, 3), or (3,) for moments about these axes; "
        "unless\n"
        "given, it grows with the mass. What is fixed to the body keeps its own. Raises Error for what no body can "
        "have.");
  c.def("__eq__", [](const Model& self, const py::object& other) -> py::object {
    if (!py::isinstance<Model>(other)) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
    return py::bool_(self.description() == other.cast<const Model&>().description());
  });
  c.def("__repr__", [](const Model& self) {
    return Convert<std::string>::to("<delassus.Model '" + self.name() +
                                    "': " + std::to_string(self.description().bodies.size()) + " bodies, nq " +
                                    std::to_string(self.nq()) + ", nv " + std::to_string(self.nv()) + ">");
  });
  // What cannot be changed is its own copy.
  c.def("__copy__", [](const std::shared_ptr<Model>& self) { return self; });
  c.def("__deepcopy__", [](const std::shared_ptr<Model>& self, const py::dict&) { return self; });
  c.def(py::pickle([](const Model& self) { return py::bytes(text_of(self)); },
                   [](const py::bytes& text) {
                     return std::make_shared<Model>(parse_scene(std::string(text), "pickle", "").model);
                   }));
}

}  // namespace

void bind_model(py::module_& m) {
  bind_poses(m);
  bind_descriptions(m);
  bind_model_class(m);
}

}  // namespace delassus::python
