// The end of a generated source for those who load it: one table of functions, whatever the names and sizes of the code are.
#pragma once

#include <string>

#include "generate/generate.hpp"

namespace delassus::generation {

/// What the table is called in a shared object.
inline constexpr const char* kEntrySymbol = "delassus_operator_entry";

/// To be compiled behind the source: OperatorEntry (src/operators/operator_code.hpp), filled.
std::string entry_text(const GeneratedCode& code, const GenerateOptions& options, bool has_contacts);

}  // namespace delassus::generation
