#include "terminal.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace delassus::cli {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool has_colour(int stream) {
  const std::string_view term = environment("TERM");
  return isatty(stream) == 1 && environment("NO_COLOR").empty() && !term.empty() && term != "dumb";
}

}  // namespace

bool stdout_has_colour() { return has_colour(STDOUT_FILENO); }
bool stderr_has_colour() { return has_colour(STDERR_FILENO); }

}  // namespace delassus::cli
