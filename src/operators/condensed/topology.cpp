// Which links feel what, which chains are carried, and which nodes are coupled.
#include <algorithm>

#include "operators/condensed/scratch.hpp"

namespace delassus {
namespace {

using Scratch = CondensedPlanner::Scratch;
using Places = Scratch::Places;
using LinkPlace = Scratch::LinkPlace;
using Group = condensed::Groups::Group;
using Range = condensed::Range;

/// A constraint on more nodes than this would couple each with each.
constexpr int kMostStiffLinks = 4;
/// Rows that are carried together: more would cost more than the six of a node.
constexpr int kMostCarriedRows = 6;
/// A loop whose two sides are this many nodes apart in the tree may be cheaper as a multiplier.
constexpr int kLongLoop = 6;

bool can_be_carried(const RowSpan& span, const Places& p) {
  return span.rows >= 1 && span.rows <= kMostCarriedRows && span.entries == 0 && p.links >= 1 &&
         p.links <= kMostStiffLinks;
}

void find_live(const Model& model, Scratch& s) {
  for (int i = model.num_links() - 1; i >= 0; --i) {
    LinkPlace& p = s.places[i];
    p.live |= p.touching > 0 || p.joint_rows > 0;
    const Link& link = model.link(i);
    if (!p.live || link.parent == kWorld) continue;
    const auto hang = [&](int parent, LaneSet lanes) {
      if (lanes == 0) return;
      s.places[parent].live = true;
      s.places[parent].lanes |= lanes;
      ++s.places[parent].live_children;
    };
    const std::span<const Way> ways = s.ways_of(i);
    if (ways.empty()) hang(link.parent, p.lanes);
    for (const Way& way : ways) hang(way.parent, way.lanes & p.lanes);
  }
}

// ------------------------------------------------------------------------------------------------ groups

/// Where constraints or branches meet, or rows act on the joint: a chain ends before such a link.
bool ends_chain(const LinkPlace& p) { return p.touching > 0 || p.joint_rows > 0 || p.live_children > 1 || p.trunk; }

bool is_tip(const LinkPlace& p) { return p.touching > 0 && p.live_children == 0 && p.joint_rows == 0 && !p.trunk; }

/// The link above a chain that begins at a tip, or kWorld; adds up the degrees of freedom of the chain.
int find_anchor(const Model& model, const Scratch& s, int tip, int& dofs) {
  int i = tip;
  for (;;) {
    dofs += model.link(i).nv;
    i = model.link(i).parent;
    if (i == kWorld || ends_chain(s.places[i])) return i;
  }
}

class Grouping {
 public:
  Grouping(const Model& model, Scratch& s, CondensedPlan& plan)
      : model_(model), s_(s), groups_(plan.groups), ways_(plan.ways) {}

  /// Rows on tips alone. Not more rows than the chain has degrees of freedom: those would be redundant within the group,
  /// whose small inverse would lose more digits than stiffness does.
  void add_tips() {
    for (int i = 0; i < model_.num_links(); ++i) {
      LinkPlace& p = s_.places[i];
      if (p.carried || !is_tip(p) || p.unary != p.touching || p.unary_rows > kMostCarriedRows) continue;
      int dofs = 0;
      find_anchor(model_, s_, i, dofs);
      if (p.unary_rows > dofs) continue;
      p.group = length(groups_.list);
      begin_group();
      const Range blocks{length(groups_.blocks), 0};
      groups_.blocks.resize(groups_.blocks.size() + p.unary_blocks);
      groups_.rows.resize(groups_.rows.size() + p.unary_rows);
      carry(i, blocks);
    }
  }
  /// Rows between tips, or between a tip and nodes.
  void add_loop(const RowStructure& rows, int e) {
    Places& p = s_.constraints[e];
    int dofs = 0;
    for (const int i : s_.links_of(p)) {
      if (is_loop_tip(i)) find_anchor(model_, s_, i, dofs);
    }
    const RowSpan& span = rows.spans[e];
    if (dofs < span.rows) return;
    p.group = length(groups_.list);
    begin_group();
    for (int r = 0; r < span.rows; ++r) groups_.rows.push_back(span.first_row + r);
    groups_.list.back().rows = span.rows;
    for (const int i : s_.links_of(p)) {
      if (!is_loop_tip(i)) continue;
      const Range blocks = add_blocks(rows, span, i);
      carry(i, blocks);
    }
    add_direct(rows, span, p);
  }
  bool is_loop_tip(int i) const { return is_tip(s_.places[i]) && s_.places[i].touching == 1; }

