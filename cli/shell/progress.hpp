// How far a long command is, on stderr.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace delassus::cli {

/// On a terminal a bar that is written over, and cleared at the end. A file has no use for that: it gets lines, or nothing.
class Progress {
 public:
  enum class Elsewhere : std::uint8_t { kSilent, kLines };

  explicit Progress(Elsewhere elsewhere);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Begins step `at` of `of`, the first being 0.
  void show(std::size_t at, std::size_t of, std::string_view step) const;
  /// For work that is not counted in steps: `share` of it is done.
  void show(double share, std::string_view text) const;
  bool on_terminal() const { return terminal_; }
  /// Before something else is printed.
  void clear() const;

 private:
  /// Over what stood there.
  void draw(double share, const std::string& text) const;

  bool terminal_;
  Elsewhere elsewhere_;
};

}  // namespace delassus::cli
