// Contact points of two shapes. docs/collision.md says which pair is solved how.
#pragma once

#include "delassus/collision/manifold.hpp"
#include "delassus/model/shape.hpp"

namespace delassus {

struct PlacedShape {
  ShapeKind kind;
  Vec3<double> size;  // as in ShapeDescription; zeros are allowed here
  Pose<double> pose;
};

/// Up to four points where a and b are at most `margin` apart. The result depends on the arguments alone, to the bit;
/// finite arguments give finite points and a unit normal. Nothing is allocated. Two planes never touch.
void collide(const PlacedShape& a, const PlacedShape& b, double margin, Manifold& out);

}  // namespace delassus
