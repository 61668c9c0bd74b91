// Rules about the source tree itself. Each takes the root of a tree and returns what breaks it, one
// line per finding, beginning with "path:line: " as compilers write it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace delassus::meta {

using Findings = std::vector<std::string>;

// One #include line.
struct Include {
  std::string target;   // what stands between the quotes or angle brackets
  bool quoted = false;  // "..." rather than <...>
  int line = 0;         // counted from 1
};

// The #include lines of a C++ text, leaving out those in comments.
std::vector<Include> includes_of(std::string_view text);

// The folders of the library are layers: a file includes only from its own folder and from folders
// below it, and only from libraries that its own library links.
Findings layering_findings(const std::filesystem::path& root);

// Public headers include the standard library and our headers, and nothing else.
Findings public_header_findings(const std::filesystem::path& root);

// All that are installed, but for those that the build writes.
std::vector<std::filesystem::path> public_headers(const std::filesystem::path& root);

// delassus.hpp names each of them, but for that of the C interface.
Findings umbrella_findings(const std::filesystem::path& root);

// The sources of the core library include Eigen besides, bullet_engine.cpp Bullet, and nothing else.
Findings core_source_findings(const std::filesystem::path& root);

// No folder has a name that could hold anything.
Findings folder_name_findings(const std::filesystem::path& root);

// On any page, a line  <!-- example: FILE -->  marks the block that follows it, in the language of the file. The block is the text of
// examples/FILE. After  <!-- example: FILE#REGION -->  it is the lines between the comments "begin REGION" and "end REGION".
Findings example_findings(const std::filesystem::path& root);

// An explicit algorithm of that name (pv-osimr) has a page docs/algorithms/pv-osimr.md, is in the suite of properties as
// PvOsimrDelassus, and is benchmarked: by its name in quotes, or with all of kExplicitAlgorithms.
Findings algorithm_findings(const std::filesystem::path& root, std::string_view name);

}  // namespace delassus::meta
