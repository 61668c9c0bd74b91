// Where the rows of constraints go: into inertias, panels, joints and multipliers.
#include <algorithm>

#include "delassus/constraints/constraint.hpp"
#include "delassus/math/mat.hpp"
#include "math/lane3.hpp"
#include "operators/condensed/scratch.hpp"

namespace delassus {
namespace {

using Scratch = CondensedPlanner::Scratch;
using Places = Scratch::Places;
using Point = condensed::Points::Point;
using Twins = condensed::Points::Twins;
using Strip = condensed::Strips::Strip;
using Part = condensed::Wrenches::Part;

/// The index of a kind of constraint in the variant.
template <class X, std::size_t kIndex = 0>
constexpr std::int32_t kind_of() {
  if constexpr (std::same_as<X, std::variant_alternative_t<kIndex, Constraint>>) {
    return static_cast<std::int32_t>(kIndex);
  } else {
    return kind_of<X, kIndex + 1>();
  }
}

/// Whether what pushes one body pushes the other back. (The centre of mass pushes all alike.)
bool has_opposite_sides(const RowSpan& span) {
  constexpr std::int32_t kinds[] = {kind_of<PointContact>(), kind_of<LoopClosure>(), kind_of<Distance>()};
  return std::find(std::begin(kinds), std::end(kinds), span.kind) != std::end(kinds);
}

class RowLayout {
 public:
  RowLayout(const Model& model, const RowStructure& rows, RowPacking packing, Scratch& s, CondensedPlan& plan)
      : model_(model), rows_(rows), packing_(packing), s_(s), plan_(plan) {}

  void run() {
    find_single_rows();
    for (int e = 0; e < length(rows_.spans); ++e) {
      const Places& p = s_.constraints[e];
      if (p.is_carried()) {
        list_differences(rows_.spans[e]);
        continue;
      }
      if (p.is_multiplier()) {
        add_multiplier(e);
      } else if (is_points(e)) {
        list_differences(rows_.spans[e]);
        if (!fits_strip(e)) add_points(e);
      } else if (is_lone(e)) {
        add_lone(e);
      } else {
        add_stiff_rows(e);
      }
      const RowSpan& span = rows_.spans[e];
      for (int k = span.first_entry; k < span.first_entry + span.entries; ++k) plan_.joints.entries.push_back(k);
    }
    add_strips();
    sort_weights();
    for (condensed::Groups::Side& side : plan_.groups.sides) side.node = s_.node_of(side.link);
    for (int g = 0; g < length(plan_.groups.list); ++g) add_side_pairs(g);
    for (condensed::Branches::Branch& b : plan_.branches.list) b.node = b.link < 0 ? -1 : s_.node_of(b.link);
  }

 private:
  int slot(int link) const { return s_.places[link].slot; }

  /// Whether all rows of a constraint are directions at one point of each of its links.
  bool is_points(int e) const {
    const RowSpan& span = rows_.spans[e];
    if (span.entries > 0 || span.blocks == 0 || span.rows > 3 || !s_.constraints[e].one_block_each) return false;
    for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
      const RowBlock& block = rows_.blocks[b];
      if (block.kind != RowBlock::Kind::kPoint || block.rows != span.rows || block.linear != span.rows) return false;
    }
    return true;
  }

  /// Whether each row of a constraint is on one degree of freedom, all of one joint.
  bool is_single(int e) const {
    const RowSpan& span = rows_.spans[e];
    const Places& p = s_.constraints[e];
    if (p.branch >= 0 || span.blocks > 0 || p.joints != 1 || span.entries != span.rows || p.is_multiplier())
      return false;
    for (int k = 0; k < span.rows; ++k) {
      if (rows_.entries[span.first_entry + k].row != span.first_row + k) return false;
    }
    return true;
  }

  void find_single_rows() {
    for (int e = 0; e < length(rows_.spans); ++e) {
      if (!is_single(e)) continue;
      Scratch::LinkPlace& place = s_.places[s_.joint_list[s_.constraints[e].first_joint]];
      const RowSpan& span = rows_.spans[e];
      ++place.single;
      for (int k = span.first_entry; k < span.first_entry + span.entries; ++k) {
        const int v = rows_.entries[k].v;
        const auto bit = static_cast<std::uint8_t>(1 << (v - model_.link(s_.dof_link[v]).v));
        place.twice |= (place.single_dofs & bit) != 0;
        place.single_dofs |= bit;
      }
    }
  }

  bool is_lone(int e) const {
    if (!is_single(e)) return false;
    const int i = s_.joint_list[s_.constraints[e].first_joint];
    const Scratch::LinkPlace& place = s_.places[i];
    return place.single == place.joint_rows && !place.twice && place.single_dofs == (1 << model_.link(i).nv) - 1;
  }

