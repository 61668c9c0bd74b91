// Constraints that are switched off at run time: their rows have a damping beside which nothing is felt, and no forces.
#pragma once

#include <string>

#include "generate/operator_text.hpp"

namespace delassus::generation {

/// Whether rows may have dampings of their own, which masks need.
bool has_masks(const Material& m);

/// The function that switches, and what the others use. Empty if there are no masks.
std::string mask_text(const Material& m);

/// How the function over all rows begins that `function` ("apply", "damp", "solve", "refine") is made of; without masks it is that itself.
std::string core_signature(const Material& m, const std::string& function);
std::string core_name(const Material& m, const std::string& function);
/// The function itself, for those that are switched on; nothing without masks.
std::string masked_text(const Material& m, const std::string& function);

}  // namespace delassus::generation
