#include "model/wording.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace delassus {
namespace {

constexpr std::size_t kLongestText = 120;
/// A file may hold a million names; a hint is not worth comparing all of them.
constexpr int kMaxCandidates = 20000;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Number of edits that turn one name into the other.
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

/// As far away as a name that goes on is taken to be: farther than one edit.
constexpr int kBeginning = 2;

bool is_beginning(std::string_view name, std::string_view candidate) {
  constexpr std::size_t kLeast = 3;  // letters; of fewer, everything is a beginning
  return name.size() >= kLeast && candidate.size() > name.size() + 1 && candidate.starts_with(name);
}

}  // namespace

void replace_controls(std::string& text, std::string_view keep) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F, of which terminals obey some, are C2 80 to C2 9F in UTF-8.
    const bool second_block = c == 0xC2 && i + 1 < text.size() && is_continuation(text[i + 1]) &&
                              static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (second_block) {
      text.erase(i, 1);
      text[i] = '?';
    } else if ((c < 0x20 || c == 0x7F) && keep.find(text[i]) == std::string_view::npos) {
      text[i] = '?';
    }
  }
}

std::string printable(std::string_view text) {
  std::size_t length = std::min(text.size(), kLongestText);
  // Do not cut inside of a UTF-8 character.
  while (length < text.size() && length > 0 && is_continuation(text[length])) --length;
  std::string out(text.substr(0, length));
  replace_controls(out);
  if (length < text.size()) out += "...";
  return out;
}

std::string in_quotes(std::string_view text) { return std::string(1, '\'').append(printable(text)).append(1, '\''); }

std::string comma_separated(std::span<const std::string_view> words) {
  std::string out;
  for (const std::string_view word : words) {
    if (!out.empty()) out += ", ";
    out += word;
  }
  return out;
}

std::string counted(int count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

ClosestName::ClosestName(std::string_view name)
    : name_(name.substr(0, kLongestText)), best_distance_(static_cast<int>((name_.size() + 1) / 3) + 1) {}

void ClosestName::consider(std::string_view candidate) {
  if (++considered_ > kMaxCandidates) return;
  const std::string_view start = candidate.substr(0, kLongestText);
  if (is_beginning(name_, start)) return consider_longer(candidate);
  const int lengths = static_cast<int>(start.size()) - static_cast<int>(name_.size());
  if (std::abs(lengths) >= best_distance_) return;
  const int distance = edit_distance(name_, start);
  if (distance < best_distance_) best_ = candidate, best_distance_ = distance;
}

/// Whoever writes the beginning of a name means the shortest that goes on from there, unless another is a letter away.
void ClosestName::consider_longer(std::string_view candidate) {
  const bool shorter = best_distance_ == kBeginning && candidate.size() < best_.size();
  if (best_.empty() || best_distance_ > kBeginning || shorter) best_ = candidate, best_distance_ = kBeginning;
}

std::string ClosestName::hint() const { return best_.empty() ? "" : " (did you mean " + in_quotes(best_) + "?)"; }

}  // namespace delassus
