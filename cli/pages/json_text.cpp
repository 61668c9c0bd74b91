#include "cli/pages/json_text.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/pages/rounded.hpp"

namespace delassus::cli {

using nlohmann::json;

std::string to_text(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

json number_json(double x) {
  constexpr int kDigits = 7;
  return std::isfinite(x) ? json(rounded(x, kDigits)) : json(nullptr);
}

json numbers_json(std::span<const double> numbers) {
  json out = json::array();
  for (const double x : numbers) out.push_back(number_json(x));
  return out;
}

}  // namespace delassus::cli
