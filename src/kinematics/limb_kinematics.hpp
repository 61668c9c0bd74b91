// Kinematics of a robot by its limbs side by side (model/limb_model.hpp).
#pragma once

#include <span>

#include "delassus/kinematics/kinematics.hpp"
#include "model/limb_model.hpp"

namespace delassus {

/// Coordinates, sines and cosines of the robot in lanes, then all links of the fold.
void update_limbs(const LimbModel& limbs, const Kinematics<double>& angles, Kinematics<Limbs>& kin);

/// Poses of some links of the robot, and their inertias if asked for.
void unfold_links(const Model& model, const LimbModel& limbs, const Kinematics<Limbs>& from,
                  std::span<const std::int32_t> links, bool inertias, Kinematics<double>& to);

}  // namespace delassus
