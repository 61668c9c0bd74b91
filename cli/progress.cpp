#include "progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace delassus::cli {

Progress::Progress(Elsewhere elsewhere) : terminal_(isatty(STDERR_FILENO) == 1), elsewhere_(elsewhere) {}

void Progress::show(std::size_t at, std::size_t of, std::string_view step) const {
  constexpr std::size_t kWidth = 30;
  if (terminal_) {
    const std::size_t done = kWidth * at / of;
    fmt::print(stderr, "\r[{}{}] {} of {}: {}\x1b[K", std::string(done, '#'), std::string(kWidth - done, '.'), at + 1,
               of, step);
    std::fflush(stderr);
  } else if (elsewhere_ == Elsewhere::kLines) {
    fmt::print(stderr, "{} of {}: {}\n", at + 1, of, step);
  }
}

void Progress::clear() const {
  if (terminal_) fmt::print(stderr, "\r\x1b[K");
}

}  // namespace delassus::cli
