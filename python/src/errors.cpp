#include "errors.hpp"

#include <pybind11/numpy.h>

#include "bindings.hpp"
#include "convert.hpp"

namespace delassus::python {
namespace {

/// The classes are written in Python, so that they have docstrings, attributes and pickles like any other.
py::object error_class(const char* name) { return py::module_::import("delassus._errors").attr(name); }

void raise(const py::object& exception) { PyErr_SetObject(py::type::of(exception).ptr(), exception.ptr()); }

// pybind11 asks for this type.
void translate(std::exception_ptr pointer) {  // NOLINT(performance-unnecessary-value-param)
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const StatusError& error) {
    raise(make_numerical_error(error, py::none()));
  } catch (const OutcomeError& error) {
    raise(error_class("NumericalError")(Convert<std::string>::to(error.what()), error.code(), error.index()));
  } catch (const Error& error) {
    raise(error_class("Error")(Convert<std::string>::to(error.what())));
  }
}

}  // namespace

const char* code_name(Status::Code code) {
  switch (code) {
    case Status::Code::kOk:
      return "ok";
    case Status::Code::kSingularJoint:
      return "singular_joint";
    case Status::Code::kNotPositive:
      return "not_positive";
    case Status::Code::kDegenerate:
      return "degenerate";
    case Status::Code::kNotFinite:
      return "not_finite";
    case Status::Code::kInaccurate:
      return "inaccurate";
    case Status::Code::kInfeasible:
      return "infeasible";
    case Status::Code::kNotConverged:
      return "not_converged";
    case Status::Code::kUnbalanced:
      return "unbalanced";
    case Status::Code::kSingularTask:
      return "singular_task";
    case Status::Code::kBadArgument:
      return "bad_argument";
  }
  return "unknown";
}

// The words are those of the command.
StatusError::StatusError(const Status& status, const Model& model, std::span<const Constraint> constraints)
    : std::runtime_error("model '" + model.name() + "': " + describe(status, model, constraints)), status_(status) {}

py::object make_numerical_error(const StatusError& error, const py::object& solution) {
  const bool singular = error.status().code == Status::Code::kSingularJoint;
  return error_class(singular ? "SingularError" : "NumericalError")(
      Convert<std::string>::to(error.what()), code_name(error.status().code), error.status().index, solution);
}

std::string kind_of_object(py::handle object) {
  if (object.is_none()) return "None";
  const auto type = py::str(py::type::handle_of(object).attr("__name__")).cast<std::string>();
  const bool vowel = std::string_view("aeiouAEIO").find(type.front()) != std::string_view::npos;
  if (!py::isinstance<py::array>(object)) return (vowel ? "an " : "a ") + type;
  return "an array of " + py::str(object.attr("dtype")).cast<std::string>() + " with shape " +
         py::str(object.attr("shape")).cast<std::string>();
}

void throw_wrong_type(std::string_view argument, py::handle was, std::string_view expected) {
  throw py::type_error("argument '" + std::string(argument) + "' is " + kind_of_object(was) + "; expected " +
                       std::string(expected));
}

void bind_errors(py::module_&) { py::register_exception_translator(translate); }

}  // namespace delassus::python
