// What is there during all of a recording: bodies, their shapes, and the surfaces of these.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "delassus/collision/collision_world.hpp"

namespace delassus::cli {

/// One name for each link: that of its body, or of its joint where a body hangs on several.
std::vector<std::string> link_names(const Model& model);

/// Adds `bodies`, one for each link, `shapes` and `surfaces` (docs/viewer.md). The first shapes are those of the model's description.
void add_stage(const Model& model, std::span<const CollisionWorld::Shape> shapes, nlohmann::json& document);

}  // namespace delassus::cli
