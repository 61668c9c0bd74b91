// What the condensed tree makes of the links of a mechanism, and of the rows on them (operators/condensed/plan.hpp).
#pragma once

#include <string>
#include <vector>

#include "delassus/constraints/rows.hpp"

namespace delassus::cli {

struct CondensedRoles {
  struct Link {
    bool node = false;
    int group = -1;                     // that it carries; neither: it is quiet
    std::vector<int> rows, joint_rows;  // on it, and on its joint
  };
  /// Rows that are carried together.
  struct Group {
    std::vector<int> rows;
    std::vector<int> nodes;  // links that feel them, ascending; none: the world alone
    std::vector<int> links;  // that are crossed, each chain from its tip inwards
  };

  std::vector<Link> links;
  std::vector<Group> groups;
  std::string words;  // lines that say what is carried, what stays joint by joint, and why
};

CondensedRoles make_condensed_roles(const Model& model, const ConstraintRows<double>& rows);

}  // namespace delassus::cli
