// Which bodies a constraint is on.
#pragma once

#include <vector>

#include "delassus/constraints/constraint.hpp"

namespace delassus::cli {

/// Indices of the bodies, each once and in ascending order, without the world. Empty for the centre of mass, which is of
/// all.
std::vector<int> moved_bodies(const Model& model, const Constraint& constraint);

}  // namespace delassus::cli
