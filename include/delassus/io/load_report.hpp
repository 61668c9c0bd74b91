// LoadReport: what reading a file left out, and what in it is doubtful.
#pragma once

#include <string>
#include <vector>

#include "delassus/math/cpp20.hpp"

namespace delassus {

/// A kind of element or attribute that was not read.
struct Ignored {
  std::string what;  // "link/visual"; an attribute is "joint/limit@soft"
  int line = 0;      // of the first one; 0 if not known
  int count = 0;
  bool operator==(const Ignored&) const = default;
};

/// Something that was read, but is physically doubtful or not what the format asks for.
struct ReportWarning {
  std::string element;  // "link 'foot'"
  int line = 0;         // 0 if not known
  std::string message;
  bool operator==(const ReportWarning&) const = default;
};

/// A file that the one that was read refers to, and that is not there.
struct MissingFile {
  std::string name;                // as it is written: "package://robot/meshes/foot.stl"
  int line = 0;                    // of the first that names it; 0 if not known
  std::vector<std::string> tried;  // where it was looked for
  bool operator==(const MissingFile&) const = default;
};

struct LoadReport {
  /// The most entries that each list of findings holds, so that a hostile file cannot fill the memory.
  static constexpr int kMaxEntries = 1000;

  std::string file;
  std::vector<Ignored> ignored;  // by line, as the warnings
  std::vector<ReportWarning> warnings;
  int more_ignored = 0;   // elements and attributes of further kinds, beyond the list
  int more_warnings = 0;  // beyond the list
  int more_missing = 0;   // files, beyond the list
  /// Meshes and height fields, each once: nothing collides with them.
  std::vector<MissingFile> missing;
  /// All that were read, included ones and meshes too, as absolute paths. Empty for a text.
  std::vector<std::string> files;

  bool operator==(const LoadReport&) const = default;
};

/// Some lines for a person, each ending with a newline.
std::string to_text(const LoadReport& report);

/// One sentence about the files that are missing, and where the first was looked for. Empty if there are none.
std::string describe_missing(const LoadReport& report);

}  // namespace delassus
