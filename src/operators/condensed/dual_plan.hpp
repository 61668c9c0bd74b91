// The rows of constraints as unknowns: how R⁻¹ + Λ⁻¹ is eliminated where R⁻¹ is not symmetric (docs/algorithms/condensed.md).
//
//   Λ⁻¹ = Yᵀ Y,   Y with a row for each degree of freedom, zero where a constraint's rows do not pass its joint (PV-OSIM)
//
// Rows of different limbs meet in the degrees of freedom of the trunk alone, Y_t. Those stay unknowns as well, a = Y_t z:
//
//   ⎡ Y_lᵀ Y_l + R⁻¹   Y_tᵀ ⎤ ⎡ z ⎤   ⎡ b ⎤
//   ⎣ Y_t              -1   ⎦ ⎣ a ⎦ = ⎣ 0 ⎦
//
// What is left is sparse. A group is what goes at once: the rows that act on the same limbs, of any number, or the degrees of freedom of a
// trunk. Rows of limbs go first, so that each has joints of its own to give way with; then trunks; last the rows that act on trunks alone. Bodies
// without limbs are limbs themselves. Rows whose damping tends to stay are groups of their own. Where nothing is coupled by them that is not coupled
// anyway, they go before all others, so that what they leave can be kept.
#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "delassus/constraints/rows.hpp"
#include "operators/condensed/kinds.hpp"
#include "operators/elimination_order.hpp"

namespace delassus {

struct DualPlan {
  using Range = condensed::Range;

  struct Group {
    std::int32_t first = 0, count = 0;   // its unknowns
    std::int32_t trunk = -1;             // whose degrees of freedom they are; -1: they are rows
    bool stays = false;                  // the damping of its rows tends to
    std::int32_t below = 0;              // unknowns of the groups that it is coupled to when it goes
    std::int32_t square = 0, panel = 0;  // first entries of its count × count and of its below × count numbers
    Range limbs, trunks;                 // that its rows pass, in `places`
    Range later;                         // groups that it is coupled to when it goes, ascending
    Range updates;
  };
  struct Later {
    std::int32_t group;
    std::int32_t row;  // in the panel
  };
  /// What the elimination of a group takes from its later groups `row` and `column`: from the square of `column` if they are the same, else from
  /// the panel of `column`, in rows from `to` on.
  struct Update {
    std::int32_t row, column;  // in `later`
    std::int32_t to;
  };
  /// Constraints that act on the same links or joints: their rows, which are neighbours, travel together.
  struct Track {
    std::int32_t first, count;  // unknowns
    Range constraints;          // in `constraints`
  };

  std::span<const std::int32_t> dofs_of_limb(int limb) const { return part(limb_dofs, limbs[limb]); }
  std::span<const std::int32_t> dofs_of_trunk(int trunk) const { return part(trunk_dofs, trunks[trunk]); }
  template <class V>
  static std::span<const V> part(const std::vector<V>& list, const Range& range) {
    return std::span(list).subspan(static_cast<std::size_t>(range.first), static_cast<std::size_t>(range.count));
  }
  std::size_t bytes() const;

  std::vector<Group> groups;  // in the order in which they go
  std::vector<Later> later;
  std::vector<Update> updates;
  std::vector<Track> tracks;
  std::vector<std::int32_t> constraints;    // by groups and tracks
  std::vector<std::int32_t> first_unknown;  // per constraint
  std::vector<std::int32_t> places;         // limbs and trunks of groups
  std::vector<Range> limbs, trunks;         // their degrees of freedom, in
  std::vector<std::int32_t> limb_dofs, trunk_dofs;
  std::vector<std::int32_t> dof_link;  // per degree of freedom
  std::int32_t unknowns = 0, square_size = 0, panel_size = 0, widest = 0;
  /// How many of the groups go first because their damping tends to stay; what they have of the unknowns, of the squares and of the panels.
  std::int32_t kept = 0, kept_unknowns = 0, kept_squares = 0, kept_panels = 0;
};

/// Makes plans, one after the other, in memory that it keeps.
class DualPlanner {
 public:
  void run(const Model& model, const RowStructure& rows, DualPlan& plan);
  void reserve(const Model& model, const CondensedCapacity& capacity, DualPlan& plan);
  std::size_t bytes() const;

 private:
  /// What constraints are sorted by. Those that do not fit get a number of their own, and so a group or a track.
  struct Key {
    std::uint64_t places;
    bool stays;
    std::uint64_t sites;
    std::int32_t constraint;
    bool operator<(const Key& other) const {
      return std::tie(places, stays, sites, constraint) <
             std::tie(other.places, other.stays, other.sites, other.constraint);
    }
    bool same_group(const Key& other) const { return places == other.places && stays == other.stays; }
  };

  void find_trunks(const Model& model, const RowStructure& rows);
  void drop_wide_trunks(const Model& model, const RowStructure& rows);
  void find_limbs(const Model& model, DualPlan& plan);
  int place_of(int link) const;
  void list_places(const RowStructure& rows, const RowSpan& span, const DualPlan& plan);
  void sort_constraints(const RowStructure& rows, const DualPlan& plan);
  void make_groups(const RowStructure& rows, DualPlan& plan);
  void add_group_of_rows(const RowStructure& rows, std::size_t first, std::size_t end, DualPlan& plan);
  void order_groups(DualPlan& plan);
  void order_limbs(int count, DualPlan& plan);
  void order_lasting(int count, const DualPlan& plan);
  bool couples_nothing(int group, const DualPlan& plan);
  void couple_groups(DualPlan& plan);
  void place_unknowns(const RowStructure& rows, DualPlan& plan);
  void list_later(DualPlan& plan);
  void list_updates(DualPlan& plan);

  std::span<std::uint64_t> bits(int group) {
    return std::span(bits_).subspan(static_cast<std::size_t>(group) * words_, words_);
  }
  void couple(int a, int b);
  bool are_coupled(int a, int b);

  std::vector<std::uint8_t> live_, in_trunk_;
  std::vector<std::int32_t> live_children_, root_, limb_of_, trunk_of_, rows_of_root_, dofs_of_root_;
  std::vector<std::int32_t> trunk_of_limb_;
  std::vector<std::int32_t> found_;  // places of a constraint
  std::vector<Key> keys_;
  std::vector<DualPlan::Group> unordered_;
  std::vector<std::int32_t> order_, others_;
  std::vector<std::uint8_t> gone_;
  std::vector<std::uint64_t> bits_;
  std::size_t words_ = 0;
  EliminationGraph graph_;
  Elimination elimination_;
  Eliminator eliminator_;
};

}  // namespace delassus
