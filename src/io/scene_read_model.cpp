// A model's description from JSON.
#include <cmath>
#include <unordered_map>

#include "io/scene_parts.hpp"
#include "io/scene_words.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

using BodyIndex = std::unordered_map<std::string, int>;

template <int N>
void read_vector(const JsonCursor& cursor, const char* key, Vec<double, N>& out) {
  if (const auto value = cursor.find(key)) out = value->matrix<N, 1>();
}

void read_number(const JsonCursor& cursor, const char* key, double& out) {
  if (const auto value = cursor.find(key)) out = value->number();
}

void read_limit(const JsonCursor& cursor, const char* key, double& out) {
  if (const auto value = cursor.find(key)) out = value->number_or_infinity();
}

Pose<double> read_placement(const JsonCursor& cursor) {
  const auto placement = cursor.find("placement");
  if (!placement) return Pose<double>::identity();
  placement->allow_keys({"position", "rotation", "rpy"});
  return read_pose(*placement, "position");
}

DofProperties read_dof(const JsonCursor& cursor) {
  cursor.allow_keys({"lower", "upper", "velocity_limit", "effort_limit", "armature", "damping", "friction_loss",
                     "stiffness", "spring_reference", "reference"});
  DofProperties dof;
  read_limit(cursor, "lower", dof.lower);
  read_limit(cursor, "upper", dof.upper);
  read_limit(cursor, "velocity_limit", dof.velocity_limit);
  read_limit(cursor, "effort_limit", dof.effort_limit);
  read_number(cursor, "armature", dof.armature);
  read_number(cursor, "damping", dof.damping);
  read_number(cursor, "friction_loss", dof.friction_loss);
  read_number(cursor, "stiffness", dof.stiffness);
  read_number(cursor, "spring_reference", dof.spring_reference);
  read_number(cursor, "reference", dof.reference);
  return dof;
}

JointDescription read_joint(const JsonCursor& cursor) {
  cursor.allow_keys({"name", "kind", "placement", "axis", "axis2", "pitch", "dofs"});
  JointDescription joint;
  joint.name = cursor.at("name").string();
  joint.kind = static_cast<JointKind>(cursor.at("kind").word(kJointKinds));
  joint.placement = read_placement(cursor);
  read_vector(cursor, "axis", joint.axis);
  read_vector(cursor, "axis2", joint.axis2);
  read_number(cursor, "pitch", joint.pitch);
  if (const auto dofs = cursor.find("dofs")) {
    const std::vector<JsonCursor> elements = dofs->elements();
    if (elements.size() > joint.dofs.size()) dofs->fail("must hold no more than six objects");
    for (std::size_t i = 0; i < elements.size(); ++i) joint.dofs[i] = read_dof(elements[i]);
  }
  return joint;
}

Inertial read_inertial(const JsonCursor& cursor) {
  cursor.allow_keys({"mass", "com", "inertia"});
  Inertial inertial;
  read_number(cursor, "mass", inertial.mass);
  read_vector(cursor, "com", inertial.com);
  if (const auto inertia = cursor.find("inertia")) {
    inertia->allow_keys({"xx", "yy", "zz", "xy", "xz", "yz"});
    inertial.inertia(0, 0) = inertia->at("xx").number();
    inertial.inertia(1, 1) = inertia->at("yy").number();
    inertial.inertia(2, 2) = inertia->at("zz").number();
    read_number(*inertia, "xy", inertial.inertia(0, 1));
    read_number(*inertia, "xz", inertial.inertia(0, 2));
    read_number(*inertia, "yz", inertial.inertia(1, 2));
  }
  return inertial;
}

int read_body_name(const JsonCursor& cursor, const BodyIndex& index) {
  const std::string& name = cursor.string();
  if (name == kWorldName) return kWorld;
  if (const auto found = index.find(name); found != index.end()) return found->second;
  ClosestName closest(name);
  for (const auto& [candidate, i] : index) closest.consider(candidate);
  cursor.fail("no body " + in_quotes(name) + " stands before this place" + closest.hint());
}

BodyDescription read_body(const JsonCursor& cursor, const BodyIndex& index) {
  cursor.allow_keys({"name", "parent", "joints", "placement", "inertial"});
  BodyDescription body;
  body.name = cursor.at("name").string();
  body.parent = read_body_name(cursor.at("parent"), index);
  if (const auto joints = cursor.find("joints")) {
    for (const JsonCursor& joint : joints->elements()) body.joints.push_back(read_joint(joint));
  }
  body.placement = read_placement(cursor);
  if (const auto inertial = cursor.find("inertial")) body.inertial = read_inertial(*inertial);
  return body;
}

