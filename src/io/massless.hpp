// Bodies that move without mass.
#pragma once

#include <vector>

#include "delassus/model/description.hpp"

namespace delassus::io {

/// A joint that moves no mass has no inertia: no force can be found for its acceleration. Returns the bodies
/// that have joints but no mass in their subtree.
inline std::vector<int> massless_moving_bodies(const ModelDescription& description) {
  std::vector<bool> has_mass(description.bodies.size(), false);
  for (std::size_t i = description.bodies.size(); i-- > 0;) {
    const BodyDescription& body = description.bodies[i];
    if (body.inertial.mass > 0 || body.inertial.inertia != Sym3<double>::zero()) has_mass[i] = true;
    if (has_mass[i] && body.parent != kWorld) has_mass[static_cast<std::size_t>(body.parent)] = true;
  }
  std::vector<int> out;
  for (std::size_t i = 0; i < description.bodies.size(); ++i) {
    if (!description.bodies[i].joints.empty() && !has_mass[i]) out.push_back(static_cast<int>(i));
  }
  return out;
}

}  // namespace delassus::io
