// Where constraints act, which of them are multipliers, and the graph of nodes that follows.
#pragma once

#include "delassus/constraints/rows.hpp"
#include "delassus/operators/lcaba_plan.hpp"

namespace delassus {

/// Links of a constraint's blocks, and links whose joints it weights; each once, ascending.
struct ConstraintPlaces {
  std::vector<std::int32_t> links, joints;
};

/// Nodes are the live links, then the pieces.
struct LcabaGraph {
  /// Rows of a constraint whose multipliers are one node.
  struct Piece {
    std::int32_t first_row, rows;
  };

  std::vector<std::int32_t> dof_link;     // per degree of freedom
  std::vector<ConstraintPlaces> places;   // per constraint
  std::vector<std::int32_t> live, quiet;  // links, ascending
  std::vector<std::int32_t> link_node;    // per link: its node, or -1
  std::vector<Piece> pieces;
  std::vector<std::int32_t> first_piece;  // per constraint, and one more

  bool is_stiff(int e) const { return first_piece[e] == first_piece[e + 1]; }
  int piece_node(int piece) const { return static_cast<int>(live.size()) + piece; }
};

LcabaGraph make_lcaba_graph(const Model& model, const RowStructure& rows, LcabaForm form);

EliminationGraph make_elimination_graph(const Model& model, const LcabaGraph& graph);

}  // namespace delassus
