#include "io/mjcf_document.hpp"

#include <algorithm>

#include "model/wording.hpp"

namespace delassus::io {
namespace {

/// The sections that other readers go through.
constexpr std::string_view kSections[] = {"compiler",  "option",   "default", "asset",
                                          "worldbody", "equality", "contact", "keyframe"};

void ignore(const MjcfNode& node) { XmlElement(*node.file, node.node, "mujoco").ignore(); }

/// Reports what stands in sections that have no place in the library.
void ignore_other_sections(const MjcfSource& source) {
  for (const MjcfNode& section : source.children(source.top())) {
    if (std::find(std::begin(kSections), std::end(kSections), section.tag()) != std::end(kSections)) continue;
    const std::vector<MjcfNode> children = source.children(section);
    if (children.empty()) ignore(section);
    for (const MjcfNode& child : children) ignore(child);
  }
}

void require_one_top(const MjcfNode& top) {
  for (pugi::xml_node node = top.node.next_sibling(); node; node = node.next_sibling()) {
    if (node.type() != pugi::node_element) continue;
    top.file->fail(top.file->line(node), "<" + printable(node.name()) + ">",
                   "stands beside <mujoco>; MJCF has one top element");
  }
}

}  // namespace

MjcfDocument read_mjcf_document(const MjcfSource& source, const MjcfDefaults& defaults) {
  require_one_top(source.top());
  MjcfDocument document;
  const MjcfElement top(source.top(), "mujoco");
  top.own().ignore_attributes_but({"model"});
  document.name = top.text_or("model", "MuJoCo Model");
  document.settings = read_mjcf_settings(source);
  MjcfAssets assets(source, defaults, document.settings);
  read_mjcf_bodies({source, defaults, document.settings, assets}, document.bodies);
  ignore_other_sections(source);
  return document;
}

}  // namespace delassus::io
