// Contact forces by a bounded number of damped solves, with a certificate (docs/algorithms/contact.md).
#pragma once

#include <string>

#include "generate/operator_text.hpp"

namespace delassus::generation {

/// Where all functions are asked for: why there is none; empty if there is one.
std::string why_no_contact_solver(const Material& m);
inline bool has_contact_solver(const Material& m) {
  return m.options.functions == GenerateOptions::Functions::kAll && why_no_contact_solver(m).empty();
}

/// Declarations for the header: settings and memory, and its functions.
std::string contact_declarations(const Material& m);
std::string contact_text(const Material& m);
/// Of one of its iterations: a solve, which costs that, projections and the extrapolation; without the product that judges, now and then.
GeneratedCost cost_of_contact_iteration(const Material& m, const GeneratedCost& solve);

}  // namespace delassus::generation
