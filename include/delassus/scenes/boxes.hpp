// Free boxes, placed as they rest on each other on the plane z = 0 in the neutral configuration.
#pragma once

#include "delassus/model/description.hpp"

namespace delassus {

struct BoxOptions {
  Vec3<double> half_extents{{0.25, 0.25, 0.25}};
  double mass = 10;
  double friction = 0.7;  // sliding
};

/// Boxes box1 (on the floor) to box<count>, each on the one below.
ModelDescription make_box_stack(int count, const BoxOptions& options = {});

/// Square layers of side, side - 1, ... 1 boxes; each upper box rests on the corners of four. `spacing` is the distance of
/// two boxes' centres in a layer: more than their width, less than twice their width.
struct PyramidOptions {
  int side = 4;
  double spacing = 0.55;
  BoxOptions box{};
};
ModelDescription make_box_pyramid(const PyramidOptions& options = {});

/// Appends a free box whose frame is at `placement` in the neutral configuration; returns its index.
int add_free_box(ModelDescription& description, const std::string& name, const Pose<double>& placement,
                 const BoxOptions& options);

}  // namespace delassus
