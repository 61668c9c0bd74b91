// What the numbers of a diagnosis mean for a person. A part of the constraint doctor.
#pragma once

#include "solvers/other_postures.hpp"
#include "solvers/row_analysis.hpp"

namespace delassus {

/// Fills the findings, most important first, and what follows from them: the health, and whether the rank is certain.
void add_findings(const Model& model, std::span<const Constraint> constraints, const RowAnalysis& analysis,
                  OtherPostures& others, const DoctorOptions& options, ConstraintReport& report);

}  // namespace delassus
