// Where the mesh is that a robot description names.
#pragma once

#include <string>
#include <vector>

namespace delassus::io {

/// What was found, and where it was looked for.
struct MeshSearch {
  std::string path;                // empty: nowhere
  std::vector<std::string> tried;  // until it was found
  bool found() const { return !path.empty(); }
};

/// A file that exists: relative to the folder of the description, absolute, "file://...", or "package://name/...". A package is
/// looked for in the folders that are given, among the folders above the description and beside them, and in those that the environment
/// variable ROS_PACKAGE_PATH names, with colons between them. A folder that is given may be the package itself.
MeshSearch find_mesh_file(const std::string& description, const std::string& name,
                          const std::vector<std::string>& package_paths);

/// Whether load_surface() reads files of that ending.
bool is_surface_file(const std::string& path);

}  // namespace delassus::io
