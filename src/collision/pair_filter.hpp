// Which shapes of a model can touch.
#pragma once

#include <span>
#include <vector>

#include "collision/broad_phase.hpp"
#include "delassus/collision/collision_world.hpp"

namespace delassus::collision {

/// For each shape the body of the world's child that its body hangs on, or kWorld: those with the same one belong to one tree.
std::vector<int> trees_of(const Model& model, std::span<const CollisionWorld::Shape> shapes);

/// By links, exclusions and options; what overlaps at rest is not looked at.
PairTable make_touchable(const Model& model, std::span<const CollisionWorld::Shape> shapes, bool self);

}  // namespace delassus::collision
