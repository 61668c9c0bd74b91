// Words for messages: names of any length and content, made fit to print.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace delassus {

/// Puts question marks in the place of control characters, those of Unicode's second block included, but for those to keep.
void replace_controls(std::string& text, std::string_view keep = "");
/// The text without control characters, cut if it is long.
std::string printable(std::string_view text);
/// printable, in single quotes.
std::string in_quotes(std::string_view text);
/// "a, b, c"
std::string comma_separated(std::span<const std::string_view> words);
/// "1 joint", "2 joints"
std::string counted(int count, std::string_view noun);

/// Finds the candidate that somebody who wrote `name` may have meant.
class ClosestName {
 public:
  explicit ClosestName(std::string_view name);
  void consider(std::string_view candidate);
  /// " (did you mean 'x'?)", or nothing if no candidate is close.
  std::string hint() const;

 private:
  void consider_longer(std::string_view candidate);

  std::string_view name_, best_;
  int best_distance_;
  int considered_ = 0;
};

}  // namespace delassus
