#include "operators/condensed/dual_plan.hpp"

#include <algorithm>
#include <bit>

#include "delassus/math/boxed.hpp"
#include "delassus/model/model.hpp"
#include "operators/condensed/lasting_rows.hpp"

namespace delassus {
namespace {

constexpr std::uint64_t kOwnKey = std::uint64_t{1} << 63;  // with the number of the constraint
/// A trunk is worth its unknowns where rows are so many times more: the factor of dense matrices in cube against solves with each of them.
constexpr int kRowsPerTrunkDof = 3;

bool has_limbs(const DualPlan::Group& group) { return group.limbs.count > 0; }

/// Calls f with each link that a constraint acts on, or on whose joint.
template <class F>
void for_each_site(const RowStructure& rows, const RowSpan& span, const std::vector<std::int32_t>& dof_link, F&& f) {
  for (int k = span.first_block; k < span.first_block + span.blocks; ++k) f(rows.blocks[k].link);
  for (int k = span.first_entry; k < span.first_entry + span.entries; ++k) f(dof_link[rows.entries[k].v]);
}

}  // namespace

std::size_t DualPlan::bytes() const {
  return heap_bytes(groups, later, updates, tracks, constraints, first_unknown, places, limbs, trunks, limb_dofs,
                    trunk_dofs, dof_link);
}

std::size_t DualPlanner::bytes() const {
  return heap_bytes(live_, in_trunk_, live_children_, root_, limb_of_, trunk_of_, rows_of_root_, dofs_of_root_,
                    trunk_of_limb_, found_, keys_, unordered_, order_, others_, gone_, bits_, graph_, elimination_,
                    eliminator_);
}

/// Groups of rows are as many as constraints, and couplings at most what the tree has room for.
void DualPlanner::reserve(const Model& model, const CondensedCapacity& c, DualPlan& plan) {
  const auto links = static_cast<std::size_t>(model.num_links()), dofs = static_cast<std::size_t>(model.nv());
  const auto constraints = static_cast<std::size_t>(c.constraints), groups = constraints + links;
  const auto couplings = static_cast<std::size_t>(c.couplings);
  for (std::vector<std::uint8_t>* list : {&live_, &in_trunk_}) list->reserve(links);
  for (std::vector<std::int32_t>* list :
       {&live_children_, &root_, &limb_of_, &trunk_of_, &rows_of_root_, &dofs_of_root_, &trunk_of_limb_})
    list->reserve(links);
  found_.reserve(2 * static_cast<std::size_t>(c.blocks + c.entries));
  keys_.reserve(constraints);
  unordered_.reserve(groups);
  for (std::vector<std::int32_t>* list : {&order_, &others_}) list->reserve(groups);
  gone_.reserve(groups);
  bits_.reserve(groups * ((groups + 63) / 64));
  graph_.nodes.reserve(groups);
  graph_.couplings.reserve(couplings);
  for (std::vector<std::int32_t>* list : {&elimination_.order, &elimination_.first, &elimination_.end})
    list->reserve(groups);
  elimination_.neighbours.reserve(couplings);
  eliminator_.reserve(static_cast<int>(groups), c.couplings, c.couplings);
  plan.groups.reserve(groups);
  plan.later.reserve(couplings);
  plan.updates.reserve(4 * couplings);
  plan.tracks.reserve(constraints);
  plan.constraints.reserve(constraints);
  plan.first_unknown.reserve(constraints);
  plan.places.reserve(2 * static_cast<std::size_t>(c.blocks + c.entries));
  for (std::vector<DualPlan::Range>* list : {&plan.limbs, &plan.trunks}) list->reserve(links);
  for (std::vector<std::int32_t>* list : {&plan.limb_dofs, &plan.trunk_dofs, &plan.dof_link}) list->reserve(dofs);
}

void DualPlanner::run(const Model& model, const RowStructure& rows, DualPlan& plan) {
  plan.dof_link.resize(static_cast<std::size_t>(model.nv()));
  for (int i = 0; i < model.num_links(); ++i) std::fill_n(plan.dof_link.begin() + model.link(i).v, model.link(i).nv, i);
  root_.resize(static_cast<std::size_t>(model.num_links()));
  for (int i = 0; i < model.num_links(); ++i) {
    root_[i] = model.link(i).parent == kWorld ? i : root_[model.link(i).parent];
  }
  live_.assign(root_.size(), 0);
  for (const RowSpan& span : rows.spans) for_each_site(rows, span, plan.dof_link, [&](int link) { live_[link] = 1; });
  find_trunks(model, rows);
  find_limbs(model, plan);
  sort_constraints(rows, plan);
  make_groups(rows, plan);
  order_groups(plan);
  place_unknowns(rows, plan);
  list_later(plan);
  list_updates(plan);
}

/// Links where rows from several children meet, and all links between them and the world.
void DualPlanner::find_trunks(const Model& model, const RowStructure& rows) {
  live_children_.assign(root_.size(), 0);
  in_trunk_.assign(root_.size(), 0);
  for (int i = model.num_links() - 1; i >= 0; --i) {
    const int parent = model.link(i).parent;
    if (live_children_[i] > 1) in_trunk_[i] = 1;
    if (!live_[i] || parent == kWorld) continue;
    live_[parent] = 1;
    ++live_children_[parent];
    if (in_trunk_[i]) in_trunk_[parent] = 1;
  }
  drop_wide_trunks(model, rows);
}

void DualPlanner::drop_wide_trunks(const Model& model, const RowStructure& rows) {
  rows_of_root_.assign(root_.size(), 0);
  dofs_of_root_.assign(root_.size(), 0);
  for (const RowBlock& block : rows.blocks) rows_of_root_[root_[block.link]] += block.rows;
  for (int i = 0; i < model.num_links(); ++i) {
    if (in_trunk_[i]) dofs_of_root_[root_[i]] += model.link(i).nv;
  }
  for (int i = 0; i < model.num_links(); ++i) {
    if (kRowsPerTrunkDof * dofs_of_root_[root_[i]] > rows_of_root_[root_[i]]) in_trunk_[i] = 0;
  }
}

void DualPlanner::find_limbs(const Model& model, DualPlan& plan) {
  limb_of_.assign(root_.size(), -1);
  trunk_of_.assign(root_.size(), -1);
  plan.limbs.clear();
  plan.trunks.clear();
  trunk_of_limb_.clear();
  for (int i = 0; i < model.num_links(); ++i) {
    if (!live_[i]) continue;
    const int parent = model.link(i).parent, joins = parent == kWorld ? -1 : limb_of_[parent];
    if (in_trunk_[i]) {
      trunk_of_[i] = parent == kWorld ? static_cast<int>(plan.trunks.size()) : trunk_of_[parent];
      if (parent == kWorld) plan.trunks.push_back({});
      plan.trunks[trunk_of_[i]].count += model.link(i).nv;
    } else {
      limb_of_[i] = joins >= 0 ? joins : static_cast<int>(plan.limbs.size());
      if (joins < 0) {
        plan.limbs.push_back({});
        trunk_of_limb_.push_back(parent == kWorld ? -1 : trunk_of_[parent]);
      }
      plan.limbs[limb_of_[i]].count += model.link(i).nv;
    }
  }
  const auto list_dofs = [&](std::vector<DualPlan::Range>& ranges, const std::vector<std::int32_t>& range_of,
                             std::vector<std::int32_t>& dofs) {
    int at = 0;
    for (DualPlan::Range& range : ranges) {
      range.first = at;
      at += range.count;
      range.count = 0;
    }
    dofs.resize(static_cast<std::size_t>(at));
    for (int v = 0; v < model.nv(); ++v) {
      const int range = range_of[plan.dof_link[v]];
      if (range >= 0) dofs[ranges[range].first + ranges[range].count++] = v;
    }
  };
  list_dofs(plan.limbs, limb_of_, plan.limb_dofs);
  list_dofs(plan.trunks, trunk_of_, plan.trunk_dofs);
}

/// Limbs count from zero, and trunks after them.
int DualPlanner::place_of(int link) const {
  return limb_of_[link] >= 0 ? limb_of_[link] : static_cast<int>(trunk_of_limb_.size()) + trunk_of_[link];
}

/// All limbs and trunks that the rows of a constraint pass, ascending.
void DualPlanner::list_places(const RowStructure& rows, const RowSpan& span, const DualPlan& plan) {
  const int limbs = static_cast<int>(plan.limbs.size());
  found_.clear();
  for_each_site(rows, span, plan.dof_link, [&](int link) {
    found_.push_back(place_of(link));
    if (limb_of_[link] >= 0 && trunk_of_limb_[limb_of_[link]] >= 0)
      found_.push_back(limbs + trunk_of_limb_[limb_of_[link]]);
  });
  std::ranges::sort(found_);
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
}

void DualPlanner::sort_constraints(const RowStructure& rows, const DualPlan& plan) {
  constexpr std::size_t kPlaces = 4;
  constexpr int kMostPlace = (1 << 15) - 1, kBits = 15;
  keys_.clear();
  for (std::size_t c = 0; c < rows.spans.size(); ++c) {
    const RowSpan& span = rows.spans[c];
    const std::uint64_t own = kOwnKey | c;
    list_places(rows, span, plan);
    std::uint64_t places = 0;
    for (const std::int32_t place : found_) places = places << kBits | static_cast<std::uint64_t>(place + 1);
    const bool fits = found_.size() <= kPlaces && (found_.empty() || found_.back() < kMostPlace);
    std::uint64_t sites = own;
    if (span.entries == 0 && span.blocks == 1) sites = static_cast<std::uint64_t>(rows.blocks[span.first_block].link);
    if (span.entries == 0 && span.blocks == 2) {
      sites = static_cast<std::uint64_t>(rows.blocks[span.first_block].link + 1) << 31 |
              static_cast<std::uint64_t>(rows.blocks[span.first_block + 1].link);
    }
    keys_.push_back({fits ? places : own, tends_to_stay(span), sites, static_cast<std::int32_t>(c)});
  }
  std::sort(keys_.begin(), keys_.end());
}

void DualPlanner::make_groups(const RowStructure& rows, DualPlan& plan) {
  unordered_.clear();
  plan.places.clear();
  plan.tracks.clear();
  plan.constraints.clear();
  for (std::size_t first = 0, end = 0; first < keys_.size(); first = end) {
    while (end < keys_.size() && keys_[end].same_group(keys_[first])) ++end;
    add_group_of_rows(rows, first, end, plan);
  }
  for (std::size_t t = 0; t < plan.trunks.size(); ++t) {
    DualPlan::Group& group = unordered_.emplace_back();
    group.trunk = static_cast<std::int32_t>(t);
    group.count = plan.trunks[t].count;
  }
}

void DualPlanner::add_group_of_rows(const RowStructure& rows, std::size_t first, std::size_t end, DualPlan& plan) {
  DualPlan::Group group;
  list_places(rows, rows.spans[keys_[first].constraint], plan);
  const auto limbs = static_cast<std::int32_t>(plan.limbs.size());
  const auto at = static_cast<std::int32_t>(plan.places.size());
  const auto of_limbs = static_cast<std::int32_t>(std::ranges::lower_bound(found_, limbs) - found_.begin());
  group.limbs = {at, of_limbs};
  group.trunks = {at + of_limbs, static_cast<std::int32_t>(found_.size()) - of_limbs};
  for (const std::int32_t place : found_) plan.places.push_back(place < limbs ? place : place - limbs);
  group.first = static_cast<std::int32_t>(first);  // of its keys, until unknowns have their places
  group.updates.count = static_cast<std::int32_t>(end - first);
  group.stays = keys_[first].stays;
  for (std::size_t k = first; k < end; ++k) group.count += rows.spans[keys_[k].constraint].rows;
  unordered_.push_back(group);
}

void DualPlanner::couple(int a, int b) {
  if (a == b) return;
  const auto before = static_cast<std::size_t>(std::min(a, b)), after = static_cast<std::size_t>(std::max(a, b));
  bits_[before * words_ + after / 64] |= std::uint64_t{1} << (after % 64);
}

bool DualPlanner::are_coupled(int a, int b) {
  const auto after = static_cast<std::size_t>(std::max(a, b));
  return (bits(std::min(a, b))[after / 64] >> (after % 64) & 1) != 0;
}

/// Couplings of groups that act on the same limb, or of rows with their trunks.
void DualPlanner::couple_groups(DualPlan& plan) {
  const std::size_t count = plan.groups.size();
  words_ = (count + 63) / 64;
  bits_.assign(count * words_, 0);
  const auto share = [&](const DualPlan::Group& a, const DualPlan::Group& b) {
    const auto one = DualPlan::part(plan.places, a.limbs), two = DualPlan::part(plan.places, b.limbs);
    return std::ranges::find_first_of(one, two) != one.end();
  };
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      const DualPlan::Group &one = plan.groups[a], &two = plan.groups[b];
      const auto passes = [&](const DualPlan::Group& rows, const DualPlan::Group& trunk) {
        return std::ranges::count(DualPlan::part(plan.places, rows.trunks), trunk.trunk) > 0;
      };
      const bool coupled = one.trunk >= 0   ? two.trunk < 0 && passes(two, one)
                           : two.trunk >= 0 ? passes(one, two)
                                            : share(one, two);
      if (coupled) couple(static_cast<int>(a), static_cast<int>(b));
    }
  }
}

