// A model in a configuration, with constraints on it: what scene generators make.
#pragma once

#include <limits>
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

// Contacts of a model's shapes with flat ground, or with the flat top of another body, as a physics engine would find them.

/// Where a shape can touch a plane below it whose unit normal is given: at most four points of its surface, in the axes of
/// `pose`, which places the shape. One for a sphere and an ellipsoid, the two ends of a capsule, four corners of a box, up
/// to four rim points of a cylinder, up to four vertices of a hull or a mesh. Planes and height fields touch nothing.
std::vector<Vec3<double>> make_support_points(const ShapeDescription& shape, const Pose<double>& pose,
                                              const Vec3<double>& normal);

/// What shapes rest on: a rectangle on the body of a frame, in its frame; z is its normal.
struct Ground {
  int frame = 0;                                 // the world by default
  Pose<double> pose = Pose<double>::identity();  // its centre, in the frame
  double half_x = std::numeric_limits<double>::infinity();
  double half_y = std::numeric_limits<double>::infinity();
  double depth = std::numeric_limits<double>::infinity();  // what is deeper came from elsewhere
};

/// A contact for every support point of every shape that is at most `margin` above the ground, or below it. The shapes of
/// the ground's own body are left out, and those fixed to the world if that is the ground. Points lie on the surface of
/// the shape; the gap is their distance to the ground; kind and friction coefficients are those of the shape. Contacts
/// are named body/1, body/2, ...
std::vector<Constraint> make_ground_contacts(const Model& model, const std::vector<double>& q,
                                             const Ground& ground = {}, double margin = 1e-3);

// The same mechanism in maximal coordinates: every moving body free, every joint a loop closure.

/// The bodies of the model with a free joint each, where they are in q, and a closure for each joint: five rows for a
/// revolute or prismatic one. Frames keep names and indices, so constraints on frames hold for both. Limits, armature and
/// the rest of what belongs to degrees of freedom is left out. Throws an Error that names a body with several joints, or a
/// helical or universal joint: closures have no form for them.
ConstrainedModel make_maximal(const Model& model, const std::vector<double>& q);

}  // namespace delassus
