// Where the rows of constraints go: into inertias, panels, joints and multipliers.
#include <algorithm>

#include "delassus/constraints/constraint.hpp"
#include "delassus/math/lane3.hpp"
#include "delassus/math/symmetric.hpp"
#include "operators/condensed_scratch.hpp"

namespace delassus {
namespace {

using Scratch = CondensedPlanner::Scratch;
using Places = Scratch::Places;

template <class V>
std::int32_t length(const V& list) {
  return static_cast<std::int32_t>(list.size());
}

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
      if (p.group >= 0) {
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
      for (int k = span.first_entry; k < span.first_entry + span.entries; ++k) plan_.joint_entries.push_back(k);
    }
    add_strips();
    sort_weights();
    for (CondensedPlan::Side& side : plan_.sides) side.node = s_.node_of(side.link);
    for (int g = 0; g < length(plan_.groups); ++g) add_side_pairs(g);
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
    if (span.blocks > 0 || p.joints != 1 || span.entries != span.rows || p.is_multiplier()) return false;
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
      first = length(plan_.lone_rows);
      plan_.nodes[s_.node_of(i)].lone = first;
      for (int k = 0; k < link.nv; ++k) {
        plan_.lone_rows.push_back({-1, -1, link.v + k, first, link.nv, plan_.shares});
        plan_.shares += link.nv;
      }
    }
    for (int k = span.first_entry; k < span.first_entry + span.entries; ++k) {
      CondensedPlan::LoneRow& row = plan_.lone_rows[first + rows_.entries[k].v - link.v];
      row.entry = k;
      row.row = rows_.entries[k].row;
    }
  }

  void list_differences(const RowSpan& span) {
    if (!plan_.difference_runs.empty() && plan_.difference_runs.back().end() == span.first_row) {
      plan_.difference_runs.back().count += span.rows;
    } else {
      plan_.difference_runs.push_back({span.first_row, span.rows});
    }
  }

  CondensedPlan::Point point(int e, int b) const {
    const RowSpan& span = rows_.spans[e];
    const RowBlock& block = rows_.blocks[b];
    return {s_.node_of(block.link), block.link, slot(block.link), block.value, span.first_row, span.rows};
  }

  void add_points(int e) {
    const RowSpan& span = rows_.spans[e];
    if (span.blocks == 2 && has_opposite_sides(span)) return add_twins(e);
    const int first = length(plan_.points);
    for (int b = span.first_block; b < span.first_block + span.blocks; ++b) plan_.points.push_back(point(e, b));
    for (int a = first; a < length(plan_.points); ++a) {
      for (int b = a + 1; b < length(plan_.points); ++b) {
        const bool in_order = plan_.points[a].node < plan_.points[b].node;
        const int earlier = in_order ? a : b, later = in_order ? b : a;
        const int node = plan_.points[earlier].node;
        plan_.point_pairs.push_back(
            {earlier, later, coupling_of(plan_, node, plan_.points[later].node), plan_.nodes[node].columns});
      }
    }
  }

  void add_twins(int e) {
    CondensedPlan::Point a = point(e, rows_.spans[e].first_block), b = point(e, rows_.spans[e].first_block + 1);
    if (b.node < a.node) std::swap(a, b);
    plan_.twins.push_back({a, b, coupling_of(plan_, a.node, b.node), plan_.nodes[a.node].columns});
  }

  /// Of points: whether there is one, or it is that of a contact, which is the same for both links.
  bool fits_strip(int e) const {
    const RowSpan& span = rows_.spans[e];
    return packing_ == RowPacking::kStrips &&
           (span.blocks == 1 || (span.blocks == 2 && span.kind == kind_of<PointContact>()));
  }

  /// After all others, so that those of a strip stand next to each other.
  void add_strips() {
    plan_.loose_points = length(plan_.points);
    plan_.loose_twins = length(plan_.twins);
    for (int e = 0; e < length(rows_.spans); ++e) {
      const Places& p = s_.constraints[e];
      if (p.group >= 0 || p.is_multiplier() || !is_points(e) || !fits_strip(e)) continue;
      add_points(e);
      if (rows_.spans[e].blocks == 1) {
        extend_strips(plan_.points, plan_.point_strips,
                      [](const CondensedPlan::Point& x) { return std::tuple(x.node, x.rows); });
      } else {
        extend_strips(plan_.twins, plan_.twin_strips, [](const CondensedPlan::Twins& x) {
          return std::tuple(x.earlier.node, x.later.node, x.earlier.rows);
        });
      }
    }
    for (auto* strips : {&plan_.point_strips, &plan_.twin_strips}) {
      for (CondensedPlan::Strip& strip : *strips) {
        strip.pack = plan_.strip_packs;
        plan_.strip_packs += (strip.parts.count + 3) / 4 * (strip.rows / strip.parts.count);
      }
    }
  }

  /// The last part goes into the last strip where it is alike and its rows follow.
  template <class Part, class Key>
  void extend_strips(const std::vector<Part>& parts, std::vector<CondensedPlan::Strip>& strips, Key&& key) {
    const CondensedPlan::Point& point = first_point(parts.back());
    if (!strips.empty()) {
      CondensedPlan::Strip& last = strips.back();
      if (last.first_row + last.rows == point.first_row && key(parts[last.parts.first]) == key(parts.back())) {
        last.rows += point.rows;
        ++last.parts.count;
        return;
      }
    }
    strips.push_back({{length(parts) - 1, 1}, point.first_row, point.rows, 0});
  }
  static const CondensedPlan::Point& first_point(const CondensedPlan::Point& x) { return x; }
  static const CondensedPlan::Point& first_point(const CondensedPlan::Twins& x) { return x.earlier; }

  /// The rows of a constraint on all its links as wrenches. Returns the first of the new parts.
  int place_rows(int e, std::vector<CondensedPlan::Rows>& parts) {
    const RowSpan& span = rows_.spans[e];
    const int first = length(parts);
    for (const int i : s_.links_of(s_.constraints[e])) {
      parts.push_back({s_.node_of(i), i, slot(i), plan_.wrenches, span.first_row, span.rows});
      for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
        const RowBlock& block = rows_.blocks[b];
        if (block.link == i) plan_.placings.push_back({b, plan_.wrenches + block.first_row - span.first_row});
      }
      plan_.wrenches += span.rows;
    }
    return first;
  }

  void add_stiff_rows(int e) {
    const RowSpan& span = rows_.spans[e];
    list_differences(span);
    auto& parts = plan_.stiff_rows;
    const int first = place_rows(e, parts);
    for (int a = first; a < length(parts); ++a) {
      for (int b = a + 1; b < length(parts); ++b) {
        const bool in_order = parts[a].node < parts[b].node;
        const CondensedPlan::Rows &earlier = parts[in_order ? a : b], &later = parts[in_order ? b : a];
        plan_.rows_pairs.push_back({earlier.wrench, later.wrench, span.first_row, span.rows,
                                    coupling_of(plan_, earlier.node, later.node), plan_.nodes[earlier.node].columns});
      }
    }
    const int end = span.first_entry + span.entries;
    for (int k = span.first_entry; k < end; ++k) {
      plan_.stiff_entries.push_back(k);
      for (int l = span.first_entry; l < end; ++l) add_stiff_joint(k, l);
    }
  }

  /// The lower triangle of 𝒦ᵀ R 𝒦 on one joint, where R may be a full block.
  void add_stiff_joint(int k, int l) {
    const JointEntry &left = rows_.entries[k], &right = rows_.entries[l];
    if (left.v < right.v) return;
    const Link& link = model_.link(s_.dof_link[left.v]);
    plan_.stiff_joints.push_back({k, l, link.factor + Sym<double, 6>::index(left.v - link.v, right.v - link.v)});
  }

  void add_multiplier(int e) {
    const RowSpan& span = rows_.spans[e];
    const Places& p = s_.constraints[e];
    const int first = place_rows(e, plan_.multiplier_parts);
    for (int k = p.first_piece; k < p.first_piece + p.pieces; ++k) {
      const Scratch::Piece& piece = s_.pieces[k];
      const int later = s_.position[s_.piece_node(k)];
      for (int part = first; part < length(plan_.multiplier_parts); ++part) {
        const CondensedPlan::Rows& r = plan_.multiplier_parts[part];
        plan_.multiplier_rows.push_back({r.wrench + piece.first_row - span.first_row, piece.rows,
                                         coupling_of(plan_, r.node, later), plan_.nodes[r.node].columns});
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
      CondensedPlan::Range& range = plan_.nodes[w.node].weights;
      if (range.count++ == 0) range.first = length(plan_.weights);
      plan_.weights.push_back(w.weight);
    }
  }

  void add_side_pairs(int group) {
    const CondensedPlan::Range sides = plan_.groups[group].sides;
    for (int a = sides.first; a < sides.end(); ++a) {
      for (int b = a + 1; b < sides.end(); ++b) {
        if ((plan_.sides[a].lanes & plan_.sides[b].lanes) == 0) continue;
        const bool in_order = plan_.sides[a].node < plan_.sides[b].node;
        const int earlier = in_order ? a : b, later = in_order ? b : a;
        const int node = plan_.sides[earlier].node;
        plan_.side_pairs.push_back(
            {group, earlier, later, coupling_of(plan_, node, plan_.sides[later].node), plan_.nodes[node].columns});
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
  plan.points.clear();
  plan.twins.clear();
  plan.point_strips.clear();
  plan.twin_strips.clear();
  plan.stiff_rows.clear();
  plan.multiplier_parts.clear();
  plan.placings.clear();
  plan.point_pairs.clear();
  plan.rows_pairs.clear();
  plan.lone_rows.clear();
  plan.stiff_joints.clear();
  plan.difference_runs.clear();
  plan.stiff_entries.clear();
  plan.joint_entries.clear();
  plan.multiplier_rows.clear();
  plan.weights.clear();
  plan.side_pairs.clear();
  plan.wrenches = plan.shares = plan.strip_packs = 0;
  s.weights.clear();
  RowLayout(model, rows, packing, s, plan).run();
}

}  // namespace delassus
