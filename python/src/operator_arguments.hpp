// Algorithms, options and dampings as Python says them.
#pragma once

#include "operator_names.hpp"
#include "operator_object.hpp"

namespace delassus::python {

std::string method_name(const Method& method);
py::list method_names();
Method method_from(py::handle name);

/// Throws an Error if the options are not for the method.
MethodOptions options_from_python(py::handle options, const Method& method);
py::object options_to_python(const MethodOptions& options);
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
