// What only reference files of MJCF models have: qpos0, the rows of equalities, and a scene with contacts on a floor.
#pragma once

#include <string>
#include <vector>

#include "cli/commands/check_file.hpp"
#include "cli/commands/reference.hpp"
#include "delassus/constraints/constraint.hpp"

namespace delassus::cli {

/// The state q that the model's file gives, with the offsets of coordinates added back.
void compare_initial_state(const Model& model, const std::vector<double>& q, const ReferenceNode& file,
                           FileCheck& check);

/// All rows that the model's own equalities make, in MuJoCo's layout (row_layout.hpp).
void compare_equalities(const Model& model, const std::vector<Constraint>& equalities, const ReferenceNode& file,
                        const ReferenceNode& config, const CoordinateMap& map,
                        const std::vector<std::string>& algorithms, FileCheck& check);

/// The rows of equalities and contacts in MuJoCo's layout: an elliptic cone has the rows of a PointContact.
void compare_floor_scene(const Model& model, const std::vector<Constraint>& equalities, const ReferenceNode& file,
                         const std::vector<std::string>& algorithms, FileCheck& check);

}  // namespace delassus::cli
