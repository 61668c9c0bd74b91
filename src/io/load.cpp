#include "delassus/io/load.hpp"

#include <filesystem>

#include "delassus/math/error.hpp"
#include "io/text_file.hpp"

namespace delassus {
namespace {

/// The first character that says something; '\0' if there is none.
char first_character(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? '\0' : text[first];
}

/// UTF-16 with its mark, which XML may have.
bool is_utf16(std::string_view text) { return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"); }

}  // namespace

Scene load(const std::string& path, const UrdfOptions& options) {
  const std::string text = io::read_text_file(path);
  const std::filesystem::path file(path);
  const char first = first_character(text);
  if (first == '{' || file.extension() == ".json")
    return parse_scene(text, path, file.parent_path().string());
  if (first == '<' || is_utf16(text) || file.extension() == ".urdf") return parse_urdf(text, path, options);
  throw Error(path + ": is neither a URDF (XML) nor a scene (JSON)");
}

}  // namespace delassus
