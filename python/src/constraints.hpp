// Constraints as arguments.
#pragma once

#include "delassus/constraints/constraint.hpp"
#include "names.hpp"
#include "value_class.hpp"

namespace delassus::python {

/// Any of the kinds.
template <>
struct Convert<Constraint> {
  static py::object to(const Constraint& c) {
    return std::visit([](const auto& value) { return py::cast(value, py::return_value_policy::copy); }, c);
  }
  static Constraint from(py::handle object, std::string_view argument);
};

}  // namespace delassus::python
