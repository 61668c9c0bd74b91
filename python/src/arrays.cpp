#include "arrays.hpp"

#include <algorithm>
#include <cstdlib>
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

/// What there is to know of a type of entries.
struct EntryType {
  const char* name;
  const char* conversion;
  py::ssize_t bytes;
  PyObject* descr;  // NumPy's one object for it. Never given back: it lives as long as NumPy.
};

const EntryType& type_of(Entries entries) {
  using Api = py::detail::npy_api;
  static const std::array<EntryType, 3> kTypes{{
      {"float64", "astype(float)", sizeof(double), api().PyArray_DescrFromType_(Api::NPY_DOUBLE_)},
      {"float32", "astype(numpy.float32)", sizeof(float), api().PyArray_DescrFromType_(Api::NPY_FLOAT_)},
      {"bool", "astype(bool)", sizeof(bool), api().PyArray_DescrFromType_(Api::NPY_BOOL_)},
  }};
  return kTypes[static_cast<std::size_t>(entries)];
}

bool has_type(const Fields& a, const EntryType& type) {
  return a.descr == type.descr || api().PyArray_EquivTypes_(a.descr, type.descr);
}

std::string shape_text(const Fields& a) {
  std::string text = "(";
  for (int k = 0; k < a.nd; ++k) text += (k ? ", " : "") + std::to_string(a.dimensions[k]);
  return text + (a.nd == 1 ? ",)" : ")");
}

[[noreturn]] void throw_wrong_shape(const char* argument, const Fields& a, const std::string& expected) {
  throw Error("argument '" + std::string(argument) + "' has shape " + shape_text(a) + "; expected " + expected);
}

/// An array that can be read, and written if asked for.
const Fields& fields_of(py::handle array, const char* argument, const EntryType& type, bool write) {
  const std::string name = type.name;
  if (!api().PyArray_Check_(array.ptr())) throw_wrong_type(argument, array, "a NumPy array of " + name);
  const Fields& a = *py::detail::array_proxy(array.ptr());
  if (!has_type(a, type)) throw_wrong_type(argument, array, name + "; convert it with " + type.conversion);
  if (!(a.flags & flags::kAligned)) {
    throw Error("argument '" + std::string(argument) + "' is not aligned to " + std::to_string(type.bytes) +
                " bytes; pass a copy of it");
  }
  if (write && !(a.flags & flags::kWriteable)) {
    throw Error("argument '" + std::string(argument) + "' is read-only; expected an array to write to");
  }
  return a;
}

const Fields& vector_fields(py::handle array, const char* argument, int size, bool write) {
  const Fields& a = fields_of(array, argument, type_of(Entries::kFloat64), write);
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

std::string expected_text(std::span<const int> shape) {
  std::string text = "(";
  for (std::size_t k = 0; k < shape.size(); ++k) {
    text += (k ? ", " : "") + (shape[k] < 0 ? std::string("any") : std::to_string(shape[k]));
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

bool has_shape(const Fields& a, std::span<const int> shape) {
  constexpr py::ssize_t kMost = std::numeric_limits<int>::max();
  if (a.nd != static_cast<int>(shape.size())) return false;
  for (int k = 0; k < a.nd; ++k) {
    if (shape[k] < 0 ? a.dimensions[k] > kMost : a.dimensions[k] != shape[k]) return false;
  }
  return true;
}

Strided strided(py::handle array, const char* argument, Entries entries, std::span<const int> shape, bool write) {
  const EntryType& type = type_of(entries);
  const Fields& a = fields_of(array, argument, type, write);
  if (!has_shape(a, shape)) throw_wrong_shape(argument, a, expected_text(shape));
  Strided out{a.data, {1, 1, 1}, {}};
  for (int k = 0; k < a.nd; ++k) {
    if (a.strides[k] % type.bytes) {
      throw Error("argument '" + std::string(argument) + "' has strides that are no multiples of " +
                  std::to_string(type.bytes) + " bytes; pass a copy");
    }
    out.shape[k] = static_cast<int>(a.dimensions[k]);
    out.strides[k] = a.strides[k] / type.bytes;
  }
  return out;
}

/// Whether each dimension steps over all that those with smaller strides reach.
bool has_places_of_its_own(const Strided& a) {
  if (std::ranges::count(a.shape, 0) > 0) return true;  // nothing is in no place; NumPy's strides may be anything
  std::array<int, 3> order{0, 1, 2};
  const auto step = [&](int k) { return std::abs(a.strides[k]); };
  std::sort(order.begin(), order.end(), [&](int i, int j) { return step(i) < step(j); });
  std::ptrdiff_t reach = 0;
  for (const int k : order) {
    if (a.shape[k] > 1 && step(k) <= reach) return false;
    reach += step(k) * (a.shape[k] - 1);
  }
  return true;
}

template <class T>
MatrixView<T> matrix_of(const Strided& a) {
  return {static_cast<T*>(a.data), a.shape[0], a.shape[1], a.strides[0], a.strides[1]};
}

struct Extent {
  const char* first;
  const char* last;
};

/// The addresses that an array of entries of at most 8 bytes lies between.
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

}  // namespace

VectorView<const double> vector_in(py::handle array, const char* argument, int size) {
  return {data_of(vector_fields(array, argument, size, false)), size};
}

VectorView<double> vector_out(py::handle array, const char* argument, int size) {
  return {data_of(vector_fields(array, argument, size, true)), size};
}

Strided strided_in(py::handle array, const char* argument, Entries entries, std::span<const int> shape) {
  return strided(array, argument, entries, shape, false);
}

Strided strided_out(py::handle array, const char* argument, Entries entries, std::span<const int> shape) {
  const Strided out = strided(array, argument, entries, shape, true);
  if (has_places_of_its_own(out)) return out;
  throw Error("argument '" + std::string(argument) +
              "' has several entries in one place; expected an array of its own");
}

MatrixView<const double> matrix_in(py::handle array, const char* argument, int rows, int cols) {
  return matrix_of<const double>(strided_in(array, argument, Entries::kFloat64, std::array{rows, cols}));
}

MatrixView<double> matrix_out(py::handle array, const char* argument, int rows, int cols) {
  return matrix_of<double>(strided_out(array, argument, Entries::kFloat64, std::array{rows, cols}));
}

int dimensions_of(py::handle array) {
  return api().PyArray_Check_(array.ptr()) ? py::detail::array_proxy(array.ptr())->nd : -1;
}

py::object new_array(Entries entries, std::span<const int> shape) {
  std::array<Py_intptr_t, 3> sizes{};
  std::copy(shape.begin(), shape.end(), sizes.begin());
  PyObject* const descr = type_of(entries).descr;
  Py_INCREF(descr);  // the call takes one reference
  PyObject* array = api().PyArray_NewFromDescr_(api().PyArray_Type_, descr, static_cast<int>(shape.size()),
                                                sizes.data(), nullptr, nullptr, 0, nullptr);
  if (!array) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(array);
}

py::object new_vector(int size) { return new_array(Entries::kFloat64, std::array{size}); }
py::object new_matrix(int rows, int cols) { return new_array(Entries::kFloat64, std::array{rows, cols}); }

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
