// How what goes wrong in C++ reaches Python: Error as delassus.Error, a Status as delassus.NumericalError.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <span>
#include <string>

#include "delassus/constraints/describe.hpp"

namespace pybind11::detail {

/// None is no model. pybind11 would make a null pointer of it, and leave it to every constructor to look.
template <>
class type_caster<std::shared_ptr<delassus::Model>>
    : public copyable_holder_caster<delassus::Model, std::shared_ptr<delassus::Model>> {
 public:
  bool load(handle object, bool convert) {
    if (object.is_none()) throw type_error("None is no model; expected an object of delassus.Model");
    return copyable_holder_caster::load(object, convert);
  }
};

}  // namespace pybind11::detail

namespace delassus::python {

namespace py = pybind11;

/// A status that is not ok, on its way to Python. Carries no Python object, so that it may be thrown without the GIL.
class StatusError : public std::runtime_error {
 public:
  StatusError(const Status& status, const Model& model, std::span<const Constraint> constraints);
  const Status& status() const { return status_; }

 private:
  Status status_;
};

/// The same for outcomes that have words of their own.
class OutcomeError : public std::runtime_error {
 public:
  OutcomeError(const std::string& message, const char* code, int index)
      : std::runtime_error(message), code_(code), index_(index) {}
  const char* code() const { return code_; }
  int index() const { return index_; }

 private:
  const char* code_;
  int index_;
};

/// What is called wrongly is an Error, in Python as in set-up.
inline void require_ok(const Status& status, const Model& model, std::span<const Constraint> constraints = {}) {
  if (status.code == Status::Code::kBadArgument) throw Error(describe(status, model, constraints));
  if (!status.ok()) throw StatusError(status, model, constraints);
}

/// "not_finite": the word for it in NumericalError.code.
const char* code_name(Status::Code code);

/// The Python exception of a status; `solution` is what a solve has written, or None.
py::object make_numerical_error(const StatusError& error, const py::object& solution);

/// "a float", "an array of float32 with shape (3, 4)", "None": what an argument was, for messages.
std::string kind_of_object(py::handle object);

/// Throws a TypeError: "argument 'gap' is a str; expected a number".
[[noreturn]] void throw_wrong_type(std::string_view argument, py::handle was, std::string_view expected);

}  // namespace delassus::python
