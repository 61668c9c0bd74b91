// Kinematics of a robot by its limbs side by side (model/limb_model.hpp).
#pragma once

#include "delassus/kinematics/kinematics.hpp"

namespace delassus {

/// Fills kin.limbs from q, and from that the rest of `kin`, link by link.
void update_through_limbs(const Model& model, In<double> q, Kinematics<double>& kin);

}  // namespace delassus
