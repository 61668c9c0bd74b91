// BatchController: operational-space control of many robots of one model.
#include "delassus/batch/batch_controller.hpp"

#include <deque>

#include "batch_arrays.hpp"
#include "bindings.hpp"
#include "lock.hpp"
#include "operational_controller.hpp"

namespace delassus::python {
namespace {

/// With what it refers to. Each controller has a state of its own, and all have one lock.
struct BatchControllerObject {
  BatchControllerObject(std::shared_ptr<Model> m, int size, const std::vector<TaskLevel>& levels,
                        const ControllerArguments& a, int threads)
      : model(std::move(m)),
        level_names(names_of_levels(levels)),
        controllers(*model, size, levels, a.held, a.options, a.actuation, threads) {
    for (int e = 0; e < size; ++e) states.emplace_back(mutex);
  }

  const std::shared_ptr<Model> model;
  const std::vector<std::string> level_names;
  std::mutex mutex;
  BatchController<double> controllers;
  std::deque<ControlState> states;
};

using SharedBatchController = std::shared_ptr<BatchControllerObject>;

SharedBatchController make_batch_controller(const std::shared_ptr<Model>& model, const py::object& size,
                                            const py::object& levels, const py::object& held,
                                            const py::object& posture_gains, const py::object& held_gains,
                                            const py::object& motors, const py::object& supports,
                                            const py::object& threads) {
  const auto list = Convert<std::vector<TaskLevel>>::from(levels, "levels");
  const auto arguments = controller_arguments(*model, held, posture_gains, held_gains, motors, supports);
  const auto count = Convert<int>::from(size, "size"), workers = Convert<int>::from(threads, "threads");
  const py::gil_scoped_release release;
  return std::make_shared<BatchControllerObject>(model, count, list, arguments, workers);
}

py::object compute_batch(BatchControllerObject& self, const py::object& q, const py::object& v, const py::object& out) {
  const int size = self.controllers.size(), nq = self.model->nq(), nv = self.model->nv();
  const auto at = batch_in<double>(q, "q", size, nq), velocity = batch_in<double>(v, "v", size, nv);
  py::object result = batch_or_new<double>(out, size, nv);
  const auto tau = batch_out<double>(result, "out", size, nv);
  if (!out.is_none()) {
    require_apart(q, "q", out, Sharing::kSame);
    require_apart(v, "v", out, Sharing::kSame);
  }
  const Working working(self.mutex);
  self.controllers.compute(at, velocity, tau);
  for (int e = 0; e < size; ++e) {
    const ControlStatus& status = self.controllers.statuses()[static_cast<std::size_t>(e)];
    ControlState& state = self.states[static_cast<std::size_t>(e)];
    state.status = status;
    state.updated = status.leaves_forces();
  }
  return result;
}

ControllerObject controller_of(const SharedBatchController& self, const py::object& environment) {
  const auto index = Convert<int>::from(environment, "environment");
  OperationalController<double>& one = self->controllers.environment(index);  // which looks at the index
  return {{self, &self->states[static_cast<std::size_t>(index)]}, {self, &one}, false, self->model, self->level_names};
}

py::object controller_words(BatchControllerObject& self) {
  std::vector<std::string> out;
  {
    const Working working(self.mutex);
    for (const ControlStatus& status : self.controllers.statuses()) out.emplace_back(word_of(status));
  }
  return Convert<std::vector<std::string>>::to(out);
}

}  // namespace

void bind_batch_controller(py::module_& m) {
  py::class_<BatchControllerObject, SharedBatchController> c(
      m, "BatchController",
      "Operational-space control of many robots of one model, on threads: each environment is an OperationalController "
      "with\n"
      "targets of its own.\n\n"
      "Calls run without the GIL. Threads may share an object; their calls wait for each other.");
  c.def(py::init(&make_batch_controller), py::arg("model"), py::arg("size"), py::arg("levels"),
        py::arg("held") = py::tuple(), py::kw_only(), py::arg("posture_gains") = py::none(),
        py::arg("held_gains") = py::none(), py::arg("motors") = py::none(), py::arg("supports") = py::tuple(),
        py::arg("threads") = 0,
        "Arguments as those of OperationalController, for each of `size` environments. threads: 0 for one per core.");
  c.def(
      "compute", compute_batch, py::arg("q"), py::arg("v"), py::arg("out") = py::none(),
      "Joint forces (size, nv) at q (size, nq) and v (size, nv). Statuses are those of OperationalController.compute; "
      "where\n"
      "that one would raise, they are nan.");
  c.def("environment", controller_of, py::arg("environment"),
        "The OperationalController of an environment, a view: for targets, wishes, status and message. It computes "
        "with all\n"
        "others, not by itself.");
  c.def_property_readonly("statuses", controller_words,
                          "How the last compute ended, a tuple with a word for each environment, as the status of an "
                          "OperationalController.");
  c.def_property_readonly(
      "model", [](const BatchControllerObject& self) { return self.model; }, "The Model.");
  c.def_property_readonly(
      "size", [](const BatchControllerObject& self) { return self.controllers.size(); },
      "How many environments there are.");
  c.def_property_readonly(
      "threads", [](const BatchControllerObject& self) { return self.controllers.threads(); },
      "That compute runs on, the caller's among them.");
}

}  // namespace delassus::python
