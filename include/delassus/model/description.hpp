// ModelDescription: a robot as data, as a user or a file says it. Plain values, written and read back exactly.
// A Model is compiled from it.
#pragma once

#include <string>
#include <vector>

#include "delassus/math/mat.hpp"
#include "delassus/model/joint.hpp"
#include "delassus/model/shape.hpp"

namespace delassus {

/// The parent of what stands on the ground.
inline constexpr int kWorld = -1;

/// Mass, centre of mass and inertia about the centre of mass, all in the body's frame.
struct Inertial {
  double mass = 0;
  Vec3<double> com{{0, 0, 0}};
  Sym3<double> inertia = Sym3<double>::zero();
  bool operator==(const Inertial&) const = default;
};

struct BodyDescription {
  std::string name;
  int parent = kWorld;  // index of a body that stands before this one
  /// The joints that move the body against its parent, outermost last. None: the body is fixed to its parent.
  std::vector<JointDescription> joints;
  /// The body's frame in the frame its last joint moves, or in the parent's frame if it has no joint.
  Pose<double> placement = Pose<double>::identity();
  Inertial inertial;
  bool operator==(const BodyDescription&) const = default;
};

/// A named frame on a body: a foot sole, a sensor, a flange.
struct FrameDescription {
  std::string name;
  int body = kWorld;
  Pose<double> placement = Pose<double>::identity();
  bool operator==(const FrameDescription&) const = default;
};

/// A state that the file names: a pose to stand in.
struct Keyframe {
  std::string name;  // may be empty
  std::vector<double> q, v;
  bool operator==(const Keyframe&) const = default;
};

/// Two bodies that never touch; kWorld is one of them possibly.
struct ContactExclusion {
  int body1 = kWorld, body2 = kWorld;
  bool operator==(const ContactExclusion&) const = default;
};

struct ModelDescription {
  std::string name;
  Vec3<double> gravity{{0, 0, -9.81}};
  std::vector<BodyDescription> bodies;
  std::vector<FrameDescription> frames;
  std::vector<ShapeDescription> shapes;
  std::vector<ContactExclusion> excludes;
  std::vector<Keyframe> keyframes;
  bool operator==(const ModelDescription&) const = default;
};

/// One thing worth knowing about an element of a description.
struct Finding {
  std::string element;  // "body 'foot'"
  std::string message;
};

/// What is wrong with a description. Errors forbid a Model; warnings are physically doubtful but common.
struct Validation {
  std::vector<Finding> errors;
  std::vector<Finding> warnings;
};

Validation validate(const ModelDescription& description);

}  // namespace delassus
