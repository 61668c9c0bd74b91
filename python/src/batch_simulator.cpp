// BatchSimulator: many simulations of one scene, stepped together.
#include "delassus/batch/batch_simulator.hpp"

#include "batch_arrays.hpp"
#include "bindings.hpp"
#include "lock.hpp"
#include "simulation_values.hpp"
#include "simulator_object.hpp"

namespace delassus::python {
namespace {

/// With what it refers to.
struct BatchSimulatorObject {
  /// All in the state of the setup; position actuators hold it, as those of one Simulator.
  BatchSimulatorObject(std::shared_ptr<Model> m, const SimulationSetup& setup, int size, int threads)
      : model(std::move(m)),
        num_actuators(static_cast<int>(setup.actuators.size())),
        simulators(*model, size, setup.constraints, setup.options, {}, threads) {
    const auto same_for_all = [size](const std::vector<double>& values) {
      return BatchView<const double>(values.data(), size, static_cast<int>(values.size()), 0, 1);
    };
    simulators.set_state(same_for_all(setup.q), same_for_all(setup.v));
    for (int e = 0; e < size; ++e) simulators.environment(e).set_actuators(setup.actuators);
    simulators.set_forces(same_for_all(setup.forces));
  }

  const std::shared_ptr<Model> model;
  const int num_actuators;
  std::mutex mutex;
  BatchSimulator simulators;
};

std::unique_ptr<BatchSimulatorObject> make_batch_simulator(const py::object& scene, const py::object& size,
                                                           const py::object& options, const py::object& dt,
                                                           const py::object& solver, const py::object& algorithm,
                                                           const py::object& restitution, const py::object& actuators,
                                                           const py::object& threads) {
  std::shared_ptr<Model> model;
  const SimulationSetup setup = setup_from({scene, options, dt, solver, algorithm, restitution, actuators}, model);
  const auto count = Convert<int>::from(size, "size"), workers = Convert<int>::from(threads, "threads");
  const py::gil_scoped_release release;
  return std::make_unique<BatchSimulatorObject>(std::move(model), setup, count, workers);
}

int step_batch(BatchSimulatorObject& self, const py::object& n) {
  const auto count = Convert<int>::from(n, "n");
  if (count < 0) throw Error("argument 'n' is negative; give a number of steps");
  const Working working(self.mutex);
  return self.simulators.step(count);
}

void set_batch_state(BatchSimulatorObject& self, const py::object& q, const py::object& v, const py::object& time) {
  const int size = self.simulators.size();
  const auto at = batch_in<double>(q, "q", size, self.model->nq());
  const auto velocity = batch_in<double>(v, "v", size, self.model->nv());
  const auto when = Convert<double>::from(time, "time");
  const Working working(self.mutex);
  self.simulators.set_state(at, velocity, when);
}

py::tuple state_of_batch(BatchSimulatorObject& self, const py::object& out) {
  const int size = self.simulators.size(), nq = self.model->nq(), nv = self.model->nv();
  const auto outputs = two_outputs(out, "q (size, nq) and v (size, nv)");
  const std::array results{batch_or_new<double>(outputs[0], size, nq), batch_or_new<double>(outputs[1], size, nv)};
  const auto q = batch_out<double>(results[0], "out[0]", size, nq);
  const auto v = batch_out<double>(results[1], "out[1]", size, nv);
  require_apart(results[0], "out[0]", results[1], Sharing::kNone, "out[1]");
  {
    const Working working(self.mutex);
    self.simulators.state(q, v);
  }
  return py::make_tuple(results[0], results[1]);
}

/// What `get` finds with the simulations to itself.
template <class Get>
auto reading_simulations(Get get) {
  return [get](BatchSimulatorObject& self) {
    using Value = std::decay_t<decltype(get(self.simulators))>;
    Value value{};
    {
      const Working working(self.mutex);
      value = get(self.simulators);
    }
    return Convert<Value>::to(value);
  };
}

/// The same for one of them: get(simulator, its status).
template <class Get>
auto reading_one_simulation(Get get) {
  return [get](BatchSimulatorObject& self, const py::object& environment) {
    const auto index = Convert<int>::from(environment, "environment");
    return reading_simulations([&](BatchSimulator& all) {
      const Simulator& one = all.environment(index);
      return get(one, all.statuses()[static_cast<std::size_t>(index)]);
    })(self);
  };
}

void restore_one(BatchSimulatorObject& self, const py::object& environment, const py::object& state) {
  const auto index = Convert<int>::from(environment, "environment");
  const auto from = Convert<SimulationState>::from(state, "state");
  const Working working(self.mutex);
  self.simulators.environment(index).restore(from);
}

std::vector<std::string> step_words(BatchSimulator& all) {
  std::vector<std::string> out;
  for (const StepStatus& status : all.statuses()) out.emplace_back(step_word(status.code));
  return out;
}

std::vector<double> times_of(BatchSimulator& all) {
  std::vector<double> out;
  for (int e = 0; e < all.size(); ++e) out.push_back(all.environment(e).time());
  return out;
}

using BatchSimulatorClass = py::class_<BatchSimulatorObject>;

void bind_batch_motion(BatchSimulatorClass& c) {
  c.def("step", step_batch, py::arg("n") = 1,
        "n steps of every environment, each as far as it goes well. Returns how many did not go all the way: those "
        "are in\n"
        "the last good state, and `statuses` and `message` say why.");
  c.def("set_state", set_batch_state, py::arg("q"), py::arg("v"), py::arg("time") = 0.0,
        "Begins anew from q (size, nq) and v (size, nv). Raises Error for the first environment whose state makes no "
        "sense;\n"
        "those before it have begun anew then.");
  c.def("state", state_of_batch, py::arg("out") = py::none(),
        "A tuple of q (size, nq) and v (size, nv), copied; `out` is a tuple of two arrays.");
  c.def(
      "set_control",
      [](BatchSimulatorObject& self, const py::object& control) {
        const auto values = batch_in<double>(control, "control", self.simulators.size(), self.num_actuators);
        const Working working(self.mutex);
        self.simulators.set_control(values);
      },
      py::arg("control"), "What actuators are to do from now on: (size, actuators).");
  c.def(
      "set_forces",
      [](BatchSimulatorObject& self, const py::object& forces) {
        const auto values = batch_in<double>(forces, "forces", self.simulators.size(), self.model->nv());
        const Working working(self.mutex);
        self.simulators.set_forces(values);
      },
      py::arg("forces"), "Joint forces beside the actuators', from now on: (size, nv).");
}

void bind_batch_simulations(BatchSimulatorClass& c) {
  c.def_property_readonly(
      "model", [](const BatchSimulatorObject& self) { return self.model; }, "The Model.");
  c.def_property_readonly(
      "size", [](const BatchSimulatorObject& self) { return self.simulators.size(); },
      "How many environments there are.");
  c.def_property_readonly(
      "threads", [](const BatchSimulatorObject& self) { return self.simulators.threads(); },
      "That steps run on, the caller's among them.");
  c.def_property_readonly("time", reading_simulations(times_of), "Seconds, shape (size,).");
  c.def_property_readonly("statuses", reading_simulations(step_words),
                          "How the last step ended, a tuple with a word for each environment: \"ok\", a code as those "
                          "that Simulator.step\n"
                          "raises, or bad_control, bad_force or interpenetrating.");
  c.def("message", reading_one_simulation([](const Simulator& one, const StepStatus& status) {
          return status.ok() ? std::string() : one.describe(status);
        }),
        py::arg("environment"), "The status of an environment in words; empty if it is ok.");
  c.def("report", reading_one_simulation([](const Simulator& one, const StepStatus&) { return one.report(); }),
        py::arg("environment"), "The StepReport of an environment's last step.");
  c.def("save", reading_one_simulation([](const Simulator& one, const StepStatus&) { return one.save(); }),
        py::arg("environment"), "The SimulationState of an environment; a Simulator of the same scene takes it too.");
  c.def("restore", restore_one, py::arg("environment"), py::arg("state"),
        "An environment goes on from a SimulationState of the same scene.");
}

}  // namespace

void bind_batch_simulator(py::module_& m) {
  BatchSimulatorClass c(m, "BatchSimulator",
                        "Many simulations of one scene, stepped together on threads. Each is a Simulator of its own: "
                        "what it does\n"
                        "depends on its own state and controls alone, to the last bit.\n\n"
                        "Calls run without the GIL. Threads may share an object; their calls wait for each other.");
  c.def(py::init(&make_batch_simulator), py::arg("scene"), py::arg("size"), py::arg("options") = py::none(),
        py::kw_only(), py::arg("dt") = py::none(), py::arg("solver") = py::none(), py::arg("algorithm") = py::none(),
        py::arg("restitution") = py::none(), py::arg("actuators") = py::tuple(), py::arg("threads") = 0,
        "Arguments as those of Simulator, for each of `size` environments. threads: 0 for one per core.");
  bind_batch_motion(c);
  bind_batch_simulations(c);
}

}  // namespace delassus::python
