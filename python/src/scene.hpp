// SceneObject: a Scene whose model is shared, so that Python sees one object in the scene and in what is made on it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "convert.hpp"
#include "delassus/io/scene.hpp"
#include "delassus/scenes/load_named.hpp"

namespace delassus::python {

struct SceneObject {
  explicit SceneObject(std::shared_ptr<Model> m);
  explicit SceneObject(Scene scene);

  /// A copy, to be written.
  Scene scene() const;

  std::shared_ptr<Model> model;
  std::vector<double> q, v, tau;  // their sizes never change: Python holds views of them
  std::vector<Constraint> constraints;
  std::string recipe;
  LoadReport report;
};

/// A string or anything that os.fspath takes.
std::string path_from(py::handle path, std::string_view argument);
/// With the words of Python. `floating`: None for what is usual.
NamedOptions named_options(const py::object& floating);

}  // namespace delassus::python
