// The tour in the terminal.
#pragma once

#include <string>

#include "cli/tour/set_result.hpp"

namespace delassus::cli {

/// A contact set: what it is, tables of times and operations, what the planner takes.
std::string as_text(const SetResult& result);

/// What the columns are.
std::string legend_text();

}  // namespace delassus::cli
