// NumPy arrays as views, read and written in place. Nothing is ever copied or cast: what cannot be viewed is an
// exception that names the argument, what it was and what is expected.
#pragma once

#include <pybind11/numpy.h>

#include <array>
#include <span>

#include "delassus/math/view.hpp"
#include "errors.hpp"

namespace delassus::python {

/// A vector of float64 with that many entries, contiguous.
VectorView<const double> vector_in(py::handle array, const char* argument, int size);
/// The same, and writeable.
VectorView<double> vector_out(py::handle array, const char* argument, int size);

/// A matrix of float64, with any strides. Any number of columns if `cols` is negative.
MatrixView<const double> matrix_in(py::handle array, const char* argument, int rows, int cols = -1);
/// The same, and writeable, no two entries in the same place.
MatrixView<double> matrix_out(py::handle array, const char* argument, int rows, int cols);

/// Types of entries.
enum class Entries { kFloat64, kFloat32, kBool };

/// Where an array lies. Strides count entries, and are zero beyond its dimensions.
struct Strided {
  void* data;
  std::array<int, 3> shape;
  std::array<std::ptrdiff_t, 3> strides;
};

/// An array of up to three dimensions with any strides. Any size where `shape` is negative.
Strided strided_in(py::handle array, const char* argument, Entries entries, std::span<const int> shape);
/// The same, and writeable, no two entries in the same place.
Strided strided_out(py::handle array, const char* argument, Entries entries, std::span<const int> shape);

/// How many dimensions an array has; -1 for anything else.
int dimensions_of(py::handle array);
inline bool is_matrix(py::handle array) { return dimensions_of(array) == 2; }

/// New arrays, not initialised; by rows.
py::object new_vector(int size);
py::object new_matrix(int rows, int cols);
py::object new_array(Entries entries, std::span<const int> shape);

/// `out`, or a new array if it is None.
inline py::object vector_or_new(const py::object& out, int size) { return out.is_none() ? new_vector(size) : out; }
inline py::object matrix_or_new(const py::object& out, int rows, int cols) {
  return out.is_none() ? new_matrix(rows, cols) : out;
}

enum class Sharing { kNone, kSame };  // whether input and output may be one array

/// Throws an Error if both arrays have memory in common, but for what is allowed.
void require_apart(py::handle in, const char* in_argument, py::handle out, Sharing allowed,
                   const char* out_argument = "out");

}  // namespace delassus::python
