// Results of constrained solves as classes of Python, which share how they ended.
#pragma once

#include "constrained_object.hpp"
#include "constraints.hpp"

namespace delassus::python {

/// `own` and then how it ended.
template <class T>
void bind_outcome(py::module_& m, const char* name, const char* doc, std::vector<Field<T>> own, const char* remainder) {
  own.push_back(field<T, std::string>("status", &T::status, "\"ok\", or a code as those of NumericalError."));
  own.push_back(field<T, std::string>("message", &T::message, "The status in words; empty if it is ok."));
  own.push_back(field<T, int>("index", &T::index, "Of the row or entry that the message names; -1 if it is ok."));
  own.push_back(field<T, int>("iterations", &T::iterations, "Proximal steps."));
  own.push_back(field<T, double>("residual", &T::residual, "Largest entry of the remainder."));
  own.push_back(field<T, std::vector<double>>("remainder", &T::remainder, remainder));
  ValueClass<T>(m, name, doc, std::move(own));
}

/// Zero if it is None.
inline Baumgarte baumgarte_from(const py::object& pull) {
  return pull.is_none() ? Baumgarte{} : Convert<Baumgarte>::from(pull, "baumgarte");
}

/// The defaults if it is None.
inline ProximalOptions proximal_from(const py::object& options) {
  return options.is_none() ? ProximalOptions{} : Convert<ProximalOptions>::from(options, "options");
}

}  // namespace delassus::python
