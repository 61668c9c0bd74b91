// ModelBuilder: a robot written in code; one model from two; a model with another mass of a body.
#pragma once

#include <optional>
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

// The same model with another mass of a body.

/// The index of a body in the description. Throws an Error that names a close match if there is none.
int find_body(const Model& model, std::string_view name);

/// What a body is to have, in its own frame. What is not given: the centre of mass stays, and the inertia about it grows with the mass.
struct BodyMass {
  double mass = 0;  // kg
  std::optional<Vec3<double>> com = {};
  std::optional<Sym3<double>> inertia = {};  // about the centre of mass
};

/// A model that differs in one body (its index in the description). Throws an Error for a mass that is not positive, for numbers that are not finite,
/// for a given inertia that no body can have, and where there was no mass that an inertia could grow with.
Model with_mass(const Model& model, int body, const BodyMass& wanted);

}  // namespace delassus
