// What an operator was made for and last given: the shape of the mechanism, the structure of the rows, and their values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "delassus/constraints/rows.hpp"
#include "delassus/math/error.hpp"
#include "delassus/math/heap_bytes.hpp"

namespace delassus {

template <class T>
class OperatorInput {
 public:
  explicit OperatorInput(const Model& model) : tree_(model.links().begin(), model.links().end()), model_(&model) {}

  /// Throws unless the model branches as the one that the operator was made for: its memory depends on that.
  void require_same_tree(const Model& model) const {
    if (!std::equal(tree_.begin(), tree_.end(), model.links().begin(), model.links().end())) {
      throw Error("argument 'model' is another mechanism than the operator was made for");
    }
  }
  bool fits(const ConstraintRows<T>& rows) const { return planned_ && same_structure(rows_, rows); }

  /// Nothing fits until the next take_structure.
  void drop_structure() { planned_ = false; }
  void take_structure(const ConstraintRows<T>& rows) {
    rows_ = rows;
    planned_ = true;
  }
  /// Of rows that fit. The model has to live as long as the operator is used.
  void take_values(const Model& model, const ConstraintRows<T>& rows) {
    model_ = &model;
    rows_.values = rows.values;
    rows_.entries = rows.entries;
  }

  const Model& model() const { return *model_; }
  const ConstraintRows<T>& rows() const { return rows_; }
  std::size_t bytes() const { return heap_bytes(tree_, rows_); }

 private:
  struct Branch {
    Branch(const Link& link) : parent(link.parent), nv(link.nv) {}  // NOLINT: a list of links becomes one of these
    bool operator==(const Branch&) const = default;
    std::int32_t parent;
    std::uint8_t nv;
  };

  std::vector<Branch> tree_;
  const Model* model_;
  bool planned_ = false;
  ConstraintRows<T> rows_;
};

}  // namespace delassus
