// Where the mesh is that a robot description names.
#pragma once

#include <optional>
#include <string>

namespace delassus::io {

/// A file that exists: relative to the folder of the description, absolute, "file://...", or "package://name/...", whose
/// package is looked for among the folders above the description, and beside them.
std::optional<std::string> find_mesh_file(const std::string& description, const std::string& name);

/// Whether load_surface() reads files of that ending.
bool is_surface_file(const std::string& path);

}  // namespace delassus::io
