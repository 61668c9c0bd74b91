// Free boxes that rest on each other on the plane z = 0 in the neutral configuration, and their contacts: the piles of Table I of
// Sathya, Montaut, de Mont-Marin and Carpentier, "Matrix-Free Delassus Operations".
#pragma once

#include "delassus/constraints/constrained_model.hpp"

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

/// Contacts between boxes that stand upright on each other: the four corners of the area that two faces share. Boxes count
/// as touching if the faces are at most `margin` apart.
std::vector<Constraint> make_stacking_contacts(const Model& model, const std::vector<double>& q, double margin = 1e-3);

/// Four contacts under each box: 12 rows per box.
ConstrainedModel make_box_stack_scene(int count, const BoxOptions& options = {});

/// Four contacts of each box of the lowest layer with the floor, and with each of the four boxes below an upper one. With
/// four boxes to a side, that is 288 contacts.
ConstrainedModel make_box_pyramid_scene(const PyramidOptions& options = {});

}  // namespace delassus
