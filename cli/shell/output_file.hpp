// Files and streams that the command writes.
#pragma once

#include <string>
#include <string_view>

#include "delassus/io/scene.hpp"
#include "io/new_file.hpp"

namespace delassus::cli {

/// Writes to the file, or to stdout if the path is empty. Throws an Error if not all of it could be written; then what the file held
/// before is still there.
void write_output(const std::string& path, const std::string& bytes);

/// Throws an Error that names the option if the file cannot be written, as far as can be seen without touching it. An
/// empty path is stdout. From then on require_unread knows that it will be written.
void require_writable(std::string_view option, const std::string& path);

/// Throws an Error that names the option if a file that will be written is one of those that a model was read from: its own, those that it
/// includes, and meshes. write_output will not write to them either.
void require_unread(const LoadReport& report);
/// The same for another file.
void require_unread(const std::string& input);

using io::is_same_file;

/// Ends the process without a word, as SIGPIPE does, if the reader of stdout has gone (`| head`). After a failed write.
void end_if_reader_left();

/// The text without control characters, but for line ends and tabs: names come from files, and a terminal obeys what it
/// is sent.
std::string for_terminal(std::string_view text);

}  // namespace delassus::cli
