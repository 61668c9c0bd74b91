#include "io/mjcf_source.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "delassus/math/error.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

constexpr std::size_t kMaxFiles = 256;

std::string identity_of(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(path, error);
  return (error ? path.lexically_normal() : canonical).string();
}

/// The next node in the order of the text, below or beside or above; empty after the last.
pugi::xml_node following(pugi::xml_node node) {
  if (node.first_child()) return node.first_child();
  while (node && !node.next_sibling()) node = node.parent();
  return node ? node.next_sibling() : node;
}

}  // namespace

MjcfSource::MjcfSource(std::string_view text, const std::string& name, const std::string& base_directory)
    : base_directory_(base_directory) {
  const std::filesystem::path file = std::filesystem::path(base_directory) / std::filesystem::path(name).filename();
  files_.push_back({std::make_unique<XmlFile>(text, name), identity_of(file), -1, 0});
  const MjcfNode main = top();
  if (main.tag() != "mujoco") {
    throw Error(fmt::format("{}:{}: the top element is <{}>, but that of an MJCF file is <mujoco>", name, main.line(),
                            printable(main.tag())));
  }
  for (std::size_t i = 0; i < files_.size(); ++i) find_includes(static_cast<int>(i));
}

void MjcfSource::find_includes(int file) {
  const pugi::xml_node top = files_[static_cast<std::size_t>(file)].xml->top();
  for (pugi::xml_node node = top.first_child(); node && node != top; node = following(node)) {
    if (node.type() == pugi::node_element && std::string_view(node.name()) == "include") include(file, node);
  }
}

void MjcfSource::include(int file, pugi::xml_node node) {
  const File& from = files_[static_cast<std::size_t>(file)];
  const std::string owner = "include";
  const XmlElement element(*from.xml, node, owner);
  element.ignore_attributes_but({"file"});
  if (node.first_child()) element.fail("<include> holds other elements; close it at once");
  const std::string name(element.text("file"));
  const std::filesystem::path path = std::filesystem::path(base_directory_) / name;
  std::string identity = identity_of(path);
  if (is_above(file, identity)) element.fail("the file " + in_quotes(name) + " includes itself; remove the circle");
  for (const File& other : files_) {
    if (other.identity == identity) {
      element.fail("the file " + in_quotes(name) + " is included already; MJCF allows it once");
    }
  }
  if (files_.size() >= kMaxFiles) element.fail(fmt::format("more than {} files are included; merge them", kMaxFiles));
  const int main_line = from.parent < 0 ? element.line() : from.main_line;
  std::unique_ptr<XmlFile> xml;
  try {
    xml = std::make_unique<XmlFile>(read_text_file(path.string()), path.string());
  } catch (const Error& error) {
    element.fail(fmt::format("cannot include {}: {}", in_quotes(name), error.what()));
  }
  included_.emplace(node.internal_object(), static_cast<int>(files_.size()));
  files_.push_back({std::move(xml), std::move(identity), file, main_line});
}

bool MjcfSource::is_above(int file, const std::string& identity) const {
  for (int i = file; i >= 0; i = files_[static_cast<std::size_t>(i)].parent) {
    if (files_[static_cast<std::size_t>(i)].identity == identity) return true;
  }
  return false;
}

std::vector<MjcfNode> MjcfSource::children(const MjcfNode& parent) const {
  std::vector<MjcfNode> out;
  std::vector<MjcfNode> open{{parent.file, parent.node.first_child()}};
  while (!open.empty()) {
    const MjcfNode current = open.back();
    if (!current.node) {
      open.pop_back();
      continue;
    }
    open.back().node = current.node.next_sibling();
    if (current.node.type() != pugi::node_element) continue;
    if (current.tag() == "include") {
      XmlFile* file = files_[static_cast<std::size_t>(included_.at(current.node.internal_object()))].xml.get();
      open.push_back({file, file->top().first_child()});
    } else {
      out.push_back(current);
    }
  }
  return out;
}

std::vector<MjcfNode> MjcfSource::in_sections(std::string_view section) const {
  std::vector<MjcfNode> out;
  for (const MjcfNode& node : children(top())) {
    if (node.tag() != section) continue;
    for (const MjcfNode& child : children(node)) out.push_back(child);
  }
  return out;
}

LoadReport MjcfSource::report() const {
  ReportBuilder all = files_.front().xml->report();
  for (std::size_t i = 1; i < files_.size(); ++i) {
    all.add_included(files_[i].xml->report().report(), files_[i].main_line);
  }
  return all.report();
}

}  // namespace delassus::io
