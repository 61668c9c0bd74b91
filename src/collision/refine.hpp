// The last digits of a direction.
#pragma once

#include "collision/axes.hpp"

namespace delassus::collision {

/// Newton's method for the direction that separates most, from one that nearly does. Simplices and polytopes get the
/// separation of curved shapes to many digits long before they get its direction, which it depends on by the square.
/// The axis stays as it is where that brings nothing.
void refine(const ConvexPair& pair, Axis& axis);

}  // namespace delassus::collision
