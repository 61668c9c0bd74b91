// delassus.ParameterSweep, and what stands behind delassus.sweep (python/delassus/_sweep.py): the folder of parts, and threads of this process that fill it.
#include <pybind11/numpy.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>

#include "bindings.hpp"
#include "scene.hpp"
#include "sweep/sweep_folder.hpp"
#include "value_class.hpp"

namespace delassus::python {
namespace {

using SweepClass = py::class_<ParameterSweep>;
using FolderClass = py::class_<SweepFolder>;

// --------------------------------------------------------------------------------------------- interruptions

/// Raises what Ctrl-C raises. In threads other than the main one nothing: Python has no signals there.
void check_signals() {
  const py::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

/// Asked often, by one thread: asks Python now and then.
class SignalWatch {
 public:
  void look() {
    constexpr std::chrono::milliseconds kEvery{50};
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + kEvery;
    check_signals();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point next_ = Clock::now();
};

/// Says to threads of this process that nobody waits for what they compute. In another process it says nothing.
struct SweepStop {
  std::shared_ptr<std::atomic<bool>> set = std::make_shared<std::atomic<bool>>(false);
};

// -------------------------------------------------------------------------------------------- specifications

/// JSON of a dict. Numbers of NumPy count as numbers.
std::string json_of(const py::dict& specification) {
  const py::cpp_function plain([](const py::object& value) -> py::object {
    if (!py::hasattr(value, "tolist")) throw_wrong_type("spec", value, "a dict of what JSON has");
    return value.attr("tolist")();
  });
  const py::object dumps = py::module_::import("json").attr("dumps");
  try {
    return Convert<std::string>::from(dumps(specification, py::arg("allow_nan") = false, py::arg("default") = plain),
                                      "spec");
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_RecursionError)) throw;
    throw Error("argument 'spec' cannot be written as JSON: " + py::str(error.value()).cast<std::string>());
  }
}

ParameterSweep sweep_from(const py::object& spec) {
  if (py::isinstance<py::dict>(spec)) {
    const std::string text = json_of(spec), folder = std::filesystem::current_path().string();
    const py::gil_scoped_release release;
    return ParameterSweep::parse(text, "spec", folder);
  }
  const std::string path = path_from(spec, "spec");
  if (path.starts_with('{'))
    throw Error("argument 'spec' is a text of JSON; give the name of a file, or a dict: json.loads(text)");
  const py::gil_scoped_release release;
  return ParameterSweep::load(path);
}

ParameterSweep sweep_from_state(const py::tuple& state) {
  if (state.size() != 2) throw Error("this pickle is of another version");
  const auto text = Convert<std::string>::from(state[0], "text");
  const auto folder = Convert<std::string>::from(state[1], "base_directory");
  const py::gil_scoped_release release;
  return ParameterSweep::parse(text, "spec", folder);
}

SweepRange range_from(const ParameterSweep& sweep, const py::object& first, const py::object& end) {
  const SweepRange out{Convert<std::int64_t>::from(first, "first"), Convert<std::int64_t>::from(end, "end")};
  if (out.first >= 0 && out.first < out.end && out.end <= sweep.size()) return out;
  throw Error("'first' is " + std::to_string(out.first) + " and 'end' is " + std::to_string(out.end) +
              "; give a range of cases that is not empty, from 0 to " + std::to_string(sweep.size()));
}

py::dict values_of_case(const ParameterSweep& self, const py::object& index) {
  const std::vector<double> values = self.values(Convert<std::int64_t>::from(index, "index"));
  const std::vector<std::string> names = self.parameters();
  py::dict out;
  for (std::size_t k = 0; k < names.size(); ++k) out[Convert<std::string>::to(names[k])] = values[k];
  return out;
}

// ------------------------------------------------------------------------------------------------------ rows

template <class T>
py::object array_of_rows(const std::vector<double>& values, const std::vector<py::ssize_t>& shape) {
  py::array_t<T> out(shape);
  std::ranges::transform(values, out.mutable_data(), [](double x) { return static_cast<T>(x); });
  return out;
}

py::object rows_to_python(const SweepRows& rows, std::span<const SweepColumn> columns) {
  py::dict out;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    std::vector<py::ssize_t> shape{rows.range.size()};
    shape.insert(shape.end(), columns[k].shape.begin(), columns[k].shape.end());
    out[Convert<std::string>::to(columns[k].name)] = columns[k].whole
                                                         ? array_of_rows<std::int64_t>(rows.columns[k], shape)
                                                         : array_of_rows<double>(rows.columns[k], shape);
  }
  py::tuple failures(rows.failures.size());
  for (std::size_t k = 0; k < rows.failures.size(); ++k)
    failures[k] = py::make_tuple(rows.failures[k].index, Convert<std::string>::to(rows.failures[k].message));
  out["failures"] = failures;
  return out;
}

/// Rows that a function of Python made: arrays of float64, one for each column.
SweepRows rows_from_python(const ParameterSweep& sweep, SweepRange range, const py::sequence& columns,
                           const py::sequence& failures) {
  SweepRows out{range, {}, {}};
  const std::span<const SweepColumn> wanted = sweep.columns();
  if (columns.size() != wanted.size()) throw Error("there are more or fewer columns than the sweep has");
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const auto array = py::array_t<double, py::array::c_style>::ensure(columns[k]);
    if (!array || array.size() != range.size() * wanted[k].width())
      throw Error("the column '" + wanted[k].name + "' has not the numbers of these cases");
    out.columns.emplace_back(array.data(), array.data() + array.size());
  }
  for (const py::handle item : failures) {
    const auto failure = item.cast<py::tuple>();
    out.failures.push_back({failure[0].cast<std::int64_t>(), Convert<std::string>::from(failure[1], "failures")});
  }
  return out;
}

