// The kinds of rows of the condensed tree, as flat lists that follow from the structure (docs/algorithms/condensed.md).
//
// What is done with a kind stands in src/operators/condensed/<kind>.hpp, in four functions: `place` for a new configuration, `push`
// for forces of the rows on nodes, `pull` for motions of nodes along the rows, `stiffen` for a new damping.
#pragma once

#include <cstdint>
#include <vector>

#include "delassus/math/boxed.hpp"
#include "math/limbs.hpp"

namespace delassus::condensed {

struct Range {
  std::int32_t first = 0, count = 0;
  std::int32_t end() const { return first + count; }
};

/// Rows at tips, carried inwards over chains of joints: of each group a small block is left.
struct Groups {
  /// Rows that are carried together, and are one small block of the damped inverse.
  struct Group {
    Range carriers, direct, sides;
    std::int32_t rows;      // 1 to 6
    std::int32_t row;       // first of its numbers in `rows`
    std::int32_t triangle;  // first entry of its packed triangles
  };
  /// A chain of joints, crossed from the tip inwards.
  struct Carrier {
    Range blocks;       // in `blocks`
    Range chain;        // in `chain_links`
    std::int32_t side;  // what is handed over; -1: to the world
    Range ways;         // in Ways::sides: where lanes of a fold hand it to different nodes
  };
  /// A block of a constraint, whose first row is this one of its group.
  struct Block {
    std::int32_t block, row;
    std::int32_t side;  // of blocks on nodes
  };
  /// What a node feels of a group.
  struct Side {
    std::int32_t node, link;
    std::int32_t panel;         // first of as many wrenches as the group has rows
    LaneSet lanes = kAllLanes;  // of a fold: those that feel the group here
  };
  /// Two sides of a group are coupled, in the panel of the node that goes first.
  struct Pair {
    std::int32_t group, earlier, later, to, stride;
  };

  std::vector<Group> list;
  std::vector<Carrier> carriers;
  std::vector<Block> blocks;
  std::vector<std::int32_t> rows, chain_links;
  std::vector<Side> sides;
  std::vector<Pair> pairs;
  std::int32_t wrenches = 0, triangles = 0;  // sizes of what sides and groups point into

  std::size_t bytes() const { return heap_bytes(list, carriers, blocks, rows, chain_links, sides, pairs); }
};

/// The most rows of a branch that is carried as a whole: O(rows³) for each damping.
inline constexpr int kMostBranchRows = 32;
/// Numbers of a row of a branch: columns of Ω, of K̂, and lanes that are not full.
inline constexpr int kBranchRow = kMostBranchRows + 8;

/// Rows of a branch with loops in it, carried together over its tree of joints to the node above: as a group is, but of any number.
struct Branches {
  /// Its numbers are `rows` × `stride`: Ω, K̂ as the node feels the rows about its origin, and room for lanes.
  struct Branch {
    Range rows;            // in `rows`
    std::int32_t kept;     // the first ones, whose damping tends to stay: of loops, and of all that is held
    Range steps;           // joints, children first
    std::int32_t dofs;     // of all of them
    std::int32_t link;     // that the rows are handed to; -1: the world
    std::int32_t node;     // it is
    std::int32_t columns;  // of Ω, a multiple of four
    std::int32_t stride;   // with those of K̂
    std::int32_t front;    // first of its numbers
    std::int32_t lower;    // first of its `rows` × `columns` numbers
    std::int32_t value;    // first of `columns` numbers
  };
  /// A joint, and the rows of the branch that it feels: those from `first` to `end` and no others.
  struct Step {
    std::int32_t link, above;  // above: the step of the parent, counted from the first; -1: the end of the branch
    std::int32_t first, end;
    std::int32_t dof;  // first of its degrees of freedom, counted over the branch
    Range blocks, entries;
  };
  /// A block of a constraint on a link, whose first row is this one of the branch.
  struct Block {
    std::int32_t block, row;
  };
  struct Entry {
    std::int32_t entry, dof, row;
  };

  std::vector<Branch> list;
  std::vector<std::int32_t> rows;
  std::vector<Step> steps;
  std::vector<Block> blocks;
  std::vector<Entry> entries;
  std::int32_t size = 0, values = 0, lower = 0;  // of all numbers, of vectors, and of rows of as many columns as Ω has
  std::int32_t most_rows = 0;                    // of one
  std::int32_t inner_rows = 0;     // within one tree: where constraints go, more of them may come to be carried
  std::int32_t inner_carried = 0;  // what carrying them may take
  std::int32_t carried = 0;        // the most that carrying the rows of one takes

