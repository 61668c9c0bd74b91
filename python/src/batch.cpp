// Batch: many states of one model at once.
#include <pybind11/numpy.h>

#include "batch_arrays.hpp"
#include "batch_verbs.hpp"
#include "bindings.hpp"
#include "lock.hpp"
#include "operator_names.hpp"
#include "outcomes.hpp"

namespace delassus::python {
namespace {

using Precision = BatchObject::Precision;

Precision precision_from(const py::object& dtype) {
  constexpr const char* kExpected = "numpy.float64 or numpy.float32";
  try {
    const auto asked = py::dtype::from_args(dtype);
    if (asked.is(py::dtype::of<double>())) return Precision::kDouble;
    if (asked.is(py::dtype::of<float>())) return Precision::kSingle;
  } catch (const py::error_already_set&) {
    throw_wrong_type("dtype", dtype, kExpected);  // not a type at all
  }
  throw Error("argument 'dtype' is " + py::str(dtype).cast<std::string>() + "; expected " + kExpected);
}

std::unique_ptr<BatchObject> make_batch_object(const std::shared_ptr<Model>& model, const py::object& size,
                                               const py::object& dtype, const py::object& threads,
                                               const py::object& condensed, const py::object& proximal) {
  BatchOptions options;
  options.threads = Convert<int>::from(threads, "threads");
  if (!condensed.is_none()) options.condensed = Convert<CondensedOptions>::from(condensed, "condensed");
  if (!proximal.is_none()) options.proximal = Convert<ProximalOptions>::from(proximal, "proximal");
  const auto count = Convert<int>::from(size, "size");
  const Precision precision = precision_from(dtype);
  const py::gil_scoped_release release;
  return std::make_unique<BatchObject>(model, count, precision, options);
}

void set_batch_constraints(BatchObject& self, const py::object& constraints, const py::object& environment) {
  auto list = Convert<std::vector<Constraint>>::from(constraints, "constraints");
  if (environment.is_none()) {
    const Working working(self.mutex);
    return self.set_constraints(std::move(list));
  }
  const auto index = Convert<int>::from(environment, "environment");
  const Working working(self.mutex);
  self.set_constraints(index, std::move(list));
}

void set_batch_active(BatchObject& self, const py::object& active) {
  const auto flags = batch_in<bool>(active, "active", self.size, -1);
  const Working working(self.mutex);
  std::visit([&](auto& batch) { batch.set_active(flags); }, self.batch);
}

/// What `get` finds with the batch to itself.
template <class Get>
auto reading_batch(Get get) {
  return [get](BatchObject& self) {
    using Value = std::decay_t<decltype(get(self))>;
    Value value{};
    {
      const Working working(self.mutex);
      value = get(self);
    }
    return Convert<Value>::to(value);
  };
}

/// The same for one environment.
template <class Get>
auto reading_environment(Get get) {
  return [get](BatchObject& self, const py::object& environment) {
    const auto index = Convert<int>::from(environment, "environment");
    return reading_batch([&](BatchObject& batch) { return get(batch, index); })(self);
  };
}

/// A number that both types of batches have.
template <class Get>
auto number_of_batch(Get get) {
  return reading_batch([get](BatchObject& self) { return std::visit(get, self.batch); });
}

std::vector<std::string> status_words(BatchObject& self) {
  std::vector<std::string> out;
  for (const Status& status : self.statuses()) out.emplace_back(code_name(status.code));
  return out;
}

py::object failed_environments(BatchObject& self) {
  std::vector<std::int64_t> indices;
  {
    const Working working(self.mutex);
    const auto all = self.statuses();
    for (std::size_t e = 0; e < all.size(); ++e) {
      if (!all[e].ok()) indices.push_back(static_cast<std::int64_t>(e));
    }
  }
  return py::array_t<std::int64_t>(static_cast<py::ssize_t>(indices.size()), indices.data());
}

using BatchClass = py::class_<BatchObject>;

void bind_batch_constraints(BatchClass& c) {
  c.def("set_constraints", set_batch_constraints, py::arg("constraints"), py::arg("environment") = py::none(),
        "The same constraints for all environments, or those of one of them; all are active then. Environments whose\n"
        "constraints have the same kinds, links and rows in the same order share vectors; points and sets are their "
        "own.");
  c.def("set_active", set_batch_active, py::arg("active"),
        "Switches constraints on and off: an array of bool, (size, most constraints of an environment). Rows of one "
        "that is\n"
        "off are zero, in and out. Cheaper than other constraints.");
  c.def("constraints", reading_environment([](BatchObject& self, int e) { return self.constraints(e); }),
        py::arg("environment"), "A tuple of the constraints of an environment, those that are off included.");
  c.def("rows", reading_environment([](BatchObject& self, int e) { return self.rows(e); }), py::arg("environment"),
        "Rows of an environment, those of constraints that are off included.");
  c.def_property_readonly("max_rows", reading_batch([](BatchObject& self) { return self.max_rows(); }),
                          "Rows of the environment that has most: columns of all arrays of rows. Beyond the rows of "
                          "an environment inputs are not\n"
                          "read and outputs are zero.");
  c.def_property_readonly("num_structures", number_of_batch([](const auto& b) { return b.num_structures(); }),
                          "How many structures of constraints there are: each has vectors of its own.");
}

void bind_batch_outcomes(BatchClass& c) {
  c.def_property_readonly("statuses", reading_batch(status_words),
                          "How the last verb ended, a tuple with a word for each environment: \"ok\", or a code as "
                          "those of NumericalError.");
  c.def_property_readonly("failed", failed_environments,
                          "Indices of environments whose status is not ok, an array. Their results are nan, unless the "
                          "status is \"inaccurate\",\n"
                          "\"infeasible\" or \"not_converged\": then they are the best there is.");
  c.def("message", reading_environment([](BatchObject& self, int e) { return self.message(e); }),
        py::arg("environment"), "The status of an environment in words; empty if it is ok.");
}

void bind_batch_reading(BatchClass& c) {
  c.def_property_readonly(
      "model", [](const BatchObject& self) { return self.model; }, "The Model.");
  c.def_property_readonly(
      "size", [](const BatchObject& self) { return self.size; }, "How many environments there are.");
  c.def_property_readonly(
      "dtype",
      [](const BatchObject& self) {
        return self.batch.index() == 0 ? py::dtype::of<double>() : py::dtype::of<float>();
      },
      "The type of its arrays: float64 or float32.");
  c.def_property_readonly("threads", number_of_batch([](const auto& b) { return b.threads(); }),
                          "That verbs run on, the caller's among them.");
  c.def_property_readonly("lanes", number_of_batch([](const auto& b) { return b.lanes(); }),
                          "Environments in one vector of the processor.");
  c.def_property_readonly("bytes", number_of_batch([](const auto& b) { return b.bytes(); }),
                          "Memory that it holds; most of it is what update keeps.");
  c.def("__repr__", [](BatchObject& self) {
    const bool single = self.batch.index() == 1;
    return py::str("<delassus.Batch of {} '{}', {}>")
        .format(self.size, self.model->name(), single ? "float32" : "float64");
  });
}

}  // namespace

void bind_batch(py::module_& m) {
  BatchClass c(m, "Batch",
               "Many states of one model at once, in the lanes of the processor's vectors and on threads.\n\n"
               "Arrays have a row for each environment and are of the batch's dtype, with any strides; they are read "
               "and written in\n"
               "place. In Fortran order they are fastest. `out` is returned; it may be an input of the same layout.\n\n"
               "What an environment gets depends on its own numbers alone, to the last bit. One that goes wrong raises "
               "nothing\n"
               "and spoils no other: its results are nan, and `failed`, `statuses` and `message` say which and why.\n\n"
               "Calls run without the GIL. Threads may share an object; their calls wait for each other.");
  c.def(py::init(&make_batch_object), py::arg("model"), py::arg("size"), py::arg("dtype") = "float64",
        py::arg("threads") = 0, py::kw_only(), py::arg("condensed") = py::none(), py::arg("proximal") = py::none(),
        "size environments, without constraints. dtype: float64 or float32. threads: 0 for one per core. condensed:\n"
        "CondensedOptions of products and damped solves. proximal: ProximalOptions of constrained_dynamics.");
  bind_batch_constraints(c);
  bind_batch_verbs(c);
  bind_batch_solvers(c);
  bind_batch_outcomes(c);
  bind_batch_reading(c);
}

}  // namespace delassus::python
