// The sets of constraints that occur in a recording, each once.
#pragma once

#include <cstdint>
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
  /// A set that none of the last `kept` frames had may lose its index to a new one, so that there are never
  /// more than that; 0: all stay.
  explicit Structures(const Model& model, int kept = 0);

  /// The index of the set of these constraints, with their names; -1 if there are none. Called once for each frame.
  int find(std::span<const Constraint> constraints, std::span<const std::string> names,
           const ConstraintRows<double>& rows);

  /// Each as JSON (docs/viewer.md), by index.
  const std::vector<std::string>& texts() const { return texts_; }
  /// The sets are numbered as they are made. The number of the set that has this index, and of the next that is made.
  std::int64_t number(std::size_t index) const { return uses_[index].number; }
  std::int64_t next_number() const { return next_number_; }

 private:
  struct Use {
    const std::string* key;
    std::int64_t number, last_frame;
  };

  int take_index();

  Model model_;
  std::vector<std::string> link_names_;
  int kept_;
  std::unordered_map<std::string, int> index_;
  std::vector<std::string> texts_;
  std::vector<Use> uses_;
  std::int64_t frame_ = 0, next_number_ = 0;
};

}  // namespace delassus::cli
