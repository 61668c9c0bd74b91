// Files and streams that the command writes.
#pragma once

#include <string>
#include <string_view>

namespace delassus::cli {

/// Writes to the file, or to stdout if the path is empty. Throws an Error if not all of it could be written.
void write_output(const std::string& path, const std::string& bytes);

/// Throws an Error that names the option if the file cannot be written, as far as can be seen without touching it. An
/// empty path is stdout.
void require_writable(std::string_view option, const std::string& path);

/// Throws an Error that names the option if its file is the one that is read.
void require_other_file(std::string_view option, const std::string& path, const std::string& input);

/// Whether two paths name one file, whatever they look like. An empty path names none.
bool is_same_file(const std::string& a, const std::string& b);

/// Ends the process without a word, as SIGPIPE does, if the reader of stdout has gone (`| head`). After a failed write.
void end_if_reader_left();

/// The text without control characters, but for line ends and tabs: names come from files, and a terminal obeys what it
/// is sent.
std::string for_terminal(std::string_view text);

}  // namespace delassus::cli
