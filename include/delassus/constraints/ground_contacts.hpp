// Contacts of a model's shapes with flat ground, or with the flat top of another body, as a physics engine would find them.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "delassus/constraints/constraint.hpp"

namespace delassus {

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

}  // namespace delassus
