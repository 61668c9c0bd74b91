// The verbs of a Batch.
#pragma once

#include <pybind11/pybind11.h>

#include "batch_object.hpp"

namespace delassus::python {

/// With the lock for a moment. Another thread may set other constraints then: the verb itself has an Error for that.
int max_rows_of(BatchObject& self);

/// Dynamics, and all that is in lanes.
void bind_batch_verbs(pybind11::class_<BatchObject>& c);
/// Constrained dynamics and contacts.
void bind_batch_solvers(pybind11::class_<BatchObject>& c);

}  // namespace delassus::python