  std::size_t bytes() const { return heap_bytes(list, rows, steps, blocks, entries); }
};

/// Three, two or one directions at a point of a node: the rows of a constraint, all at once.
struct Points {
  struct Point {
    std::int32_t node, link, slot;
    std::int32_t value;  // in RowValues::values: lever and directions
    std::int32_t first_row, rows;
  };
  /// The same on two nodes, with opposite directions, as where bodies touch or are held together: half the work.
  struct Twins {
    Point earlier, later;  // in the order in which the nodes go
    std::int32_t to, stride;
  };
  /// Stiffness between two nodes.
  struct Pair {
    std::int32_t earlier, later;  // points
    std::int32_t to, stride;
  };

  std::vector<Point> list;
  std::vector<Twins> twins;
  std::vector<Pair> pairs;
  std::int32_t loose = 0, loose_twins = 0;  // the first ones, in no strip

  std::size_t bytes() const { return heap_bytes(list, twins, pairs); }
};

/// Points, or twins, whose rows follow each other, all on the same nodes: in lanes, where the scalar has them.
struct Strips {
  struct Strip {
    Range parts;  // of Points::list or Points::twins
    std::int32_t first_row, rows;
    std::int32_t pack;  // the first; packs of each four points begin anew
  };

  std::vector<Strip> points, twins;
  std::int32_t packs = 0;

  std::size_t bytes() const { return heap_bytes(points, twins); }
};

/// Any other rows on nodes, as wrenches.
struct Wrenches {
  struct Part {
    std::int32_t node, link, slot;
    std::int32_t wrench;  // the first of as many
    std::int32_t first_row, rows;
  };
  /// A block goes to wrenches.
  struct Placing {
    std::int32_t block, wrench;
  };
  /// Stiffness between two nodes.
  struct Pair {
    std::int32_t earlier, later;  // wrenches
    std::int32_t first_row, rows;
    std::int32_t to, stride;
  };

  std::vector<Part> parts;
  std::vector<Placing> placings;
  std::vector<Pair> pairs;

  std::size_t bytes() const { return heap_bytes(parts, placings, pairs); }
};

/// Rows on joints.
struct Joints {
  struct Pair {
    std::int32_t left, right, place;  // entries, and a place among the packed triangles of all joints
  };

  std::vector<std::int32_t> entries;  // of all rows on joints
  std::vector<std::int32_t> stiff;    // of those that are stiffness, and not lone
  std::vector<Pair> pairs;            // of these: 𝒦ᵀ R 𝒦

  std::size_t bytes() const { return heap_bytes(entries, stiff, pairs); }
};

/// Rows on joints of which each degree of freedom has one such row, and the joint no others: joint friction, joint limits. Those
/// of a joint stand next to each other, in its order.
struct LoneRows {
  struct Row {
    std::int32_t entry, row, v;
    std::int32_t first, count;  // of this joint, among the lone rows
    std::int32_t share;         // first of `count` numbers
  };

  std::vector<Row> list;
  std::int32_t shares = 0;

  std::size_t bytes() const { return heap_bytes(list); }
};

/// Constraints that are unknowns of their own.
struct Multipliers {
  /// Rows on a node, columns of that node's panel.
  struct Columns {
    std::int32_t wrench, rows, to, stride;
  };

  std::vector<std::int32_t> nodes;
  Wrenches wrenches;
  std::vector<Columns> columns;
  std::int32_t size = 0;  // of all packed triangles

  std::size_t bytes() const { return heap_bytes(nodes, wrenches, columns); }
};

/// Where lanes of a fold (docs/algorithms/limbs.md) have different parents. Empty without a fold.
struct Ways {
  struct ToNode {
    std::int32_t node;
    LaneSet lanes;
  };
  /// Lanes of a link that is no node, and the inertia of the node that gets what they hand to their parent.
  struct ToBase {
    std::int32_t link, slot;
    LaneSet lanes;
  };
  struct ToSide {
    std::int32_t side;
    LaneSet lanes;
  };

  std::vector<ToNode> nodes;
  std::vector<ToBase> bases;
  std::vector<ToSide> sides;

  std::size_t bytes() const { return heap_bytes(nodes, bases, sides); }
};

}  // namespace delassus::condensed