/// On the calling thread, without the GIL; Ctrl-C raises.
py::object run_cases_here(const ParameterSweep& self, const py::object& first, const py::object& end) {
  const SweepRange range = range_from(self, first, end);
  SweepRows rows;
  {
    const py::gil_scoped_release release;
    SignalWatch watch;
    rows = self.run(range, [&] {
      watch.look();
      return false;
    });
  }
  return rows_to_python(rows, self.columns());
}

// ---------------------------------------------------------------------------------------------------- ranges

/// As many cases each time as were asked for.
class EqualRanges : public SweepSource {
 public:
  EqualRanges(std::vector<SweepRange> ranges, std::int64_t size) : ranges_(std::move(ranges)), size_(size) {
    std::ranges::reverse(ranges_);
  }

  std::optional<SweepRange> next(double /*cases_per_second*/) override {
    const std::scoped_lock lock(mutex_);
    if (ranges_.empty()) return std::nullopt;
    SweepRange& from = ranges_.back();
    const SweepRange out{from.first, from.first + std::min(size_, from.size())};
    from.first = out.end;
    if (from.size() == 0) ranges_.pop_back();
    return out;
  }

 private:
  std::mutex mutex_;
  std::vector<SweepRange> ranges_;  // the next one last
  std::int64_t size_;
};

std::unique_ptr<SweepSource> make_source(const SweepFolder& folder, int workers, std::int64_t cases_per_task) {
  std::vector<SweepRange> missing = folder.missing();
  if (cases_per_task > 0) return std::make_unique<EqualRanges>(std::move(missing), cases_per_task);
  return std::make_unique<SweepQueue>(folder.sweep(), std::move(missing), workers);
}

py::object pair_of(const SweepRange& range) { return py::make_tuple(range.first, range.end); }

// -------------------------------------------------------------------------------------------------- folders

/// The folder that another process has made. Nothing is made here: who does not see it has another file system.
SweepFolder join_folder(const py::object& path, const std::string& hash) {
  const std::string results = path_from(path, "output");
  const py::gil_scoped_release release;
  SweepFolder out = SweepFolder::find(results);
  if (out.sweep().hash() != hash) throw Error("'" + out.folder() + "' is of another specification or another scene");
  // Says what is different.
  return out.maker() == this_maker() ? out : SweepFolder::open(out.sweep(), results);
}

