// What LCABA does for one structure of rows, as flat lists: which links, in which order, which blocks into which.
//
// Nodes are the links that feel a constraint, and the multipliers of constraints that are not turned into stiffness. When
// a node goes, it has a panel: its couplings to all nodes that are still there and coupled to it, side by side, one row
// for each of its own components. Links that feel nothing are no nodes: they are eliminated with the tree, once per
// configuration, whatever the damping.
#pragma once

#include "delassus/constraints/rows.hpp"
#include "delassus/operators/elimination_order.hpp"

namespace delassus {

/// How a constraint enters. As stiffness Kᵀ R K between its links, the published form: beside a large R the inertias of
/// links lose digits. Or as an unknown of its own, its multiplier, which loses less but has to be carried along. Constraints
/// on more than four links, on several joints, or on links and joints at once are multipliers in any case.
enum class LcabaForm : std::uint8_t {
  kCheapest,         // of the next two, by symbolic cost
  kStiffness,        // stiffness wherever possible
  kLoopMultipliers,  // stiffness for what acts on one link or one joint
  kAllMultipliers,   // for damping that is tiny beside Λ⁻¹
};

struct LcabaOptions {
  LcabaForm form = LcabaForm::kCheapest;
  NodeOrder order = NodeOrder::kMinimumDegree;
  std::uint64_t seed = 0;  // of NodeOrder::kRandom
  int refinements = 2;     // at most, per solve; 0 also spares the residual
};

struct LcabaPlan {
  struct Range {
    std::int32_t first = 0, count = 0;
  };
  /// All rows of a constraint on one link.
  struct Attachment {
    std::int32_t link, value;      // value: where vectors have the link's node
    std::int32_t first_row, rows;  // of the constraint
    std::int32_t wrench;           // the first of as many
  };
  /// A block of rows goes to the wrenches of its attachment.
  struct Placing {
    std::int32_t block, wrench;
  };
  /// One node that another is coupled to, with its columns in the other's panel.
  struct Neighbour {
    std::int32_t node, column;
  };
  /// Columns of a panel whose nodes stand next to each other in vectors.
  struct Run {
    std::int32_t column, count, value;
  };
  /// Columns of a link's panel become its parent's: added at `to` in the panel of the parent, or as rows in that of the
  /// neighbour.
  struct Move {
    std::int32_t column, count;
    std::int32_t to, stride;
    bool transposed;
  };
  /// The panel of a neighbour (whose rows are columns from `row` on) loses the product with columns from `column` on.
  struct Update {
    std::int32_t row, rows, column, count;
    std::int32_t to, stride;
  };
  /// A weight on the joint of a link that goes, in columns of a multiplier.
  struct Weight {
    std::int32_t entry, dof, column;
  };
  struct Node {
    std::int32_t link;              // -1: a multiplier
    std::int32_t first_row, width;  // rows of a multiplier; degrees of freedom of a link's joint
    std::int32_t dimension, columns;
    std::int32_t parent;         // node of the parent link, or -1
    std::int32_t parent_column;  // of the parent in the panel, or -1
    std::int32_t value;          // first component in vectors
    std::int32_t diagonal;       // links: which inertia; multipliers: the first entry of the packed triangle
    std::int32_t panel, hat;     // first entries of dimension × columns and of width × columns
    Range neighbours, runs, moves, updates, weights;
  };

  // Stiffness: R of rows between two attachments into a panel, of one into its inertia, of weights on one joint into D.
  struct StiffCoupling {
    std::int32_t left, right, first_row, rows;  // wrenches
    std::int32_t to, stride;
  };
  struct StiffInertia {
    std::int32_t wrench, first_row, rows, diagonal;
  };
  struct StiffJoint {
    std::int32_t left, right, place;  // entries, and a place among the packed triangles of all joints
  };
  /// Rows of a multiplier on a link, columns of that link's panel.
  struct MultiplierRows {
    std::int32_t wrench, rows, to, stride;
  };

  std::vector<std::int32_t> live;   // links that feel constraints, ascending
  std::vector<std::int32_t> quiet;  // all others, ascending
  std::vector<Node> nodes;          // in the order of elimination
  std::vector<Neighbour> neighbours;
  std::vector<Run> runs;
  std::vector<Move> moves;
  std::vector<Update> updates;
  std::vector<Weight> weights;
  std::vector<Attachment> attachments;
  std::int32_t stiff_attachments = 0;  // those of constraints that are stiffness come first
  std::vector<Placing> placings;
  std::vector<std::int32_t> stiff_entries;  // joint entries of constraints that are stiffness
  std::vector<std::uint8_t> stiff_row;      // per row
  std::vector<StiffCoupling> stiff_couplings;
  std::vector<StiffInertia> stiff_inertias;
  std::vector<StiffJoint> stiff_joints;
  std::vector<MultiplierRows> multiplier_rows;
  std::int32_t wrenches = 0, values = 0, panel_size = 0, hat_size = 0, triangle_size = 0, widest = 0;
  double cost = 0;  // symbolic, for comparing forms

  bool has_couplings() const { return panel_size > 0; }
  std::size_t bytes() const {
    return heap_bytes(live, quiet, nodes, neighbours, runs, moves, updates, weights, attachments, placings,
                      stiff_entries, stiff_row, stiff_couplings, stiff_inertias, stiff_joints, multiplier_rows);
  }
};

LcabaPlan make_lcaba_plan(const Model& model, const RowStructure& rows, const LcabaOptions& options = {});

}  // namespace delassus
