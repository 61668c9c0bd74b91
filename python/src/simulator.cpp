// Simulator: rigid bodies, joints, motors and contacts in time steps.
#include <pybind11/numpy.h>

#include <cmath>

#include "arrays.hpp"
#include "bindings.hpp"
#include "constraints.hpp"
#include "delassus/scenes/classic.hpp"
#include "delassus/scenes/load_named.hpp"
#include "lock.hpp"
#include "model/wording.hpp"
#include "model_arguments.hpp"
#include "scene.hpp"
#include "simulation_values.hpp"
#include "simulator_object.hpp"

namespace delassus::python {

namespace {

/// The setup as it stands in the file or the object, and whether it is a robot whose origin is anywhere.
struct Given {
  SimulationSetup setup;
  bool named = false, robot = false;
};

template <class AnyScene>
SimulationSetup setup_in(const Model& model, const AnyScene& scene) {
  SimulationSetup out(model);
  out.q = scene.q;
  out.v = scene.v;
  out.forces = scene.tau;
  out.constraints = scene.constraints;
  return out;
}

Given given_by_name(const std::string& name, const py::object& floating) {
  const NamedOptions options = named_options(floating);
  if (is_classic_scene(name)) {
    if (options.base)
      throw Error(in_quotes(name) + " is a classic scene, which says itself how its base is held; leave out floating=");
    return {make_classic_scene(name)};
  }
  const Scene scene = load_named(name, options);
  return {setup_in(scene.model, scene), true, !is_scene(name, find_source(name, options.list))};
}

/// A name or a file as the command `delassus simulate` takes it, a Scene or a Model.
Given given_by(const SimulatorArguments& arguments, std::shared_ptr<Model>& model) {
  const py::object& scene = arguments.scene;
  const bool is_model = py::isinstance<Model>(scene), is_scene = py::isinstance<SceneObject>(scene);
  if ((is_model || is_scene) && !arguments.floating.is_none()) {
    throw Error(std::string("argument 'floating' is for URDF files and robots by name; a ") +
                (is_model ? "Model" : "Scene") +
                " says itself how its base is held: delassus.load(path, floating=True) makes one that floats");
  }
  if (is_model) {
    model = scene.cast<std::shared_ptr<Model>>();
    return {SimulationSetup(*model)};
  }
  if (is_scene) {
    const auto& object = scene.cast<const SceneObject&>();
    model = object.model;
    return {setup_in(*model, object)};
  }
  if (!py::isinstance<py::str>(scene) && !py::hasattr(scene, "__fspath__"))
    throw_wrong_type("scene", scene, "a Scene, a Model, a name or a path");
  Given out = given_by_name(path_from(scene, "scene"), arguments.floating);
  model = std::make_shared<Model>(out.setup.model);
  return out;
}

void set_options(const SimulatorArguments& given, SimulationOptions& options) {
  if (!given.options.is_none()) options = Convert<SimulationOptions>::from(given.options, "options");
  if (!given.dt.is_none()) options.dt = Convert<double>::from(given.dt, "dt");
  if (!given.solver.is_none()) options.model = Convert<ContactModel>::from(given.solver, "solver");
  if (!given.algorithm.is_none()) options.algorithm = Convert<Algorithm>::from(given.algorithm, "algorithm");
  if (!given.restitution.is_none()) options.restitution = Convert<double>::from(given.restitution, "restitution");
  if (!given.tolerance.is_none()) options.tolerance = Convert<double>::from(given.tolerance, "tolerance");
}

}  // namespace

SimulationSetup setup_from(const SimulatorArguments& arguments, std::shared_ptr<Model>& model) {
  Given given = given_by(arguments, model);
  SimulationSetup& setup = given.setup;
  set_options(arguments, setup.options);
  const py::object& wish = arguments.place_on_ground;
  const bool lift = wish.is_none() ? given.robot : Convert<bool>::from(wish, "place_on_ground");
  if (given.named) setup.assemble();
  if (lift) lift_onto_ground(setup);
  // Who says that a robot stays below the ground hears of it, rather than to see it fall.
  if (given.named && (lift || wish.is_none())) leave_out_ground_above(setup);
  setup.actuators = Convert<std::vector<Actuator>>::from(arguments.actuators, "actuators");
  return setup;
}

namespace {

std::unique_ptr<SimulatorObject> make_simulator(const py::object& scene, const py::object& options,
                                                const py::object& dt, const py::object& solver,
                                                const py::object& algorithm, const py::object& restitution,
                                                const py::object& actuators, const py::object& tolerance,
                                                const py::object& floating, const py::object& place_on_ground) {
  std::shared_ptr<Model> model;
  const SimulationSetup setup = setup_from(
      {scene, options, dt, solver, algorithm, restitution, actuators, tolerance, floating, place_on_ground}, model);
  return std::make_unique<SimulatorObject>(std::move(model), setup);
}

/// The body that a frame is on. Throws an Error unless it can move.
int pushed_body(const Model& model, py::handle frame) {
  const Frame& at = model.frame(frame_index(model, frame, "push"));
  if (at.link != kWorld) return at.body;
  throw Error("argument 'push': " + in_quotes(at.name) + " is fixed to the world, and no force moves it");
}

/// A force, or a force and a moment.
Force<double> wrench_from(py::handle value, const std::string& argument) {
  std::vector<double> n = numbers_from(value, argument, {-1});
  if (n.size() != 3 && n.size() != 6)
    throw Error("argument '" + argument + "' has " + counted(static_cast<int>(n.size()), "number") +
                "; expected 3 for a force, or 6 for a force and a moment");
  for (const double x : n) {
    if (!std::isfinite(x)) throw Error("argument '" + argument + "' has a number that is not finite");
  }
  n.resize(6);
  return {.moment = {{n[3], n[4], n[5]}}, .force = {{n[0], n[1], n[2]}}};
}

std::vector<BodyPush> pushes_from(const Model& model, const py::object& push) {
  if (push.is_none()) return {};
  if (!py::isinstance(push, py::module_::import("collections.abc").attr("Mapping")))
    throw_wrong_type("push", push, "a dict of bodies and the forces on them");
  std::vector<BodyPush> out;
  // A list of the items: what makes numbers of a value may change the dict.
  for (const py::handle item : py::list(py::dict(push).attr("items")())) {
    const auto [frame, wrench] = item.cast<std::pair<py::object, py::object>>();
    const int body = pushed_body(model, frame);
    const std::string& name = model.description().bodies[static_cast<std::size_t>(body)].name;
    out.push_back({body, wrench_from(wrench, "push[" + printable(name) + "]")});
  }
  return out;
}

void take_steps(SimulatorObject& self, const py::object& n, const py::object& push) {
  const auto count = Convert<int>::from(n, "n");
  if (count < 0) throw Error("argument 'n' is negative; give a number of steps");
  const std::vector<BodyPush> pushes = pushes_from(*self.model, push);
  const Working working(self.mutex);
  self.advance(count, pushes);
}

void begin_anew(SimulatorObject& self, const py::object& q, const py::object& v, const py::object& time) {
  const auto coordinates = vector_in(q, "q", self.model->nq()), velocities = vector_in(v, "v", self.model->nv());
  const auto when = Convert<double>::from(time, "time");
  const Working working(self.mutex);
  self.set_state(coordinates, velocities, when);
}

using SimulatorVector = std::vector<double> SimulatorObject::*;

/// A view of the object's memory, which keeps it alive.
void bind_simulator_vector(py::class_<SimulatorObject>& c, const char* name, SimulatorVector member, const char* doc) {
  c.def_property(
      name,
      [member](const py::object& self) {
        const std::vector<double>& values = self.cast<SimulatorObject&>().*member;
        return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data(), self);
      },
      [member, name](SimulatorObject& self, const py::object& value) {
        std::vector<double>& to = self.*member;
        const auto from = vector_in(value, name, static_cast<int>(to.size()));
        std::copy_n(from.data(), from.size(), to.begin());
      },
      doc);
}

/// What `get` finds with the simulation to itself.
template <class Get>
auto reading_simulation(Get get) {
  return [get](SimulatorObject& self) {
    using Value = std::decay_t<decltype(get(self))>;
    Value value{};
    {
      const Working working(self.mutex);
      value = get(self);
    }
    return Convert<Value>::to(value);
  };
}

/// Arrays with a row for each contact.
py::dict contacts_of(SimulatorObject& self) {
  std::vector<ContactState> contacts;
  {
    const Working working(self.mutex);
    contacts.assign(self.simulation.contacts().begin(), self.simulation.contacts().end());
  }
  const auto n = static_cast<py::ssize_t>(contacts.size());
  py::array_t<int> bodies({n, py::ssize_t(2)});
  py::array_t<double> gap(n);
  py::dict out;
  for (py::ssize_t k = 0; k < n; ++k) {
    const ContactState& contact = contacts[static_cast<std::size_t>(k)];
    bodies.mutable_at(k, 0) = contact.body_a;
    bodies.mutable_at(k, 1) = contact.body_b;
    gap.mutable_at(k) = contact.gap;
  }
  out["bodies"] = bodies;
  out["gap"] = gap;
  const auto put = [&](const char* name, Vec3<double> ContactState::*member) {
    py::array_t<double> rows({n, py::ssize_t(3)});
    for (py::ssize_t k = 0; k < n; ++k) {
      for (int i = 0; i < 3; ++i) rows.mutable_at(k, i) = (contacts[static_cast<std::size_t>(k)].*member)[i];
    }
    out[name] = rows;
  };
  put("position", &ContactState::position);
  put("normal", &ContactState::normal);
  put("force", &ContactState::force);
  put("moment", &ContactState::moment);
  return out;
}

py::tuple state_of_simulator(SimulatorObject& self) {
  SimulationState state;
  {
    const Working working(self.mutex);
    state = self.save();
  }
  return py::make_tuple(self.model, Convert<std::vector<Constraint>>::to(self.constraints),
                        Convert<SimulationOptions>::to(self.simulation.options()),
                        Convert<std::vector<Actuator>>::to(self.simulation.actuators()),
                        Convert<SimulationState>::to(state));
}

std::unique_ptr<SimulatorObject> simulator_from_state(const py::tuple& s) {
  if (s.size() != 5) throw Error("this pickle is of another version");
  const auto model = s[0].cast<std::shared_ptr<Model>>();
  SimulationSetup setup(*model);
  setup.constraints = Convert<std::vector<Constraint>>::from(s[1], "constraints");
  setup.options = Convert<SimulationOptions>::from(s[2], "options");
  setup.actuators = Convert<std::vector<Actuator>>::from(s[3], "actuators");
  const auto state = Convert<SimulationState>::from(s[4], "state");
  setup.q = state.q;
  auto out = std::make_unique<SimulatorObject>(model, setup);
  out->restore(state);
  return out;
}

void bind_simulator_reading(py::class_<SimulatorObject>& c) {
  c.def_property_readonly(
      "model", [](const SimulatorObject& self) { return self.model; }, "The Model.");
  c.def_property_readonly(
      "constraints", [](const SimulatorObject& self) { return Convert<std::vector<Constraint>>::to(self.constraints); },
      "A tuple of the constraints that were given.");
  c.def_property_readonly(
      "options", [](const SimulatorObject& self) { return Convert<SimulationOptions>::to(self.simulation.options()); },
      "The SimulationOptions.");
  c.def_property_readonly(
      "actuators",
      [](const SimulatorObject& self) { return Convert<std::vector<Actuator>>::to(self.simulation.actuators()); },
      "A tuple of the actuators.");
  c.def_property_readonly("time", reading_simulation([](SimulatorObject& self) { return self.simulation.time(); }),
                          "Seconds.");
  c.def_property_readonly("inexact_steps",
                          reading_simulation([](SimulatorObject& self) { return self.simulation.inexact_steps(); }),
                          "Steps whose solve had not converged, but was acceptable.");
  c.def_property_readonly("report", reading_simulation([](SimulatorObject& self) { return self.simulation.report(); }),
                          "The StepReport of the last step.");
  c.def_property_readonly("efforts", reading_simulation([](SimulatorObject& self) {
                            const auto efforts = self.simulation.efforts();
                            return std::vector<double>(efforts.begin(), efforts.end());
                          }),
                          "Force of each actuator in the last step.");
  c.def("contacts", contacts_of,
        "Of the last step, as a dict of arrays with a row for each contact point: bodies (n, 2), indices of "
        "model.bodies, "
        "-1\n"
        "for the world; gap (n,) in m; position, normal (from the second body to the first), force and moment on the "
        "first,\n"
        "all (n, 3) and in world axes.");
  c.def("kinetic_energy", reading_simulation([](SimulatorObject& self) { return self.kinetic_energy(); }), "In J.");
  c.def("potential_energy", reading_simulation([](SimulatorObject& self) { return self.potential_energy(); }),
        "In J: of weight, zero at the height of the world's origin, and of springs at joints.");
}

void bind_simulator_class(py::module_& m) {
  py::class_<SimulatorObject> c(
      m, "Simulator",
      "Rigid bodies, joints, motors and contacts in time steps. Contacts come from shapes; those among the "
      "constraints\n"
      "are left out.\n\n"
      "q, v, control, target_velocity and forces are views of the object's memory, which stays in place: write to "
      "them\n"
      "between steps. Writing to q or v begins the simulation anew from there.\n\n"
      "Calls run without the GIL. Threads may share an object; their calls wait for each other.");
  c.def(
      py::init(&make_simulator), py::arg("scene"), py::arg("options") = py::none(), py::kw_only(),
      py::arg("dt") = py::none(), py::arg("solver") = py::none(), py::arg("algorithm") = py::none(),
      py::arg("restitution") = py::none(), py::arg("actuators") = py::tuple(), py::arg("tolerance") = py::none(),
      py::arg("floating") = py::none(), py::arg("place_on_ground") = py::none(),
      "scene: a Scene, a Model, a name or a path as load() takes it (what is read is moved onto its limits and loops), "
      "or\n"
      "the name of a classic scene, such as \"incline:35\". Raises Error where a Scene is not on its limits and "
      "loops.\n"
      "options: SimulationOptions; dt (s), solver, algorithm, restitution and tolerance (m/s) stand above it.\n"
      "actuators: position actuators hold where they are until control says otherwise.\n"
      "floating: whether a URDF gets a free joint under its root, as in load().\n"
      "place_on_ground: whether what floats is raised until none of it is below the ground; unless given, that is done "
      "for\n"
      "robots by name and from URDF or MJCF files, and not for scenes.");
  c.def("step", take_steps, py::arg("n") = 1, py::arg("push") = py::none(),
        "n steps.\n\n"
        "push: what acts in these steps alone, beside forces: a dict from bodies (a name, or a frame on the body) to "
        "forces at\n"
        "their centres of mass, in world axes: (3,), N, or (6,), the force and then a moment in N m. Their place is "
        "that at\n"
        "the start of each step.\n\n"
        "Raises NumericalError where one cannot be made (code crowded, singular_joint, degenerate, "
        "not_converged,\n"
        "contradiction, solve_gain, energy_gain or diverged) and Error for numbers that are none, or bodies that "
        "overlap, "
        "open\n"
        "loops or exceeded limits at the start; then the state is that after the step before.");
  c.def(
      "record",
      [](SimulatorObject& self, const py::object& fps) {
        const auto frames = Convert<int>::from(fps, "fps");
        const Working working(self.mutex);
        return self.record(frames);
      },
      py::arg("fps") = 60,
      "A Recording of the motion from here on, with so many frames for each simulated second. The motion is the same "
      "without.");
  c.def(
      "set_state", begin_anew, py::arg("q"), py::arg("v"), py::arg("time") = 0.0,
      "Begins anew from q (nq,) and v (nv,). Raises Error if bodies overlap there, loops are open or limits exceeded; "
      "then\n"
      "nothing has changed.");
  c.def("save", reading_simulation([](SimulatorObject& self) { return self.save(); }),
        "A SimulationState: what is restored goes on bit for bit as it would have.");
  c.def(
      "restore",
      [](SimulatorObject& self, const py::object& state) {
        const auto from = Convert<SimulationState>::from(state, "state");
        const Working working(self.mutex);
        self.restore(from);
      },
      py::arg("state"), "Goes on from a SimulationState of the same simulation.");
  bind_simulator_vector(c, "q", &SimulatorObject::q, "Coordinates, shape (nq,).");
  bind_simulator_vector(c, "v", &SimulatorObject::v, "Velocities, shape (nv,).");
  bind_simulator_vector(c, "control", &SimulatorObject::control, "One number per actuator.");
  bind_simulator_vector(c, "target_velocity", &SimulatorObject::target_velocity,
                        "Velocity that a position actuator is to have, one number per actuator.");
  bind_simulator_vector(c, "forces", &SimulatorObject::forces, "Joint forces beside the actuators', shape (nv,).");
  bind_simulator_reading(c);
  c.def(py::pickle(&state_of_simulator, &simulator_from_state));
}

}  // namespace

void bind_simulator(py::module_& m) {
  bind_simulation_values(m);
  bind_simulator_class(m);
  m.def(
      "classic_scenes",
      [] {
        py::dict out;
        for (const ClassicScene& scene : classic_scenes()) {
          out[Convert<std::string>::to(std::string(scene.name))] = Convert<std::string>::to(
              parameter_names(scene) + ": " + std::string(scene.description) + "; " + std::string(scene.theory));
        }
        return out;
      },
      "Names of scenes whose motion is known, for Simulator: a dict of what each takes and is.");
}

}  // namespace delassus::python
