// What the bindings of all kinds of constraints share.
#pragma once

#include "constraints.hpp"
#include "model_arguments.hpp"

namespace delassus::python {

template <class T>
ValueClass<T> bind_kind(py::module_& m, const char* name, const char* doc, std::vector<Field<T>> fields) {
  fields.push_back(field("set", &T::set, "The set that its force lies in, a ForceSet."));
  ValueClass<T> kind(m, name, doc, std::move(fields), ValueClass<T>::Construction::kElsewhere);
  kind.bound.def_property_readonly(
      "num_rows", [](const T& self) { return row_count(Constraint(self)); }, "How many rows it has.");
  kind.bound.def_property_readonly(
      "kind_name", [](const T& self) { return std::string(kind_of(Constraint(self))); },
      "The word for it in files and messages.");
  return kind;
}

/// Sets what all kinds have, and throws an Error if the constraint does not fit the model.
template <class T>
T finished(const Model& model, T constraint, const py::object& set, const py::object& name, std::string otherwise) {
  constraint.name = name.is_none() ? std::move(otherwise) : Convert<std::string>::from(name, "name");
  if (!set.is_none()) constraint.set = Convert<ForceSet>::from(set, "set");
  require_valid(model, constraint);
  return constraint;
}

void bind_constraints_on_frames(py::module_& m);
void bind_constraints_on_joints(py::module_& m);
void bind_other_constraints(py::module_& m);

}  // namespace delassus::python
