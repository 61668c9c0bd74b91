// The files that are compiled into the io library.
//
// The build turns the files of some folders of the source tree (robots/*.urdf, robots/*.xml, scenes/*.json) into
// one table, so that the command and the examples run from any directory, and without the source tree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "delassus/math/cpp20.hpp"

namespace delassus {

/// One text file carried inside the library. The views last as long as the program.
struct EmbeddedFile {
  std::string_view folder;     // that it stands in, in the source tree: "robots" or "scenes"
  std::string_view name;       // file name without folder and extension, e.g. "arm6"
  std::string_view extension;  // with the dot: ".urdf", ".xml" (MJCF) or ".json"
  std::string_view text;       // the bytes of the file, unchanged
};

/// All embedded files, sorted by folder and name. Empty when the library was built without any.
std::span<const EmbeddedFile> embedded_files();

/// Those of one folder.
inline std::span<const EmbeddedFile> embedded_files(std::string_view folder) {
  const std::span<const EmbeddedFile> all = embedded_files();
  const auto stands_there = [&](const EmbeddedFile& file) { return file.folder == folder; };
  const auto first = std::find_if(all.begin(), all.end(), stands_there);
  const auto last = std::find_if_not(first, all.end(), stands_there);
  return all.subspan(static_cast<std::size_t>(first - all.begin()), static_cast<std::size_t>(last - first));
}

/// The file of this name in a folder, or nullptr.
inline const EmbeddedFile* find_embedded(std::string_view folder, std::string_view name) {
  for (const EmbeddedFile& file : embedded_files(folder)) {
    if (file.name == name) return &file;
  }
  return nullptr;
}

}  // namespace delassus
