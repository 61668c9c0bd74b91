#include "output_file.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include "delassus/math/error.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace fs = std::filesystem;

void write_output(const std::string& path, const std::string& bytes) {
  std::FILE* file = path.empty() ? stdout : std::fopen(path.c_str(), "wb");
  if (!file) {
    throw Error(fmt::format("cannot write {}: check that the folder exists and may be written", in_quotes(path)));
  }
  bool good = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  good = (path.empty() ? std::fflush(file) : std::fclose(file)) == 0 && good;
  if (good) return;
  if (path.empty()) end_if_reader_left();
  throw Error(
      fmt::format("could not write all of {}: is the disk full?", path.empty() ? "the output" : in_quotes(path)));
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
  const bool there = fs::exists(path, none);
  const std::string asked = there ? path : folder.empty() ? "." : folder.string();
  if (access(asked.c_str(), W_OK) != 0) {
    throw Error(fmt::format("{}: cannot write {}: {} may not be written", option, in_quotes(path),
                            there ? "the file" : "its folder"));
  }
}

void require_other_file(std::string_view option, const std::string& path, const std::string& input) {
  if (is_same_file(path, input)) throw Error(fmt::format("{} names the model's own file; choose another", option));
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code none;
  return !a.empty() && !b.empty() && (fs::absolute(a) == fs::absolute(b) || fs::equivalent(a, b, none));
}

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
