#include "delassus/io/load.hpp"

#include <filesystem>

#include "delassus/math/error.hpp"
#include "io/noting_files.hpp"
#include "io/text_file.hpp"
#include "model/wording.hpp"

namespace delassus {
namespace {

/// Folders of what is embedded.
constexpr std::string_view kRobots = "robots", kScenes = "scenes";

/// The first character that says something; '\0' if there is none.
char first_character(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? '\0' : text[first];
}

/// UTF-16 with its mark, which XML may have.
bool is_utf16(std::string_view text) { return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"); }

/// Skips what starts there if it starts with `open`, up to the end of the next `close`.
bool skip(std::string_view& text, std::string_view open, std::string_view close) {
  if (!text.starts_with(open)) return false;
  const std::size_t end = text.find(close, open.size());
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + close.size());
  return true;
}

/// Whether the top element of an XML text is <mujoco>; what stands before it is skipped.
bool is_mjcf(std::string_view raw) {
  const std::string utf8 = io::to_utf8(raw).text;
  std::string_view text = utf8;
  for (;;) {
    const std::size_t next = text.find('<');
    if (next == std::string_view::npos) return false;
    text.remove_prefix(next);
    if (skip(text, "<!--", "-->") || skip(text, "<?", "?>") || skip(text, "<!", ">")) continue;
    return text.starts_with("<mujoco") && text.find_first_of(" \t\r\n/>", 1) == std::string_view("<mujoco").size();
  }
}

FileFormat format_of_text(std::string_view text, const std::string& path) {
  const std::filesystem::path extension = std::filesystem::path(path).extension();
  const char first = first_character(text);
  if (first == '{' || extension == ".json") return FileFormat::kScene;
  const bool xml = first == '<' || is_utf16(text);
  if (xml && is_mjcf(text)) return FileFormat::kMjcf;
  if (xml || extension == ".urdf") return FileFormat::kUrdf;
  throw Error(path + ": is neither a URDF or MJCF (XML) nor a scene (JSON)");
}

}  // namespace

FileFormat format_of(const std::string& path) { return format_of_text(io::read_text_file(path), path); }

Scene parse_text(std::string_view text, const std::string& path, const UrdfOptions& options) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  switch (format_of_text(text, path)) {
    case FileFormat::kScene:
      return parse_scene(text, path, folder);
    case FileFormat::kMjcf:
      return parse_mjcf(text, path, folder, MjcfOptions{options.strict});
    case FileFormat::kUrdf:
      break;
  }
  return parse_urdf(text, path, options);
}

Scene load(const std::string& path, const UrdfOptions& options) {
  return io::noting_files([&] { return parse_text(io::read_text_file(path), path, options); });
}

Scene load_embedded_robot(std::string_view name, const UrdfOptions& options) {
  const EmbeddedFile* file = find_embedded(kRobots, name);
  if (!file) {
    throw Error("no embedded robot is named '" + std::string(name) + "' (embedded: " + embedded_robot_names() + ")");
  }
  return parse_text(file->text, std::string(name).append(file->extension), options);
}

Scene load_embedded_robot(std::string_view name) {
  UrdfOptions options;
  options.base = UrdfOptions::Base::kFloating;
  return load_embedded_robot(name, options);
}

std::string embedded_robot_names() {
  std::string names;
  for (const EmbeddedFile& file : embedded_files(kRobots)) names.append(names.empty() ? "" : ", ").append(file.name);
  return names;
}

Scene load_embedded_scene(std::string_view name) {
  const EmbeddedFile* file = find_embedded(kScenes, name);
  if (!file) throw Error("this build carries no scene " + in_quotes(name));
  return parse_scene(file->text, std::string(name).append(file->extension), "");
}

}  // namespace delassus
