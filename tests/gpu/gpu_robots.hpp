// The robots that kernels are tested with.
#pragma once

#include <string>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/model/model.hpp"

namespace delassus::gpu {

struct GpuRobot {
  Model model;
  std::vector<double> q;
  std::vector<Constraint> constraints;
};

/// Robots that the library carries; chains without limbs; and trees with joints of all kinds, contacts in any axes and pins.
const std::vector<std::string>& gpu_robot_names();
GpuRobot make_gpu_robot(const std::string& name);

}  // namespace delassus::gpu
