// Postures of robots that move freely: put on the ground as they stand, and lying.
#pragma once

#include "delassus/io/scene.hpp"

namespace delassus::cli {

/// Whether all that stands on the world does so by free joints, and there are shapes that can touch the ground.
bool can_lie(const Model& model);

/// Moves everything up or down until the lowest point of a shape touches z = 0.
void rest_on_ground(Scene& scene);

/// Turns everything by 90 degrees about a horizontal axis and puts it on the ground: of the four ways (on its front,
/// its back, either side) the one with the lowest centre of mass. Returns that way in words.
std::string_view lie_down(Scene& scene);

}  // namespace delassus::cli
