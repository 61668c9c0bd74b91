#include "meta/source_tree.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace delassus::meta {

namespace fs = std::filesystem;

namespace {

// ------------------------------------------------------------------------------------------ layers

enum class Library { kCore, kIo, kGenerate, kSimulation, kBatch, kCuda, kSweep, kC, kProgram };

struct Layer {
  std::string_view folder;
  int rank;
  Library library;
};

// From the bottom to the top. What has one rank may not include each other: Python package and C interface, the command and
// what measures. The last two share folders of their own.
constexpr std::array kLayers{
    Layer{"math", 0, Library::kCore},
    Layer{"model", 1, Library::kCore},
    Layer{"kinematics", 2, Library::kCore},
    Layer{"constraints", 3, Library::kCore},
    Layer{"io", 4, Library::kIo},
    Layer{"dynamics", 5, Library::kCore},
    Layer{"operators", 6, Library::kCore},
    Layer{"solvers", 7, Library::kCore},
    Layer{"control", 8, Library::kCore},
    Layer{"collision", 9, Library::kCore},
    Layer{"generate", 10, Library::kGenerate},
    Layer{"simulation", 11, Library::kSimulation},
    Layer{"scenes", 12, Library::kSimulation},
    Layer{"batch", 13, Library::kBatch},
    Layer{"gpu", 14, Library::kCuda},
    Layer{"sweep", 15, Library::kSweep},
    Layer{"cli/pages", 16, Library::kProgram},
    Layer{"c", 17, Library::kC},
    Layer{"python", 17, Library::kProgram},
    Layer{"cli/shell", 17, Library::kProgram},
    Layer{"bench/measure", 18, Library::kProgram},
    Layer{"cli", 19, Library::kProgram},
    Layer{"bench", 19, Library::kProgram},
};

const Layer* find_layer(std::string_view folder) {
  const auto it = std::find_if(kLayers.begin(), kLayers.end(), [&](const Layer& l) { return l.folder == folder; });
  return it == kLayers.end() ? nullptr : &*it;
}

// Each library links those that stand before it; sweep all but cuda, the C interface all but batch, cuda and sweep, and core none.
bool links(Library user, Library used) {
  if (user == Library::kSweep && used == Library::kCuda) return false;
  return used <= user && !(user == Library::kC && used >= Library::kBatch && used <= Library::kSweep);
}

// ------------------------------------------------------------------------------------------- files

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

// All C++ files below a folder, sorted; none when there is no such folder.
std::vector<fs::path> cpp_files(const fs::path& folder) {
  constexpr std::array<std::string_view, 4> kExtensions{".hpp", ".cpp", ".h", ".inc"};
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (entry.is_regular_file() && std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end()) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string location(const fs::path& root, const fs::path& file, int line) {
  return file.lexically_relative(root).generic_string() + ":" + std::to_string(line) + ": ";
}

// The folder, as the layers name it, in which a file of the tree stands; empty for a file directly in
// include/delassus or src, nothing for a file outside of the library and the programs.
std::optional<std::string> folder_of(const fs::path& root, const fs::path& file) {
  std::vector<std::string> parts;
  for (const auto& part : file.lexically_relative(root)) parts.push_back(part.string());
  if (parts.size() > 2 && parts[0] == "include" && parts[1] == "delassus") {
    return parts.size() > 3 ? parts[2] : "";
  }
  if (parts.size() > 1 && parts[0] == "src") return parts.size() > 2 ? parts[1] : "";
  if (parts.size() > 2 && find_layer(parts[0] + "/" + parts[1]) != nullptr) return parts[0] + "/" + parts[1];
  if (parts.size() > 1 && find_layer(parts[0]) != nullptr) return parts[0];
  return std::nullopt;
}

// The file of the tree that an #include names, if it is one.
std::optional<fs::path> resolve(const fs::path& root, const fs::path& from, const Include& include) {
  std::vector<fs::path> roots{root / "include", root / "src", root};
  if (include.quoted) roots.insert(roots.begin(), from.parent_path());
  for (const auto& base : roots) {
    if (fs::is_regular_file(base / include.target)) return (base / include.target).lexically_normal();
  }
  return std::nullopt;
}

// The standard library, and the vector instructions, which belong to the compiler.
bool is_compiler_header(const std::string& name) {
  static const std::regex kPattern(R"([a-z_0-9]+|stddef\.h|[a-z0-9]*intrin\.h|arm_neon\.h|cpuid\.h)");
  return std::regex_match(name, kPattern);
}

// ---------------------------------------------------------------------------------------- examples

struct Example {
  std::string name;    // of the file
  std::string region;  // of it; empty: all
  std::string code;
  int line = 0;           // of the marker
  bool complete = false;  // whether a closed block in its language follows
};

std::string without_trailing_blank(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

/// How the block of an example begins, by the name of its file.
std::string_view fence_of(const fs::path& file) {
  const fs::path kind = file.extension();
  if (kind == ".json") return "```json";
  if (kind == ".sh") return "```sh";
  return kind == ".py" ? "```python" : kind == ".c" ? "```c" : "```cpp";
}

std::vector<Example> examples_of(const std::string& markdown) {
  static const std::regex kMarker(R"(^\s*<!--\s*example:\s*([^\s#]+)(?:#(\S+))?\s*-->\s*$)");
  enum class State { kText, kMarked, kBlock };
  std::vector<Example> found;
  std::istringstream stream(markdown);
  std::string line;
  State state = State::kText;
  for (int number = 1; std::getline(stream, line); ++number) {
    std::smatch match;
    if (state == State::kBlock) {
      if (line.starts_with("```")) {
        found.back().complete = true;
        state = State::kText;
      } else {
        found.back().code += line + "\n";
      }
    } else if (std::regex_match(line, match, kMarker)) {
      found.push_back({.name = match[1].str(), .region = match[2].str(), .code = {}, .line = number});
      state = State::kMarked;
    } else if (state == State::kMarked && !line.empty()) {
      state = line.starts_with(fence_of(found.back().name)) ? State::kBlock : State::kText;
    }
  }
  return found;
}

/// Whether a line of a program is "// WORD NAME" or "# WORD NAME", with any indentation.
bool is_mark(std::string_view line, std::string_view word, std::string_view name) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return false;
  line.remove_prefix(first);
  for (const std::string_view comment : {"// ", "# "}) {
    if (line.starts_with(comment) && line.substr(comment.size()) == std::string(word) + " " + std::string(name))
      return true;
  }
  return false;
}

/// The lines between "begin NAME" and "end NAME", moved to the left margin; nothing if there are no such lines.
std::optional<std::string> region_of(const std::string& program, const std::string& name) {
  std::vector<std::string> lines;
  std::istringstream stream(program);
  std::string line;
  bool inside = false, closed = false;
  while (std::getline(stream, line) && !closed) {
    closed = inside && is_mark(line, "end", name);
    if (inside && !closed) lines.push_back(line);
    inside = inside || is_mark(line, "begin", name);
  }
  if (!closed) return std::nullopt;
  std::size_t margin = std::string::npos;
  for (const std::string& text : lines) margin = std::min(margin, text.find_first_not_of(' '));
  std::string out;
  for (const std::string& text : lines) out += (text.size() > margin ? text.substr(margin) : "") + "\n";
  return out;
}

/// What is wrong with an example; empty: nothing.
std::string fault_of(const fs::path& root, const Example& example) {
  if (!example.complete) return "no " + std::string(fence_of(example.name)) + " block follows the marker";
  const fs::path file = root / "examples" / example.name;
  if (!fs::exists(file)) return "there is no such file in examples";
  const std::string text = read_text(file);
  const auto shown = example.region.empty() ? text : region_of(text, example.region);
  if (!shown) return "it has no lines between 'begin " + example.region + "' and 'end " + example.region + "'";
  const bool alike = without_trailing_blank(example.code) == without_trailing_blank(*shown);
  return alike ? "" : "differs from the file in examples";
}

/// The pages of a tree, sorted: in its root, in docs and its folders, in examples.
std::vector<fs::path> pages_of(const fs::path& root) {
  std::vector<fs::path> pages;
  const auto take = [&](const fs::directory_entry& entry) {
    if (entry.is_regular_file() && entry.path().extension() == ".md") pages.push_back(entry.path());
  };
  for (const fs::path& folder : {root, root / "examples"}) {
    if (!fs::is_directory(folder)) continue;
    for (const auto& entry : fs::directory_iterator(folder)) take(entry);
  }
  if (fs::is_directory(root / "docs")) {
    for (const auto& entry : fs::recursive_directory_iterator(root / "docs")) take(entry);
  }
  std::sort(pages.begin(), pages.end());
  return pages;
}

}  // namespace

std::vector<Include> includes_of(std::string_view text) {
  static const std::regex kInclude(R"re(^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)").*)re");
  std::vector<Include> found;
  std::istringstream stream{std::string(text)};
  std::string line;
  bool in_comment = false;
  for (int number = 1; std::getline(stream, line); ++number) {
    // Drop what comments cover. Inside of quotes, // and /* begin none.
    std::string code;
    bool in_quotes = false;
    for (std::size_t i = 0; i < line.size();) {
      if (in_comment) {
        const std::size_t end = line.find("*/", i);
        in_comment = end == std::string::npos;
        i = in_comment ? line.size() : end + 2;
      } else if (!in_quotes && line.compare(i, 2, "//") == 0) {
        break;
      } else if (!in_quotes && line.compare(i, 2, "/*") == 0) {
        in_comment = true;
        i += 2;
      } else {
        if (line[i] == '"') in_quotes = !in_quotes;
        code += line[i++];
      }
    }
    std::smatch match;
    if (!std::regex_match(code, match, kInclude)) continue;
    const bool quoted = match[2].matched;
    found.push_back({.target = match[quoted ? 2 : 1].str(), .quoted = quoted, .line = number});
  }
  return found;
}

