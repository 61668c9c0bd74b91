// Batch: constrained dynamics and contacts of all environments.
#include "batch_arrays.hpp"
#include "batch_verbs.hpp"
#include "contact_names.hpp"
#include "lock.hpp"
#include "outcomes.hpp"

namespace delassus::python {
namespace {

/// Forces to begin with, which solvers read where they write: those of `start`, or zero.
template <class T>
void begin_forces(const std::optional<BatchView<const T>>& start, const BatchView<T>& forces) {
  for (int e = 0; e < forces.size(); ++e) {
    for (int k = 0; k < forces.components(); ++k) forces(e, k) = start ? (*start)(e, k) : T(0);
  }
}

template <class T>
std::optional<BatchView<const T>> optional_batch(const py::object& array, const char* argument, int size, int rows) {
  return array.is_none() ? std::optional<BatchView<const T>>() : batch_in<T>(array, argument, size, rows);
}

py::tuple batch_constrained(BatchObject& self, const py::object& q, const py::object& v, const py::object& tau,
                            const py::object& start, const py::object& baumgarte, const py::object& out) {
  const Baumgarte pull = baumgarte_from(baumgarte);
  const int size = self.size, nq = self.model->nq(), nv = self.model->nv(), rows = max_rows_of(self);
  const auto outputs = two_outputs(out, "accelerations (size, nv) and forces (size, max_rows)");
  return std::visit(
      [&]<class T>(Batch<T>& batch) {
        const auto at = batch_in<T>(q, "q", size, nq), velocity = batch_in<T>(v, "v", size, nv);
        const auto force = batch_in<T>(tau, "tau", size, nv);
        const auto first = optional_batch<T>(start, "start", size, rows);
        const std::array results{batch_or_new<T>(outputs[0], size, nv), batch_or_new<T>(outputs[1], size, rows)};
        const auto a = batch_out<T>(results[0], "out[0]", size, nv);
        const auto lambda = batch_out<T>(results[1], "out[1]", size, rows);
        require_apart(results[0], "out[0]", results[1], Sharing::kNone, "out[1]");
        const char* names[] = {"out[0]", "out[1]"};
        for (int k = 0; k < 2; ++k) {
          for (const auto& [name, array] : {std::pair("q", q), std::pair("v", v), std::pair("tau", tau)}) {
            require_apart(array, name, results[k], k == 0 ? Sharing::kSame : Sharing::kNone, names[k]);
          }
        }
        if (first) {
          require_apart(start, "start", results[0], Sharing::kNone, names[0]);
          require_apart(start, "start", results[1], Sharing::kSame, names[1]);
        }
        {
          const Working working(self.mutex);
          begin_forces<T>(first, lambda);
          batch.constrained_dynamics(at, velocity, force, a, lambda, pull);
        }
        return py::make_tuple(results[0], results[1]);
      },
      self.batch);
}

py::object batch_contact(BatchObject& self, const py::object& q, const py::object& free_velocity,
                         const py::object& start, const py::object& compliance, const py::object& law,
                         const py::object& time_step, const py::object& options, const py::object& out) {
  const int size = self.size, rows = max_rows_of(self);
  const auto how = options.is_none() ? AdmmOptions{} : Convert<AdmmOptions>::from(options, "options");
  return std::visit(
      [&]<class T>(Batch<T>& batch) {
        const auto at = batch_in<T>(q, "q", size, self.model->nq());
        BatchContactProblem<T> problem{batch_in<T>(free_velocity, "free_velocity", size, rows)};
        if (!compliance.is_none()) problem.compliance = batch_in<T>(compliance, "compliance", size, rows);
        problem.law = Convert<ContactLaw>::from(law, "law");
        problem.time_step = Convert<double>::from(time_step, "time_step");
        const auto first = optional_batch<T>(start, "start", size, rows);
        py::object result = batch_or_new<T>(out, size, rows);
        const auto lambda = batch_out<T>(result, "out", size, rows);
        // The start is written to the output first, so that no other input may be there.
        require_apart(q, "q", result, Sharing::kNone);
        require_apart(free_velocity, "free_velocity", result, Sharing::kNone);
        if (!compliance.is_none()) require_apart(compliance, "compliance", result, Sharing::kNone);
        if (first) require_apart(start, "start", result, Sharing::kSame);
        const Working working(self.mutex);
        begin_forces<T>(first, lambda);
        batch.contact_solve(at, problem, lambda, how);
        return result;
      },
      self.batch);
}

py::object batch_certificates(BatchObject& self) {
  std::vector<ContactCertificate> out;
  {
    const Working working(self.mutex);
    const auto all = std::visit([](const auto& batch) { return batch.certificates(); }, self.batch);
    out.assign(all.begin(), all.end());
  }
  return Convert<std::vector<ContactCertificate>>::to(out);
}

}  // namespace

void bind_batch_solvers(py::class_<BatchObject>& c) {
  c.def("constrained_dynamics", batch_constrained, py::arg("q"), py::arg("v"), py::arg("tau"), py::kw_only(),
        py::arg("start") = py::none(), py::arg("baumgarte") = py::none(), py::arg("out") = py::none(),
        "Accelerations (size, nv) and constraint forces (size, max_rows), a tuple, of M a + h = tau + J^T force with "
        "every\n"
        "constraint as an equality, as ConstrainedDynamics has them; q is (size, nq), v and tau (size, nv). start: "
        "forces\n"
        "(size, max_rows) to begin with. `out` is a tuple of two arrays; start may be its second one.");
  c.def(
      "contact_solve", batch_contact, py::arg("q"), py::arg("free_velocity"), py::kw_only(),
      py::arg("start") = py::none(), py::arg("compliance") = py::none(), py::arg("law") = "coulomb",
      py::arg("time_step") = 1.0, py::arg("options") = py::none(), py::arg("out") = py::none(),
      "Impulses (size, max_rows) at q (size, nq) by ADMM, in double precision: arguments as those of Admm.solve, with "
      "a\n"
      "row for each environment. options: AdmmOptions. `out` may be start. certificates says how each ended.");
  c.def_property_readonly("certificates", batch_certificates,
                          "A tuple of ContactCertificate of the last contact_solve, one for each environment.");
}

}  // namespace delassus::python