 private:
  void begin_group() {
    Group g{};
    g.carriers.first = length(groups_.carriers);
    g.sides.first = length(groups_.sides);
    g.row = length(groups_.rows);
    groups_.list.push_back(g);
  }

  Range add_blocks(const RowStructure& rows, const RowSpan& span, int link) {
    Range range{length(groups_.blocks), 0};
    for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
      if (rows.blocks[b].link != link) continue;
      groups_.blocks.push_back({b, rows.blocks[b].first_row - span.first_row, -1});
      ++range.count;
    }
    return range;
  }

  void add_direct(const RowStructure& rows, const RowSpan& span, const Places& p) {
    Group& g = groups_.list.back();
    g.direct.first = length(groups_.blocks);
    for (const int i : s_.links_of(p)) {
      if (is_loop_tip(i)) continue;
      const Range added = add_blocks(rows, span, i);
      for (int k = added.first; k < added.end(); ++k) groups_.blocks[k].side = side_of(i);
    }
    g.direct.count = length(groups_.blocks) - g.direct.first;
  }

  /// What a node feels of the group at work; one per node.
  int side_of(int link, LaneSet lanes = kAllLanes) {
    Group& g = groups_.list.back();
    for (int k = g.sides.first; k < length(groups_.sides); ++k) {
      if (groups_.sides[k].link != link) continue;
      groups_.sides[k].lanes |= lanes;
      return k;
    }
    groups_.sides.push_back({-1, link, -1, lanes});
    ++g.sides.count;
    return length(groups_.sides) - 1;
  }

  void carry(int tip, Range blocks) {
    Range chain{length(groups_.chain_links), 0}, ways{length(ways_.sides), 0};
    int i = tip;
    do {
      s_.places[i].carried = true;
      groups_.chain_links.push_back(i);
      i = model_.link(i).parent;
    } while (i != kWorld && !ends_chain(s_.places[i]));
    chain.count = length(groups_.chain_links) - chain.first;
    add_ways(groups_.chain_links.back(), ways);
    const int side = ways.count > 0 ? ways_.sides[ways.first].side : i == kWorld ? -1 : side_of(i);
    groups_.carriers.push_back({blocks, chain, side, ways});
    ++groups_.list.back().carriers.count;
  }

  /// Where lanes that have rows hand them to different links of the trunk.
  void add_ways(int top, Range& ways) {
    for (const Way& way : s_.ways_of(top)) {
      const LaneSet lanes = way.lanes & s_.places[top].lanes;
      if (lanes != 0) ways_.sides.push_back({side_of(way.parent, lanes), lanes});
    }
    ways.count = length(ways_.sides) - ways.first;
  }

  const Model& model_;
  Scratch& s_;
  condensed::Groups& groups_;
  condensed::Ways& ways_;
};

/// Rows and blocks of constraints on tips alone, in the order of the constraints.
void fill_tips(const RowStructure& rows, Scratch& s, condensed::Groups& groups) {
  for (std::size_t e = 0; e < rows.spans.size(); ++e) {
    Places& p = s.constraints[e];
    const RowSpan& span = rows.spans[e];
    if (p.links != 1 || span.entries > 0 || p.branch >= 0) continue;
    const int group = s.places[s.link_list[p.first_link]].group;
    if (group < 0) continue;
    p.group = group;
    Group& g = groups.list[group];
    Range& blocks = groups.carriers[g.carriers.first].blocks;
    for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
      groups.blocks[blocks.first + blocks.count++] = {b, g.rows + rows.blocks[b].first_row - span.first_row, -1};
    }
    for (int r = 0; r < span.rows; ++r) groups.rows[g.row + g.rows++] = span.first_row + r;
  }
}

void number_group_parts(condensed::Groups& groups) {
  groups.wrenches = groups.triangles = 0;
  for (Group& g : groups.list) {
    g.triangle = groups.triangles;
    groups.triangles += g.rows * (g.rows + 1) / 2;
    for (int k = g.sides.first; k < g.sides.end(); ++k) {
      groups.sides[k].panel = groups.wrenches;
      groups.wrenches += g.rows;
    }
  }
}

