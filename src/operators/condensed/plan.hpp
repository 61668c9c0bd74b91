// What the condensed tree does for one structure of rows, as flat lists (docs/algorithms/condensed.md).
//
// Of the links that feel a constraint, the nodes stay: links where constraints or branches meet, links with rows on their
// joints, and the links between those. The others are carried: a chain of joints from a tip, with one small group of rows at
// its end, is crossed once per configuration. What is left of it are the rows as the node above feels them, and how much they
// give way on their own. Links that feel nothing are quiet.
#pragma once

#include <memory>

#include "delassus/operators/condensed.hpp"
#include "operators/condensed/kinds.hpp"

namespace delassus {

struct CondensedPlan {
  using Range = condensed::Range;

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
  enum class Kind : std::uint8_t {
    kJoint,
    kAxis,        // a joint that turns about one axis through the origin of its link
    kFree,        // a free joint on the world: its unknown is the acceleration of the link itself
    kMultiplier,  // of a constraint
  };
  struct Node {
    Kind kind;
    std::uint8_t width;      // degrees of freedom of a joint, rows of a multiplier
    std::uint8_t dimension;  // six, or rows of a multiplier
    std::int32_t link;       // -1: a multiplier
    std::int32_t v, factor;  // of the link
    std::int32_t first_row;  // of a multiplier
    std::int32_t lone = -1;  // first of the lone rows on its joint, if there are
    std::int32_t parent;     // node of the parent link, or -1: the world
    bool trunk = false;      // of a fold: in all lanes
    bool hands_on = false;   // its parent is the next node: what they exchange need not go through memory
    bool receives = false;   // the node before hands on to it
    Range ways;              // in Ways::nodes: where lanes of a fold have different parents; `parent` is the deepest
    std::int32_t slot;       // links: which inertia; multipliers: the first entry of their packed triangle
    std::int32_t value;      // first component in vectors
    std::int32_t columns, panel, hat;  // the panel is dimension × columns, hat width × columns
    std::int32_t parent_column;        // of the parent in the panel, or -1
    Range neighbours, runs, moves, updates, weights;
  };

  // ---- links

  /// Per link, the inertia of the node that gets what the link hands to its parent once per configuration: those links do
  /// that are no nodes. -1: none.
  std::vector<std::int32_t> base_of;
  /// Per link: its number among the free joints on the world without armature or rows on them, or -1.
  std::vector<std::int32_t> free_of;
  std::vector<std::int32_t> felt;        // links that feel a constraint, on them or further out; ascending
  std::vector<std::int32_t> slot_links;  // per inertia, ascending
  std::int32_t num_free = 0;

  // ---- nodes

  std::vector<Node> nodes;  // in the order of elimination: children before parents
  std::vector<Neighbour> neighbours;
  std::vector<Run> runs;
  std::vector<Move> moves;
  std::vector<Update> updates;
  std::vector<Weight> weights;
  condensed::Ways ways;

  // ---- rows

  condensed::Groups groups;
  condensed::Branches branches;
  condensed::Points points;
  condensed::Strips strips;
  condensed::Wrenches wrenches;
  condensed::Joints joints;
  condensed::LoneRows lone;
  condensed::Multipliers multipliers;
  std::vector<Range> differences;  // rows of groups and of stiffness, but for lone ones: R b, or S b, minus a motion

  std::int32_t num_wrenches = 0;  // of stiffness and of multipliers
  std::int32_t values = 0, panel_size = 0, hat_size = 0, widest = 0;

  std::size_t bytes() const;
  void reserve(const Model& model, const CondensedCapacity& capacity);
};

/// How sweeps take the rows of points: four at a time in the lanes of float and double, or one by one.
enum class RowPacking : std::uint8_t { kStrips, kSingly };

struct FoldLanes;  // model/limb_model.hpp

/// Makes plans, one after the other, in memory that it keeps: allocates only where it needs more than ever before.
class CondensedPlanner {
 public:
  struct Scratch;  // src/operators/condensed/scratch.hpp

  explicit CondensedPlanner(const Model& model);
  CondensedPlanner(CondensedPlanner&&) noexcept;
  CondensedPlanner& operator=(CondensedPlanner&&) noexcept;
  CondensedPlanner(const CondensedPlanner&);
  CondensedPlanner& operator=(const CondensedPlanner&);
  ~CondensedPlanner();

  /// Throws an Error that leaves the plan without nodes if capacity is limited and more nodes are coupled.
  void run(const Model& model, const RowStructure& rows, const CondensedOptions& options, CondensedPlan& plan,
           RowPacking packing = RowPacking::kStrips, const FoldLanes* fold = nullptr);
  void reserve(const Model& model, const CondensedCapacity& capacity);

  /// How often an order of elimination has been looked for: not where the same nodes are coupled as last time.
  int symbolic_runs() const;
  std::size_t bytes() const;

 private:
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace delassus
