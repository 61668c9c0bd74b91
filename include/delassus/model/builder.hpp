// ModelBuilder: a robot written in code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "delassus/model/description.hpp"
#include "delassus/model/model.hpp"

namespace delassus {

/// Joints for the common cases, to be changed where the defaults do not fit.
JointDescription revolute(std::string name, const Vec3<double>& axis,
                          const Pose<double>& placement = Pose<double>::identity());
JointDescription prismatic(std::string name, const Vec3<double>& axis,
                           const Pose<double>& placement = Pose<double>::identity());
JointDescription joint(JointKind kind, std::string name, const Pose<double>& placement = Pose<double>::identity());

/// A pose without rotation.
Pose<double> translation(double x, double y, double z);

/// Inertials of solids with a uniform density.
Inertial box_inertial(double mass, const Vec3<double>& half_extents, const Vec3<double>& com = {{0, 0, 0}});
Inertial sphere_inertial(double mass, double radius, const Vec3<double>& com = {{0, 0, 0}});
Inertial cylinder_inertial(double mass, double radius, double half_length, const Vec3<double>& com = {{0, 0, 0}});

/// Each add_* returns the index that later calls take as parent or body.
class ModelBuilder {
 public:
  explicit ModelBuilder(std::string name) { description_.name = std::move(name); }

  ModelBuilder& gravity(const Vec3<double>& g);
  int add_body(std::string name, int parent, JointDescription joint, const Inertial& inertial);
  /// Several joints: each is placed in the frame that the one before it moves.
  int add_body(std::string name, int parent, std::vector<JointDescription> joints, const Inertial& inertial);
  int add_fixed_body(std::string name, int parent, const Pose<double>& placement, const Inertial& inertial = {});
  void add_frame(std::string name, int body, const Pose<double>& placement);
  void add_shape(ShapeDescription shape) { description_.shapes.push_back(std::move(shape)); }

  const ModelDescription& description() const { return description_; }
  /// Throws an Error that names every faulty element.
  Model make_model() const { return Model(description_); }

 private:
  ModelDescription description_;
};

// One description from two: a hand on an arm, robots among boxes.

/// Appends `part` to `host`. What stands on the world in the part stands on `frame` of the host then (a body, a named frame
/// or "world"), moved by `placement`. All names of the part get the prefix. Its bodies come last, so the coordinates of the
/// host stay where they are and those of the part follow. Keyframes of either are completed by the neutral coordinates of
/// the other; gravity and name are the host's. Throws an Error if the host has no such frame.
void append_model(ModelDescription& host, const ModelDescription& part, std::string_view frame,
                  const Pose<double>& placement, std::string_view prefix);

}  // namespace delassus
