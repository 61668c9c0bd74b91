#include "cli/shell/output_file.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "delassus/math/error.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace fs = std::filesystem;

namespace {

/// A file that this run of the command writes or reads, and how to call it.
struct KnownFile {
  std::string path, name;
};
std::vector<KnownFile> outputs, inputs;

void require_different(const KnownFile& output, const KnownFile& input) {
  if (is_same_file(output.path, input.path))
    throw Error(fmt::format("{} names {}; choose another", output.name, input.name));
}

void add_input(const KnownFile& input) {
  inputs.push_back(input);
  for (const KnownFile& output : outputs) require_different(output, input);
}

}  // namespace

void write_output(const std::string& path, const std::string& bytes) {
  if (!path.empty()) {
    for (const KnownFile& input : inputs) require_different({path, "the output"}, input);
    return io::write_file(path, bytes);
  }
  const bool good = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
  if (std::fflush(stdout) == 0 && good) return;
  end_if_reader_left();
  throw Error("could not write all of the output: is the disk full?");
}

void require_writable(std::string_view option, const std::string& path) {
  if (path.empty()) return;
  std::error_code none;
  if (fs::is_directory(path, none)) {
    throw Error(fmt::format("{} {} is a folder; give the name of a file", option, in_quotes(path)));
  }
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, none)) {
    throw Error(
        fmt::format("{}: cannot write {}: there is no folder {}", option, in_quotes(path), in_quotes(folder.string())));
  }
  const auto require = [&](const std::string& asked, const char* what) {
    if (access(asked.c_str(), W_OK) == 0) return;
    throw Error(fmt::format("{}: cannot write {}: {} may not be written", option, in_quotes(path), what));
  };
  if (fs::exists(path, none)) require(path, "the file");
  // A new file is made beside the old one, and takes its place.
  if (!fs::is_other(path, none)) require(folder.empty() ? "." : folder.string(), "its folder");
  outputs.push_back({path, std::string(option)});
}

void require_unread(const LoadReport& report) {
  for (const std::string& file : report.files) {
    const bool main = &file == &report.files.front();
    add_input({file, main ? "the model's own file" : in_quotes(file) + ", which the model is read from"});
  }
}

void require_unread(const std::string& input) { add_input({input, in_quotes(input) + ", which is read"}); }

void end_if_reader_left() {
  if (errno != EPIPE) return;
  std::signal(SIGPIPE, SIG_DFL);  // a parent may have had it ignored, else this would not be reached
  std::raise(SIGPIPE);
}

std::string for_terminal(std::string_view text) {
  std::string out(text);
  replace_controls(out, "\n\t");
  return out;
}

}  // namespace delassus::cli
