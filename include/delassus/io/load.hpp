// load(): reads whatever format a file has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "delassus/io/mjcf.hpp"
#include "delassus/io/scene.hpp"
#include "delassus/io/urdf.hpp"

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

/// Reads the robot of this name that the library carries (see embedded.hpp). Those in URDF are robots that
/// walk, and want a floating base; the others say themselves how they are held.
Scene load_embedded_robot(std::string_view name, const UrdfOptions& options);
/// With the floating base that they want.
Scene load_embedded_robot(std::string_view name);
/// The names of these robots: "anymal_like, atlas, ...".
std::string embedded_robot_names();

/// Reads the scene of that name that the library carries. Throws an Error if there is none.
Scene load_embedded_scene(std::string_view name);

}  // namespace delassus
