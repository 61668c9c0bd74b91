// The inertias of a file, to the last digit, in MuJoCo's model of it.
#pragma once

#include "support/mujoco_source.hpp"

namespace delassus::testing {

/// For the links of a URDF and the `fullinertia` of MJCF bodies with names. Nothing is changed where an MJCF file asks
/// for other masses or inertias than it gives (settotalmass, boundmass, boundinertia, balanceinertia).
void put_back_inertias(const MujocoSource& source, mjModel& model);

}  // namespace delassus::testing
