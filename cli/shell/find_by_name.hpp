// An entry of a table by its name, or what was meant.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "delassus/math/error.hpp"
#include "model/wording.hpp"

namespace delassus::cli {

/// `name_of` gives the name of an entry. Throws an Error with the closest name and all of them if there is none of this one.
template <class Table, class NameOf>
const auto& find_by_name(const Table& table, std::string_view name, std::string_view what, NameOf name_of) {
  const auto found = std::ranges::find(table, name, name_of);
  if (found != table.end()) return *found;
  ClosestName closest(name);
  std::vector<std::string_view> names;
  names.reserve(table.size());
  for (const auto& entry : table) names.push_back(std::invoke(name_of, entry));
  for (const std::string_view known : names) closest.consider(known);
  throw Error(
      fmt::format("there is no {} {}{}; there are {}", what, in_quotes(name), closest.hint(), comma_separated(names)));
}

}  // namespace delassus::cli
