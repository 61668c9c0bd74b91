// What the numbers of a diagnosis mean for a person. A part of the constraint doctor.
#pragma once

#include "solvers/row_analysis.hpp"

namespace delassus {

/// Fills the findings, most important first, and the health that follows from them.
void add_findings(const Model& model, std::span<const Constraint> constraints, const RowAnalysis& analysis,
                  const DoctorOptions& options, ConstraintReport& report);

}  // namespace delassus
