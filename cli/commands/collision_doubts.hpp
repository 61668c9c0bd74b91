// Why a scene may fall through its floor.
#pragma once

#include <string>
#include <vector>

#include "delassus/io/scene.hpp"

namespace delassus::cli {

/// Whether something that moves has a shape.
bool can_collide(const Model& model);

/// Sentences for the user: files of shapes that were not found and where they were looked for, and that nothing will touch the
/// ground. Empty if there is nothing to say.
std::vector<std::string> collision_doubts(const Scene& scene, bool ground);

}  // namespace delassus::cli