/// Whether those that are left and coupled to a group are coupled to each other anyway.
bool DualPlanner::couples_nothing(int group, const DualPlan& plan) {
  const auto count = static_cast<int>(plan.groups.size());
  const auto touches = [&](int other) {
    return other != group && gone_[static_cast<std::size_t>(other)] == 0 && are_coupled(group, other);
  };
  for (int a = 0; a < count; ++a) {
    if (!touches(a)) continue;
    for (int b = a + 1; b < count; ++b) {
      if (touches(b) && !are_coupled(a, b)) return false;
    }
  }
  return true;
}

/// Those that are kept.
void DualPlanner::order_lasting(int count, const DualPlan& plan) {
  gone_.assign(plan.groups.size(), 0);
  for (int g = 0; g < count; ++g) {
    if (!plan.groups[g].stays || !couples_nothing(g, plan)) continue;
    gone_[g] = 1;
    order_.push_back(g);
  }
}

/// Of rows of limbs, which are the first `count` of the groups: those that are kept, and minimum degree for the others.
void DualPlanner::order_limbs(int count, DualPlan& plan) {
  order_.clear();
  order_lasting(count, plan);
  plan.kept = static_cast<std::int32_t>(order_.size());
  others_.clear();
  for (int g = 0; g < count; ++g) {
    if (gone_[g] == 0) others_.push_back(g);
  }
  graph_.clear();
  for (const std::int32_t g : others_) graph_.nodes.push_back({plan.groups[g].count, plan.groups[g].count, -1, false});
  const auto left = static_cast<std::int32_t>(others_.size());
  for (std::int32_t a = 0; a < left; ++a) {
    for (std::int32_t b = a + 1; b < left; ++b) {
      if (are_coupled(others_[a], others_[b])) graph_.couplings.push_back({a, b});
    }
  }
  if (graph_.couplings.empty()) {
    order_.insert(order_.end(), others_.begin(), others_.end());
    return;
  }
  eliminator_.run(graph_, NodeOrder::kMinimumDegree, 0, elimination_);
  for (const std::int32_t k : elimination_.order) order_.push_back(others_[k]);
}

