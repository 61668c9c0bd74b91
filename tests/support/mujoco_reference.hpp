// Records with MuJoCo what `delassus check` compares: a reference file in the format of cli/commands/reference.hpp.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "support/mujoco_model.hpp"

namespace delassus::testing {

struct ReferenceOptions {
  std::uint64_t seed = 0;
  int configs = 2;
  bool pyramidal = false;
  int condim = 3;  // of all contacts with the floor and among the robot's geoms
};

/// `model_path` is what the file says of its model's place. Random states; points on every body; the rows of the
/// equalities; and, where something can touch the floor, the rows of all contacts at another random state.
nlohmann::json record_reference(MujocoModel& robot, const std::string& model_path, const ReferenceOptions& options);

}  // namespace delassus::testing