  void add_lone(int e) {
    const RowSpan& span = rows_.spans[e];
    const int i = s_.joint_list[s_.constraints[e].first_joint];
    const Link& link = model_.link(i);
    std::int32_t& first = s_.places[i].lone;
    if (first < 0) {
      first = length(plan_.lone.list);
      plan_.nodes[s_.node_of(i)].lone = first;
      for (int k = 0; k < link.nv; ++k) {
        plan_.lone.list.push_back({-1, -1, link.v + k, first, link.nv, plan_.lone.shares});
        plan_.lone.shares += link.nv;
      }
    }
    for (int k = span.first_entry; k < span.first_entry + span.entries; ++k) {
      condensed::LoneRows::Row& row = plan_.lone.list[first + rows_.entries[k].v - link.v];
      row.entry = k;
      row.row = rows_.entries[k].row;
    }
  }

  void list_differences(const RowSpan& span) {
    if (!plan_.differences.empty() && plan_.differences.back().end() == span.first_row) {
      plan_.differences.back().count += span.rows;
    } else {
      plan_.differences.push_back({span.first_row, span.rows});
    }
  }

  Point point(int e, int b) const {
    const RowSpan& span = rows_.spans[e];
    const RowBlock& block = rows_.blocks[b];
    return {s_.node_of(block.link), block.link, slot(block.link), block.value, span.first_row, span.rows};
  }

  void add_points(int e) {
    const RowSpan& span = rows_.spans[e];
    if (span.blocks == 2 && has_opposite_sides(span)) return add_twins(e);
    std::vector<Point>& points = plan_.points.list;
    const int first = length(points);
    for (int b = span.first_block; b < span.first_block + span.blocks; ++b) points.push_back(point(e, b));
    for (int a = first; a < length(points); ++a) {
      for (int b = a + 1; b < length(points); ++b) {
        const bool in_order = points[a].node < points[b].node;
        const int earlier = in_order ? a : b, later = in_order ? b : a;
        const int node = points[earlier].node;
        plan_.points.pairs.push_back(
            {earlier, later, coupling_of(plan_, node, points[later].node), plan_.nodes[node].columns});
      }
    }
  }

  void add_twins(int e) {
    Point a = point(e, rows_.spans[e].first_block), b = point(e, rows_.spans[e].first_block + 1);
    if (b.node < a.node) std::swap(a, b);
    plan_.points.twins.push_back({a, b, coupling_of(plan_, a.node, b.node), plan_.nodes[a.node].columns});
  }

  /// Of points: whether there is one, or it is that of a contact, which is the same for both links.
  bool fits_strip(int e) const {
    const RowSpan& span = rows_.spans[e];
    return packing_ == RowPacking::kStrips &&
           (span.blocks == 1 || (span.blocks == 2 && span.kind == kind_of<PointContact>()));
  }

  /// After all others, so that those of a strip stand next to each other.
  void add_strips() {
    plan_.points.loose = length(plan_.points.list);
    plan_.points.loose_twins = length(plan_.points.twins);
    for (int e = 0; e < length(rows_.spans); ++e) {
      const Places& p = s_.constraints[e];
      if (p.is_carried() || p.is_multiplier() || !is_points(e) || !fits_strip(e)) continue;
      add_points(e);
      if (rows_.spans[e].blocks == 1) {
        extend_strips(plan_.points.list, plan_.strips.points,
                      [](const Point& x) { return std::tuple(x.node, x.rows); });
      } else {
        extend_strips(plan_.points.twins, plan_.strips.twins,
                      [](const Twins& x) { return std::tuple(x.earlier.node, x.later.node, x.earlier.rows); });
      }
    }
    for (auto* strips : {&plan_.strips.points, &plan_.strips.twins}) {
      for (Strip& strip : *strips) {
        strip.pack = plan_.strips.packs;
        plan_.strips.packs += (strip.parts.count + 3) / 4 * (strip.rows / strip.parts.count);
      }
    }
  }

  /// The last part goes into the last strip where it is alike and its rows follow.
  template <class P, class Key>
  void extend_strips(const std::vector<P>& parts, std::vector<Strip>& strips, Key&& key) {
    const Point& point = first_point(parts.back());
    if (!strips.empty()) {
      Strip& last = strips.back();
      if (last.first_row + last.rows == point.first_row && key(parts[last.parts.first]) == key(parts.back())) {
        last.rows += point.rows;
        ++last.parts.count;
        return;
      }
    }
    strips.push_back({{length(parts) - 1, 1}, point.first_row, point.rows, 0});
  }
  static const Point& first_point(const Point& x) { return x; }
  static const Point& first_point(const Twins& x) { return x.earlier; }

  /// The rows of a constraint on all its links as wrenches. Returns the first of the new parts.
  int place_rows(int e, condensed::Wrenches& wrenches) {
    const RowSpan& span = rows_.spans[e];
    const int first = length(wrenches.parts);
    for (const int i : s_.links_of(s_.constraints[e])) {
      wrenches.parts.push_back({s_.node_of(i), i, slot(i), plan_.num_wrenches, span.first_row, span.rows});
      for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
        const RowBlock& block = rows_.blocks[b];
        if (block.link == i) wrenches.placings.push_back({b, plan_.num_wrenches + block.first_row - span.first_row});
      }
      plan_.num_wrenches += span.rows;
    }
    return first;
  }

