// ModelBuilder, and inertials of solids.
#include "delassus/model/builder.hpp"

#include "bindings.hpp"
#include "model/wording.hpp"
#include "names.hpp"
#include "value_class.hpp"

namespace delassus::python {
namespace {

/// A name, "world", or an index that an earlier call returned; -1 is the world.
int body_index(const ModelBuilder& builder, py::handle body, std::string_view argument) {
  const std::vector<BodyDescription>& bodies = builder.description().bodies;
  if (!py::isinstance<py::str>(body)) {
    if (!PyIndex_Check(body.ptr())) throw_wrong_type(argument, body, "the name or the index of a body");
    return static_cast<int>(integer_from(body, argument, kWorld, std::max<std::size_t>(bodies.size(), 1) - 1));
  }
  const auto name = Convert<std::string>::from(body, argument);
  if (name == io::kWorldName) return kWorld;
  ClosestName closest(name);
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    if (bodies[k].name == name) return static_cast<int>(k);
    closest.consider(bodies[k].name);
  }
  throw Error("argument '" + std::string(argument) + "': there is no body " + in_quotes(name) + closest.hint());
}

/// One joint, or several, or None.
std::vector<JointDescription> joints_from(const py::object& joints) {
  if (joints.is_none()) return {};
  if (py::isinstance<JointDescription>(joints)) return {joints.cast<const JointDescription&>()};
  return Convert<std::vector<JointDescription>>::from(joints, "joints");
}

Pose<double> pose_or_identity(const py::object& placement) {
  return placement.is_none() ? Pose<double>::identity() : Convert<Pose<double>>::from(placement, "placement");
}

void bind_inertials(py::module_& m) {
  const auto number = [](const py::object& x, const char* name) { return Convert<double>::from(x, name); };
  const auto point = [](const py::object& x) {
    return x.is_none() ? Vec3<double>{{0, 0, 0}} : Convert<Vec3<double>>::from(x, "com");
  };
  m.def(
      "box_inertial",
      [=](const py::object& mass, const py::object& half_extents, const py::object& com) {
        return box_inertial(number(mass, "mass"), Convert<Vec3<double>>::from(half_extents, "half_extents"),
                            point(com));
      },
      py::arg("mass"), py::arg("half_extents"), py::arg("com") = py::none(),
      "Inertial of a uniform box: kg, half extents (3,) in metres, centre of mass (3,) in metres.");
  m.def(
      "sphere_inertial",
      [=](const py::object& mass, const py::object& radius, const py::object& com) {
        return sphere_inertial(number(mass, "mass"), number(radius, "radius"), point(com));
      },
      py::arg("mass"), py::arg("radius"), py::arg("com") = py::none(),
      "Inertial of a uniform sphere: kg, metres, centre of mass (3,) in metres.");
  m.def(
      "cylinder_inertial",
      [=](const py::object& mass, const py::object& radius, const py::object& half_length, const py::object& com) {
        return cylinder_inertial(number(mass, "mass"), number(radius, "radius"), number(half_length, "half_length"),
                                 point(com));
      },
      py::arg("mass"), py::arg("radius"), py::arg("half_length"), py::arg("com") = py::none(),
      "Inertial of a uniform cylinder along z: kg, metres, centre of mass (3,) in metres.");
}

}  // namespace

void bind_builder(py::module_& m) {
  bind_inertials(m);
  py::class_<ModelBuilder> c(m, "ModelBuilder",
                             "A robot written in code. Each add_* returns the index that later calls take as parent or "
                             "body; names do as well.");
  c.def(py::init([](const py::object& name, const py::object& gravity) {
          ModelBuilder builder(Convert<std::string>::from(name, "name"));
          if (!gravity.is_none()) builder.gravity(Convert<Vec3<double>>::from(gravity, "gravity"));
          return builder;
        }),
        py::arg("name"), py::arg("gravity") = py::none(), "Gravity in m/s^2, shape (3,); (0, 0, -9.81) unless given.");
  c.def(
      "add_body",
      [](ModelBuilder& self, const py::object& name, const py::object& parent, const py::object& joints,
         const py::object& inertial) {
        return self.add_body(Convert<std::string>::from(name, "name"), body_index(self, parent, "parent"),
                             joints_from(joints), Convert<Inertial>::from(inertial, "inertial"));
      },
      py::arg("name"), py::arg("parent"), py::arg("joints"), py::arg("inertial"),
      "A body that a joint moves against its parent (a body's name or index, or \"world\"). Several joints in a list: "
      "each\n"
      "is placed in the frame that the one before it moves. Returns the index of the body.");
  c.def(
      "add_fixed_body",
      [](ModelBuilder& self, const py::object& name, const py::object& parent, const py::object& placement,
         const py::object& inertial) {
        return self.add_fixed_body(Convert<std::string>::from(name, "name"), body_index(self, parent, "parent"),
                                   pose_or_identity(placement),
                                   inertial.is_none() ? Inertial{} : Convert<Inertial>::from(inertial, "inertial"));
      },
      py::arg("name"), py::arg("parent"), py::arg("placement") = py::none(), py::arg("inertial") = py::none(),
      "A body that is fixed to its parent. Returns the index of the body.");
  c.def(
      "add_frame",
      [](ModelBuilder& self, const py::object& name, const py::object& body, const py::object& placement) {
        self.add_frame(Convert<std::string>::from(name, "name"), body_index(self, body, "body"),
                       pose_or_identity(placement));
      },
      py::arg("name"), py::arg("body"), py::arg("placement") = py::none(),
      "A named frame on a body: a foot sole, a sensor, a flange.");
  c.def(
      "add_shape",
      [](ModelBuilder& self, const py::object& shape) {
        self.add_shape(Convert<ShapeDescription>::from(shape, "shape"));
      },
      py::arg("shape"), "A shape; Shape.body is the index of its body.");
  c.def(
      "make_model", [](const ModelBuilder& self) { return std::make_shared<Model>(self.make_model()); },
      "The Model. Raises Error with every faulty element named.");
  c.def("__repr__", [](const ModelBuilder& self) {
    return Convert<std::string>::to("<delassus.ModelBuilder '" + self.description().name +
                                    "': " + std::to_string(self.description().bodies.size()) + " bodies>");
  });
  m.def(
      "append_model",
      [](const Model& host, const Model& part, const py::object& frame, const py::object& placement,
         const py::object& prefix) {
        ModelDescription description = host.description();
        append_model(description, part.description(), Convert<std::string>::from(frame, "frame"),
                     pose_or_identity(placement), Convert<std::string>::from(prefix, "prefix"));
        return std::make_shared<Model>(std::move(description));
      },
      py::arg("host"), py::arg("part"), py::arg("frame") = "world", py::arg("placement") = py::none(),
      py::arg("prefix") = "",
      "A new Model of two: what stands on the world in `part` stands on `frame` of the host, moved by `placement`. "
      "Names of\n"
      "the part get the prefix; its coordinates follow those of the host.");
}

}  // namespace delassus::python
