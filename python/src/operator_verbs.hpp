// The verbs of an Operator: products, damped solves, and the rows themselves.
#pragma once

#include <pybind11/pybind11.h>

#include "operator_object.hpp"

namespace delassus::python {

void bind_operator_verbs(py::class_<OperatorObject>& c);

}  // namespace delassus::python
