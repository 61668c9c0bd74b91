// What rows yield at best, by which weak directions are measured.
//
// Rows of one kind (linear or angular) of one constraint are measured by the softest of them, so that metres and radians do not meet, and
// a row that nothing moves is weak beside its neighbours. Rows that are rounding only count as such.
#pragma once

#include <span>
#include <vector>

#include "delassus/constraints/state.hpp"
#include "delassus/math/scalar.hpp"

namespace delassus {

template <FloatingPoint T>
class RowScales {
 public:
  RowScales(const Model& model, std::span<const Constraint> constraints);

  /// s, one for each row, from Λ⁻¹ = A at the state; `mobility` is the largest that a joint has. Allocates nothing.
  const T* find(const State<T>& state, T mobility, MatrixView<const T> A);

 private:
  void find_rounding(const State<T>& state, T mobility);

  std::vector<int> kind_;  // the first row of the same kind
  std::vector<T> scale_, rounding_;
};

}  // namespace delassus
