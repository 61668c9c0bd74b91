#include "cli/pages/condensed_roles.hpp"

#include <set>

#include "delassus/operators/planner.hpp"
#include "operators/condensed/plan.hpp"

namespace delassus::cli {
namespace {

std::vector<CondensedRoles::Group> groups_of(const condensed::Groups& groups) {
  std::vector<CondensedRoles::Group> out;
  for (const condensed::Groups::Group& g : groups.list) {
    CondensedRoles::Group& group = out.emplace_back();
    for (int k = 0; k < g.rows; ++k) group.rows.push_back(groups.rows[g.row + k]);
    std::set<int> nodes;
    for (int k = g.sides.first; k < g.sides.end(); ++k) nodes.insert(groups.sides[k].link);
    group.nodes.assign(nodes.begin(), nodes.end());
    for (int c = g.carriers.first; c < g.carriers.end(); ++c) {
      const condensed::Range chain = groups.carriers[c].chain;
      for (int k = chain.first; k < chain.end(); ++k) group.links.push_back(groups.chain_links[k]);
    }
  }
  return out;
}

void add_branches(const condensed::Branches& branches, std::vector<CondensedRoles::Group>& out) {
  for (const condensed::Branches::Branch& b : branches.list) {
    CondensedRoles::Group& group = out.emplace_back();
    for (int k = b.rows.first; k < b.rows.end(); ++k) group.rows.push_back(branches.rows[k]);
    if (b.link >= 0) group.nodes.push_back(b.link);
    for (int k = b.steps.first; k < b.steps.end(); ++k) group.links.push_back(branches.steps[k].link);
  }
}

/// A row may be on several degrees of freedom of a joint.
void add_joint_rows(const Model& model, const ConstraintRows<double>& rows, std::vector<CondensedRoles::Link>& links) {
  std::vector<int> link_of_dof;
  for (int i = 0; i < model.num_links(); ++i) link_of_dof.insert(link_of_dof.end(), model.link(i).nv, i);
  std::set<std::pair<int, int>> found;
  for (const auto& entry : rows.entries) found.emplace(link_of_dof[entry.v], entry.row);
  for (const auto& [link, row] : found) links[link].joint_rows.push_back(row);
}

}  // namespace

CondensedRoles make_condensed_roles(const Model& model, const ConstraintRows<double>& rows) {
  CondensedPlan plan;
  CondensedPlanner(model).run(model, rows, CondensedOptions{}, plan);
  CondensedRoles out;
  out.links.resize(static_cast<std::size_t>(model.num_links()));
  out.groups = groups_of(plan.groups);
  add_branches(plan.branches, out.groups);
  for (const int link : plan.slot_links) out.links[link].node = true;
  for (std::size_t g = 0; g < out.groups.size(); ++g) {
    for (const int link : out.groups[g].links) out.links[link].group = static_cast<int>(g);
  }
  for (const RowBlock& block : rows.blocks) {
    for (int k = 0; k < block.rows; ++k) out.links[block.link].rows.push_back(block.first_row + k);
  }
  add_joint_rows(model, rows, out.links);
  out.words = make_condensation(model, rows, plan).text();
  return out;
}

}  // namespace delassus::cli
