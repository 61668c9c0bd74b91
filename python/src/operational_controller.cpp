// OperationalController: joint forces for tasks in order of priority.
#include "operational_controller.hpp"

#include "arrays.hpp"
#include "bindings.hpp"
#include "coordinates.hpp"
#include "lock.hpp"

namespace delassus::python {

ControllerArguments controller_arguments(const Model& model, const py::object& held, const py::object& posture_gains,
                                         const py::object& held_gains, const py::object& motors,
                                         const py::object& supports) {
  ControllerArguments out;
  out.held = Convert<std::vector<Constraint>>::from(held, "held");
  out.options.posture = given_or(posture_gains, "posture_gains", out.options.posture);
  out.options.held = given_or(held_gains, "held_gains", out.options.held);
  out.options.supports = Convert<std::vector<Support>>::from(supports, "supports");
  if (!motors.is_none()) out.actuation.emplace(model, Convert<std::vector<std::string>>::from(motors, "motors"));
  return out;
}

py::object joint_forces(const OperationalSpace<double>& space, ControlState& state, const py::object& q,
                        const py::object& v, const py::object& out, const ComputeForces& compute) {
  const Model& model = space.model();
  const auto at = vector_in(q, "q", model.nq()), velocity = vector_in(v, "v", model.nv());
  py::object result = vector_or_new(out, model.nv());
  const auto tau = vector_out(result, "out", model.nv());
  if (!out.is_none()) {
    require_apart(q, "q", out, Sharing::kNone);
    require_apart(v, "v", out, Sharing::kNone);
  }
  const Working working(state.mutex);
  state.updated = false;
  state.status = {Status::Code::kNotFinite, 0};  // unless there are forces in the end
  require_coordinates(model, at);
  settle_update(compute(at, velocity, tau), space, state);
  return result;
}

template <>
struct EnumNames<ContactFault> {
  static constexpr std::array<std::string_view, 5> kNames{"ok", "twisting", "slipping", "tipping", "pulling"};
  static std::span<const std::string_view> names() { return kNames; }
};

void set_controller_posture(ControllerObject& self, const py::object& q) {
  const auto posture = vector_in(q, "q", self.model->nq());
  const Working working(self.state->mutex);
  require_coordinates(*self.model, posture);
  require_ok(self.controller->set_posture(posture), *self.model);
}

const char* word_of(const ControlStatus& status) {
  if (status.contact.ok()) return code_name(status.code);
  return EnumNames<ContactFault>::kNames[static_cast<std::size_t>(status.contact.fault)].data();
}

std::string status_word(ControlState& state) {
  const Working working(state.mutex);
  return word_of(state.status);
}

py::object contact_excess(ControlState& state) {
  ContactExcess excess;
  {
    const Working working(state.mutex);
    excess = state.status.contact;
  }
  return excess.ok() ? py::object(py::none()) : Convert<ContactExcess>::to(excess);
}

std::string status_message(ControlState& state, const OperationalSpace<double>& space) {
  const Working working(state.mutex);
  return state.status.ok() ? "" : describe(state.status, space.model(), space.tasks().constraints());
}

namespace {

using Controller = OperationalController<double>;

/// With what it refers to.
struct OwnController {
  OwnController(std::shared_ptr<Model> m, const std::vector<TaskLevel>& levels, const ControllerArguments& a)
      : model(std::move(m)), controller(*model, levels, a.held, a.options, a.actuation) {}

