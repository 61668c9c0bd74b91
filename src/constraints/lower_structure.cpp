#include "delassus/constraints/lower.hpp"
#include "math/instantiate.hpp"

namespace delassus {

template <class T>
void ConstraintRows<T>::reserve(int constraints) {
  spans.reserve(constraints);
  sets.reserve(constraints);
  blocks.reserve(2 * constraints);
  entries.reserve(12 * constraints);
  this->values.reserve(2 * 36 * constraints);
  this->weights.reserve(12 * constraints);
}

template <class T>
void lower_structure(const Model& model, std::span<const Constraint> constraints, ConstraintRows<T>& rows) {
  lower_structure(model, constraints, static_cast<RowStructure&>(rows));
  rows.sets.clear();
  for (const Constraint& c : constraints) rows.sets.push_back(set_of(c));
  rows.values.assign(rows.num_values(), T(0));
  rows.weights.assign(rows.entries.size(), T(0));
}

#define DELASSUS_INSTANTIATE(T)      \
  template struct ConstraintRows<T>; \
  template void lower_structure<T>(const Model&, std::span<const Constraint>, ConstraintRows<T>&);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
