// Memory for numbers of structures that are still to come (plan_capacity.cpp: for their plans).
#include "math/instantiate.hpp"
#include "operators/condensed/factor.hpp"
#include "operators/condensed/reserve_all.hpp"

namespace delassus {

using condensed::kMostRows;
using condensed::reserve_all;

template <class T>
void CondensedConfiguration<T>::reserve(const Model& model, const CondensedCapacity& c) {
  reserve_all(model.num_links(), base, yield);
  reserve_all(6 * model.num_links(), free_pivots);
  reserve_all(4 * c.rows, side, omega);
  reserve_all(condensed::kBranchRow * c.rows, front);
  reserve_all(condensed::kMostBranchRows * (6 * (model.num_links() + 1) + 2 * model.nv()), carried);
  reserve_all(kMostRows * c.blocks, wrench, placed);
  reserve_all(c.rows, strip);
  reserve_all(c.constraints, apart);
}

template <class T>
void BranchDamping<T>::reserve(int m) {
  reserve_all(condensed::kBranchRow * m, front, rest, lower);
  reserve_all(4 * m, inverse);
  reserve_all(6 * m, damping);
  reserve_all(m, kept);
}

template <class T>
void CondensedDamping<T>::reserve(const Model& model, const CondensedCapacity& c) {
  rows.reserve(c.rows);
  reserve_all(model.num_links(), H, unit_H);
  reserve_all(36 * c.couplings, panel, unit_panel, hat);
  reserve_all(4 * c.rows, multiplier, dual, dual_side);
  reserve_all(c.rows, peak);
  branches.reserve(c.rows);
  reserve_all(6 * model.nv(), share);
  reserve_all(6 * (6 * model.num_links() + c.rows), felt);
}

#define DELASSUS_INSTANTIATE(T)                                                             \
  template void CondensedConfiguration<T>::reserve(const Model&, const CondensedCapacity&); \
  template void BranchDamping<T>::reserve(int);                                             \
  template void CondensedDamping<T>::reserve(const Model&, const CondensedCapacity&);
DELASSUS_FOR_EACH_TREE_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
