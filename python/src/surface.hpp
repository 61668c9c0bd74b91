// Surfaces between Python and C++.
#pragma once

#include "convert.hpp"
#include "delassus/model/surface.hpp"

namespace delassus::python {

/// None where there is none.
template <>
struct Convert<SurfacePointer> {
  static py::object to(const SurfacePointer& surface);
  static SurfacePointer from(py::handle object, std::string_view argument);
};

}  // namespace delassus::python