/// Rows of limbs, trunks, rows of trunks alone.
void DualPlanner::order_groups(DualPlan& plan) {
  plan.groups.clear();
  for (const DualPlan::Group& g : unordered_) {
    if (has_limbs(g)) plan.groups.push_back(g);
  }
  const auto limbs = static_cast<int>(plan.groups.size());
  for (const DualPlan::Group& g : unordered_) {
    if (g.trunk >= 0) plan.groups.push_back(g);
  }
  for (const DualPlan::Group& g : unordered_) {
    if (g.trunk < 0 && !has_limbs(g)) plan.groups.push_back(g);
  }
  couple_groups(plan);
  order_limbs(limbs, plan);
  if (std::ranges::is_sorted(order_)) return;
  unordered_.assign(plan.groups.begin(), plan.groups.begin() + limbs);
  for (int g = 0; g < limbs; ++g) plan.groups[g] = unordered_[order_[g]];
  couple_groups(plan);
}

void DualPlanner::place_unknowns(const RowStructure& rows, DualPlan& plan) {
  plan.first_unknown.resize(rows.spans.size());
  plan.unknowns = plan.widest = 0;
  for (DualPlan::Group& group : plan.groups) {
    const std::int32_t key = group.first, keys = group.updates.count;
    group.first = plan.unknowns;
    if (group.trunk < 0) {
      std::uint64_t sites = 0;
      for (std::int32_t k = key; k < key + keys; ++k) {
        const std::int32_t c = keys_[k].constraint;
        if (k == key || keys_[k].sites != sites) {
          plan.tracks.push_back({plan.unknowns, 0, {static_cast<std::int32_t>(plan.constraints.size()), 0}});
        }
        sites = keys_[k].sites;
        plan.first_unknown[c] = plan.unknowns;
        plan.unknowns += rows.spans[c].rows;
        plan.tracks.back().count += rows.spans[c].rows;
        ++plan.tracks.back().constraints.count;
        plan.constraints.push_back(c);
      }
    } else {
      plan.unknowns += group.count;
    }
    plan.widest = std::max(plan.widest, group.count);
  }
}

