// A model in a configuration, with constraints on it: what scene generators make.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "delassus/constraints/constraint.hpp"

namespace delassus {

struct ConstrainedModel {
  /// In the neutral configuration, without constraints.
  explicit ConstrainedModel(const Model& m) : model(m), q(model.neutral()) {}

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

// The same mechanism in maximal coordinates: every moving body free, every joint a loop closure.

/// The bodies of the model with a free joint each, where they are in q, and a closure for each joint: five rows for a
/// revolute or prismatic one. Frames keep names and indices, so constraints on frames hold for both. Limits, armature and
/// the rest of what belongs to degrees of freedom is left out. Throws an Error that names a body with several joints, or a
/// helical or universal joint: closures have no form for them.
ConstrainedModel make_maximal(const Model& model, const std::vector<double>& q);

}  // namespace delassus
