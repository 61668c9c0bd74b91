// The sets of constraints that occur in a recording, each once.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/constraints/rows.hpp"

namespace delassus::cli {

/// Rows of Λ⁻¹ that a frame holds one by one. With more, a cell of it stands for several.
inline constexpr int kMostMatrixRows = 96;

class Structures {
 public:
  /// The model has to live as long as this.
  explicit Structures(const Model& model);

  /// The index of the set of these constraints, with their names; -1 if there are none.
  int find(std::span<const Constraint> constraints, std::span<const std::string> names,
           const ConstraintRows<double>& rows);

  /// Each as JSON (docs/viewer.md), by index.
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  const Model& model_;
  std::vector<std::string> link_names_;
  std::unordered_map<std::string, int> index_;
  std::vector<std::string> texts_;
};

}  // namespace delassus::cli
