#include "cli/shell/terminal.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace delassus::cli {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

bool stderr_has_colour() {
  const std::string_view term = environment("TERM");
  return isatty(STDERR_FILENO) == 1 && environment("NO_COLOR").empty() && !term.empty() && term != "dumb";
}

}  // namespace delassus::cli
