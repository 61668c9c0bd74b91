// Small values between Python and C++: numbers, names, short vectors, and lists of them. For what is said once, not
// for the loop: arrays in the loop go through arrays.hpp.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "delassus/math/mat.hpp"
#include "delassus/math/rotation.hpp"
#include "errors.hpp"

namespace delassus::python {

/// names(): those of an enumeration, in its order (names.hpp).
template <class E>
struct EnumNames;

/// The index of a name. Throws an Error with the closest name and all of them if there is none.
int index_of_name(std::span<const std::string_view> names, std::string_view name, std::string_view argument);
/// The same for a str; a TypeError for anything else.
int index_of_name(std::span<const std::string_view> names, py::handle name, std::string_view argument);

/// An array of float64 that cannot be written to: a change of it would be lost.
py::object read_only_array(const double* data, std::initializer_list<py::ssize_t> shape);
/// An array with two dimensions, or as many as asked for, of anything that NumPy makes one of.
std::vector<double> numbers_from(py::handle object, std::string_view argument, std::initializer_list<int> shape);

/// from() throws a TypeError that names the argument, or an Error where the type is right and the value is not.
template <class T>
struct Convert {
  static py::object to(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      const std::string_view name = EnumNames<T>::names()[static_cast<std::size_t>(value)];
      return py::str(name.data(), name.size());
    } else {
      return py::cast(value, py::return_value_policy::copy);
    }
  }
  static T from(py::handle object, std::string_view argument) {
    if constexpr (std::is_enum_v<T>) {
      return static_cast<T>(index_of_name(EnumNames<T>::names(), object, argument));
    } else {
      if (!py::isinstance<T>(object)) {
        const py::handle type = py::type::of<T>();
        throw_wrong_type(argument, object,
                         "an object of delassus." + py::str(type.attr("__name__")).cast<std::string>());
      }
      return object.cast<const T&>();
    }
  }
};

template <>
struct Convert<double> {
  static py::object to(double value) { return py::float_(value); }
  static double from(py::handle object, std::string_view argument);
};

template <>
struct Convert<bool> {
  static py::object to(bool value) { return py::bool_(value); }
  static bool from(py::handle object, std::string_view argument);
};

template <>
struct Convert<std::string> {
  static py::object to(const std::string& value);
  static std::string from(py::handle object, std::string_view argument);
};

std::int64_t integer_from(py::handle object, std::string_view argument, std::int64_t least, std::uint64_t most);

template <class T>
requires std::is_integral_v<T>
struct Convert<T> {
  static py::object to(T value) { return py::int_(value); }
  static T from(py::handle object, std::string_view argument) {
    return static_cast<T>(integer_from(object, argument, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }
};

template <>
struct Convert<Vec3<double>> {
  static py::object to(const Vec3<double>& v) { return read_only_array(v.a, {3}); }
  static Vec3<double> from(py::handle object, std::string_view argument);
};

template <>
struct Convert<Mat3<double>> {
  static py::object to(const Mat3<double>& m) { return read_only_array(m.a, {3, 3}); }
  static Mat3<double> from(py::handle object, std::string_view argument);
};

template <>
struct Convert<Sym3<double>> {
  static py::object to(const Sym3<double>& s) { return read_only_array(full(s).a, {3, 3}); }
  static Sym3<double> from(py::handle object, std::string_view argument);
};

template <std::size_t N>
struct Convert<std::array<double, N>> {
  static py::object to(const std::array<double, N>& a) { return read_only_array(a.data(), {py::ssize_t(N)}); }
  static std::array<double, N> from(py::handle object, std::string_view argument) {
    const std::vector<double> numbers = numbers_from(object, argument, {int(N)});
    std::array<double, N> out;
    std::copy(numbers.begin(), numbers.end(), out.begin());
    return out;
  }
};

template <>
struct Convert<std::vector<double>> {
  static py::object to(const std::vector<double>& v) { return read_only_array(v.data(), {py::ssize_t(v.size())}); }
  static std::vector<double> from(py::handle object, std::string_view argument) {
    return numbers_from(object, argument, {-1});
  }
};

/// Lists of anything are tuples in Python: a change of them would be lost.
template <class T>
struct Convert<std::vector<T>> {
  static py::object to(const std::vector<T>& values) {
    py::tuple out(values.size());
    for (std::size_t k = 0; k < values.size(); ++k) out[k] = Convert<T>::to(values[k]);
    return out;
  }
  static std::vector<T> from(py::handle object, std::string_view argument) {
    if (!py::isinstance<py::iterable>(object) || py::isinstance<py::str>(object)) {
      throw_wrong_type(argument, object, "a list");
    }
    std::vector<T> out;
    for (const py::handle item : object) {
      out.push_back(Convert<T>::from(item, std::string(argument) + "[" + std::to_string(out.size()) + "]"));
    }
    return out;
  }
};

}  // namespace delassus::python
