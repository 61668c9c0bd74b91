#include "delassus/scenes/load_named.hpp"
#include "delassus/io/load.hpp"

#include <filesystem>

#include "io/files_beside.hpp"
#include "model/wording.hpp"
#include "scenes/generated.hpp"
#include "scenes/recipes.hpp"

namespace delassus {
ModelSource find_source(const std::string& name, std::string_view list) {
  // What cannot even be looked at is no file. A folder hides no robot; if there is none, reading it says what it is.
  std::error_code none;
  const std::filesystem::file_status found = std::filesystem::status(name, none);
  if (std::filesystem::exists(found) && !std::filesystem::is_directory(found)) return ModelSource::kFile;
  if (find_embedded("robots", name)) return ModelSource::kRobot;
  if (find_embedded("scenes", name)) return ModelSource::kScene;
  if (is_generated_scene(name)) return ModelSource::kGenerated;
  if (std::filesystem::exists(found)) return ModelSource::kFile;
  ClosestName closest(name);
  const std::vector<std::string> files = files_beside(name);
  for (const EmbeddedFile& file : embedded_files()) closest.consider(file.name);
  for (const GeneratedScene& scene : generated_scenes()) closest.consider(scene.name);
  for (const std::string& file : files) closest.consider(file);
  throw Error(in_quotes(name) + " is neither a file nor a robot or scene that is known by name" + closest.hint() +
              "; " + std::string(list) + " shows them");
}

bool is_scene(const std::string& name, ModelSource source) {
  return source == ModelSource::kScene || source == ModelSource::kGenerated ||
         (source == ModelSource::kFile && format_of(name) == FileFormat::kScene);
}

namespace {

/// What says itself how its base is held; empty for a URDF.
std::string_view says_itself(const std::string& name, ModelSource source) {
  if (is_scene(name, source)) return "a scene";
  const bool urdf = source == ModelSource::kRobot ? find_embedded("robots", name)->extension == ".urdf"
                                                  : format_of(name) == FileFormat::kUrdf;
  return urdf ? "" : "an MJCF model";
}

void require_choice(const std::string& name, ModelSource source, std::string_view base_choice) {
  const std::string_view what = says_itself(name, source);
  if (what.empty()) return;
  throw Error(in_quotes(name) + " is " + std::string(what) + ", which says itself how its base is held; leave out " +
              std::string(base_choice) +
              (what == "a scene" ? "" : ", and add or remove the <freejoint/> of its root body"));
}

Scene load_from(const std::string& name, ModelSource source, const UrdfOptions& options) {
  switch (source) {
    case ModelSource::kFile:
      return load(name, options);
    case ModelSource::kRobot:
      return load_embedded_robot(name, options);
    case ModelSource::kScene:
      return load_embedded_scene(name);
    case ModelSource::kGenerated:
      return make_scene(name);
  }
  throw Error("no such source");
}

}  // namespace

Scene load_named(const std::string& name, const NamedOptions& options) {
  const ModelSource source = find_source(name, options.list);
  if (options.base) require_choice(name, source, options.base_choice);
  UrdfOptions urdf;
  urdf.strict = options.strict;
  urdf.package_paths = options.package_paths;
  urdf.base =
      options.base.value_or(source == ModelSource::kRobot ? UrdfOptions::Base::kFloating : UrdfOptions::Base::kFixed);
  Scene scene = load_from(name, source, urdf);
  if (options.strict && !scene.report.warnings.empty())
    throw Error("strict reading refuses warnings:\n" + to_text(scene.report));
  return scene;
}

}  // namespace delassus
