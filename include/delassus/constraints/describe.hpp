// A Status in words.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/math/error.hpp"

namespace delassus {

/// What happened and what to do, with the names that the model and the constraints have.
std::string describe(const Status& status, const Model& model, std::span<const Constraint> constraints = {});

// What the rows of a constraint are called, and what they measure.

struct RowLabel {
  std::string axis;   // "n", "t1", ..., "x", "rx", ...; empty where a constraint has one row
  std::string words;  // "normal", "linear x", "angular z", ...; empty where there is no axis
  /// What its position is in, "m" or "rad", and per second its velocity; empty if that is the user's affair.
  std::string unit;
};

/// One for each row.
std::vector<RowLabel> row_labels(const Model& model, const Constraint& constraint);

/// Its name, or its kind and number if it has none.
std::string constraint_label(const Constraint& constraint, std::size_t index);

/// "contact 'FL_foot'", or "contact 3" if it has no name; fit to print.
std::string constraint_name(const Constraint& constraint, std::size_t index);

/// "contact 'FL_foot' normal", "loop 'rod' linear x", "coupling 'gear'"; "row 7" if the constraints do not have so many.
std::string row_name(const Model& model, std::span<const Constraint> constraints, int row);

}  // namespace delassus