/// Who goes first couples all others that it is coupled to.
void DualPlanner::list_later(DualPlan& plan) {
  plan.later.clear();
  plan.square_size = plan.panel_size = 0;
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    DualPlan::Group& group = plan.groups[g];
    group.later = {static_cast<std::int32_t>(plan.later.size()), 0};
    group.below = 0;
    const std::span<const std::uint64_t> own = bits(static_cast<int>(g));
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t word = own[w]; word != 0; word &= word - 1) {
        const auto other = static_cast<std::int32_t>(64 * w) + std::countr_zero(word);
        plan.later.push_back({other, group.below});
        group.below += plan.groups[other].count;
        ++group.later.count;
      }
    }
    if (group.later.count > 1) {
      const std::int32_t next = plan.later[group.later.first].group;
      for (std::size_t w = 0; w < words_; ++w) bits(next)[w] |= own[w];
      bits(next)[static_cast<std::size_t>(next) / 64] &= ~(std::uint64_t{1} << (next % 64));
    }
    group.square = plan.square_size;
    group.panel = plan.panel_size;
    plan.square_size += group.count * group.count;
    plan.panel_size += group.below * group.count;
  }
  const auto kept = static_cast<std::size_t>(plan.kept);
  const bool all = kept == plan.groups.size();
  plan.kept_unknowns = all ? plan.unknowns : plan.groups[kept].first;
  plan.kept_squares = all ? plan.square_size : plan.groups[kept].square;
  plan.kept_panels = all ? plan.panel_size : plan.groups[kept].panel;
}

void DualPlanner::list_updates(DualPlan& plan) {
  plan.updates.clear();
  for (DualPlan::Group& group : plan.groups) {
    group.updates.first = static_cast<std::int32_t>(plan.updates.size());
    for (std::int32_t c = group.later.first; c < group.later.end(); ++c) {
      const auto there = DualPlan::part(plan.later, plan.groups[plan.later[c].group].later);
      auto at = there.begin();
      plan.updates.push_back({c, c, 0});
      for (std::int32_t r = c + 1; r < group.later.end(); ++r) {
        while (at->group != plan.later[r].group) ++at;
        plan.updates.push_back({r, c, at->row});
      }
    }
    group.updates.count = static_cast<std::int32_t>(plan.updates.size()) - group.updates.first;
  }
}

}  // namespace delassus
