#include "delassus/io/scene.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "delassus/io/load.hpp"
#include "delassus/io/urdf.hpp"
#include "delassus/math/error.hpp"
#include "io/json_writer.hpp"
#include "io/new_file.hpp"
#include "io/noting_files.hpp"
#include "io/report_builder.hpp"
#include "io/scene_parts.hpp"
#include "io/scene_words.hpp"
#include "io/text_file.hpp"

namespace delassus {

using io::JsonCursor;

namespace {

/// Runs what throws an Error without a place, and puts the place before its message.
template <class Function>
auto placed(const JsonCursor& cursor, Function function) {
  try {
    return function();
  } catch (const Error& error) {
    cursor.fail(error.what());
  }
}

void require_version(const JsonCursor& cursor) {
  if (cursor.at("format").string() != io::kSceneFormat) {
    cursor.at("format").fail("must be '" + std::string(io::kSceneFormat) + "'; is it a scene?");
  }
  const JsonCursor version = cursor.at("version");
  if (version.number() != io::kSceneVersion) {
    version.fail("this version of the library reads version " + std::to_string(io::kSceneVersion) + " only");
  }
}

void read_base(const JsonCursor& cursor, UrdfOptions& options) {
  if (const auto base = cursor.find("base")) {
    options.base = base->word(io::kBases) == 1 ? UrdfOptions::Base::kFloating : UrdfOptions::Base::kFixed;
  }
}

Scene read_robot_reference(const JsonCursor& cursor) {
  cursor.allow_keys({"robot", "base"});
  UrdfOptions options;
  options.base = UrdfOptions::Base::kFloating;
  read_base(cursor, options);
  const JsonCursor name = cursor.at("robot");
  return placed(name, [&] { return load_embedded_robot(name.string(), options); });
}

Scene read_urdf_reference(const JsonCursor& cursor, const std::string& base_directory) {
  cursor.allow_keys({"urdf", "base", "floating_joint_name", "strict"});
  UrdfOptions options;
  read_base(cursor, options);
  if (const auto name = cursor.find("floating_joint_name")) options.floating_joint_name = name->string();
  if (const auto strict = cursor.find("strict")) options.strict = strict->boolean();
  const JsonCursor path = cursor.at("urdf");
  return placed(path,
                [&] { return load_urdf((std::filesystem::path(base_directory) / path.string()).string(), options); });
}

Scene read_full_model(const JsonCursor& cursor) {
  ModelDescription description = io::read_model(cursor);
  io::ReportBuilder report(cursor.file());
  for (const Finding& finding : validate(description).warnings) report.warn(finding.element, 0, finding.message);
  Scene scene(placed(cursor, [&] { return Model(std::move(description)); }));
  scene.report = report.report();
  return scene;
}

void read_state(const JsonCursor& cursor, Scene& scene) {
  cursor.allow_keys({"q", "v", "tau"});
  for (auto [key, values] : {std::pair{"q", &scene.q}, {"v", &scene.v}, {"tau", &scene.tau}}) {
    const auto state = cursor.find(key);
    if (!state) continue;
    *values = state->numbers();
    placed(*state, [&, name = key, read = values] { io::require_state(scene.model, name, *read); });
  }
}

}  // namespace

Scene::Scene(const Model& m)
    : model(m),
      q(model.neutral()),
      v(static_cast<std::size_t>(model.nv()), 0.0),
      tau(static_cast<std::size_t>(model.nv()), 0.0) {}

Scene parse_scene(std::string_view text, const std::string& file_name, const std::string& base_directory) {
  const nlohmann::json document = io::parse_json(text, file_name);
  const JsonCursor cursor(document, "", file_name);
  cursor.allow_keys({"format", "version", "recipe", "model", "state", "constraints"});
  require_version(cursor);
  const JsonCursor model = cursor.at("model");
  Scene scene = model.find("robot")  ? read_robot_reference(model)
                : model.find("urdf") ? read_urdf_reference(model, base_directory)
                                     : read_full_model(model);
  if (const auto recipe = cursor.find("recipe")) scene.recipe = recipe->string();
  if (const auto state = cursor.find("state")) read_state(*state, scene);
  if (const auto constraints = cursor.find("constraints")) {
    for (const JsonCursor& constraint : constraints->elements()) {
      scene.constraints.push_back(io::read_constraint(scene.model, constraint));
    }
  }
  return scene;
}

Scene load_scene(const std::string& path) {
  return io::noting_files(
      [&] { return parse_scene(io::read_text_file(path), path, std::filesystem::path(path).parent_path().string()); });
}

namespace {

io::OrderedJson scene_head(const Scene& scene) {
  io::OrderedJson out;
  out["format"] = io::kSceneFormat;
  out["version"] = io::kSceneVersion;
  if (!scene.recipe.empty()) out["recipe"] = scene.recipe;
  return out;
}

io::OrderedJson write_constraints(const Scene& scene, std::size_t first) {
  io::OrderedJson out = io::OrderedJson::array();
  for (std::size_t i = first; i < scene.constraints.size(); ++i) {
    out.push_back(io::write_constraint(scene.model, scene.constraints[i]));
  }
  return out;
}

/// Throws unless the scene is on this robot and begins with its constraints.
void require_same_robot(const Scene& scene, const Scene& robot) {
  const std::vector<Constraint>& own = robot.constraints;
  const bool begins =
      scene.constraints.size() >= own.size() && std::equal(own.begin(), own.end(), scene.constraints.begin());
  if (scene.model.description() != robot.model.description() || !begins) {
    throw Error("the scene is not on the robot '" + robot.model.name() + "'; write its model in full");
  }
}

/// A scene file may be written anew; of a robot description or a mesh nothing would be left.
void require_not_read_from(const LoadReport& report, const std::string& path) {
  std::error_code none;  // a name that cannot even be looked at; writing says what is wrong with it
  if (!std::filesystem::exists(path, none)) return;
  for (const std::string& file : report.files) {
    if (!io::is_same_file(path, file)) continue;
    const bool main = &file == &report.files.front();
    if (!main || format_of(file) != FileFormat::kScene)
      throw Error(path + ": the scene was read from it; choose another name");
  }
}

bool all_zero(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return x == 0; });
}

}  // namespace

std::string write_scene(const Scene& scene) {
  require_valid(scene);
  io::OrderedJson out = scene_head(scene);
  out["model"] = io::write_model(scene.model.description());
  out["state"] = {
      {"q", io::json_numbers(scene.q)}, {"v", io::json_numbers(scene.v)}, {"tau", io::json_numbers(scene.tau)}};
  out["constraints"] = write_constraints(scene, 0);
  return io::to_text(out);
}

std::string write_scene_on_robot(const Scene& scene, std::string_view robot) {
  require_valid(scene);
  const Scene alone = load_embedded_robot(robot);
  require_same_robot(scene, alone);
  io::OrderedJson out = scene_head(scene);
  out["model"] = {{"robot", robot}};
  out["state"] = {{"q", io::json_numbers(scene.q)}};
  if (!all_zero(scene.v)) out["state"]["v"] = io::json_numbers(scene.v);
  if (!all_zero(scene.tau)) out["state"]["tau"] = io::json_numbers(scene.tau);
  out["constraints"] = write_constraints(scene, alone.constraints.size());
  return io::to_text(out);
}

void save_scene(const Scene& scene, const std::string& path) {
  require_not_read_from(scene.report, path);
  io::write_file(path, write_scene(scene));
}

}  // namespace delassus
