// Operations that an operator needs at least, from the structure alone: for ruling one out without running it.
#pragma once

#include "delassus/constraints/rows.hpp"
#include "delassus/operators/operation_counts.hpp"

namespace delassus {

class OperationBounds {
 public:
  OperationBounds(const Model& model, const RowStructure& rows);

  /// Of single calls. Leading terms only, so that they are below the count; none for what grows like the mechanism.
  OperatorCount operator()(Algorithm algorithm, const Workload& workload) const;

  int deepest() const { return deepest_; }

 private:
  double factor(Algorithm algorithm) const;

  double nv_, m_;
  double path_squares_ = 0;  // over degrees of freedom, the squared number of those above
  double carried_ = 0, carried_above_ = 0, carried_pairs_ = 0;  // over degrees of freedom, with the rows that pass them
  double carrying_ = 0;                                         // operations of carrying those rows
  double root_pairs_ = 0;                                       // pairs of rows that act on one tree
  double unit_ways_ = 0, unit_way_pairs_ = 0;  // from links that are acted on to the world; and from pairs of them
  int deepest_ = 0;
};

}  // namespace delassus
