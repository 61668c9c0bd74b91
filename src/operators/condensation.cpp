#include "delassus/operators/planner.hpp"

#include <algorithm>

#include "model/wording.hpp"
#include "operators/condensed/plan.hpp"

namespace delassus {
namespace {

using Chain = Condensation::Chain;
using Reason = Condensation::Reason;

constexpr int kMostCarriedRows = 6;

/// What a link feels.
struct Place {
  int constraints = 0, rows = 0;  // on the link
  int joint_constraints = 0;
  int live_children = 0;
  bool loop = false;  // one of the constraints acts on other links, too
  bool live = false;
};

class Places {
 public:
  Places(const Model& model, const RowStructure& rows) : model_(model), places_(model.num_links()) {
    std::vector<int> link_of_dof;
    for (int i = 0; i < model.num_links(); ++i) link_of_dof.insert(link_of_dof.end(), model.link(i).nv, i);
    for (const RowSpan& span : rows.spans) {
      for (const int i : links_of(rows, span)) {
        Place& p = places_[i];
        ++p.constraints;
        p.loop |= links_of(rows, span).size() > 1;
      }
      for (int k = span.first_entry; k < span.first_entry + span.entries; ++k) {
        ++places_[link_of_dof[rows.entries[k].v]].joint_constraints;
      }
    }
    for (const RowBlock& block : rows.blocks) places_[block.link].rows += block.rows;
    find_live();
  }

  int live() const {
    return static_cast<int>(std::count_if(places_.begin(), places_.end(), [](const Place& p) { return p.live; }));
  }

  /// Whether something begins at a link that the links above it do not share.
  bool begins(int link) const {
    const Place& p = places_[link];
    return p.constraints > 0 || p.joint_constraints > 0 || p.live_children > 1;
  }

  Chain chain_from(int link) const {
    Chain chain{Reason::kWide, model_.joint_name(link), 0, 0, places_[link].rows};
    int i = link;
    do {
      ++chain.links;
      chain.dofs += model_.link(i).nv;
      i = model_.link(i).parent;
    } while (i != kWorld && !begins(i));
    chain.reason = reason_at(link, chain.dofs);
    return chain;
  }

 private:
  static std::vector<int> links_of(const RowStructure& rows, const RowSpan& span) {
    std::vector<int> links;
    for (int b = span.first_block; b < span.first_block + span.blocks; ++b) links.push_back(rows.blocks[b].link);
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return links;
  }

  void find_live() {
    for (int i = model_.num_links() - 1; i >= 0; --i) {
      Place& p = places_[i];
      p.live |= p.constraints > 0 || p.joint_constraints > 0;
      const int parent = model_.link(i).parent;
      if (!p.live || parent == kWorld) continue;
      places_[parent].live = true;
      ++places_[parent].live_children;
    }
  }

  Reason reason_at(int link, int dofs) const {
    const Place& p = places_[link];
    if (p.live_children > 1) return Reason::kBranches;
    if (p.joint_constraints > 0) return Reason::kJointRows;
    if (p.live_children > 0) return Reason::kMeeting;
    if (p.loop && p.constraints > 1) return Reason::kSharedTip;
    if (p.rows > kMostCarriedRows) return Reason::kManyRows;
    return p.rows > dofs ? Reason::kRedundantRows : Reason::kWide;
  }

  const Model& model_;
  std::vector<Place> places_;
};

std::string_view words(Reason reason) {
  switch (reason) {
    case Reason::kBranches:
      return "branches with constraints meet there";
    case Reason::kMeeting:
      return "constraints act on them and further out";
    case Reason::kJointRows:
      return "rows act on their joints";
    case Reason::kManyRows:
      return "more than six rows at the tip, and six unit wrenches of a node are cheaper to pass on";
    case Reason::kRedundantRows:
      return "more rows at the tip than degrees of freedom in the chain: carried, they would be redundant and lose "
             "digits";
    case Reason::kSharedTip:
      return "a loop and other constraints share the tip";
    case Reason::kWide:
      return "a constraint there acts on too many links, or on links and joints at once";
  }
  return "";
}

/// "  3 links in 2 chains (from a, b): why"
std::string line_of(Reason reason, const std::vector<Chain>& all) {
  constexpr int kMostNames = 4;
  int links = 0, chains = 0;
  std::string names;
  for (const Chain& c : all) {
    if (c.reason != reason) continue;
    links += c.links;
    if (++chains <= kMostNames) names += (chains > 1 ? ", " : "") + in_quotes(c.joint);
  }
  if (chains == 0) return "";
  if (chains > kMostNames) names += ", ...";
  return "  " + counted(links, "link") + " in " + counted(chains, "chain") + " (from joint " + names +
         "): " + std::string(words(reason)) + "\n";
}

}  // namespace

Condensation make_condensation(const Model& model, const RowStructure& rows, const CondensedPlan& plan) {
  const Places places(model, rows);
  Condensation out;
  out.links = model.num_links();
  out.live = places.live();
  out.nodes = static_cast<int>(plan.slot_links.size());
  out.carried = static_cast<int>(plan.groups.chain_links.size() + plan.branches.steps.size());
  out.groups = static_cast<int>(plan.groups.list.size() + plan.branches.list.size());
  out.rows = rows.num_rows();
  out.carried_rows = static_cast<int>(plan.groups.rows.size() + plan.branches.rows.size());
  out.multipliers = static_cast<int>(plan.multipliers.nodes.size());
  out.lone_rows = static_cast<int>(plan.lone.list.size());
  for (const int i : plan.slot_links) {
    if (places.begins(i)) out.jointwise.push_back(places.chain_from(i));
  }
  return out;
}

Condensation make_condensation(const Model& model, const RowStructure& rows) {
  CondensedPlan plan;
  CondensedPlanner(model).run(model, rows, CondensedOptions{}, plan);
  return make_condensation(model, rows, plan);
}

std::string Condensation::text() const {
  std::string out = std::to_string(live) + " of " + counted(links, "link") +
                    " feel constraints: " + std::to_string(carried) + " are carried in " + counted(groups, "group") +
                    " with " + std::to_string(carried_rows) + " of " + counted(rows, "row") + ", " +
                    counted(nodes, "node") + " " + (nodes == 1 ? "stays" : "stay") +
                    (nodes > 0 ? " joint by joint:\n" : ".\n");
  for (int r = 0; r <= static_cast<int>(Reason::kWide); ++r) out += line_of(static_cast<Reason>(r), jointwise);
  if (lone_rows > 0) out += "  " + counted(lone_rows, "row") + " alone on a degree of freedom\n";
  if (multipliers > 0) out += "  " + counted(multipliers, "multiplier") + " beside the nodes\n";
  return out;
}

}  // namespace delassus
