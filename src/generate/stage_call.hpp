// Pieces of functions that run stages of the operator.
#pragma once

#include <string>
#include <vector>

#include "generate/operator_text.hpp"

namespace delassus::generation {

/// What parts of a stage may take: the factor's numbers, memory for the call, and arguments.
std::vector<Parameter> parameters_of(const Material& m, int stage);

/// Its memory for the call.
std::string scratch(const Material& m, const StageText& stage);
/// Whether it is given something of that name.
bool uses(const StageText& stage, const std::string& name);
/// For compilers that warn of parameters which robots without use for them have.
std::string unused(const StageText& stage, const std::vector<std::string>& names);
/// The factor's numbers, if it takes them. `kind`: "const ", or nothing.
std::string state(const Material& m, const StageText& stage, const std::string& kind);
/// Its calls, and what is returned where checks fail.
std::string body(const StageText& stage);

}  // namespace delassus::generation
