// J M_R⁻¹ Jᵀ from the condensed tree by half a sweep: unit forces on all rows travel inwards at once, and what each node
// felt of them gives the matrix, as in PV-OSIM. Multipliers are nodes too, with negative pivots. No rows are carried.
#pragma once

#include "dynamics/row_products.hpp"
#include "operators/condensed/factor.hpp"

namespace delassus {

/// A row's force reaches the nodes between its own and the last, along the tree of who goes next among those coupled.
struct HalfSweepPlan {
  struct Columns {
    std::int32_t first, count;  // rows that reach a node, side by side
  };
  std::vector<condensed::Range> reached;  // per node, in `columns`
  std::vector<Columns> columns;
  std::vector<std::int32_t> unknown;         // per node, the first of as many as its width
  std::vector<condensed::Range> weights;     // per node, in `weight_entries`
  std::vector<std::int32_t> weight_entries;  // joint entries of stiff rows
  std::vector<std::int32_t> stiff_blocks;    // blocks of stiff rows
  std::vector<std::int32_t> value_of_link;   // first component of a link's node in vectors
  std::vector<std::uint8_t> stiff_row;       // per row: it has no multiplier
  RowProductPlan link_products, multiplier_products;
  std::int32_t unknowns = 0;
};

HalfSweepPlan make_half_sweep_plan(const Model& model, const CondensedPlan& plan, const RowStructure& rows);

template <class T>
struct HalfSweep {
  void resize(const CondensedPlan& plan, const HalfSweepPlan& half, int rows);

  std::vector<T> force;  // values × rows: forces on nodes
  RowCarriers<T> felt;   // Y: unknowns × rows, each unknown's share of the products
};

/// Adds to the lower triangle what links (or multipliers) felt. With both, links minus multipliers is Bᵀ W⁻¹ B, where W is
/// [[M + Jsᵀ R Js, Jmᵀ], [Jm, -R⁻¹]] and B is [[Jsᵀ, 0], [0, 1]]: s stiff rows, m rows with multipliers.
template <class T>
void sweep_half(const Model& model, const CondensedPlan& plan, const HalfSweepPlan& half,
                const CondensedConfiguration<T>& c, const CondensedDamping<T>& d, const ConstraintRows<T>& rows,
                HalfSweep<T>& work);

}  // namespace delassus
