// Options and dampings as Python says them.
#pragma once

#include "operator_names.hpp"
#include "operator_object.hpp"

namespace delassus::python {

/// Throws an Error if the options are not for the algorithm.
AlgorithmOptions options_from_python(py::handle options, Algorithm algorithm);
py::object options_to_python(const AlgorithmOptions& options);
void bind_operator_options(py::module_& m);

/// A number, or an array of one per row.
StoredDamping damping_from(py::handle damping, int rows);
/// The same as one number per row.
StoredDamping diagonal_damping_from(py::handle damping, int rows);
/// A list of one symmetric array for each constraint, which has so many rows.
bool is_list_of_blocks(py::handle damping);
StoredDamping block_damping_from(py::handle list, const std::vector<int>& rows);
/// For pickles.
py::object damping_to_python(const StoredDamping& damping);
StoredDamping stored_damping_from(py::handle damping);

}  // namespace delassus::python
