#include "argument_values.hpp"

#include <fmt/format.h>

#include <charconv>

#include "find_by_name.hpp"

namespace delassus::cli {
namespace {

/// CLI11 keeps descriptions of validators behind the type's name: "ALGORITHM:{auto,ltl}".
constexpr std::string_view kOpen = ":{";

std::string in_braces(const std::vector<std::string>& values) { return fmt::format("{{{}}}", fmt::join(values, ",")); }

}  // namespace

CLI::Validator one_of(std::string what, std::vector<std::string> values) {
  std::string description = in_braces(values);
  const auto check = [what = std::move(what), values = std::move(values)](std::string& given) -> std::string {
    try {
      find_by_name(values, given, what, std::identity{});
      return "";
    } catch (const Error& e) {
      return e.what();
    }
  };
  return {check, std::move(description)};
}

CLI::Validator such_as(const std::vector<std::string>& values) {
  return {[](std::string&) { return std::string(); }, in_braces(values)};
}

CLI::Validator whole_number(int least, int most) {
  const auto check = [least, most](std::string& given) -> std::string {
    int number = 0;
    const char* end = given.data() + given.size();
    const auto [stopped, error] = std::from_chars(given.data(), end, number);
    const bool good = error == std::errc() && stopped == end && number >= least && number <= most;
    return good ? "" : fmt::format("{} is not a whole number from {} to {}", in_quotes(given), least, most);
  };
  return {check, ""};
}

CLI::Validator file_name() {
  const auto check = [](std::string& given) -> std::string {
    return given.empty() ? "the name of the file is empty" : "";
  };
  return {check, ""};
}

std::vector<std::string> values_of(const CLI::Option& option) {
  const std::string text = option.get_type_name();
  const std::size_t open = text.find(kOpen);
  if (open == std::string::npos) return {};
  const std::size_t first = open + kOpen.size();
  return CLI::detail::split(text.substr(first, text.find('}', first) - first), ',');
}

std::string placeholder_of(const CLI::Option& option) {
  const std::string text = option.get_type_name();
  return text.substr(0, text.find(kOpen));
}

}  // namespace delassus::cli
