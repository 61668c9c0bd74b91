// The demonstration as a table for a person.
#pragma once

#include <string>

#include "cli/demo/box_result.hpp"

namespace delassus::cli {

std::string as_text(const BoxResult& result);

}  // namespace delassus::cli
