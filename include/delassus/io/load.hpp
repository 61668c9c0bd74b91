// load(): reads whatever format a file has; and surfaces from STL and OBJ files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "delassus/io/mjcf.hpp"
#include "delassus/io/scene.hpp"
#include "delassus/io/urdf.hpp"
#include "delassus/math/scalar.hpp"
#include "delassus/model/surface.hpp"

namespace delassus {

enum class FileFormat : std::uint8_t { kUrdf, kMjcf, kScene };

/// Told by the content, and by the extension where that says nothing. Throws an Error for what is none of
/// them.
FileFormat format_of(const std::string& path);

/// Reads a URDF, an MJCF model or a scene; which of them is told by format_of. MJCF and scenes say
/// themselves how their base is held, so of the options only `strict` applies to MJCF, and none to scenes.
Scene load(const std::string& path, const UrdfOptions& options = {});
/// The same for a text; `path` is for messages, and files that the text refers to are looked for in its folder.
Scene parse_text(std::string_view text, const std::string& path, const UrdfOptions& options = {});

/// Reads the robot of this name that the library carries (embedded_files). Those in URDF are robots that
/// walk, and want a floating base; the others say themselves how they are held.
Scene load_embedded_robot(std::string_view name, const UrdfOptions& options);
/// With the floating base that they want.
Scene load_embedded_robot(std::string_view name);
/// The names of these robots: "anymal_like, atlas, ...".
std::string embedded_robot_names();

/// Reads the scene of that name that the library carries. Throws an Error if there is none.
Scene load_embedded_scene(std::string_view name);

/// Reads an STL file, binary or text, or an OBJ file, by the end of its name. Coordinates are multiplied by the scale, axis by
/// axis; where that mirrors, triangles are turned so that outside stays outside. Of STL, corners with the same coordinates are
/// one vertex; of OBJ, positions and faces are read, and faces with more than three corners are cut from the first.
///
/// Throws an Error that names the file, and the line or the byte, and says what to do.
SurfacePointer load_surface(const std::string& path, const Vec3<double>& scale = {{1, 1, 1}});

/// The same for what is in memory; `file_name` is for messages.
SurfacePointer parse_stl(std::string_view data, const std::string& file_name, const Vec3<double>& scale = {{1, 1, 1}});
SurfacePointer parse_obj(std::string_view text, const std::string& file_name, const Vec3<double>& scale = {{1, 1, 1}});

// The files that are compiled into the io library. The build turns the files of some folders of the source tree (robots/*.urdf, robots/*.xml, scenes/*.json) into one table, so that the command and the examples run from any directory, and without the source tree.

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
