#include "delassus/io/load_named.hpp"

#include <filesystem>

#include "delassus/constraints/generated_scenes.hpp"
#include "delassus/io/embedded.hpp"
#include "delassus/io/scene_recipes.hpp"
#include "model/wording.hpp"

namespace delassus {
namespace {

enum class Source { kFile, kRobot, kScene, kGenerated };

Source source_of(const std::string& name, std::string_view list) {
  if (std::filesystem::exists(name)) return Source::kFile;
  if (find_embedded("robots", name)) return Source::kRobot;
  if (find_embedded("scenes", name)) return Source::kScene;
  if (is_generated_scene(name)) return Source::kGenerated;
  ClosestName closest(name);
  for (const EmbeddedFile& file : embedded_files()) closest.consider(file.name);
  for (const GeneratedScene& scene : generated_scenes()) closest.consider(scene.name);
  throw Error(in_quotes(name) + " is neither a file nor an embedded robot or scene" + closest.hint() + "; " +
              std::string(list) + " shows them");
}

/// What says itself how its base is held; empty for a URDF.
std::string_view says_itself(const std::string& name, Source source) {
  if (source == Source::kRobot) return find_embedded("robots", name)->extension == ".urdf" ? "" : "an MJCF model";
  const FileFormat format = source == Source::kFile ? format_of(name) : FileFormat::kScene;
  return format == FileFormat::kUrdf ? "" : format == FileFormat::kMjcf ? "an MJCF model" : "a scene";
}

void require_choice(const std::string& name, Source source, std::string_view base_choice) {
  const std::string_view what = says_itself(name, source);
  if (what.empty()) return;
  throw Error(in_quotes(name) + " is " + std::string(what) + ", which says itself how its base is held; leave out " +
              std::string(base_choice) +
              (what == "a scene" ? "" : ", and add or remove the <freejoint/> of its root body"));
}

Scene load_from(const std::string& name, Source source, const UrdfOptions& options) {
  switch (source) {
    case Source::kFile:
      return load(name, options);
    case Source::kRobot:
      return load_embedded_robot(name, options);
    case Source::kScene:
      return load_embedded_scene(name);
    case Source::kGenerated:
      return make_scene(name);
  }
  throw Error("no such source");
}

}  // namespace

Scene load_named(const std::string& name, const NamedOptions& options) {
  const Source source = source_of(name, options.list);
  if (options.base) require_choice(name, source, options.base_choice);
  UrdfOptions urdf;
  urdf.strict = options.strict;
  urdf.base =
      options.base.value_or(source == Source::kRobot ? UrdfOptions::Base::kFloating : UrdfOptions::Base::kFixed);
  Scene scene = load_from(name, source, urdf);
  if (options.strict && !scene.report.warnings.empty())
    throw Error("strict reading refuses warnings:\n" + to_text(scene.report));
  return scene;
}

}  // namespace delassus
