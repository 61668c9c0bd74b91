#include "io/mjcf_assets.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "model/wording.hpp"

namespace delassus::io {
namespace {

namespace fs = std::filesystem;

std::string name_of_asset(const MjcfNode& node) {
  const XmlElement element(*node.file, node.node, node.tag());
  if (element.has("name")) return std::string(element.text("name"));
  if (!element.has("file")) element.fail("has neither a name nor a file; give it a name");
  return fs::path(element.text("file")).stem().string();
}

template <class Map>
auto& find_asset(Map& assets, const MjcfElement& geom, const char* kind) {
  if (!geom.has(kind)) geom.fail(fmt::format("has no attribute {0}; name one <{0}> of <asset>", kind));
  const std::string name = geom.text_or(kind, "");
  if (const auto found = assets.find(name); found != assets.end()) return found->second;
  ClosestName closest(name);
  for (const auto& [candidate, asset] : assets) closest.consider(candidate);
  geom.fail(fmt::format("there is no <{}> {} in <asset>{}", kind, in_quotes(name), closest.hint()));
}

}  // namespace

std::string mjcf_asset_label(const MjcfNode& node) {
  return printable(node.tag()) + " " + in_quotes(name_of_asset(node));
}

MjcfAssets::MjcfAssets(const MjcfSource& source, const MjcfDefaults& defaults, const MjcfSettings& settings)
    : settings_(settings), folder_((fs::path(source.base_directory()) / settings.mesh_folder).string()) {
  for (const MjcfNode& node : source.in_sections("asset")) {
    const bool is_mesh = node.tag() == "mesh";
    if (!is_mesh && node.tag() != "hfield") {
      XmlElement(*node.file, node.node, "asset").ignore();
      continue;
    }
    const std::string name = name_of_asset(node), label = mjcf_asset_label(node);
    const bool is_new = is_mesh ? meshes_.try_emplace(name, node, label, defaults).second
                                : height_fields_.try_emplace(name, HeightField{node, {}}).second;
    if (!is_new) node.fail(label, "its name is taken already; rename one of them");
  }
}

const MjcfMesh* MjcfAssets::mesh(const MjcfElement& geom) {
  MjcfMesh& mesh = find_asset(meshes_, geom, "mesh");
  return mesh.read(settings_, folder_) ? &mesh : nullptr;
}

SurfacePointer MjcfAssets::height_field(const MjcfElement& geom) {
  HeightField& field = find_asset(height_fields_, geom, "hfield");
  if (!field.surface) field.surface = read_mjcf_height_field(field.node, folder_);
  return *field.surface;
}

}  // namespace delassus::io