FrameDescription read_frame(const JsonCursor& cursor, const BodyIndex& index) {
  cursor.allow_keys({"name", "body", "placement"});
  return {cursor.at("name").string(), read_body_name(cursor.at("body"), index), read_placement(cursor)};
}

ShapeDescription read_shape(const JsonCursor& cursor, const BodyIndex& index) {
  cursor.allow_keys({"name", "body", "kind", "size", "surface", "placement", "friction", "condim"});
  ShapeDescription shape;
  if (const auto name = cursor.find("name")) shape.name = name->string();
  shape.body = read_body_name(cursor.at("body"), index);
  shape.kind = static_cast<ShapeKind>(cursor.at("kind").word(kShapeKinds));
  shape.placement = read_placement(cursor);
  read_vector(cursor, "friction", shape.friction);
  if (const auto condim = cursor.find("condim")) shape.condim = condim->integer(1, 6);
  if (has_surface(shape.kind)) shape.surface = read_surface(cursor.at("surface"));
  const auto needed = static_cast<std::size_t>(size_count(shape.kind));
  if (needed == 0 && !cursor.has("size")) return shape;
  const JsonCursor size = cursor.at("size");
  const std::vector<double> values = size.numbers();
  if (values.size() < needed || values.size() > 3) {
    size.fail("the size of a " + std::string(name_of(shape.kind)) + " has " +
              counted(size_count(shape.kind), "number"));
  }
  for (std::size_t i = 0; i < values.size(); ++i) shape.size.a[i] = values[i];
  return shape;
}

ContactExclusion read_exclusion(const JsonCursor& cursor, const BodyIndex& index) {
  cursor.allow_keys({"body1", "body2"});
  return {read_body_name(cursor.at("body1"), index), read_body_name(cursor.at("body2"), index)};
}

Keyframe read_keyframe(const JsonCursor& cursor) {
  cursor.allow_keys({"name", "q", "v"});
  Keyframe key;
  if (const auto name = cursor.find("name")) key.name = name->string();
  key.q = cursor.at("q").numbers();
  key.v = cursor.at("v").numbers();
  return key;
}

}  // namespace

Pose<double> read_pose(const JsonCursor& cursor, const char* position_key) {
  Pose<double> pose = Pose<double>::identity();
  read_vector(cursor, position_key, pose.p);
  const auto rotation = cursor.find("rotation");
  const auto rpy = cursor.find("rpy");
  if (rotation && rpy) cursor.fail("has both 'rotation' and 'rpy'; remove one");
  if (rotation) pose.R = rotation->matrix<3, 3>();
  if (rpy) pose.R = rotation_from_rpy(rpy->matrix<3, 1>());
  return pose;
}

ModelDescription read_model(const JsonCursor& cursor) {
  cursor.allow_keys({"name", "gravity", "bodies", "frames", "shapes", "excludes", "keyframes"});
  ModelDescription description;
  description.name = cursor.at("name").string();
  read_vector(cursor, "gravity", description.gravity);
  BodyIndex index;
  for (const JsonCursor& body : cursor.at("bodies").elements()) {
    description.bodies.push_back(read_body(body, index));
    const std::string& name = description.bodies.back().name;
    if (!index.emplace(name, static_cast<int>(description.bodies.size()) - 1).second) {
      body.fail("another body has the name " + in_quotes(name) + "; rename one of them");
    }
  }
  if (const auto frames = cursor.find("frames")) {
    for (const JsonCursor& frame : frames->elements()) description.frames.push_back(read_frame(frame, index));
  }
  if (const auto shapes = cursor.find("shapes")) {
    for (const JsonCursor& shape : shapes->elements()) description.shapes.push_back(read_shape(shape, index));
  }
  if (const auto excludes = cursor.find("excludes")) {
    for (const JsonCursor& pair : excludes->elements()) description.excludes.push_back(read_exclusion(pair, index));
  }
  if (const auto keys = cursor.find("keyframes")) {
    for (const JsonCursor& key : keys->elements()) description.keyframes.push_back(read_keyframe(key));
  }
  return description;
}

}  // namespace delassus::io
