// The memory of CondensedPlanner, and the steps of planning that work in it.
#pragma once

#include <span>

#include "model/limb_model.hpp"
#include "operators/condensed/plan.hpp"
#include "operators/elimination_order.hpp"

namespace delassus {

template <class V>
std::int32_t length(const V& list) {
  return static_cast<std::int32_t>(list.size());
}
template <class... V>
void clear_all(V&... lists) {
  (lists.clear(), ...);
}

struct CondensedPlanner::Scratch {
  /// A constraint as the planner sees it.
  struct Places {
    std::int32_t first_link = 0, links = 0;    // different links of its blocks, in link_list
    std::int32_t first_joint = 0, joints = 0;  // different links whose joints it weights, in joint_list
    std::int32_t group = -1;                   // that it is carried in
    std::int32_t top = -1;                     // link on which all its links meet, or the world
    std::int32_t branch = -1, branch_row = 0;  // that it is carried with, and its first row there
    std::int32_t first_piece = 0, pieces = 0;  // its multipliers
    bool one_block_each = true;                // on each of its links
    bool is_multiplier() const { return pieces > 0; }
    bool is_carried() const { return group >= 0 || branch >= 0; }
  };
  /// Rows of a constraint whose multipliers are one node.
  struct Piece {
    std::int32_t first_row, rows;
  };
  struct LinkPlace {
    std::int32_t touching = 0;  // constraints on the link
    std::int32_t unary = 0;     // those on this link alone that could be carried
    std::int32_t unary_rows = 0, unary_blocks = 0;
    std::int32_t live_children = 0;
    std::int32_t slot = -1;        // nodes: their number among the nodes, ascending
    std::int32_t group = -1;       // tips of carried rows on this link alone
    std::int32_t joint_rows = 0;   // constraints on its joint
    std::int32_t lone = -1;        // first of its lone rows
    std::int32_t single = 0;       // constraints on its joint alone, each row on one degree of freedom
    std::uint8_t single_dofs = 0;  // which those are on: a bit for each
    bool twice = false;            // one of them has two such rows
    bool live = false, carried = false;
    bool open = false;            // a constraint acts on this link or further out, and on others as well
    bool loops = false;           // one that holds acts on several links, none but this one and those further out
    bool whole = false;           // the branch that begins here is best carried as a whole
    double cost = 0;              // of the branch, for a damping
    std::int32_t inner_rows = 0;  // on this link and further out alone
    std::int32_t branch = -1, step = -1;
    bool trunk = false;  // of a fold: its rows and children are in all lanes, so it is a node if it is live
    LaneSet lanes = 0;   // of a fold: those that are live
  };

  std::span<const std::int32_t> links_of(const Places& p) const {
    return std::span(link_list).subspan(p.first_link, p.links);
  }
  std::span<const std::int32_t> joints_of(const Places& p) const {
    return std::span(joint_list).subspan(p.first_joint, p.joints);
  }
  /// Where lanes of a fold hang on different links; nothing where there is none.
  std::span<const Way> ways_of(int link) const {
    return fold == nullptr ? std::span<const Way>() : fold->ways_of(link);
  }
  bool is_trunk(int link) const { return fold != nullptr && fold->is_trunk(link); }
  /// The parent of a link that is live; where lanes have several, the deepest that is a node.
  std::int32_t parent_of(const Model& model, int i) const {
    for (const Way& way : ways_of(i)) {
      if (places[way.parent].slot >= 0) return way.parent;
    }
    return model.link(i).parent;
  }
  /// The node in the order of elimination that a link is.
  std::int32_t node_of(int link) const { return position[places[link].slot]; }
  std::int32_t piece_node(int piece) const { return num_links + piece; }

  const FoldLanes* fold = nullptr;  // while a plan is made
  std::vector<std::int32_t> dof_link;
  std::vector<LinkPlace> places;  // per link
  std::vector<Places> constraints;
  std::vector<std::int32_t> link_list, joint_list;
  std::vector<std::int64_t> seen;  // per link
  std::int64_t stamp = 0;
  std::vector<Piece> pieces;
  std::int32_t num_links = 0;  // that are nodes
  EliminationGraph graph, last_graph;
  EliminationGraph compared;         // stiffness of long loops, when forms were last compared
  bool multipliers_cheaper = false;  // there
  Eliminator eliminator;
  Elimination elimination, other;      // the second for comparing forms
  std::vector<std::int32_t> position;  // of nodes of the graph in the order
  struct NodeWeight {
    std::int32_t node;
    CondensedPlan::Weight weight;
  };
  std::vector<NodeWeight> weights;
  int symbolic_runs = 0;
};

/// Which links feel what (topology.cpp).
void find_places(const Model& model, const RowStructure& rows, CondensedPlanner::Scratch& s);
/// Which branches are carried as a whole (branch_layout.cpp).
void find_branches(const Model& model, const RowStructure& rows, CondensedPlanner::Scratch& s, CondensedPlan& plan);
/// Which chains are carried, and which links are nodes.
void find_groups(const Model& model, const RowStructure& rows, Condense condense, CondensedPlanner::Scratch& s,
                 CondensedPlan& plan);
/// Which nodes are coupled, in a form of the constraints.
void find_couplings(const Model& model, const RowStructure& rows, ConstraintForm form, const CondensedPlan& plan,
                    CondensedPlanner::Scratch& s);
/// Whether some loop might be cheaper as a multiplier.
bool has_long_loops(const CondensedPlanner::Scratch& s);
/// Panels of nodes and what is done with them (node_layout.cpp).
void lay_out_nodes(const Model& model, const CondensedPlanner::Scratch& s, CondensedPlan& plan);
/// Where rows go (row_layout.cpp).
void lay_out_rows(const Model& model, const RowStructure& rows, RowPacking packing, CondensedPlanner::Scratch& s,
                  CondensedPlan& plan);
/// Where the couplings of two nodes begin: in the panel of the one that goes first.
std::int32_t coupling_of(const CondensedPlan& plan, int earlier, int later);

}  // namespace delassus