Findings layering_findings(const fs::path& root) {
  Findings findings;
  for (const char* top : {"include", "src", "cli", "python", "bench"}) {
    for (const fs::path& file : cpp_files(root / top)) {
      const std::optional<std::string> folder = folder_of(root, file);
      const Layer* layer = folder ? find_layer(*folder) : nullptr;
      if (layer == nullptr) {
        // Only the umbrella header stands in no layer; it may include everything.
        if (file.lexically_relative(root) != fs::path("include/delassus/delassus.hpp")) {
          findings.push_back(location(root, file, 1) + "stands in no layer");
        }
        continue;
      }
      for (const Include& include : includes_of(read_text(file))) {
        const auto report = [&](const std::string& what) {
          findings.push_back(location(root, file, include.line) + include.target + ": " + what);
        };
        if (include.target.find("..") != std::string::npos) report("write the path from the root");
        // Written by the build; they include nothing.
        if (include.target == "delassus/version.hpp" || include.target.starts_with("delassus/math/compiled_")) continue;

        const std::optional<fs::path> meant = resolve(root, file, include);
        if (!meant) {
          if (include.target.starts_with("delassus/")) report("there is no such header");
          continue;
        }
        const std::optional<std::string> used_folder = folder_of(root, *meant);
        if (!used_folder) {
          report("is not part of the library");
          continue;
        }
        if (used_folder->empty()) {
          if (layer->library != Library::kProgram) report("the library does not include its umbrella header");
          continue;
        }
        const Layer* used = find_layer(*used_folder);
        if (used == nullptr) {
          report("stands in no layer");
        } else if (used != layer && used->rank >= layer->rank) {
          report("'" + *folder + "' may not include '" + *used_folder + "', which does not stand below it");
        } else if (!links(layer->library, used->library)) {
          report("the library of '" + *folder + "' does not link that of '" + *used_folder + "'");
        }
      }
    }
  }
  return findings;
}

