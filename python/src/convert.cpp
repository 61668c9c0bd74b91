#include "convert.hpp"

#include <pybind11/numpy.h>

#include "model/wording.hpp"

namespace delassus::python {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

std::string shape_text(std::initializer_list<int> shape) {
  std::string text;
  for (const int n : shape) text += (text.empty() ? "" : ", ") + (n < 0 ? std::string("any") : std::to_string(n));
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

bool has_shape(const Numbers& array, std::initializer_list<int> shape) {
  if (array.ndim() != static_cast<py::ssize_t>(shape.size())) return false;
  py::ssize_t k = 0;
  for (const int n : shape) {
    if (n >= 0 && array.shape(k) != n) return false;
    ++k;
  }
  return true;
}

/// Nothing if they are no real numbers: a cast would drop imaginary parts and read digits out of words.
Numbers real_numbers(py::handle object) {
  const py::array array = py::array::ensure(object);
  PyErr_Clear();
  const bool real = array && std::string_view("biuf").find(array.dtype().kind()) != std::string_view::npos;
  Numbers out = real ? Numbers::ensure(array) : py::reinterpret_steal<Numbers>(nullptr);
  PyErr_Clear();
  return out;
}

}  // namespace

int index_of_name(std::span<const std::string_view> names, std::string_view name, std::string_view argument) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  ClosestName closest(name);
  for (const std::string_view known : names) closest.consider(known);
  throw Error("argument '" + std::string(argument) + "' is " + in_quotes(name) + closest.hint() + "; there are " +
              comma_separated(names));
}

int index_of_name(std::span<const std::string_view> names, py::handle name, std::string_view argument) {
  return index_of_name(names, Convert<std::string>::from(name, argument), argument);
}

py::object read_only_array(const double* data, std::initializer_list<py::ssize_t> shape) {
  py::array_t<double> array(std::vector<py::ssize_t>(shape), data);
  array.attr("flags").attr("writeable") = false;
  return array;
}

std::vector<double> numbers_from(py::handle object, std::string_view argument, std::initializer_list<int> shape) {
  const Numbers array = real_numbers(object);
  if (!array) throw_wrong_type(argument, object, "numbers with shape " + shape_text(shape));
  if (!has_shape(array, shape)) {
    throw Error("argument '" + std::string(argument) + "' has shape " +
                py::str(array.attr("shape")).cast<std::string>() + "; expected " + shape_text(shape));
  }
  return {array.data(), array.data() + array.size()};
}

double Convert<double>::from(py::handle object, std::string_view argument) {
  const double value = PyFloat_AsDouble(object.ptr());
  if (value == -1.0 && PyErr_Occurred()) {
    PyErr_Clear();
    throw_wrong_type(argument, object, "a number");
  }
  return value;
}

bool Convert<bool>::from(py::handle object, std::string_view argument) {
  if (!py::isinstance<py::bool_>(object)) throw_wrong_type(argument, object, "True or False");
  return object.ptr() == Py_True;
}

py::object Convert<std::string>::to(const std::string& value) {
  // Names come from files, which may hold any bytes.
  PyObject* text = PyUnicode_DecodeUTF8(value.data(), static_cast<Py_ssize_t>(value.size()), "surrogateescape");
  if (!text) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(text);
}

std::string Convert<std::string>::from(py::handle object, std::string_view argument) {
  if (!py::isinstance<py::str>(object)) throw_wrong_type(argument, object, "a str");
  const auto bytes =
      py::reinterpret_steal<py::bytes>(PyUnicode_AsEncodedString(object.ptr(), "utf-8", "surrogateescape"));
  if (!bytes) {
    PyErr_Clear();
    throw Error("argument '" + std::string(argument) + "' is no text: it has half of a character (a lone surrogate)");
  }
  return bytes;
}

namespace {

/// Python refuses to write those of thousands of digits.
std::string integer_text(py::handle value) {
  const auto text = py::reinterpret_steal<py::str>(PyObject_Str(value.ptr()));
  if (text) return text;
  PyErr_Clear();
  return "an int of thousands of digits";
}

}  // namespace

std::int64_t integer_from(py::handle object, std::string_view argument, std::int64_t least, std::uint64_t most) {
  if (!PyIndex_Check(object.ptr()) || py::isinstance<py::bool_>(object)) throw_wrong_type(argument, object, "an int");
  int overflow = 0;
  const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
  if (!index) throw py::error_already_set();
  const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow || value < least || (value > 0 && static_cast<std::uint64_t>(value) > most)) {
    throw Error("argument '" + std::string(argument) + "' is " + integer_text(index) + "; expected an int from " +
                std::to_string(least) + " to " + std::to_string(most));
  }
  return value;
}

Vec3<double> Convert<Vec3<double>>::from(py::handle object, std::string_view argument) {
  const std::vector<double> n = numbers_from(object, argument, {3});
  return {{n[0], n[1], n[2]}};
}

Mat3<double> Convert<Mat3<double>>::from(py::handle object, std::string_view argument) {
  const std::vector<double> n = numbers_from(object, argument, {3, 3});
  Mat3<double> out;
  std::copy(n.begin(), n.end(), out.a);
  return out;
}

Sym3<double> Convert<Sym3<double>>::from(py::handle object, std::string_view argument) {
  const auto m = Convert<Mat3<double>>::from(object, argument);
  if (m != transposed(m)) throw Error("argument '" + std::string(argument) + "' is not symmetric");
  Sym3<double> out;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c <= r; ++c) out(r, c) = m(r, c);
  }
  return out;
}

}  // namespace delassus::python
