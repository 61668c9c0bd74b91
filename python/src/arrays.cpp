#include "arrays.hpp"

#include <limits>

namespace delassus::python {
namespace {

using Fields = py::detail::PyArray_Proxy;
namespace flags {
constexpr int kAligned = py::detail::npy_api::NPY_ARRAY_ALIGNED_;
constexpr int kWriteable = py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
}  // namespace flags

const py::detail::npy_api& api() {
  static const py::detail::npy_api& instance = py::detail::npy_api::get();
  return instance;
}

/// NumPy's one object for float64. Never given back: it lives as long as NumPy.
PyObject* float64() {
  static PyObject* const descr = api().PyArray_DescrFromType_(py::detail::npy_api::NPY_DOUBLE_);
  return descr;
}

bool is_float64(const Fields& a) { return a.descr == float64() || api().PyArray_EquivTypes_(a.descr, float64()); }

std::string shape_text(const Fields& a) {
  std::string text = "(";
  for (int k = 0; k < a.nd; ++k) text += (k ? ", " : "") + std::to_string(a.dimensions[k]);
  return text + (a.nd == 1 ? ",)" : ")");
}

[[noreturn]] void throw_wrong_shape(const char* argument, const Fields& a, const std::string& expected) {
  throw Error("argument '" + std::string(argument) + "' has shape " + shape_text(a) + "; expected " + expected);
}

/// An array of float64 that can be read, and written if asked for.
const Fields& fields_of(py::handle array, const char* argument, bool write) {
  if (!api().PyArray_Check_(array.ptr())) throw_wrong_type(argument, array, "a NumPy array of float64");
  const Fields& a = *py::detail::array_proxy(array.ptr());
  if (!is_float64(a)) throw_wrong_type(argument, array, "float64; convert it with astype(float)");
  if (!(a.flags & flags::kAligned)) {
    throw Error("argument '" + std::string(argument) + "' is not aligned to 8 bytes; pass a copy of it");
  }
  if (write && !(a.flags & flags::kWriteable)) {
    throw Error("argument '" + std::string(argument) + "' is read-only; expected an array to write to");
  }
  return a;
}

const Fields& vector_fields(py::handle array, const char* argument, int size, bool write) {
  const Fields& a = fields_of(array, argument, write);
  if (a.nd != 1 || a.dimensions[0] != size) {
    throw_wrong_shape(argument, a, "(" + std::to_string(size) + ",)");
  }
  if (size > 1 && a.strides[0] != sizeof(double)) {
    throw Error("argument '" + std::string(argument) + "' is not contiguous: its entries are " +
                std::to_string(a.strides[0]) + " bytes apart; expected 8, as numpy.ascontiguousarray makes them");
  }
  return a;
}

double* data_of(const Fields& a) { return reinterpret_cast<double*>(a.data); }

template <class T>
MatrixView<T> matrix_view(py::handle array, const char* argument, int rows, int cols, bool write) {
  const Fields& a = fields_of(array, argument, write);
  constexpr py::ssize_t kMost = std::numeric_limits<int>::max();
  if (a.nd != 2 || a.dimensions[0] != rows || (cols >= 0 && a.dimensions[1] != cols) || a.dimensions[1] > kMost) {
    throw_wrong_shape(argument, a,
                      "(" + std::to_string(rows) + ", " + (cols < 0 ? std::string("any") : std::to_string(cols)) + ")");
  }
  const py::ssize_t size = sizeof(double);
  if (a.strides[0] % size || a.strides[1] % size) {
    throw Error("argument '" + std::string(argument) + "' has strides that are no multiples of 8 bytes; pass a copy");
  }
  return {data_of(a), rows, static_cast<int>(a.dimensions[1]), a.strides[0] / size, a.strides[1] / size};
}

struct Extent {
  const char* first;
  const char* last;
};

/// The addresses that an array lies between.
Extent extent_of(const Fields& a) {
  Extent e{a.data, a.data + sizeof(double)};
  for (int k = 0; k < a.nd; ++k) {
    if (a.dimensions[k] == 0) return {a.data, a.data};
    const py::ssize_t reach = (a.dimensions[k] - 1) * a.strides[k];
    (reach < 0 ? e.first : e.last) += reach;
  }
  return e;
}

bool is_same_view(const Fields& a, const Fields& b) {
  if (a.data != b.data || a.nd != b.nd) return false;
  for (int k = 0; k < a.nd; ++k) {
    if (a.dimensions[k] != b.dimensions[k] || a.strides[k] != b.strides[k]) return false;
  }
  return true;
}

py::object new_array(int dimensions, const Py_intptr_t* shape) {
  Py_INCREF(float64());  // the call takes one reference
  PyObject* array =
      api().PyArray_NewFromDescr_(api().PyArray_Type_, float64(), dimensions, shape, nullptr, nullptr, 0, nullptr);
  if (!array) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(array);
}

}  // namespace

VectorView<const double> vector_in(py::handle array, const char* argument, int size) {
  return {data_of(vector_fields(array, argument, size, false)), size};
}

VectorView<double> vector_out(py::handle array, const char* argument, int size) {
  return {data_of(vector_fields(array, argument, size, true)), size};
}

MatrixView<const double> matrix_in(py::handle array, const char* argument, int rows, int cols) {
  return matrix_view<const double>(array, argument, rows, cols, false);
}

MatrixView<double> matrix_out(py::handle array, const char* argument, int rows, int cols) {
  const MatrixView<double> view = matrix_view<double>(array, argument, rows, cols, true);
  const std::ptrdiff_t down = std::abs(view.rowStride()), along = std::abs(view.colStride());
  // Either rows follow each other with all columns between them, or the other way round.
  const bool by_rows = (cols <= 1 || along > 0) && (rows <= 1 || down > along * (cols - 1));
  const bool by_columns = (rows <= 1 || down > 0) && (cols <= 1 || along > down * (rows - 1));
  if (!by_rows && !by_columns) {
    throw Error("argument '" + std::string(argument) +
                "' has several entries in one place; expected an array of its own");
  }
  return view;
}

bool is_matrix(py::handle array) {
  return api().PyArray_Check_(array.ptr()) && py::detail::array_proxy(array.ptr())->nd == 2;
}

py::object new_vector(int size) {
  const Py_intptr_t shape[] = {size};
  return new_array(1, shape);
}

py::object new_matrix(int rows, int cols) {
  const Py_intptr_t shape[] = {rows, cols};
  return new_array(2, shape);
}

void require_apart(py::handle in, const char* in_argument, py::handle out, Sharing allowed, const char* out_argument) {
  const Fields &a = *py::detail::array_proxy(in.ptr()), &b = *py::detail::array_proxy(out.ptr());
  const Extent x = extent_of(a), y = extent_of(b);
  if (x.last <= y.first || y.last <= x.first) return;
  if (allowed == Sharing::kSame && is_same_view(a, b)) return;
  // Columns of one matrix may lie between each other; NumPy finds out.
  if (!py::module_::import("numpy").attr("shares_memory")(in, out).cast<bool>()) return;
  throw Error("arguments '" + std::string(in_argument) + "' and '" + out_argument + "' share memory; expected " +
              (allowed == Sharing::kSame ? "the same array or two of their own" : "two arrays of their own"));
}

}  // namespace delassus::python
