// The files of an MJCF model: the main one and all that it includes, seen as one tree of elements.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/xml.hpp"

namespace delassus::io {

/// An element, and the file that it stands in.
struct MjcfNode {
  XmlFile* file = nullptr;
  pugi::xml_node node;

  std::string_view tag() const { return node.name(); }
  int line() const { return file->line(node); }
  [[noreturn]] void fail(std::string_view element, std::string_view message) const {
    file->fail(line(), element, message);
  }
};

class MjcfSource {
 public:
  /// Throws an Error for included files that are missing, broken, too many, or included twice.
  MjcfSource(std::string_view text, const std::string& name, const std::string& base_directory);

  MjcfNode top() const { return {files_.front().xml.get(), files_.front().xml->top()}; }
  const std::string& base_directory() const { return base_directory_; }
  /// The elements below one, with those of included files where the <include> stands.
  std::vector<MjcfNode> children(const MjcfNode& parent) const;
  /// All children, of all top-level elements of that name.
  std::vector<MjcfNode> in_sections(std::string_view section) const;
  /// Of all files.
  LoadReport report() const;

 private:
  struct File {
    std::unique_ptr<XmlFile> xml;
    std::string identity;  // the same for all names of one file
    int parent;            // -1 of the main file
    int main_line;         // of the <include> in the main file that brought it
  };

  void find_includes(int file);
  void include(int file, pugi::xml_node node);
  bool is_above(int file, const std::string& identity) const;

  std::string base_directory_;
  std::vector<File> files_;
  std::unordered_map<const void*, int> included_;  // by the <include> element
};

}  // namespace delassus::io
