#include "io/mesh_path.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

namespace delassus::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFile = "file://", kPackage = "package://";

class Search {
 public:
  /// Whether it is there.
  bool look(const fs::path& path) {
    std::error_code none;
    result_.tried.push_back(path.lexically_normal().string());
    if (fs::is_regular_file(path, none)) result_.path = path.string();
    return result_.found();
  }
  /// A folder of packages, or the package itself.
  bool look_in(const fs::path& folder, const fs::path& package, const fs::path& inside) {
    return (is_named(folder, package) && look(folder / inside)) || look(folder / package / inside);
  }
  MeshSearch result() && { return std::move(result_); }

 private:
  /// Also with a slash at the end.
  static bool is_named(const fs::path& folder, const fs::path& name) {
    return (folder.has_filename() ? folder : folder.parent_path()).filename() == name;
  }

  MeshSearch result_;
};

std::vector<std::string> ros_package_paths() {
  const char* given = std::getenv("ROS_PACKAGE_PATH");
  std::vector<std::string> out;
  for (std::string_view rest = given == nullptr ? "" : given; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) out.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

void search_package(const fs::path& folder, const fs::path& name, const std::vector<std::string>& package_paths,
                    Search& search) {
  const fs::path package = *name.begin(), inside = name.lexically_relative(package);
  for (const std::string& path : package_paths) {
    if (search.look_in(path, package, inside)) return;
  }
  std::error_code none;
  for (fs::path above = fs::absolute(folder, none); !above.empty(); above = above.parent_path()) {
    if (search.look_in(above, package, inside)) return;
    if (above == above.root_path()) break;
  }
  for (const std::string& path : ros_package_paths()) {
    if (search.look_in(path, package, inside)) return;
  }
}

}  // namespace

MeshSearch find_mesh_file(const std::string& description, const std::string& name,
                          const std::vector<std::string>& package_paths) {
  const fs::path folder = fs::path(description).parent_path();
  const std::string_view view = name;
  Search search;
  if (view.starts_with(kFile)) {
    search.look(folder / view.substr(kFile.size()));
  } else if (!view.starts_with(kPackage)) {
    search.look(folder / name);
  } else if (const fs::path inside = view.substr(kPackage.size()); !inside.empty()) {
    search_package(folder, inside, package_paths, search);
  }
  return std::move(search).result();
}

bool is_surface_file(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending == ".stl" || ending == ".obj";
}

}  // namespace delassus::io
