// Surface: triangles and height fields from arrays and files.
#include "delassus/model/surface.hpp"

#include <pybind11/numpy.h>

#include "bindings.hpp"
#include "delassus/io/load.hpp"
#include "surface.hpp"

namespace delassus::python {
namespace {

// Surfaces never change, so that one without const shows no more than it; pybind11 knows no holder of const.
using Holder = std::shared_ptr<Surface>;
Holder held(const SurfacePointer& surface) { return std::const_pointer_cast<Surface>(surface); }

std::vector<Vec3<double>> points_from(py::handle object, const char* argument) {
  const std::vector<double> numbers = numbers_from(object, argument, {-1, 3});
  std::vector<Vec3<double>> out;
  for (std::size_t i = 0; i < numbers.size(); i += 3) out.push_back({{numbers[i], numbers[i + 1], numbers[i + 2]}});
  return out;
}

std::vector<Triangle> triangles_from(py::handle object) {
  const std::vector<double> numbers = numbers_from(object, "triangles", {-1, 3});
  std::vector<Triangle> out(numbers.size() / 3);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto index = static_cast<std::int32_t>(std::clamp(numbers[i], -1.0, 2e9));
    if (index != numbers[i]) throw Error("argument 'triangles' has an entry that is no index of a vertex");
    out[i / 3][i % 3] = index;
  }
  return out;
}

Holder from_heights(py::handle heights, double half_x, double half_y) {
  const py::array array = py::array::ensure(heights);
  PyErr_Clear();  // rows of different lengths
  if (!array || array.ndim() != 2) {
    throw Error("argument 'heights' needs two dimensions: rows along y, columns along x");
  }
  HeightGrid grid{static_cast<int>(array.shape(0)), static_cast<int>(array.shape(1)), half_x, half_y, {}};
  grid.heights = numbers_from(heights, "heights", {-1, grid.columns});
  return held(make_height_field(std::move(grid)));
}

py::object vertex_array(const Surface& s) {
  return read_only_array(s.vertices().front().a, {static_cast<py::ssize_t>(s.vertices().size()), 3});
}

py::object triangle_array(const Surface& s) {
  std::vector<double> numbers;
  for (const Triangle& t : s.triangles()) numbers.insert(numbers.end(), t.begin(), t.end());
  return read_only_array(numbers.data(), {static_cast<py::ssize_t>(s.triangles().size()), 3}).attr("astype")("int32");
}

py::object heights_or_none(const Surface& s) {
  const HeightGrid* grid = s.grid();
  return grid ? read_only_array(grid->heights.data(), {grid->rows, grid->columns}) : py::none();
}

std::string repr(const Surface& s) {
  const std::string size =
      s.grid()
          ? "heights=" + std::to_string(s.grid()->rows) + "x" + std::to_string(s.grid()->columns)
          : "vertices=" + std::to_string(s.vertices().size()) + ", triangles=" + std::to_string(s.triangles().size());
  return "Surface(" + size + (s.source().empty() ? "" : ", source='" + s.source() + "'") + ")";
}

}  // namespace

py::object Convert<SurfacePointer>::to(const SurfacePointer& surface) {
  return surface ? py::cast(held(surface)) : py::none();
}

SurfacePointer Convert<SurfacePointer>::from(py::handle object, std::string_view argument) {
  if (object.is_none()) return nullptr;
  if (!py::isinstance<Surface>(object)) throw_wrong_type(argument, object, "an object of delassus.Surface, or None");
  return object.cast<Holder>();
}

void bind_surface(py::module_& m) {
  py::class_<Surface, Holder>(m, "Surface",
                              "Triangles, or heights over a grid, of shapes that three numbers do not describe. "
                              "Made once and shared; it cannot be changed.")
      .def(py::init([](py::handle vertices, py::handle triangles) {
             return held(make_surface(points_from(vertices, "vertices"), triangles_from(triangles)));
           }),
           py::arg("vertices"), py::arg("triangles"),
           "From vertices (n, 3) in metres and triangles (m, 3) of their indices, anticlockwise seen from outside.")
      .def_static(
          "from_heights", &from_heights, py::arg("heights"), py::arg("half_x"), py::arg("half_y"),
          "From heights (rows, columns) in metres, rows along y and columns along x, over a rectangle with these "
          "half extents in metres.")
      .def_static(
          "hull", [](py::handle points) { return held(make_hull(points_from(points, "points"))); }, py::arg("points"),
          "The convex hull of points (n, 3) in metres.")
      .def_static(
          "load",
          [](py::handle path, py::handle scale) {
            const py::object name = py::module_::import("os").attr("fspath")(path);
            return held(
                load_surface(Convert<std::string>::from(name, "path"), Convert<Vec3<double>>::from(scale, "scale")));
          },
          py::arg("path"), py::arg("scale") = py::make_tuple(1.0, 1.0, 1.0),
          "From an STL file, binary or text, or an OBJ file; coordinates are multiplied by scale (3,).")
      .def_property_readonly("vertices", &vertex_array,
                             "Metres, shape (n, 3); of a height field its points, row by row.")
      .def_property_readonly("triangles", &triangle_array, "Indices of vertices, int32, shape (m, 3).")
      .def_property_readonly("heights", &heights_or_none, "Metres, shape (rows, columns); None without a grid.")
      .def_property_readonly(
          "low", [](const Surface& s) { return Convert<Vec3<double>>::to(s.low()); },
          "Least coordinates of the vertices, metres, shape (3,).")
      .def_property_readonly(
          "high", [](const Surface& s) { return Convert<Vec3<double>>::to(s.high()); },
          "Largest coordinates of the vertices, metres, shape (3,).")
      .def_property_readonly("source", &Surface::source, "The file that it came from, or nothing.")
      .def("__eq__",
           [](const Surface& a, py::handle b) { return py::isinstance<Surface>(b) && a == b.cast<const Surface&>(); })
      .def("__repr__", &repr)
      .def(py::pickle(
          [](const Surface& s) {
            const HeightGrid* grid = s.grid();
            return grid ? py::make_tuple(heights_or_none(s), grid->half_x, grid->half_y)
                        : py::make_tuple(vertex_array(s), triangle_array(s));
          },
          [](const py::tuple& state) {
            if (state.size() == 3) return from_heights(state[0], state[1].cast<double>(), state[2].cast<double>());
            return held(make_surface(points_from(state[0], "vertices"), triangles_from(state[1])));
          }));
}

}  // namespace delassus::python
