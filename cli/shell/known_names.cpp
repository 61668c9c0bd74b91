#include "cli/shell/known_names.hpp"

#include "delassus/io/load.hpp"
#include "scenes/generated.hpp"

namespace delassus::cli {

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_files("scenes")) names.emplace_back(file.name);
  for (const GeneratedScene& scene : generated_scenes()) names.emplace_back(scene.name);
  return names;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names = scene_names();
  for (const EmbeddedFile& file : embedded_files("robots")) names.emplace_back(file.name);
  return names;
}

}  // namespace delassus::cli
