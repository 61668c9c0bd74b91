// Which shapes of a model can touch.
#pragma once

#include <span>

#include "delassus/collision/collision_world.hpp"

namespace delassus::collision {

/// The body of the world's child that a body hangs on, or kWorld: shapes with the same one belong to one tree.
int tree_of(const Model& model, int body);

/// By links, exclusions and options; what overlaps at rest is not looked at.
PairTable make_touchable(const Model& model, std::span<const CollisionWorld::Shape> shapes, bool self);

}  // namespace delassus::collision