/// Rows of these cases, computed and written. How many failed; None if nobody waits for them any more.
py::object run_into_folder(const SweepFolder& self, std::int64_t first, std::int64_t end, const SweepStop& stop) {
  const auto start = std::chrono::steady_clock::now();
  SweepRows rows;
  try {
    const py::gil_scoped_release release;
    SignalWatch watch;
    rows = self.sweep().run({first, end}, [&] {
      watch.look();
      return stop.set->load();
    });
    self.write(rows, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  } catch (const SweepStopped&) {
    return py::none();
  }
  return py::int_(rows.failures.size());
}

void write_into_folder(const SweepFolder& self, std::int64_t first, std::int64_t end, const py::sequence& columns,
                       const py::sequence& failures, double seconds) {
  const SweepRows rows = rows_from_python(self.sweep(), {first, end}, columns, failures);
  const py::gil_scoped_release release;
  self.write(rows, seconds);
}

/// By threads of this process. `progress` is called with the cases and the failures of this run, and may raise to end it.
void run_on_threads(const SweepFolder& self, SweepSource& source, int threads, const py::function& progress) {
  std::atomic<bool> stopping = false;
  std::exception_ptr raised;
  SweepRunOptions options;
  options.threads = threads;
  options.stop = [&] { return stopping.load(); };
  options.progress = [&](const SweepProgress& p) {
    if (raised) return;
    const py::gil_scoped_acquire gil;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      progress(p.done, p.failed);
    } catch (const py::error_already_set&) {
      raised = std::current_exception();
      stopping = true;
    }
  };
  SweepProgress done;
  {
    const py::gil_scoped_release release;
    done = run_sweep(self, source, options);
  }
  if (raised) std::rethrow_exception(raised);
  progress(done.done, done.failed);
}

void merge_folder(const SweepFolder& self) {
  const py::gil_scoped_release release;
  SignalWatch watch;
  self.merge([&](double) { watch.look(); });
}

py::object parts_of(const SweepFolder& self) {
  const std::vector<SweepPart> parts = self.parts();
  py::list out;
  for (const SweepPart& p : parts) out.append(py::make_tuple(p.range.first, p.range.end, p.failed));
  return out;
}

py::object missing_of(const SweepFolder& self) {
  const std::vector<SweepRange> missing = self.missing();
  py::tuple out(missing.size());
  for (std::size_t k = 0; k < missing.size(); ++k) out[k] = pair_of(missing[k]);
  return out;
}

// -------------------------------------------------------------------------------------------------- bindings

void bind_column(py::module_& m) {
  ValueClass<SweepColumn>(
      m, "SweepColumn", "What a sweep has of every case.",
      {field("name", &SweepColumn::name, "A path: \"parameters/friction\". The same in the file of results."),
       field("unit", &SweepColumn::unit, "\"m\"; empty for a pure number."),
       field("shape", &SweepColumn::shape, "Of one case: a tuple, () for a single number."),
       field("whole", &SweepColumn::whole, "Whether its numbers are whole: int64, not float64.")});
}

void bind_case_values(SweepClass& c) {
  c.def("values", values_of_case, py::arg("index"), "Parameters of a case: a dict of numbers by their names.");
  c.def(
      "seed",
      [](const ParameterSweep& self, const py::object& index) {
        return self.seed(Convert<std::int64_t>::from(index, "index"));
      },
      py::arg("index"),
      "An int of 64 bits for random numbers of one's own: it follows from the specification's seed and the index.");
  c.def("run", run_cases_here, py::arg("first"), py::arg("end"),
        "Simulates the cases from `first` to before `end` on the calling thread, without the GIL: a dict of arrays by "
        "the names of the\n"
        "columns, (end - first, *shape), int64 or float64, and \"failures\", a tuple of (index, message). A case that "
        "fails is a row.");
}

