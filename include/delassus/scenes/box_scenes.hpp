// Boxes that rest on each other: Table I of Sathya, Montaut, de Mont-Marin and Carpentier, "Matrix-Free Delassus
// Operations".
#pragma once

#include "delassus/constraints/constrained_model.hpp"
#include "delassus/scenes/boxes.hpp"

namespace delassus {

/// Contacts between boxes that stand upright on each other: the four corners of the area that two faces share. Boxes count
/// as touching if the faces are at most `margin` apart.
std::vector<Constraint> make_stacking_contacts(const Model& model, const std::vector<double>& q, double margin = 1e-3);

/// Four contacts under each box: 12 rows per box.
ConstrainedModel make_box_stack_scene(int count, const BoxOptions& options = {});

/// Four contacts of each box of the lowest layer with the floor, and with each of the four boxes below an upper one. With
/// four boxes to a side, that is 288 contacts.
ConstrainedModel make_box_pyramid_scene(const PyramidOptions& options = {});

}  // namespace delassus
