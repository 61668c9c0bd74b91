// What makes a shell ask `delassus complete` for the words that may come next.
#pragma once

#include <string>
#include <vector>

namespace delassus::cli {

/// Those that completion_script knows.
std::vector<std::string> known_shells();

const char* completion_script(const std::string& shell);

}  // namespace delassus::cli
