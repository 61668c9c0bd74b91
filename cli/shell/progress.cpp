#include "cli/shell/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace delassus::cli {

Progress::Progress(Elsewhere elsewhere) : terminal_(isatty(STDERR_FILENO) == 1), elsewhere_(elsewhere) {}

void Progress::draw(double share, const std::string& text) const {
  constexpr std::size_t kWidth = 30;
  if (terminal_) {
    const auto done = static_cast<std::size_t>(kWidth * share);
    fmt::print(stderr, "\r[{}{}] {}\x1b[K", std::string(done, '#'), std::string(kWidth - done, '.'), text);
    std::fflush(stderr);
  } else if (elsewhere_ == Elsewhere::kLines) {
    fmt::print(stderr, "{}\n", text);
  }
}

void Progress::show(std::size_t at, std::size_t of, std::string_view step) const {
  draw(static_cast<double>(at) / static_cast<double>(of), fmt::format("{} of {}: {}", at + 1, of, step));
}

void Progress::show(double share, std::string_view text) const { draw(share, std::string(text)); }

void Progress::clear() const {
  if (terminal_) fmt::print(stderr, "\r\x1b[K");
}

}  // namespace delassus::cli
