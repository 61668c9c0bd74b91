#include "heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus::cli {
namespace {

constexpr int kShades = 10;

/// 0 for nothing (below 1e-6 of the largest), 1 to 9 for the rest: steps of a third of a decade below the largest.
int shade_of(double x, double largest) {
  const double share = std::abs(x) / largest;
  if (!(share > 1e-6)) return 0;
  const int below = static_cast<int>(-std::log10(share) * 3);
  return std::clamp(kShades - 1 - below, 1, kShades - 1);
}

/// From white to deep red or deep blue, as red, green, blue.
std::string background(int shade, bool positive) {
  const int pale = 245 - shade * 24, dark = 245 - shade * 9;
  return positive ? fmt::format("\x1b[48;2;{};{};{}m", dark, pale, pale)
                  : fmt::format("\x1b[48;2;{};{};{}m", pale, pale, dark);
}

std::string cell(double x, double largest, bool colour) {
  const int shade = shade_of(x, largest);
  if (colour) return background(shade, x > 0) + "  \x1b[0m";
  static constexpr char kRamp[] = " .,:;+*%@#";
  const char c = kRamp[shade];
  return {shade > 0 && x < 0 ? '-' : c, c};
}

}  // namespace

std::string heat_map(const std::vector<double>& entries, int rows, const std::vector<HeatMapLabel>& labels,
                     bool colour) {
  double largest = 0;
  for (double x : entries) largest = std::max(largest, std::abs(x));
  if (largest == 0) largest = 1;
  std::string text;
  for (int r = 0; r < rows; ++r) {
    text += "  ";
    for (int c = 0; c < rows; ++c) text += cell(entries[r * rows + c], largest, colour);
    for (const HeatMapLabel& label : labels) {
      if (label.first_row == r) text += "  " + label.text;
    }
    text += '\n';
  }
  return text;
}

}  // namespace delassus::cli
