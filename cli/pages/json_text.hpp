// JSON of pages and reports.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace delassus::cli {

/// On one line. Names that are not UTF-8 get replacement characters.
std::string to_text(const nlohmann::json& value);

/// With the digits of a float; null if it is not finite.
nlohmann::json number_json(double x);
nlohmann::json numbers_json(std::span<const double> numbers);

}  // namespace delassus::cli
