// GraspController: several hands that move one object.
#include "delassus/control/grasp_controller.hpp"

#include "arrays.hpp"
#include "bindings.hpp"
#include "lock.hpp"
#include "model_arguments.hpp"
#include "operational_controller.hpp"

namespace delassus::python {
namespace {

/// With what it refers to.
struct OwnGrasp {
  OwnGrasp(std::shared_ptr<Model> m, const std::vector<Attachment>& hands, const HeldObject& object,
           const GraspOptions& options)
      : model(std::move(m)), grasp(*model, hands, object, options) {}

  const std::shared_ptr<Model> model;
  GraspController<double> grasp;
  ControlState state;
};

struct GraspObject {
  std::shared_ptr<OwnGrasp> owner;
  std::vector<std::string> level_names;
  const OperationalSpace<double>& space() const { return owner->grasp.controller().space(); }
};

GraspObject make_grasp(const std::shared_ptr<Model>& model, const py::object& hands, const py::object& object,
                       const py::object& gains, const py::object& squeeze, const py::object& tolerance,
                       const py::object& below, const py::object& held, const py::object& singular,
                       const py::object& posture_gains, const py::object& held_gains, const py::object& motors,
                       const py::object& supports) {
  if (!py::isinstance<py::iterable>(hands)) throw_wrong_type("hands", hands, "a list of frames");
  std::vector<Attachment> places;
  for (const py::handle hand : hands) places.push_back(attachment_of(*model, hand, "hands"));
  const ControllerArguments arguments = controller_arguments(*model, held, posture_gains, held_gains, motors, supports);
  GraspOptions options;
  options.object = given_or(gains, "gains", options.object);
  options.squeeze = Convert<double>::from(squeeze, "squeeze");
  options.tolerance = Convert<double>::from(tolerance, "tolerance");
  options.below = Convert<std::vector<TaskLevel>>::from(below, "below");
  options.held = arguments.held;
  options.controller = arguments.options;
  options.actuation = arguments.actuation;
  options.singular = given_or(singular, "singular", options.singular);
  std::vector<std::string> names = names_of_levels(options.below);
  names.insert(names.begin(), "hands");
  return {std::make_shared<OwnGrasp>(model, places, Convert<HeldObject>::from(object, "object"), options), names};
}

void set_object_target(GraspObject& self, const py::object& target, const py::object& velocity,
                       const py::object& acceleration) {
  const PoseTarget wanted = pose_target_from(target, velocity, acceleration);
  if (!is_pose(wanted.pose)) throw Error("argument 'target' is no pose; R has to be a rotation, and p finite");
  const Working working(self.owner->state.mutex);
  require_ok(self.owner->grasp.set_target(wanted), *self.owner->model);
}

py::object compute_grasp(GraspObject& self, const py::object& q, const py::object& v, const py::object& out) {
  return joint_forces(self.space(), self.owner->state, q, v, out,
                      [&](auto at, auto velocity, auto tau) { return self.owner->grasp.compute(at, velocity, tau); });
}

py::object grasp_inertia(GraspObject& self, const py::object& out) {
  py::object result = matrix_or_new(out, 6, 6);
  const auto to = matrix_out(result, "out", 6, 6);
  const Working working(self.owner->state.mutex);
  require_updated(self.owner->state);
  require_result(self.owner->grasp.inertia(to), self.space());
  return result;
}

/// Of the last compute.
template <class Get>
auto grasp_reading(Get&& get) {
  return [get](GraspObject& self) {
    using Value = std::decay_t<decltype(get(self.owner->grasp))>;
    const Value value = [&] {
      const Working working(self.owner->state.mutex);
      return get(self.owner->grasp);
    }();
    return Convert<Value>::to(value);
  };
}

ControllerObject controller_of(const GraspObject& self) {
  const std::shared_ptr<OwnGrasp>& owner = self.owner;
  return {{owner, &owner->state}, {owner, &owner->grasp.controller()}, false, owner->model, self.level_names};
}

void bind_grasp_readings(py::class_<GraspObject>& c) {
  using Grasp = GraspController<double>;
  c.def_property_readonly(
      "status", [](GraspObject& self) { return Convert<std::string>::to(status_word(self.owner->state)); },
      "How the last compute ended, as that of an OperationalController.");
  c.def_property_readonly(
      "message",
      [](GraspObject& self) { return Convert<std::string>::to(status_message(self.owner->state, self.space())); },
      "The status in words; empty if it is ok.");
  c.def_property_readonly(
      "contact", [](GraspObject& self) { return contact_excess(self.owner->state); },
      "The worst contact of the last compute, a ContactExcess; None where all can give their forces.");
  c.def_property_readonly("object_pose", grasp_reading([](const Grasp& g) { return g.object().pose(); }),
                          "The Pose of the object, where the first hand has it.");
  c.def_property_readonly("object_velocity", grasp_reading([](const Grasp& g) { return g.object().velocity(); }),
                          "Angular, then linear: shape (6,).");
  c.def_property_readonly("acceleration", grasp_reading([](const Grasp& g) { return g.acceleration(); }),
                          "Asked of the object by the last compute, angular part first: shape (6,).");
  c.def_property_readonly("forces", grasp_reading([](const Grasp& g) { return g.forces(); }),
                          "Of the hands on the object, six rows each, linear ones first: shape (6 hands,).");
  c.def_property_readonly("controller", controller_of,
                          "The OperationalController under it, a view, for tasks of the levels below. Its level "
                          "\"hands\" has the tasks\n\"hand 0\", \"hand 1\", ...");
  c.def_property_readonly(
      "model", [](const GraspObject& self) { return self.owner->model; }, "The Model.");
  c.def("__repr__", [](const GraspObject& self) {
    return repr_of_levels("GraspController", *self.owner->model, self.level_names);
  });
}

}  // namespace

void bind_grasp_controller(py::module_& m) {
  py::class_<GraspObject> c(
      m, "GraspController",
      "Several hands that move one object: the augmented object under operational-space control, with the posture in "
      "the null\n"
      "space. Calls run without the GIL. Threads may share an object; their calls wait for each other.");
  c.def(
      py::init(&make_grasp), py::arg("model"), py::arg("hands"), py::arg("object"), py::kw_only(),
      py::arg("gains") = py::none(), py::arg("squeeze") = 0.0, py::arg("tolerance") = 0.05,
      py::arg("below") = py::tuple(), py::arg("held") = py::tuple(), py::arg("singular") = py::none(),
      py::arg("posture_gains") = py::none(), py::arg("held_gains") = py::none(), py::arg("motors") = py::none(),
      py::arg("supports") = py::tuple(),
      "model: the robot alone. hands: a frame (a name, an index or an Attachment) for each hand of the object, a "
      "HeldObject.\n"
      "gains: of the object, TaskGains(400, 40) unless given. squeeze: N, of each hand towards the middle. tolerance: "
      "m and rad\n"
      "that a hand may be from where the object has it; beyond, compute raises. below: more levels.\n"
      "singular: SingularityOptions of the hands. The rest is as that of OperationalController.");
  c.def("set_target", set_object_target, py::arg("target"), py::kw_only(), py::arg("velocity") = py::none(),
        py::arg("acceleration") = py::none(),
        "Where the object shall be: a Pose with velocity and acceleration (6,), angular parts first, or a PoseTarget.\n"
        "Until set it stays where it is.");
  c.def(
      "set_posture",
      [](GraspObject& self, const py::object& q) {
        ControllerObject controller = controller_of(self);
        set_controller_posture(controller, q);
      },
      py::arg("q"), "Where the joints shall be as far as tasks allow, shape (nq,); neutral until set.");
  c.def("compute", compute_grasp, py::arg("q"), py::arg("v"), py::arg("out") = py::none(),
        "Joint forces (nv,), as those of OperationalController.compute.");
  c.def("inertia", grasp_inertia, py::arg("out") = py::none(),
        "The augmented object's inertia (6, 6): linear rows first, as those of tasks.");
  bind_grasp_readings(c);
}

}  // namespace delassus::python
