// The robot descriptions that are compiled into the io library.
//
// The build turns every robots/*.urdf of the source tree into one entry of this table, so that the
// command and the examples run from any directory, and without the source tree.
#pragma once

#include <span>
#include <string_view>

namespace delassus {

/// One text file carried inside the library. Both views last as long as the program.
struct EmbeddedFile {
  std::string_view name;  // file name without folder and without ".urdf", e.g. "arm6"
  std::string_view text;  // the bytes of the file, unchanged
};

/// All embedded robot files, sorted by name. Empty when the library was built without any.
std::span<const EmbeddedFile> embedded_robot_files();

/// The embedded robot of this name, or nullptr.
inline const EmbeddedFile* find_embedded_robot(std::string_view name) {
  for (const EmbeddedFile& file : embedded_robot_files()) {
    if (file.name == name) return &file;
  }
  return nullptr;
}

}  // namespace delassus