  const std::shared_ptr<Model> model;
  Controller controller;
  ControlState state;
};

ControllerObject make_controller(const std::shared_ptr<Model>& model, const py::object& levels, const py::object& held,
                                 const py::object& posture_gains, const py::object& held_gains,
                                 const py::object& motors, const py::object& supports) {
  const auto list = Convert<std::vector<TaskLevel>>::from(levels, "levels");
  const auto arguments = controller_arguments(*model, held, posture_gains, held_gains, motors, supports);
  const auto owner = std::make_shared<OwnController>(model, list, arguments);
  return {{owner, &owner->state}, {owner, &owner->controller}, true, model, names_of_levels(list)};
}

struct NamedTask {
  std::string name;
  int index;
};

/// By name, which is how users know them. Tasks never change, so that no lock is needed.
NamedTask task_from(const ControllerObject& self, const py::object& task) {
  const auto name = Convert<std::string>::from(task, "task");
  return {name, self.controller->find_task(name)};
}

/// A bad argument is an Error that says what a target would be.
void require_target(const Status& status, const ControllerObject& self, const NamedTask& task, const char* given) {
  if (status.code != Status::Code::kBadArgument) return require_ok(status, *self.model);
  throw Error("task '" + task.name + "' has no target that is " + given +
              "; poses and orientations take a Pose whose R is a rotation, points three numbers, joints one number");
}

template <class Target>
void place_target(ControllerObject& self, const NamedTask& task, const Target& target, const char* given) {
  const Working working(self.state->mutex);
  require_target(self.controller->set_target(task.index, target), self, task, given);
}

void set_task_target(ControllerObject& self, const py::object& which, const py::object& target,
                     const py::object& velocity, const py::object& acceleration) {
  const NamedTask task = task_from(self, which);
  if (py::isinstance<PoseTarget>(target) || py::isinstance<Pose<double>>(target)) {
    return place_target(self, task, pose_target_from(target, velocity, acceleration), "a pose");
  }
  if (PyNumber_Check(target.ptr()) && !py::isinstance<py::array>(target)) {
    const ScalarTarget number{Convert<double>::from(target, "target"), given_or(velocity, "velocity", 0.0),
                              given_or(acceleration, "acceleration", 0.0)};
    return place_target(self, task, number, "a number");
  }
  const Vec3<double> none = Vec3<double>::zero();
  const PointTarget point{Convert<Vec3<double>>::from(target, "target"), given_or(velocity, "velocity", none),
                          given_or(acceleration, "acceleration", none)};
  place_target(self, task, point, "a point");
}

/// A verb that takes over numbers for the rows of a task.
auto set_rows_of_task(const char* argument, Status (Controller::*verb)(int, In<double>) noexcept) {
  return [verb, argument](ControllerObject& self, const py::object& which, const py::object& numbers) {
    const NamedTask task = task_from(self, which);
    const auto rows = vector_in(numbers, argument, self.controller->rows(task.index));
    const Working working(self.state->mutex);
    require_ok((*self.controller.*verb)(task.index, rows), *self.model);
  };
}

void set_posture_force(ControllerObject& self, const py::object& tau) {
  const auto push = vector_in(tau, "tau", self.model->nv());
  const Working working(self.state->mutex);
  require_ok(self.controller->set_posture_force(push), *self.model);
}

void set_held_force(ControllerObject& self, const py::object& force) {
  const auto wish = vector_in(force, "force", self.controller->space().held_rows());
  const Working working(self.state->mutex);
  require_ok(self.controller->set_held_force(wish), *self.model);
}

py::object compute_controller(ControllerObject& self, const py::object& q, const py::object& v, const py::object& out) {
  if (!self.own) throw Error("this is the controller of a grasp or of a batch, whose compute it follows");
  return joint_forces(self.controller->space(), *self.state, q, v, out,
                      [&](auto at, auto velocity, auto tau) { return self.controller->compute(at, velocity, tau); });
}

/// Of the last compute.
py::object controller_reading(ControllerObject& self, const std::vector<double>& (Controller::*get)() const) {
  std::vector<double> values;
  {
    const Working working(self.state->mutex);
    values = (*self.controller.*get)();
  }
  return Convert<std::vector<double>>::to(values);
}

SpaceObject space_of(const ControllerObject& self) {
  return {self.state, {self.controller, &self.controller->space()}, nullptr, self.model, self.level_names};
}

using ControllerClass = py::class_<ControllerObject>;

void bind_supports(py::module_& m) {
  ValueClass<Support>(
      m, "Support", "What a held loop or contact stands on. It never pulls; the rest is looked at where it is given.",
      {field("held", &Support::held, "The name of the held constraint."),
       field("mu", &Support::mu, "Coefficient of friction against sliding."),
       field("mu_torsion", &Support::mu_torsion, "The same against turning about the normal, metres."),
       field("sole", &Support::sole,
             "Corners in the attachment that is held, a tuple of (3,), in any order: their hull carries moments."),
       field("normal", &Support::normal, "Of the ground, world axes, any length; up unless given.")});
  ValueClass<ContactExcess>(m, "ContactExcess", "What a held contact cannot do with the force that is asked of it.",
                            {field("fault", &ContactExcess::fault, "pulling, tipping, slipping or twisting."),
                             field("held", &ContactExcess::held, "Index among the held constraints."),
                             field("beyond", &ContactExcess::beyond,
                                   "By how much: N of a pull or a slip, Nm of a twist or about the edge of a sole.")});
  m.def(
      "make_supports",
      [](const Model& model, const py::object& q, const py::object& held) {
        const std::vector<double> at = numbers_from(q, "q", {model.nq()});
        const auto list = Convert<std::vector<Constraint>>::from(held, "held");
        for (const Constraint& c : list) require_valid(model, c);
        return Convert<std::vector<Support>>::to(make_supports(model, at, list));
      },
      py::arg("model"), py::arg("q"), py::arg("held"),
      "A Support for every held loop between a body and the world, a tuple: its sole has the points with which the "
      "body's\n"
      "shapes touch the ground z = 0 at q (nq,), friction is the least of theirs.");
}

void bind_wishes(ControllerClass& c) {
  c.def("set_target", set_task_target, py::arg("task"), py::arg("target"), py::kw_only(),
        py::arg("velocity") = py::none(), py::arg("acceleration") = py::none(),
        "Where a task, by name, shall be: a Pose with velocity and acceleration (6,), angular parts first, or a "
        "PoseTarget,\n"
        "for poses, positions and orientations; a point (3,) for positions, the centre of mass and poses whose axes "
        "stay; a "
        "number\n"
        "for joints, with velocities and accelerations of the same kind. At rest unless given. Tasks of other kinds "
        "stand still.");
  c.def("set_acceleration", set_rows_of_task("acceleration", &Controller::set_acceleration), py::arg("task"),
        py::arg("acceleration"), "Row accelerations (rows of the task,), beside what the gains add.");
  c.def("set_force", set_rows_of_task("force", &Controller::set_force), py::arg("task"), py::arg("force"),
        "Forces (rows of the task,), N and Nm, that a task exerts on its surroundings beside what its motion takes.");
  c.def("set_posture", set_controller_posture, py::arg("q"),
        "Where the joints shall be as far as tasks allow, shape (nq,); neutral until set.");
  c.def("set_posture_force", set_posture_force, py::arg("tau"),
        "Joint forces (nv,) of which tasks feel nothing: what would move one is taken out of them. Zero until set.");
  c.def("set_held_force", set_held_force, py::arg("force"),
        "Forces (held_rows,) that held rows are to have as far as the motion allows: internal forces.");
}

void bind_outcomes(ControllerClass& c) {
  c.def(
      "compute", compute_controller, py::arg("q"), py::arg("v"), py::arg("out") = py::none(),
      "Joint forces (nv,) at q (nq,) and v (nv,), zero where there is no motor. `status` is \"ok\" afterwards, or "
      "says what\n"
      "they do not do: \"singular_task\", or \"unbalanced\" where no held force does what a joint without a motor "
      "needs.\n"
      "They are the best there is then, and may be used. \"pulling\", \"tipping\", \"slipping\", \"twisting\": a held "
      "contact would\n"
      "have to, and no ground gives the forces; `contact` has which and by how much. Raises SingularError or "
      "NumericalError\n"
      "where there are no forces.");
  c.def_property_readonly(
      "status", [](ControllerObject& self) { return Convert<std::string>::to(status_word(*self.state)); },
      "How the last compute ended: ok, pulling, tipping, slipping, twisting, or a code as those of NumericalError.");
  c.def_property_readonly(
      "message",
      [](ControllerObject& self) {
        return Convert<std::string>::to(status_message(*self.state, self.controller->space()));
      },
      "The status in words; empty if it is ok.");
  c.def_property_readonly(
      "contact", [](ControllerObject& self) { return contact_excess(*self.state); },
      "The worst contact of the last compute, a ContactExcess; None where all can give their forces.");
  c.def_property_readonly(
      "acceleration", [](ControllerObject& self) { return controller_reading(self, &Controller::acceleration); },
      "Joint accelerations that are to be expected of the last compute: shape (nv,).");
  c.def_property_readonly(
      "held_force", [](ControllerObject& self) { return controller_reading(self, &Controller::held_force); },
      "Forces of held rows that are to be expected of it: shape (held_rows,).");
  c.def_property_readonly("space", space_of, "The OperationalSpace of its last compute, a view.");
  c.def_property_readonly(
      "model", [](const ControllerObject& self) { return self.model; }, "The Model.");
  c.def("__repr__", [](const ControllerObject& self) {
    return repr_of_levels("OperationalController", *self.model, self.level_names);
  });
}

}  // namespace

void bind_operational_controller(py::module_& m) {
  bind_supports(m);
  ControllerClass c(m, "OperationalController",
                    "Joint forces for tasks in order of priority, with the posture in what they leave free.\n\n"
                    "Calls run without the GIL. Threads may share an object; their calls wait for each other.");
  c.def(py::init(&make_controller), py::arg("model"), py::arg("levels"), py::arg("held") = py::tuple(), py::kw_only(),
        py::arg("posture_gains") = py::none(), py::arg("held_gains") = py::none(), py::arg("motors") = py::none(),
        py::arg("supports") = py::tuple(),
        "levels: a list of TaskLevel, those that come first before all others. held: constraints that stay as they "
        "are, such\n"
        "as contacts with the ground. posture_gains: TaskGains(25, 10) unless given. held_gains: none unless given. "
        "motors:\n"
        "names of joints that have one; without it all but free joints. supports: a list of Support, what held loops "
        "stand on.");
  bind_wishes(c);
  bind_outcomes(c);
}

}  // namespace delassus::python
