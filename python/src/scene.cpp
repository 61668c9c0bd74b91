// Scenes, how they are read, and what reading one left out.
#include "scene.hpp"

#include <algorithm>

#include "arrays.hpp"
#include "bindings.hpp"
#include "constraints.hpp"
#include "delassus/io/load.hpp"
#include "delassus/simulation/simulation_setup.hpp"
#include "scenes/generated.hpp"

namespace delassus::python {

SceneObject::SceneObject(std::shared_ptr<Model> m)
    : model(std::move(m)),
      q(model->neutral()),
      v(static_cast<std::size_t>(model->nv()), 0.0),
      tau(static_cast<std::size_t>(model->nv()), 0.0) {}

SceneObject::SceneObject(Scene s)
    : model(std::make_shared<Model>(s.model)),
      q(std::move(s.q)),
      v(std::move(s.v)),
      tau(std::move(s.tau)),
      constraints(std::move(s.constraints)),
      recipe(std::move(s.recipe)),
      report(std::move(s.report)) {}

Scene SceneObject::scene() const {
  Scene out(*model);
  out.q = q;
  out.v = v;
  out.tau = tau;
  out.constraints = constraints;
  out.recipe = recipe;
  out.report = report;
  return out;
}

std::string path_from(py::handle path, std::string_view argument) {
  return Convert<std::string>::from(py::module_::import("os").attr("fspath")(path), argument);
}

NamedOptions named_options(const py::object& floating) {
  NamedOptions options;
  options.base_choice = "floating=";
  options.list = "delassus.names()";
  if (floating.is_none()) return options;
  options.base = Convert<bool>::from(floating, "floating") ? UrdfOptions::Base::kFloating : UrdfOptions::Base::kFixed;
  return options;
}

namespace {

using Member = std::vector<double> SceneObject::*;

void set_vector(SceneObject& self, Member member, py::handle value, const char* name) {
  const auto from = vector_in(value, name, static_cast<int>((self.*member).size()));
  std::copy(from.data(), from.data() + from.size(), (self.*member).begin());
}

/// A view of the scene's own memory, which keeps the scene alive.
void bind_vector(py::class_<SceneObject>& c, const char* name, Member member, const char* doc) {
  c.def_property(
      name,
      [member](const py::object& self) {
        const std::vector<double>& values = self.cast<SceneObject&>().*member;
        return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data(), self);
      },
      [member, name](SceneObject& self, const py::object& value) { set_vector(self, member, value, name); }, doc);
}

/// The state in parts, the model among them: a pickle of a scene and of an operator on it has the model once.
py::tuple state_of_scene(const SceneObject& self) {
  return py::make_tuple(self.model, Convert<std::vector<double>>::to(self.q), Convert<std::vector<double>>::to(self.v),
                        Convert<std::vector<double>>::to(self.tau),
                        Convert<std::vector<Constraint>>::to(self.constraints), Convert<std::string>::to(self.recipe),
                        self.report);
}

SceneObject scene_from_state(const py::tuple& state) {
  if (state.size() != 7) throw Error("this pickle is of another version");
  SceneObject out(state[0].cast<std::shared_ptr<Model>>());
  set_vector(out, &SceneObject::q, state[1], "q");
  set_vector(out, &SceneObject::v, state[2], "v");
  set_vector(out, &SceneObject::tau, state[3], "tau");
  out.constraints = Convert<std::vector<Constraint>>::from(state[4], "constraints");
  out.recipe = Convert<std::string>::from(state[5], "recipe");
  out.report = state[6].cast<LoadReport>();
  return out;
}

py::object repr_of(const SceneObject& self) {
  int rows = 0;
  for (const Constraint& c : self.constraints) rows += row_count(c);
  return Convert<std::string>::to("<delassus.Scene '" + self.model->name() + "': nv " +
                                  std::to_string(self.model->nv()) + ", " + std::to_string(self.constraints.size()) +
                                  " constraints with " + std::to_string(rows) + " rows>");
}

void bind_report(py::module_& m) {
  ValueClass<Ignored>(m, "Ignored", "A kind of element or attribute that was not read.",
                      {field("what", &Ignored::what, "\"link/visual\"; an attribute is \"joint/limit@soft\"."),
                       field("line", &Ignored::line, "Of the first one; 0 if not known."),
                       field("count", &Ignored::count, "How many there are.")});
  ValueClass<ReportWarning>(m, "ReportWarning", "Something that was read but is doubtful.",
                            {field("element", &ReportWarning::element, "\"link 'foot'\"."),
                             field("line", &ReportWarning::line, "0 if not known."),
                             field("message", &ReportWarning::message, "What is doubtful.")});
  ValueClass<MissingFile>(m, "MissingFile", "A file that the one that was read refers to, and that is not there.",
                          {field("name", &MissingFile::name, "As it is written: \"package://robot/meshes/foot.stl\"."),
                           field("line", &MissingFile::line, "Of the first that names it; 0 if not known."),
                           field("tried", &MissingFile::tried, "A tuple of the paths where it was looked for.")});
  ValueClass<LoadReport> report(
      m, "LoadReport", "What reading a file left out, and what in it is doubtful. str() gives lines for a person.",
      {field("file", &LoadReport::file, "The file's name."),
       field("ignored", &LoadReport::ignored, "A tuple of Ignored, by line."),
       field("warnings", &LoadReport::warnings, "A tuple of ReportWarning, by line."),
       field("more_ignored", &LoadReport::more_ignored, "Beyond the list."),
       field("more_warnings", &LoadReport::more_warnings, "Beyond the list."),
       field("missing", &LoadReport::missing, "A tuple of MissingFile: meshes and height fields, each once."),
       field("more_missing", &LoadReport::more_missing, "Beyond the list."),
       field("files", &LoadReport::files, "A tuple of the paths of all files that were read, meshes too.")});
  report.bound.def("__str__", [](const LoadReport& self) { return Convert<std::string>::to(to_text(self)); });
}

SceneObject placed_on_ground(const SceneObject& self) {
  SimulationSetup setup(*self.model);
  setup.q = self.q;
  setup.constraints = self.constraints;
  lift_onto_ground(setup);
  SceneObject out = self;
  out.q = setup.q;
  return out;
}

/// Constraints have indices of links and frames.
void require_same_parts(const Model& now, const Model& next) {
  const auto alike = [](const Frame& a, const Frame& b) { return a.name == b.name && a.link == b.link; };
  if (next.branches_like(now) && std::ranges::equal(now.frames(), next.frames(), alike)) return;
  throw Error("argument 'model' is another mechanism than model '" + now.name() +
              "' of the scene: joints, links and frames have to be the same");
}

SceneObject with_model(const SceneObject& self, std::shared_ptr<Model> model) {
  require_same_parts(*self.model, *model);
  SceneObject out = self;
  out.model = std::move(model);
  require_valid(out.scene());
  return out;
}

void bind_scene_class(py::module_& m) {
  py::class_<SceneObject> c(m, "Scene",
                            "A model, its state and the constraints on it.\n\n"
                            "q, v and tau are views of the scene's memory: scene.q[0] = 1 changes the scene.");
  c.def(py::init([](std::shared_ptr<Model> model, const py::object& q, const py::object& v, const py::object& tau,
                    const py::object& constraints) {
          SceneObject out(std::move(model));
          if (!q.is_none()) set_vector(out, &SceneObject::q, q, "q");
          if (!v.is_none()) set_vector(out, &SceneObject::v, v, "v");
          if (!tau.is_none()) set_vector(out, &SceneObject::tau, tau, "tau");
          out.constraints = Convert<std::vector<Constraint>>::from(constraints, "constraints");
          require_valid(out.scene());
          return out;
        }),
        py::arg("model"), py::arg("q") = py::none(), py::arg("v") = py::none(), py::arg("tau") = py::none(),
        py::arg("constraints") = py::tuple(),
        "At rest in the neutral configuration unless given: q (nq,), v (nv,), tau (nv,).");
  c.def_readonly("model", &SceneObject::model, "The Model.");
  bind_vector(c, "q", &SceneObject::q, "Coordinates, shape (nq,).");
  bind_vector(c, "v", &SceneObject::v, "Velocities, shape (nv,).");
  bind_vector(c, "tau", &SceneObject::tau, "Joint forces, shape (nv,).");
  c.def_property(
      "constraints", [](const SceneObject& self) { return Convert<std::vector<Constraint>>::to(self.constraints); },
      [](SceneObject& self, const py::object& value) {
        auto constraints = Convert<std::vector<Constraint>>::from(value, "constraints");
        for (const Constraint& constraint : constraints) require_valid(*self.model, constraint);
        self.constraints = std::move(constraints);
      },
      "A tuple of constraints; assign a list to change them.");
  c.def_property(
      "recipe", [](const SceneObject& self) { return Convert<std::string>::to(self.recipe); },
      [](SceneObject& self, const py::object& value) { self.recipe = Convert<std::string>::from(value, "recipe"); },
      "How the scene was made, in words; may be empty.");
  c.def_readonly("report", &SceneObject::report, "The LoadReport of the file that it was read from.");
  c.def(
      "to_json", [](const SceneObject& self) { return Convert<std::string>::to(write_scene(self.scene())); },
      "The text of a scene file that stands alone. Reading it gives the same bits.");
  c.def(
      "save",
      [](const SceneObject& self, const py::object& path) { save_scene(self.scene(), path_from(path, "path")); },
      py::arg("path"),
      "Writes a scene file that stands alone. If the disk is full, what had that name is still there.");
  c.def(
      "place_on_ground", placed_on_ground,
      "A copy whose q has all that floats raised, by the same height, until none of it is below the ground: the planes "
      "of the\n"
      "world, and z = 0 if there are none. What is above the ground already stays where it is.");
  c.def("with_model", with_model, py::arg("model"),
        "A copy with another model of the same joints, links and frames, such as one of model.with_mass(...): the same "
        "state, and\n"
        "the same constraints.");
  c.def("__repr__", repr_of);
  c.def(py::pickle(&state_of_scene, &scene_from_state));
  c.def("__copy__", [](const SceneObject& self) { return self; });
  c.def("__deepcopy__", [](const SceneObject& self, const py::dict&) { return self; });
}

NamedOptions options_from(const py::object& floating, const py::object& strict, const py::object& package_paths) {
  NamedOptions options = named_options(floating);
  if (py::isinstance<py::str>(package_paths)) throw_wrong_type("package_paths", package_paths, "a list of folders");
  for (const py::handle path : package_paths) options.package_paths.push_back(path_from(path, "package_paths"));
  options.strict = Convert<bool>::from(strict, "strict");
  return options;
}

constexpr std::array<std::string_view, 3> kFormats{"urdf", "mjcf", "scene"};

Scene parse(const std::string& text, int format, bool floating, bool strict) {
  if (format == 2) return parse_scene(text, "text", "");
  if (format == 1) return parse_mjcf(text, "text", "", MjcfOptions{strict});
  UrdfOptions options;
  options.strict = strict;
  options.base = floating ? UrdfOptions::Base::kFloating : UrdfOptions::Base::kFixed;
  return parse_urdf(text, "text", options);
}

void bind_reading(py::module_& m) {
  m.def(
      "load",
      [](const py::object& name, const py::object& floating, const py::object& strict,
         const py::object& package_paths) {
        const NamedOptions options = options_from(floating, strict, package_paths);
        const std::string path = path_from(name, "name");
        const py::gil_scoped_release release;
        return SceneObject(load_named(path, options));
      },
      py::arg("name"), py::kw_only(), py::arg("floating") = py::none(), py::arg("strict") = false,
      py::arg("package_paths") = py::tuple(),
      "Reads a Scene: a URDF, MJCF or scene file, or a robot or scene by its name, as the command `delassus` does. A "
      "file\n"
      "comes first. names() lists the others; generated scenes take numbers, such as \"stem:30x7\".\n\n"
      "floating: whether a URDF gets a free joint under its root; the default is True for robots by name, False for "
      "files.\n"
      "strict: doubtful physics is an Error instead of a warning in the report.\n"
      "package_paths: folders in which the packages of package:// are, or the packages themselves; then the folders "
      "above "
      "the\n"
      "file and those of the environment variable ROS_PACKAGE_PATH are looked through. report.missing says what is not "
      "there.");
  m.def(
      "parse",
      [](const py::object& text, const py::object& format, const py::object& floating, const py::object& strict) {
        return SceneObject(parse(Convert<std::string>::from(text, "text"),
                                 index_of_name(kFormats, Convert<std::string>::from(format, "format"), "format"),
                                 Convert<bool>::from(floating, "floating"), Convert<bool>::from(strict, "strict")));
      },
      py::arg("text"), py::arg("format"), py::kw_only(), py::arg("floating") = false, py::arg("strict") = false,
      "Reads a Scene from a text; format is urdf, mjcf or scene. floating and strict as in load().");
  m.def(
      "names",
      [] {
        py::list robots, scenes, generated;
        for (const EmbeddedFile& file : embedded_files("robots")) robots.append(std::string(file.name));
        for (const EmbeddedFile& file : embedded_files("scenes")) scenes.append(std::string(file.name));
        for (const GeneratedScene& scene : generated_scenes()) generated.append(std::string(scene.name));
        py::dict out;
        out["robots"] = robots;
        out["scenes"] = scenes;
        out["generated"] = generated;
        return out;
      },
      "The names that load() knows: a dict of lists robots, scenes and generated.");
}

}  // namespace

void bind_scene(py::module_& m) {
  bind_report(m);
  bind_scene_class(m);
  bind_reading(m);
}

}  // namespace delassus::python
