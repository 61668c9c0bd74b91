// Numbers of the benchmark in print: three digits that count.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace delassus::cli {

inline std::string three_digits(double x) {
  const int decimals = x < 1 ? 3 : x < 10 ? 2 : x < 100 ? 1 : 0;
  return fmt::format("{:.{}f}", x, decimals);
}

/// "1.55 (0.50)": a value and how it compares with another; a dash if there is none.
inline std::string with_ratio(const std::optional<double>& value, const std::optional<double>& baseline) {
  if (!value) return "-";
  if (!baseline) return three_digits(*value);
  const double ratio = *value / *baseline;
  const std::string text =
      ratio < 0.095 ? fmt::format("{:.2g}", ratio) : fmt::format("{:.{}f}", ratio, ratio < 9.95 ? 2 : 0);
  return fmt::format("{} ({})", three_digits(*value), text);
}

/// As a number, or null.
template <class Value>
nlohmann::json or_null(const std::optional<Value>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

}  // namespace delassus::cli