/// Of a free joint on the world the unknown may be the acceleration of its link, if nothing acts on its coordinates.
bool is_free(const Model& model, const Link& link, const LinkPlace& p) {
  if (link.kind != JointKind::kFree || link.parent != kWorld || p.joint_rows > 0) return false;
  const double* armature = &model.armature()[link.v];
  return std::all_of(armature, armature + 6, [](double a) { return a == 0; });
}

void number_nodes(const Model& model, Scratch& s, CondensedPlan& plan) {
  plan.slot_links.clear();
  plan.base_of.resize(model.num_links());
  plan.free_of.resize(model.num_links());
  plan.felt.clear();
  plan.ways.bases.clear();
  plan.num_free = 0;
  s.graph.clear();
  for (int i = 0; i < model.num_links(); ++i) {
    LinkPlace& p = s.places[i];
    const Link& link = model.link(i);
    const int parent = s.parent_of(model, i);
    const int above = parent == kWorld ? -1 : s.places[parent].slot;
    const bool node = p.live && !p.carried;
    const std::span<const Way> ways = s.ways_of(i);
    plan.base_of[i] = node || !ways.empty() ? -1 : above;
    for (const Way& way : ways) {
      const int slot = s.places[way.parent].slot;
      if (!node && slot >= 0) plan.ways.bases.push_back({i, slot, way.lanes});
    }
    plan.free_of[i] = is_free(model, link, p) ? plan.num_free++ : -1;
    if (p.live) plan.felt.push_back(i);
    if (!node) continue;
    p.slot = length(plan.slot_links);
    plan.slot_links.push_back(i);
    s.graph.nodes.push_back({6, link.nv, above, false});
  }
  s.num_links = length(plan.slot_links);
}

// --------------------------------------------------------------------------------------------- couplings

bool needs_multiplier(const Places& p) {
  return p.links > kMostStiffLinks || p.joints > 1 || (p.links > 0 && p.joints > 0);
}

void add_pieces(const RowSpan& span, Scratch& s, Places& p) {
  p.first_piece = length(s.pieces);
  for (int done = 0; done < span.rows;) {
    const int width = std::min(span.rows - done, 6);
    s.pieces.push_back({span.first_row + done, width});
    s.graph.nodes.push_back({width, width, -1, true});
    done += width;
    ++p.pieces;
  }
}

void couple_to_pieces(const Scratch::Places& p, Scratch& s) {
  ++s.stamp;
  const auto couple = [&](int link) {
    if (s.seen[link] == s.stamp) return;
    s.seen[link] = s.stamp;
    for (int k = p.first_piece; k < p.first_piece + p.pieces; ++k) {
      s.graph.couplings.push_back({s.places[link].slot, s.piece_node(k)});
    }
  };
  for (const int i : s.links_of(p)) couple(i);
  for (const int i : s.joints_of(p)) couple(i);
}

void couple_links(std::span<const std::int32_t> links, Scratch& s) {
  for (std::size_t a = 0; a < links.size(); ++a) {
    for (std::size_t b = a + 1; b < links.size(); ++b) {
      const int i = s.places[links[a]].slot, j = s.places[links[b]].slot;
      s.graph.couplings.push_back({std::min(i, j), std::max(i, j)});
    }
  }
}

void couple_sides(const condensed::Groups& groups, const Group& g, Scratch& s) {
  for (int a = g.sides.first; a < g.sides.end(); ++a) {
    for (int b = a + 1; b < g.sides.end(); ++b) {
      if ((groups.sides[a].lanes & groups.sides[b].lanes) == 0) continue;
      const std::int32_t pair[] = {groups.sides[a].link, groups.sides[b].link};
      couple_links(pair, s);
    }
  }
}

/// Each coupling once, in an order that does not depend on that of the constraints, so that a graph can be known again.
void sort_once(std::vector<EliminationGraph::Coupling>& list) {
  const auto key = [](const EliminationGraph::Coupling& c) { return (static_cast<std::int64_t>(c.a) << 32) | c.b; };
  const auto less = [&](const auto& a, const auto& b) { return key(a) < key(b); };
  if (!std::is_sorted(list.begin(), list.end(), less)) std::sort(list.begin(), list.end(), less);
  list.erase(std::unique(list.begin(), list.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); }),
             list.end());
}

/// How many nodes lie on the way between two through the tree, up to a limit.
int distance(const EliminationGraph& graph, int a, int b, int limit) {
  int steps = 0;
  while (a != b && steps < limit) {
    if (a < b) std::swap(a, b);
    a = graph.nodes[a].parent;
    ++steps;
  }
  return steps;
}

}  // namespace