Findings public_header_findings(const fs::path& root) {
  Findings findings;
  for (const fs::path& file : cpp_files(root / "include")) {
    for (const Include& include : includes_of(read_text(file))) {
      if (include.target.starts_with("delassus/") || is_compiler_header(include.target)) continue;
      findings.push_back(location(root, file, include.line) + "a public header includes " + include.target);
    }
  }
  return findings;
}

std::vector<fs::path> public_headers(const fs::path& root) { return cpp_files(root / "include"); }

Findings umbrella_findings(const fs::path& root) {
  const fs::path umbrella = root / "include/delassus/delassus.hpp";
  std::vector<std::string> named;
  for (const Include& include : includes_of(read_text(umbrella))) named.push_back(include.target);
  Findings findings;
  for (const fs::path& file : public_headers(root)) {
    const std::string name = file.lexically_relative(root / "include").generic_string();
    if (file == umbrella || file.extension() == ".h" || std::ranges::count(named, name) == 1) continue;
    findings.push_back(location(root, file, 1) + "delassus.hpp does not name it");
  }
  return findings;
}

Findings core_source_findings(const fs::path& root) {
  Findings findings;
  for (const fs::path& file : cpp_files(root / "src")) {
    const Layer* layer = find_layer(folder_of(root, file).value_or(""));
    if (layer == nullptr || layer->library != Library::kCore) continue;
    for (const Include& include : includes_of(read_text(file))) {
      const bool ours = include.target.starts_with("delassus/") || resolve(root, file, include).has_value();
      if (ours || include.target.starts_with("Eigen/") || is_compiler_header(include.target)) continue;
      if (include.target.starts_with("Bullet") && file.filename() == "bullet_engine.cpp") continue;
      findings.push_back(location(root, file, include.line) + "core includes " + include.target);
    }
  }
  return findings;
}

