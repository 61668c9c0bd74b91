// How the rows of constraints travel from the links they act on to the world: a plan that follows from the structure of
// the rows alone.
//
// A track is a constraint's rows on their way from one link inwards. Where tracks of one constraint meet, their rows are
// added and go on as one: so loops and constraints on many links need no extra mechanism (PV-OSIM on constraints, not on
// attachments). Links that the same tracks pass, one after the other, are a segment.
//
// Where tracks meet they either go on side by side, or end in a node: six unit wrenches on that link, which travel on in
// their place (PV-OSIMr). Numbers are panels: each track has columns in the panel K (six by columns), and each joint that
// it passes writes a row of the panel Y (degrees of freedom by columns). Constraint row r has column r of Y.
#pragma once

#include <cstdint>
#include <vector>

#include "delassus/constraints/rows.hpp"
#include "delassus/math/boxed.hpp"

namespace delassus {

struct CarrierPlan {
  /// Columns that stand next to each other in both panels.
  struct Run {
    std::int32_t column, y, count;
    bool operator==(const Run&) const = default;
  };
  /// Links one after the other which the same runs pass. Only at the first does anything begin or meet.
  struct Segment {
    std::int32_t first_step, steps;
    std::int32_t first_run, runs;
    std::int32_t first_dof, dofs;
    std::int32_t node;  // whose unit wrenches are the last run, or -1
    std::int32_t next;  // segment in which its rows go on, among others; -1 if they end
  };
  /// A block of rows that begins at a link, into new columns or into such as are there.
  struct Start {
    std::int32_t block, column;
    bool adds;
  };
  /// Columns of two tracks of one constraint become one.
  struct Merge {
    std::int32_t into, from, count;
  };
  /// A weight on a joint's velocity.
  struct Weight {
    std::int32_t entry, y;
  };
  struct Range {
    std::int32_t first = 0, count = 0;
  };
  /// What happens at a link, in this order, before its joint is crossed. A node's unit wrenches begin as such.
  struct Step {
    std::int32_t link, segment;
    Range merges, starts, empty, weights;
    std::int32_t node;  // that begins here, or -1
  };
  /// Where tracks end: their columns hold their rows as seen from the node's link.
  struct Node {
    std::int32_t link, column, y;
    std::int32_t parent;  // node in which its own columns end, or -1
    Range tracks;         // that end here, in `ended`
  };
  /// A track that ended in a node: either a constraint's rows or a node's.
  struct Track {
    std::int32_t constraint, node;  // one of them is -1
    std::int32_t column, count;
    std::int32_t places;  // how many of the constraint's places (links, joints) have come together in it
  };

  std::size_t bytes() const {
    return heap_bytes(runs, segments, dofs, starts, merges, empty, weights, steps, nodes, ended, places);
  }

  std::vector<Run> runs;
  std::vector<Segment> segments;
  std::vector<std::int32_t> dofs;
  std::vector<Start> starts;
  std::vector<Merge> merges;
  std::vector<Range> empty;  // columns that begin with nothing: rows on joints alone
  std::vector<Weight> weights;
  std::vector<Step> steps;  // live links from the tips inwards
  std::vector<Node> nodes;  // from the tips inwards
  std::vector<Track> ended;
  std::vector<std::int32_t> places;  // per constraint: on how many links and joints it acts
  std::int32_t columns = 0, y_columns = 0;
};

/// Columns that a node's six unit wrenches take: plain numbers go through a joint eight at a time, so two of zeros are
/// cheaper than a rest.
template <class T>
constexpr int kNodeColumns = FloatingPoint<T> ? 8 : 6;

/// When tracks that meet end in a node.
enum class Meeting : std::uint8_t {
  kNeverEnds,   // PV-OSIM: all rows travel to the world
  kAlwaysEnds,  // PV-OSIMr as published: wherever two constraints meet
};

/// Constraints that are `left_out` (one entry for each, or none at all) do not travel. `node_columns`: those of the scalar that is
/// carried; without nodes it does not matter.
CarrierPlan make_carrier_plan(const Model& model, const RowStructure& rows, Meeting meeting,
                              const std::vector<bool>& left_out = {}, int node_columns = kNodeColumns<double>);

}  // namespace delassus