void find_places(const Model& model, const RowStructure& rows, Scratch& s) {
  std::fill(s.places.begin(), s.places.end(), LinkPlace{});
  for (int i = 0; i < model.num_links(); ++i) s.places[i].trunk = s.is_trunk(i);
  s.constraints.assign(rows.spans.size(), Places{});
  s.link_list.clear();
  s.joint_list.clear();
  for (std::size_t e = 0; e < rows.spans.size(); ++e) {
    const RowSpan& span = rows.spans[e];
    Places& p = s.constraints[e];
    p.first_link = length(s.link_list);
    ++s.stamp;
    for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
      const int i = rows.blocks[b].link;
      s.places[i].lanes |= rows.blocks[b].lanes;
      if (s.seen[i] == s.stamp) {
        p.one_block_each = false;
        continue;
      }
      s.seen[i] = s.stamp;
      s.link_list.push_back(i);
      ++s.places[i].touching;
    }
    p.links = length(s.link_list) - p.first_link;
    p.first_joint = length(s.joint_list);
    if (span.entries > 0) ++s.stamp;
    for (int k = span.first_entry; k < span.first_entry + span.entries; ++k) {
      const int i = s.dof_link[rows.entries[k].v];
      if (s.seen[i] == s.stamp) continue;
      s.seen[i] = s.stamp;
      s.joint_list.push_back(i);
      s.places[i].lanes = kAllLanes;
      ++s.places[i].joint_rows;
    }
    p.joints = length(s.joint_list) - p.first_joint;
    if (p.links != 1 || !can_be_carried(span, p)) continue;
    LinkPlace& tip = s.places[s.link_list[p.first_link]];
    ++tip.unary;
    tip.unary_rows += span.rows;
    tip.unary_blocks += span.blocks;
  }
  find_live(model, s);
}

void find_groups(const Model& model, const RowStructure& rows, Condense condense, Scratch& s, CondensedPlan& plan) {
  condensed::Groups& groups = plan.groups;
  clear_all(groups.list, groups.carriers, groups.blocks, groups.rows, groups.chain_links, groups.sides,
            plan.ways.sides);
  if (condense != Condense::kNothing) {
    find_branches(model, rows, s, plan);
    Grouping grouping(model, s, plan);
    grouping.add_tips();
    fill_tips(rows, s, plan.groups);
    for (std::size_t e = 0; e < rows.spans.size(); ++e) {
      const Places& p = s.constraints[e];
      if (p.links < 2 || p.branch >= 0 || !can_be_carried(rows.spans[e], p)) continue;
      const auto links = s.links_of(p);
      if (std::any_of(links.begin(), links.end(), [&](int i) { return grouping.is_loop_tip(i); })) {
        grouping.add_loop(rows, static_cast<int>(e));
      }
    }
  }
  number_group_parts(plan.groups);
  number_nodes(model, s, plan);
}

void find_couplings(const Model&, const RowStructure& rows, ConstraintForm form, const CondensedPlan& plan,
                    Scratch& s) {
  s.graph.nodes.resize(s.num_links);
  s.graph.couplings.clear();
  s.pieces.clear();
  for (std::size_t e = 0; e < rows.spans.size(); ++e) {
    Places& p = s.constraints[e];
    p.pieces = 0;
    if (p.is_carried() || p.links + p.joints == 0) continue;
    const bool multiplier = needs_multiplier(p) || form == ConstraintForm::kAllMultipliers ||
                            (form == ConstraintForm::kLoopMultipliers && p.links > 1);
    if (multiplier) add_pieces(rows.spans[e], s, p);
    multiplier ? couple_to_pieces(p, s) : couple_links(s.links_of(p), s);
  }
  for (const Group& g : plan.groups.list) couple_sides(plan.groups, g, s);
  sort_once(s.graph.couplings);
}

bool has_long_loops(const CondensedPlanner::Scratch& s) {
  return std::any_of(s.graph.couplings.begin(), s.graph.couplings.end(), [&](const auto& c) {
    return !s.graph.nodes[c.b].multiplier && distance(s.graph, c.a, c.b, kLongLoop) >= kLongLoop;
  });
}

double mass_ratio(const Model& model) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const Link& link : model.links()) {
    if (link.inertia.mass <= 0) continue;
    least = std::min(least, link.inertia.mass);
    most = std::max(most, link.inertia.mass);
  }
  return most > 0 ? most / least : 1;
}

}  // namespace delassus