Findings folder_name_findings(const fs::path& root) {
  constexpr std::array<std::string_view, 6> kForbidden{"utils", "util", "common", "core", "internal", "misc"};
  Findings findings;
  for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator(); ++it) {
    if (!it->is_directory()) continue;
    const std::string name = it->path().filename().string();
    // Hidden folders, and the build trees at the root, hold no sources.
    if (name.starts_with(".") || (it.depth() == 0 && name.starts_with("build"))) {
      it.disable_recursion_pending();
    } else if (std::find(kForbidden.begin(), kForbidden.end(), name) != kForbidden.end()) {
      findings.push_back(location(root, it->path(), 1) + "a folder needs a name that says what is in it");
    }
  }
  std::sort(findings.begin(), findings.end());
  return findings;
}

Findings example_findings(const fs::path& root) {
  Findings findings;
  for (const fs::path& page : pages_of(root)) {
    for (const Example& example : examples_of(read_text(page))) {
      const std::string fault = fault_of(root, example);
      if (fault.empty()) continue;
      findings.push_back(location(root, page, example.line) + "example " + example.name + ": " + fault);
    }
  }
  return findings;
}

namespace {

/// "pv-osimr" is PvOsimr in C++.
std::string type_name(std::string_view name) {
  std::string out;
  bool first = true;
  for (const char c : name) {
    if (c != '-') out += first ? static_cast<char>(std::toupper(c)) : c;
    first = c == '-';
  }
  return out;
}

bool is_benchmarked(const fs::path& folder, std::string_view name) {
  if (!fs::exists(folder)) return false;
  const std::string quoted = "\"" + std::string(name) + "\"";
  return std::any_of(fs::directory_iterator(folder), fs::directory_iterator(), [&](const fs::directory_entry& file) {
    if (!file.is_regular_file()) return false;
    const std::string text = read_text(file.path());
    return text.find("kExplicitAlgorithms") != std::string::npos || text.find(quoted) != std::string::npos;
  });
}

}  // namespace

Findings algorithm_findings(const fs::path& root, std::string_view name) {
  Findings findings;
  const fs::path page = root / "docs" / "algorithms" / (std::string(name) + ".md"), bench = root / "bench" / "micro",
                 suite = root / "tests" / "property" / "explicit_test.cpp";
  if (!fs::exists(page)) findings.push_back(location(root, page, 1) + "algorithm without a page");
  if (!is_benchmarked(bench, name)) {
    findings.push_back(location(root, bench, 1) + std::string(name) + " is not benchmarked");
  }
  const std::string type = type_name(name) + "Delassus";
  if (!fs::exists(suite) || read_text(suite).find(type) == std::string::npos) {
    findings.push_back(location(root, suite, 1) + type + " is not in the suite");
  }
  return findings;
}

}  // namespace delassus::meta
