#include "io/files_beside.hpp"

#include <filesystem>

#include "model/wording.hpp"

namespace delassus {

std::vector<std::string> files_beside(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(path).parent_path();
  std::vector<std::string> files;
  std::error_code none;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, none), end; at != end; at.increment(none)) {
    if (!at->is_directory(none)) files.push_back((folder / at->path().filename()).string());
  }
  return files;
}

std::string nearest_file_hint(const std::string& path) {
  ClosestName closest(path);
  const std::vector<std::string> files = files_beside(path);
  for (const std::string& file : files) closest.consider(file);
  return closest.hint();
}

}  // namespace delassus
