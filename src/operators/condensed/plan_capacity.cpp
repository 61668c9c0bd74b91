// Memory for plans of structures that are still to come: how long each list can get.
#include "operators/condensed/plan.hpp"
#include "operators/condensed/reserve_all.hpp"
#include "operators/condensed/scratch.hpp"

namespace delassus {
namespace {

/// A constraint that is stiffness or carried has at most four sides, so six pairs of them.
constexpr int kPairs = 6;

/// Links, and multipliers: never more than rows.
int most_nodes(const Model& model, const CondensedCapacity& c) { return model.num_links() + c.rows; }

}  // namespace

using condensed::kMostRows;
using condensed::reserve_all;

CondensedCapacity room_for(int constraints) {
  return {constraints, kMostRows * constraints, 2 * constraints, 2 * constraints, 8 * constraints};
}

void CondensedPlan::reserve(const Model& model, const CondensedCapacity& c) {
  reserve_all(model.num_links(), base_of, free_of, felt, groups.chain_links, slot_links);
  reserve_all(model.nv(), lone.list);
  reserve_all(c.constraints, groups.list, branches.list);
  reserve_all(model.num_links(), branches.steps);
  reserve_all(c.rows, branches.rows);
  reserve_all(c.blocks, branches.blocks);
  reserve_all(c.entries, branches.entries);
  reserve_all(kPairs * c.constraints, groups.pairs, points.pairs, wrenches.pairs);
  reserve_all(c.blocks, groups.carriers, groups.blocks, groups.sides, points.list, points.twins, strips.points,
              strips.twins, wrenches.parts, wrenches.placings, multipliers.wrenches.parts,
              multipliers.wrenches.placings);
  reserve_all(c.blocks + c.rows, multipliers.columns);
  reserve_all(c.rows, groups.rows, differences, multipliers.nodes);
  reserve_all(c.entries, weights, joints.stiff, joints.entries);
  reserve_all(kMostRows * c.entries, joints.pairs);
  reserve_all(most_nodes(model, c), nodes);
  reserve_all(c.couplings, neighbours, runs, moves);
  reserve_all(4 * c.couplings, updates);
}

void CondensedPlanner::reserve(const Model& model, const CondensedCapacity& c) {
  Scratch& s = *scratch_;
  const int nodes = most_nodes(model, c), given = kPairs * c.constraints + 2 * (c.blocks + c.entries);
  reserve_all(c.constraints, s.constraints);
  reserve_all(c.blocks, s.link_list);
  reserve_all(c.entries, s.joint_list, s.weights);
  reserve_all(c.rows, s.pieces);
  for (EliminationGraph* graph : {&s.graph, &s.last_graph, &s.compared}) {
    reserve_all(nodes, graph->nodes);
    reserve_all(given, graph->couplings);
  }
  for (Elimination* e : {&s.elimination, &s.other}) {
    reserve_all(nodes, e->order, e->first, e->end);
    reserve_all(c.couplings, e->neighbours);
  }
  reserve_all(nodes + 1, s.position);
  s.eliminator.reserve(nodes, given, c.couplings);
}

}  // namespace delassus
