// NumPy arrays with a row for each environment, as views of any strides.
#pragma once

#include <type_traits>

#include "arrays.hpp"
#include "delassus/batch/batch_view.hpp"

namespace delassus::python {

/// The type of a batch's arrays.
template <class T>
constexpr Entries kEntriesOf = std::is_same_v<T, bool>    ? Entries::kBool
                               : std::is_same_v<T, float> ? Entries::kFloat32
                                                          : Entries::kFloat64;

/// (size, components); any number of components if that is negative.
template <class T>
BatchView<const T> batch_in(py::handle array, const char* argument, int size, int components) {
  const Strided a = strided_in(array, argument, kEntriesOf<T>, std::array{size, components});
  return {static_cast<const T*>(a.data), size, a.shape[1], a.strides[0], a.strides[1]};
}

template <class T>
BatchView<T> batch_out(py::handle array, const char* argument, int size, int components) {
  const Strided a = strided_out(array, argument, kEntriesOf<T>, std::array{size, components});
  return {static_cast<T*>(a.data), size, components, a.strides[0], a.strides[1]};
}

/// (size, side, side).
template <class T>
BatchMatrixView<T> batch_matrix_out(py::handle array, const char* argument, int size, int side) {
  const Strided a = strided_out(array, argument, kEntriesOf<T>, std::array{size, side, side});
  return {static_cast<T*>(a.data), size, side, side, a.strides[0], a.strides[1], a.strides[2]};
}

/// `out`, or a new array if it is None.
template <class T>
py::object batch_or_new(const py::object& out, int size, int components) {
  return out.is_none() ? new_array(kEntriesOf<T>, std::array{size, components}) : out;
}

/// The two of `out`, or None twice if it is None. Throws a TypeError for anything but two.
std::array<py::object, 2> two_outputs(const py::object& out, const char* which);

/// What a verb with several arrays is given, by name.
struct BatchInput {
  const char* name;
  const py::object& array;
  int components;
};

}  // namespace delassus::python
