#include "cli/shell/argument_values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "cli/shell/find_by_name.hpp"

namespace delassus::cli {

Values one_of(std::string what, std::vector<std::string> values) {
  auto complaint = [what = std::move(what), values](const std::string& given) -> std::string {
    try {
      find_by_name(values, given, what, std::identity{});
      return "";
    } catch (const Error& e) {
      return e.what();
    }
  };
  return {std::move(values), std::move(complaint)};
}

Values such_as(std::vector<std::string> values) { return {std::move(values), nullptr}; }

Values whole_number(int least, int most) {
  const auto complaint = [least, most](const std::string& given) -> std::string {
    int number = 0;
    const char* end = given.data() + given.size();
    const auto [stopped, error] = std::from_chars(given.data(), end, number);
    const bool good = error == std::errc() && stopped == end && number >= least && number <= most;
    return good ? "" : fmt::format("{} is not a whole number from {} to {}", in_quotes(given), least, most);
  };
  return {{}, complaint};
}

double number_of(const std::string& given) {
  double number = 0;
  const char* end = given.data() + given.size();
  const auto [stopped, error] = std::from_chars(given.data(), end, number);
  return error == std::errc() && stopped == end ? number : std::numeric_limits<double>::quiet_NaN();
}

Values positive_number() {
  const auto complaint = [](const std::string& given) -> std::string {
    const double number = number_of(given);
    return number > 0 && std::isfinite(number) ? "" : in_quotes(given) + " is not a number greater than zero";
  };
  return {{}, complaint};
}

Values number_between(double least, double most) {
  const auto complaint = [least, most](const std::string& given) -> std::string {
    const double number = number_of(given);
    const bool good = number >= least && number <= most;
    return good ? "" : fmt::format("{} is not a number from {} to {}", in_quotes(given), least, most);
  };
  return {{}, complaint};
}

Values file_name() {
  const auto complaint = [](const std::string& given) -> std::string {
    return given.empty() ? "the name of the file is empty" : "";
  };
  return {{}, complaint};
}

}  // namespace delassus::cli
