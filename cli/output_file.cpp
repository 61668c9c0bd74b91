#include "output_file.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <filesystem>

#include "delassus/math/error.hpp"
#include "model/wording.hpp"

namespace delassus::cli {

void write_output(const std::string& path, const std::string& bytes) {
  std::FILE* file = path.empty() ? stdout : std::fopen(path.c_str(), "wb");
  if (!file) throw Error(fmt::format("cannot write '{}': check that the folder exists and may be written", path));
  bool good = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  good = (path.empty() ? std::fflush(file) : std::fclose(file)) == 0 && good;
  if (!good) throw Error(fmt::format("could not write all of '{}': is the disk full?", path.empty() ? "stdout" : path));
}

bool is_same_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code none;
  return !a.empty() && !b.empty() && (fs::absolute(a) == fs::absolute(b) || fs::equivalent(a, b, none));
}

std::string for_terminal(std::string_view text) {
  std::string out(text);
  replace_controls(out, "\n\t");
  return out;
}

}  // namespace delassus::cli
