// Files and streams that the command writes.
#pragma once

#include <string>
#include <string_view>

namespace delassus::cli {

/// Writes to the file, or to stdout if the path is empty. Throws an Error if not all of it could be written.
void write_output(const std::string& path, const std::string& bytes);

/// Whether two paths name one file, whatever they look like. An empty path names none.
bool is_same_file(const std::string& a, const std::string& b);

/// The text without control characters, but for line ends and tabs: names come from files, and a terminal obeys what it
/// is sent.
std::string for_terminal(std::string_view text);

}  // namespace delassus::cli
