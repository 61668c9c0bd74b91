// What the rows of a constraint are called, and what they measure.
#pragma once

#include <string>
#include <vector>

#include "delassus/constraints/constraint.hpp"

namespace delassus::cli {

struct RowLabel {
  std::string axis;  // "n", "t1", ..., "x", "rx", ...; empty where a constraint has one row
  /// What its velocity is in: metres or radians per second; empty if that is the user's affair.
  std::string unit;
};

/// One for each row.
std::vector<RowLabel> row_labels(const Model& model, const Constraint& constraint);

/// Its name, or its kind and number if it has none.
std::string constraint_label(const Constraint& constraint, std::size_t index);

}  // namespace delassus::cli
