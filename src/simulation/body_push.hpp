// Bodies that are pushed for a while: a wrench in the world as forces along joints.
#pragma once

#include <span>
#include <vector>

#include "delassus/kinematics/frames.hpp"

namespace delassus {

/// A wrench in world axes about the body's centre of mass.
struct BodyPush {
  int body;  // index in the description
  Force<double> wrench;
};

/// Adds Jᵀ f where the mechanism is. `jacobian` is memory that is kept from call to call.
void add_push(const Model& model, const Kinematics<double>& kin, const BodyPush& push, std::span<double> forces,
              std::vector<double>& jacobian);

}  // namespace delassus
