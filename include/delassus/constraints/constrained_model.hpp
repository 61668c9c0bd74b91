// A model in a configuration, with constraints on it: what scene generators make.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "delassus/constraints/constraint.hpp"

namespace delassus {

struct ConstrainedModel {
  /// In the neutral configuration, without constraints.
  explicit ConstrainedModel(Model m) : model(std::move(m)), q(model.neutral()) {}

  int num_rows() const;

  Model model;
  std::vector<double> q;
  std::vector<Constraint> constraints;
};

/// Angles up to half a radian to either side, the same for the same model: no configuration that has zeros to gain from.
/// Free, spherical and planar joints stay at zero.
std::vector<double> make_general_configuration(const Model& model);
ConstrainedModel make_in_general_configuration(ModelDescription description);

/// A contact at the origin of each of these frames, three rows each: along z of the world, and two tangents.
std::vector<Constraint> make_point_contacts(const Model& model, const std::vector<std::string>& frames);
/// Welds named frames to the world where they are in q: six rows each.
std::vector<Constraint> make_welds_to_world(const Model& model, const std::vector<double>& q,
                                            std::span<const std::string> frames);
/// Pins the origins of named frames to the world where they are in q: three rows each.
std::vector<Constraint> make_pins_to_world(const Model& model, const std::vector<double>& q,
                                           std::span<const std::string> frames);

}  // namespace delassus
