#include "cli/tour/condensed_tree.hpp"

#include "cli/pages/condensed_roles.hpp"
#include "delassus/constraints/lower.hpp"

namespace delassus::cli {
namespace {

using nlohmann::json;

json links_json(const Model& model, const CondensedRoles& roles) {
  json out = json::array();
  for (int i = 0; i < model.num_links(); ++i) {
    const CondensedRoles::Link& role = roles.links[i];
    out.push_back({{"joint", model.joint_name(i)},
                   {"kind", name_of(model.link(i).kind)},
                   {"parent", model.link(i).parent},
                   {"dofs", model.link(i).nv},
                   {"rows", role.rows.size()},
                   {"joint_rows", role.joint_rows.size()},
                   {"role", role.node         ? "node"
                            : role.group >= 0 ? "carried"
                                              : "quiet"},
                   {"group", role.group}});
  }
  return out;
}

json groups_json(const CondensedRoles& roles) {
  json out = json::array();
  for (const CondensedRoles::Group& g : roles.groups) out.push_back({{"rows", g.rows.size()}, {"nodes", g.nodes}});
  return out;
}

}  // namespace

json condensed_tree_of(const Model& model, const std::vector<Constraint>& constraints) {
  ConstraintRows<double> rows;
  lower_structure<double>(model, constraints, rows);
  const CondensedRoles roles = make_condensed_roles(model, rows);
  return {{"links", links_json(model, roles)}, {"groups", groups_json(roles)}, {"words", roles.words}};
}

}  // namespace delassus::cli