void bind_sweep_class(py::module_& m) {
  SweepClass c(
      m, "ParameterSweep",
      "Many simulations of one scene that differ in parameters, read from a specification (docs/sweeps.md).\n\n"
      "Everything of case i follows from the specification and i, to the last bit, wherever and in whatever "
      "order cases run.");
  c.def(py::init([](const py::object& spec) { return sweep_from(spec); }), py::arg("spec"),
        "spec: the name of a file of JSON, or a dict of the same; a dict names files from the current folder.");
  c.def("__len__", [](const ParameterSweep& self) { return self.size(); });
  c.def_property_readonly(
      "name", [](const ParameterSweep& self) { return Convert<std::string>::to(self.name()); },
      "As the specification has it.");
  c.def_property_readonly(
      "columns",
      [](const ParameterSweep& self) {
        return Convert<std::vector<SweepColumn>>::to({self.columns().begin(), self.columns().end()});
      },
      "A tuple of SweepColumn: case, status, then parameters and what is kept.");
  c.def_property_readonly(
      "parameters", [](const ParameterSweep& self) { return Convert<std::vector<std::string>>::to(self.parameters()); },
      "Names of the parameters, a tuple.");
  c.def_property_readonly(
      "status_words",
      [](const ParameterSweep& self) {
        return Convert<std::vector<std::string>>::to({self.status_words().begin(), self.status_words().end()});
      },
      "What the numbers of the column status mean, a tuple: \"ok\" first.");
  c.def_property_readonly("has_own_run", &ParameterSweep::has_own_run,
                          "Whether a function of your own makes the rows: the specification has \"columns\".");
  c.def_property_readonly(
      "text", [](const ParameterSweep& self) { return Convert<std::string>::to(self.text()); },
      "The specification in the one form that it has, JSON.");
  c.def_property_readonly(
      "hash", [](const ParameterSweep& self) { return Convert<std::string>::to(self.hash()); },
      "SHA-256 of the text and of the scene, in hexadecimal digits: equal if the rows are.");
  c.def_property_readonly(
      "base_directory", [](const ParameterSweep& self) { return Convert<std::string>::to(self.base_directory()); },
      "The folder from which the specification names files.");
  bind_case_values(c);
  c.def("__repr__", [](const ParameterSweep& self) {
    return Convert<std::string>::to("<delassus.ParameterSweep '" + self.name() + "': " + std::to_string(self.size()) +
                                    " cases, " + std::to_string(self.columns().size()) + " columns>");
  });
  c.def(py::pickle(
      [](const ParameterSweep& self) {
        return py::make_tuple(Convert<std::string>::to(self.text()), Convert<std::string>::to(self.base_directory()));
      },
      &sweep_from_state));
  c.def("__copy__", [](const ParameterSweep& self) { return self; });
  c.def("__deepcopy__", [](const ParameterSweep& self, const py::dict&) { return self; });
}

void bind_sweep_tools(py::module_& m) {
  py::class_<SweepStop> stop(m, "_SweepStop");
  stop.attr("__module__") = "delassus._delassus";  // where pickles find it
  stop.def(py::init<>());
  stop.def("set", [](const SweepStop& self) { *self.set = true; });
  stop.def("is_set", [](const SweepStop& self) { return self.set->load(); });
  stop.def(py::pickle([](const SweepStop&) { return py::tuple(); }, [](const py::tuple&) { return SweepStop(); }));

  py::class_<SweepSource> source(m, "_SweepSource");
  source.def("next", [](SweepSource& self, double cases_per_second) -> py::object {
    const std::optional<SweepRange> range = self.next(cases_per_second);
    return range ? pair_of(*range) : py::none();
  });
  m.def("_sweep_is_done", [](const ParameterSweep& sweep, const py::object& path) {
    const std::string results = path_from(path, "output");
    const py::gil_scoped_release release;
    return is_done(sweep, results);
  });
}

void bind_folder(py::module_& m) {
  FolderClass c(m, "_SweepFolder");
  c.def_static("open", [](const ParameterSweep& sweep, const py::object& results) {
    return SweepFolder::open(sweep, path_from(results, "output"));
  });
  c.def_static("find", [](const py::object& results) { return SweepFolder::find(path_from(results, "results")); });
  c.def_static("join", join_folder);
  c.def_property_readonly("sweep", [](const SweepFolder& self) { return self.sweep(); });
  c.def_property_readonly("results", [](const SweepFolder& self) { return Convert<std::string>::to(self.results()); });
  c.def_property_readonly("folder", [](const SweepFolder& self) { return Convert<std::string>::to(self.folder()); });
  c.def("parts", parts_of);
  c.def("missing", missing_of);
  c.def("failed", [](const SweepFolder& self) {
    const py::gil_scoped_release release;
    return self.failed();
  });
  c.def("source", make_source);
  c.def("write", write_into_folder);
  c.def("run_range", run_into_folder);
  c.def("run_on_threads", run_on_threads);
  c.def("merge", merge_folder);
}

}  // namespace

void bind_sweep(py::module_& m) {
  bind_column(m);
  bind_sweep_class(m);
  bind_sweep_tools(m);
  bind_folder(m);
}

}  // namespace delassus::python
