// The kinematic tree, and what the condensed tree makes of it, as data for a drawing.
#pragma once

#include <nlohmann/json.hpp>

#include "delassus/constraints/constraint.hpp"

namespace delassus::cli {

/// `links`, each with its joint, its parent, the rows on it and on its joint, and its role: node, carried or quiet
/// (operators/condensed/plan.hpp); carried ones with the group that they carry. `groups` with their rows and the nodes that feel
/// them (none: the world alone). `words`: lines that say what is carried, what stays joint by joint, and why.
nlohmann::json condensed_tree_of(const Model& model, const std::vector<Constraint>& constraints);

}  // namespace delassus::cli
