// Names of single coordinates and degrees of freedom: columns of files, parameters of sweeps.
#pragma once

#include <string>
#include <vector>

#include "delassus/model/model.hpp"

namespace delassus {

/// "JOINT", or "JOINT.x" where a joint has several: one for each entry of q. As they are in the model: they may have any characters.
std::vector<std::string> coordinate_names(const Model& model);
/// The same for v: of a free or spherical joint "JOINT.wx" and so on.
std::vector<std::string> velocity_names(const Model& model);

}  // namespace delassus
