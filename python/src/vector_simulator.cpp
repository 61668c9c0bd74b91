// What stands behind delassus.VectorSimulator (python/delassus/_vector_simulator.py): the batch, its memory as arrays, and its verbs.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "batch_arrays.hpp"
#include "bindings.hpp"
#include "delassus/batch/batch_simulator.hpp"
#include "lock.hpp"
#include "model_arguments.hpp"
#include "recording_object.hpp"
#include "simulation_values.hpp"
#include "simulator_object.hpp"
#include "value_class.hpp"

namespace delassus::python {
namespace {

struct BatchObject {
  BatchObject(std::shared_ptr<Model> m, const SimulationSetup& setup, int size, const BatchSimulatorOptions& options)
      : model(std::move(m)), batch(setup, size, options) {}

  const std::shared_ptr<Model> model;
  std::mutex mutex;
  BatchSimulator batch;
};

std::unique_ptr<BatchObject> make_batch(const py::object& scene, const py::object& size, const py::object& options,
                                        const py::object& dt, const py::object& solver, const py::object& algorithm,
                                        const py::object& restitution, const py::object& actuators,
                                        const py::object& floating, const py::object& place_on_ground,
                                        const py::object& threads, const py::object& lanes, const py::object& motors) {
  std::shared_ptr<Model> model;
  const SimulationSetup setup = setup_from(
      {scene, options, dt, solver, algorithm, restitution, actuators, py::none(), floating, place_on_ground}, model);
  BatchSimulatorOptions own;
  const auto count = Convert<int>::from(size, "num_envs");
  own.threads = Convert<int>::from(threads, "threads");
  own.lanes = Convert<bool>::from(lanes, "lanes");
  own.motors = Convert<std::vector<MotorModel>>::from(motors, "motors");
  const py::gil_scoped_release release;
  return std::make_unique<BatchObject>(std::move(model), setup, count, own);
}

/// The batch's own memory as an array (size, n), which keeps it alive.
template <class T>
py::array_t<double> array_of(const py::object& self, const BatchView<T>& view, bool writable) {
  const std::array<py::ssize_t, 2> shape{view.size(), view.components()};
  py::array_t<double> out(shape, view.data(), self);
  if (!writable) out.attr("flags").attr("writeable") = false;
  return out;
}

using BatchClass = py::class_<BatchObject>;
template <class T>
using Rows = BatchView<T> (BatchSimulator::*)();
using ConstRows = BatchView<const double> (BatchSimulator::*)() const;

void bind_rows(BatchClass& c, const char* name, ConstRows rows) {
  c.def_property_readonly(name, [rows](const py::object& self) {
    return array_of(self, (self.cast<BatchObject&>().batch.*rows)(), false);
  });
}
void bind_rows(BatchClass& c, const char* name, Rows<double> rows) {
  c.def_property_readonly(
      name, [rows](const py::object& self) { return array_of(self, (self.cast<BatchObject&>().batch.*rows)(), true); });
}

std::vector<std::uint8_t> flags_from(const py::object& mask, int size) {
  if (mask.is_none()) return {};
  const auto view = py::array_t<bool, py::array::c_style>::ensure(mask);
  if (!view || view.ndim() != 1 || view.shape(0) != size)
    throw Error("argument 'mask' has to be one bool for each of " + std::to_string(size) + " environments");
  std::vector<std::uint8_t> out(static_cast<std::size_t>(size));
  for (int e = 0; e < size; ++e) out[static_cast<std::size_t>(e)] = view.at(e) ? 1 : 0;
  return out;
}

void reset(BatchObject& self, const py::object& mask, const py::object& q, const py::object& v, double time) {
  const int size = self.batch.size();
  const std::vector<std::uint8_t> flags = flags_from(mask, size);
  if (q.is_none()) {
    const Working working(self.mutex);
    return self.batch.reset(flags, time);
  }
  const auto at = batch_in<double>(q, "q", size, self.model->nq());
  const auto velocity = batch_in<double>(v, "v", size, self.model->nv());
  const Working working(self.mutex);
  self.batch.reset(flags, at, velocity, time);
}

void set_parameters(BatchObject& self, const py::object& mask, const py::dict& given) {
  BatchParameters p;
  const std::pair<const char*, std::optional<BatchView<const double>> BatchParameters::*> names[] = {
      {"friction", &BatchParameters::friction},
      {"mass_scale", &BatchParameters::mass_scale},
      {"com_offset", &BatchParameters::com_offset},
      {"inertia_scale", &BatchParameters::inertia_scale},
      {"kp", &BatchParameters::kp},
      {"kd", &BatchParameters::kd},
      {"effort_limit", &BatchParameters::effort_limit},
      {"latency", &BatchParameters::latency},
      {"gravity", &BatchParameters::gravity}};
  for (const auto& [name, member] : names) {
    if (given.contains(name)) p.*member = batch_in<double>(given[name], name, self.batch.size(), -1);
  }
  const std::vector<std::uint8_t> flags = flags_from(mask, self.batch.size());
  const Working working(self.mutex);
  self.batch.set_parameters(flags, p);
}

/// Arrays of what the last step said of each environment.
py::tuple summaries(BatchObject& self) {
  const py::ssize_t size = self.batch.size();
  py::array_t<std::uint8_t> status(size);
  py::array_t<double> residual(size);
  py::array_t<int> iterations(size);
  py::array_t<bool> in_lanes(size);
  for (py::ssize_t e = 0; e < size; ++e) {
    const StepSummary& s = self.batch.summaries()[static_cast<std::size_t>(e)];
    status.mutable_at(e) = static_cast<std::uint8_t>(s.status.code);
    residual.mutable_at(e) = s.residual;
    iterations.mutable_at(e) = s.iterations;
    in_lanes.mutable_at(e) = s.in_lanes;
  }
  return py::make_tuple(status, residual, iterations, in_lanes);
}

using Recordings = std::vector<std::shared_ptr<RecordingObject>>;

/// n times `substeps` steps.
int step(BatchObject& self, const py::object& n, const py::object& substeps, const Recordings& recordings) {
  const auto count = Convert<int>::from(n, "n"), every = Convert<int>::from(substeps, "substeps");
  if (count < 0) throw Error("argument 'n' is negative; give a number of steps");
  if (count > std::numeric_limits<int>::max() / every) throw Error("argument 'n' makes more steps than can be counted");
  const Working working(self.mutex);
  if (recordings.empty()) return self.batch.step(count * every);
  return self.batch.step(count * every, every, [&] {
    for (const auto& recording : recordings) recording->note_step(self.batch);
  });
}

std::shared_ptr<RecordingObject> record(BatchObject& self, const py::object& environments, const py::object& fps,
                                        const py::object& spacing, const py::object& substeps) {
  const auto list = Convert<std::vector<int>>::from(environments, "environments");
  for (const int e : list) {
    if (e < 0 || e >= self.batch.size())
      throw Error("argument 'environments' has " + std::to_string(e) + ", and there are " +
                  std::to_string(self.batch.size()));
  }
  if (list.empty()) throw Error("argument 'environments' is empty; give one or more");
  const auto metres = Convert<double>::from(spacing, "spacing");
  if (!std::isfinite(metres)) throw Error("argument 'spacing' has to be a finite number of metres");
  const auto frames = Convert<int>::from(fps, "fps"), every = Convert<int>::from(substeps, "substeps");
  const Working working(self.mutex);
  return std::make_shared<RecordingObject>(self.model->name(), self.batch, list, metres, every, frames);
}

std::vector<int> frames_from(const Model& model, const py::sequence& frames) {
  std::vector<int> out;
  for (const py::handle frame : frames) out.push_back(frame_index(model, frame, "frames"));
  return out;
}

void bind_sensors(BatchClass& c) {
  c.def("frame_poses", [](BatchObject& self, const py::sequence& frames, const py::object& out) {
    const std::vector<int> list = frames_from(*self.model, frames);
    const auto to = batch_out<double>(out, "out", self.batch.size(), 7 * static_cast<int>(list.size()));
    const Working working(self.mutex);
    self.batch.frame_poses(list, to);
  });
  c.def("frame_velocities", [](BatchObject& self, const py::sequence& frames, const py::object& out) {
    const std::vector<int> list = frames_from(*self.model, frames);
    const auto to = batch_out<double>(out, "out", self.batch.size(), 6 * static_cast<int>(list.size()));
    const Working working(self.mutex);
    self.batch.frame_velocities(list, to);
  });
  c.def("watch_acceleration", [](BatchObject& self, const py::object& frame) {
    const int index = frame_index(*self.model, frame, "frame");
    const Working working(self.mutex);
    self.batch.watch_acceleration(index);
  });
  c.def("imu", [](BatchObject& self, const py::object& out) {
    const auto to = batch_out<double>(out, "out", self.batch.size(), 6);
    const Working working(self.mutex);
    self.batch.imu(to);
  });
  c.def("height_scan",
        [](BatchObject& self, const py::object& frame, const std::vector<double>& points, const py::object& out) {
          const int index = frame_index(*self.model, frame, "frame");
          const auto to = batch_out<double>(out, "out", self.batch.size(), static_cast<int>(points.size() / 2));
          const Working working(self.mutex);
          self.batch.height_scan(index, points, to);
        });
}

/// What `get` finds of an environment, with the batch to itself.
template <class Get>
auto of_environment(Get get) {
  return [get](BatchObject& self, const py::object& environment) {
    const auto e = Convert<int>::from(environment, "environment");
    std::decay_t<decltype(get(self.batch, e))> value{};
    {
      const Working working(self.mutex);
      value = get(self.batch, e);
    }
    return Convert<decltype(value)>::to(value);
  };
}

void bind_verbs(BatchClass& c) {
  c.def("step", step);
  c.def("record", record);
  c.def("reset", reset);
  c.def("set_parameters", set_parameters);
  c.def("summaries", summaries);
  c.def("message", of_environment([](const BatchSimulator& batch, int e) { return batch.message(e); }));
  c.def("inexact_steps", of_environment([](const BatchSimulator& batch, int e) { return batch.inexact_steps(e); }));
  c.def("save", of_environment([](const BatchSimulator& batch, int e) { return batch.save(e); }));
  c.def("times", [](BatchObject& self) { return Convert<std::vector<double>>::to(self.batch.times()); });
  c.def("restore", [](BatchObject& self, const py::object& environment, const py::object& state) {
    const auto e = Convert<int>::from(environment, "environment");
    const auto from = Convert<EnvironmentState>::from(state, "state");
    const Working working(self.mutex);
    self.batch.restore(e, from);
  });
}

}  // namespace

void bind_vector_simulator(py::module_& m) {
  using M = MotorModel;
  using S = EnvironmentState;
  ValueClass<M>(m, "MotorModel", "What stands between a command of a VectorSimulator and one of its motors.",
                {field("delay", &M::delay, "s: commands act so much later, in whole steps."),
                 field("lag", &M::lag, "s: time constant of a first-order lag; 0: none."),
                 field("knee_speed", &M::knee_speed, "rad/s or m/s: the whole effort limit up to here."),
                 field("no_load_speed", &M::no_load_speed, "rad/s or m/s: no effort from here on.")});
  ValueClass<S>(
      m, "EnvironmentState",
      "All that the future of one environment of a VectorSimulator depends on, but for its parameters. Can be "
      "pickled.",
      {field("simulation", &S::simulation, "The SimulationState; control is the last command."),
       field("slots", &S::slots, "Candidate points that touched in the last step."),
       field("slot_impulses", &S::slot_impulses, "Where solves begin there, three each."),
       field("joint_impulses", &S::joint_impulses, "Where solves begin at joints, (3 nv,)."),
       field("efforts", &S::efforts, "One per actuator."),
       field("commands", &S::commands, "Commands on their way, the newest first."),
       field("lagged", &S::lagged, "Commands behind the lag, one per actuator.")});
  BatchClass c(m, "_BatchSimulator", "The batch behind a VectorSimulator.");
  c.def(py::init(&make_batch), py::arg("scene"), py::arg("num_envs"), py::arg("options"), py::arg("dt"),
        py::arg("solver"), py::arg("algorithm"), py::arg("restitution"), py::arg("actuators"), py::arg("floating"),
        py::arg("place_on_ground"), py::arg("threads"), py::arg("lanes"), py::arg("motors"));
  c.def_property_readonly("model", [](const BatchObject& self) { return self.model; });
  c.def_property_readonly("options",
                          [](const BatchObject& self) { return Convert<SimulationOptions>::to(self.batch.options()); });
  c.def_property_readonly("actuators", [](const BatchObject& self) {
    const auto actuators = self.batch.actuators();
    return Convert<std::vector<Actuator>>::to({actuators.begin(), actuators.end()});
  });
  c.def_property_readonly("threads", [](const BatchObject& self) { return self.batch.threads(); });
  c.def_property_readonly("lanes", [](const BatchObject& self) { return self.batch.lanes(); });
  c.def_property_readonly("lanes_refused", [](const BatchObject& self) { return self.batch.lanes_refused(); });
  c.def_property_readonly("bytes", [](const BatchObject& self) { return self.batch.bytes(); });
  c.def_property_readonly_static("words", [](const py::object&) {
    return Convert<std::vector<std::string>>::to({step_words().begin(), step_words().end()});
  });
  bind_rows(c, "q", &BatchSimulator::q);
  bind_rows(c, "v", &BatchSimulator::v);
  bind_rows(c, "control", &BatchSimulator::control);
  bind_rows(c, "target_velocity", &BatchSimulator::target_velocity);
  bind_rows(c, "forces", &BatchSimulator::forces);
  bind_rows(c, "efforts", &BatchSimulator::efforts);
  bind_rows(c, "contact_force", &BatchSimulator::contact_force);
  bind_rows(c, "in_contact", &BatchSimulator::in_contact);
  bind_verbs(c);
  bind_sensors(c);
}

}  // namespace delassus::python
