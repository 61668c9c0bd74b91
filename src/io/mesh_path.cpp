#include "io/mesh_path.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace delassus::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFile = "file://", kPackage = "package://";

std::optional<std::string> if_file(const fs::path& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return std::nullopt;
  return path.string();
}

std::optional<std::string> find_in_package(const fs::path& folder, const fs::path& name) {
  const fs::path package = *name.begin(), inside = name.lexically_relative(package);
  std::error_code none;
  for (fs::path above = fs::absolute(folder, none); !above.empty(); above = above.parent_path()) {
    if (above.filename() == package) {
      if (auto found = if_file(above / inside)) return found;
    }
    if (auto found = if_file(above / name)) return found;
    if (above == above.root_path()) break;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_mesh_file(const std::string& description, const std::string& name) {
  const fs::path folder = fs::path(description).parent_path();
  const std::string_view view = name;
  if (view.starts_with(kFile)) return if_file(folder / view.substr(kFile.size()));
  if (!view.starts_with(kPackage)) return if_file(folder / name);
  const fs::path inside = view.substr(kPackage.size());
  if (inside.empty()) return std::nullopt;
  return find_in_package(folder, inside);
}

bool is_surface_file(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending == ".stl" || ending == ".obj";
}

}  // namespace delassus::io