  void add_stiff_rows(int e) {
    const RowSpan& span = rows_.spans[e];
    list_differences(span);
    const std::vector<Part>& parts = plan_.wrenches.parts;
    const int first = place_rows(e, plan_.wrenches);
    for (int a = first; a < length(parts); ++a) {
      for (int b = a + 1; b < length(parts); ++b) {
        const bool in_order = parts[a].node < parts[b].node;
        const Part &earlier = parts[in_order ? a : b], &later = parts[in_order ? b : a];
        plan_.wrenches.pairs.push_back({earlier.wrench, later.wrench, span.first_row, span.rows,
                                        coupling_of(plan_, earlier.node, later.node),
                                        plan_.nodes[earlier.node].columns});
      }
    }
    const int end = span.first_entry + span.entries;
    for (int k = span.first_entry; k < end; ++k) {
      plan_.joints.stiff.push_back(k);
      for (int l = span.first_entry; l < end; ++l) add_stiff_joint(k, l);
    }
  }

  /// The lower triangle of 𝒦ᵀ R 𝒦 on one joint, where R may be a full block.
  void add_stiff_joint(int k, int l) {
    const JointEntry &left = rows_.entries[k], &right = rows_.entries[l];
    if (left.v < right.v) return;
    const Link& link = model_.link(s_.dof_link[left.v]);
    plan_.joints.pairs.push_back({k, l, link.factor + Sym<double, 6>::index(left.v - link.v, right.v - link.v)});
  }

  void add_multiplier(int e) {
    const RowSpan& span = rows_.spans[e];
    const Places& p = s_.constraints[e];
    const std::vector<Part>& parts = plan_.multipliers.wrenches.parts;
    const int first = place_rows(e, plan_.multipliers.wrenches);
    for (int k = p.first_piece; k < p.first_piece + p.pieces; ++k) {
      const Scratch::Piece& piece = s_.pieces[k];
      const int later = s_.position[s_.piece_node(k)];
      for (int part = first; part < length(parts); ++part) {
        const Part& on = parts[part];
        plan_.multipliers.columns.push_back({on.wrench + piece.first_row - span.first_row, piece.rows,
                                             coupling_of(plan_, on.node, later), plan_.nodes[on.node].columns});
      }
      for (int entry = span.first_entry; entry < span.first_entry + span.entries; ++entry) {
        const int row = rows_.entries[entry].row - piece.first_row;
        if (row >= 0 && row < piece.rows) add_weight(entry, later, row);
      }
    }
  }

  void add_weight(int entry, int later, int row) {
    const int i = s_.dof_link[rows_.entries[entry].v], earlier = s_.node_of(i);
    const int column = coupling_of(plan_, earlier, later) - plan_.nodes[earlier].panel + row;
    s_.weights.push_back({earlier, {entry, rows_.entries[entry].v - model_.link(i).v, column}});
  }

  void sort_weights() {
    std::sort(s_.weights.begin(), s_.weights.end(), [](const auto& a, const auto& b) {
      return std::tie(a.node, a.weight.entry, a.weight.column) < std::tie(b.node, b.weight.entry, b.weight.column);
    });
    for (const auto& w : s_.weights) {
      condensed::Range& range = plan_.nodes[w.node].weights;
      if (range.count++ == 0) range.first = length(plan_.weights);
      plan_.weights.push_back(w.weight);
    }
  }

  void add_side_pairs(int group) {
    const condensed::Range range = plan_.groups.list[group].sides;
    const std::vector<condensed::Groups::Side>& sides = plan_.groups.sides;
    for (int a = range.first; a < range.end(); ++a) {
      for (int b = a + 1; b < range.end(); ++b) {
        if ((sides[a].lanes & sides[b].lanes) == 0) continue;
        const bool in_order = sides[a].node < sides[b].node;
        const int earlier = in_order ? a : b, later = in_order ? b : a;
        const int node = sides[earlier].node;
        plan_.groups.pairs.push_back(
            {group, earlier, later, coupling_of(plan_, node, sides[later].node), plan_.nodes[node].columns});
      }
    }
  }

  const Model& model_;
  const RowStructure& rows_;
  RowPacking packing_;
  Scratch& s_;
  CondensedPlan& plan_;
};

}  // namespace

void lay_out_rows(const Model& model, const RowStructure& rows, RowPacking packing, Scratch& s, CondensedPlan& plan) {
  condensed::Wrenches& multipliers = plan.multipliers.wrenches;
  clear_all(plan.points.list, plan.points.twins, plan.points.pairs, plan.strips.points, plan.strips.twins,
            plan.wrenches.parts, plan.wrenches.placings, plan.wrenches.pairs, multipliers.parts, multipliers.placings,
            plan.multipliers.columns, plan.joints.entries, plan.joints.stiff, plan.joints.pairs, plan.lone.list,
            plan.differences, plan.weights, plan.groups.pairs);
  plan.num_wrenches = plan.lone.shares = plan.strips.packs = 0;
  s.weights.clear();
  RowLayout(model, rows, packing, s, plan).run();
}

}  // namespace delassus
