#include "cli/tour/condensed_tree.hpp"

#include <set>

#include "delassus/constraints/lower.hpp"
#include "delassus/delassus/condensation.hpp"

namespace delassus::cli {
namespace {

using nlohmann::json;

struct LinkRole {
  bool node = false;
  int group = -1;  // that it carries
  int rows = 0, joint_rows = 0;
};

std::vector<LinkRole> roles_of(const Model& model, const ConstraintRows<double>& rows, const CondensedPlan& plan) {
  std::vector<LinkRole> out(static_cast<std::size_t>(model.num_links()));
  for (const int link : plan.slot_links) out[link].node = true;
  for (int g = 0; g < static_cast<int>(plan.groups.size()); ++g) {
    const CondensedPlan::Range carriers = plan.groups[g].carriers;
    for (int c = carriers.first; c < carriers.end(); ++c) {
      const CondensedPlan::Range chain = plan.carriers[c].chain;
      for (int k = chain.first; k < chain.end(); ++k) out[plan.chain_links[k]].group = g;
    }
  }
  for (const RowBlock& block : rows.blocks) out[block.link].rows += block.rows;
  std::vector<int> link_of_dof;
  for (int i = 0; i < model.num_links(); ++i) link_of_dof.insert(link_of_dof.end(), model.link(i).nv, i);
  std::set<std::pair<int, int>> joint_rows;  // a row may be on several degrees of freedom of a joint
  for (const auto& entry : rows.entries) joint_rows.emplace(link_of_dof[entry.v], entry.row);
  for (const auto& [link, row] : joint_rows) ++out[link].joint_rows;
  return out;
}

json links_json(const Model& model, const std::vector<LinkRole>& roles) {
  json out = json::array();
  for (int i = 0; i < model.num_links(); ++i) {
    const LinkRole& role = roles[i];
    out.push_back({{"joint", model.joint_name(i)},
                   {"kind", name_of(model.link(i).kind)},
                   {"parent", model.link(i).parent},
                   {"dofs", model.link(i).nv},
                   {"rows", role.rows},
                   {"joint_rows", role.joint_rows},
                   {"role", role.node         ? "node"
                            : role.group >= 0 ? "carried"
                                              : "quiet"},
                   {"group", role.group}});
  }
  return out;
}

json groups_json(const CondensedPlan& plan) {
  json out = json::array();
  for (const CondensedPlan::Group& g : plan.groups) {
    std::set<int> nodes;
    for (int k = g.sides.first; k < g.sides.end(); ++k) nodes.insert(plan.sides[k].link);
    out.push_back({{"rows", g.rows}, {"nodes", nodes}});
  }
  return out;
}

}  // namespace

json condensed_tree_of(const Model& model, const std::vector<Constraint>& constraints) {
  ConstraintRows<double> rows;
  lower_structure<double>(model, constraints, rows);
  CondensedPlan plan;
  CondensedPlanner(model).run(model, rows, CondensedOptions{}, plan);
  return {{"links", links_json(model, roles_of(model, rows, plan))},
          {"groups", groups_json(plan)},
          {"words", make_condensation(model, rows, plan).text()}};
}

}  // namespace delassus::cli
