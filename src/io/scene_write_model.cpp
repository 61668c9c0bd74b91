// A model's description as JSON. What equals its default is left out.
#include <array>

#include "delassus/model/surface.hpp"
#include "io/json_writer.hpp"
#include "io/scene_parts.hpp"
#include "io/scene_words.hpp"

namespace delassus::io {
namespace {

std::string_view body_name(const ModelDescription& description, int body) {
  return body == kWorld ? kWorldName : std::string_view(description.bodies[static_cast<std::size_t>(body)].name);
}

void put_placement(OrderedJson& out, const Pose<double>& pose) {
  OrderedJson placement = OrderedJson::object();
  put_pose(placement, "position", pose);
  if (!placement.empty()) out["placement"] = std::move(placement);
}

OrderedJson write_dof(const DofProperties& dof) {
  const DofProperties fallback;
  OrderedJson out = OrderedJson::object();
  put_unless(out, "lower", dof.lower, fallback.lower);
  put_unless(out, "upper", dof.upper, fallback.upper);
  put_unless(out, "velocity_limit", dof.velocity_limit, fallback.velocity_limit);
  put_unless(out, "effort_limit", dof.effort_limit, fallback.effort_limit);
  put_unless(out, "armature", dof.armature, fallback.armature);
  put_unless(out, "damping", dof.damping, fallback.damping);
  put_unless(out, "friction_loss", dof.friction_loss, fallback.friction_loss);
  put_unless(out, "stiffness", dof.stiffness, fallback.stiffness);
  put_unless(out, "spring_reference", dof.spring_reference, fallback.spring_reference);
  put_unless(out, "reference", dof.reference, fallback.reference);
  return out;
}

OrderedJson write_joint(const JointDescription& joint) {
  const JointDescription fallback;
  OrderedJson out;
  out["name"] = joint.name;
  out["kind"] = name_of(joint.kind);
  put_placement(out, joint.placement);
  put_unless(out, "axis", joint.axis.a, fallback.axis.a);
  put_unless(out, "axis2", joint.axis2.a, fallback.axis2.a);
  put_unless(out, "pitch", joint.pitch, fallback.pitch);
  OrderedJson dofs = OrderedJson::array();
  for (const DofProperties& dof : joint.dofs) dofs.push_back(write_dof(dof));
  while (!dofs.empty() && dofs.back().empty()) dofs.erase(dofs.size() - 1);
  if (!dofs.empty()) out["dofs"] = std::move(dofs);
  return out;
}

OrderedJson write_inertial(const Inertial& inertial) {
  const Inertial fallback;
  OrderedJson out = OrderedJson::object();
  put_unless(out, "mass", inertial.mass, fallback.mass);
  put_unless(out, "com", inertial.com.a, fallback.com.a);
  if (!same_bits(inertial.inertia.a, fallback.inertia.a)) {
    OrderedJson& inertia = out["inertia"];
    inertia["xx"] = json_number(inertial.inertia(0, 0));
    inertia["yy"] = json_number(inertial.inertia(1, 1));
    inertia["zz"] = json_number(inertial.inertia(2, 2));
    put_unless(inertia, "xy", inertial.inertia(0, 1), 0);
    put_unless(inertia, "xz", inertial.inertia(0, 2), 0);
    put_unless(inertia, "yz", inertial.inertia(1, 2), 0);
  }
  return out;
}

OrderedJson write_body(const ModelDescription& description, const BodyDescription& body) {
  OrderedJson out;
  out["name"] = body.name;
  out["parent"] = body_name(description, body.parent);
  if (!body.joints.empty()) {
    OrderedJson& joints = out["joints"] = OrderedJson::array();
    for (const JointDescription& joint : body.joints) joints.push_back(write_joint(joint));
  }
  put_placement(out, body.placement);
  OrderedJson inertial = write_inertial(body.inertial);
  if (!inertial.empty()) out["inertial"] = std::move(inertial);
  return out;
}

OrderedJson write_frame(const ModelDescription& description, const FrameDescription& frame) {
  OrderedJson out;
  out["name"] = frame.name;
  out["body"] = body_name(description, frame.body);
  put_placement(out, frame.placement);
  return out;
}

OrderedJson write_surface(const Surface& surface) {
  OrderedJson out;
  if (const HeightGrid* grid = surface.grid()) {
    out["rows"] = grid->rows;
    out["columns"] = grid->columns;
    out["half"] = json_numbers(std::array{grid->half_x, grid->half_y});
    out["heights"] = json_numbers(grid->heights);
    return out;
  }
  OrderedJson vertices = OrderedJson::array(), triangles = OrderedJson::array();
  for (const Vec3<double>& x : surface.vertices()) {
    for (const double value : x.a) vertices.push_back(json_number(value));
  }
  for (const Triangle& t : surface.triangles()) {
    for (const std::int32_t vertex : t) triangles.push_back(vertex);
  }
  out["vertices"] = std::move(vertices);
  out["triangles"] = std::move(triangles);
  return out;
}

OrderedJson write_shape(const ModelDescription& description, const ShapeDescription& shape) {
  OrderedJson out;
  if (!shape.name.empty()) out["name"] = shape.name;
  out["body"] = body_name(description, shape.body);
  out["kind"] = name_of(shape.kind);
  // Entries that the kind does not use are zero in practice; if they are not, they are kept all the same.
  auto count = static_cast<std::size_t>(size_count(shape.kind));
  for (std::size_t i = count; i < 3; ++i) {
    if (!same_bits(shape.size.a[i], 0)) count = i + 1;
  }
  if (count > 0) out["size"] = json_numbers(std::span(shape.size.a, count));
  if (shape.surface) out["surface"] = write_surface(*shape.surface);
  put_placement(out, shape.placement);
  const ShapeDescription fallback;
  put_unless(out, "friction", shape.friction.a, fallback.friction.a);
  if (shape.condim != fallback.condim) out["condim"] = shape.condim;
  return out;
}

OrderedJson write_keyframe(const Keyframe& key) {
  OrderedJson out;
  if (!key.name.empty()) out["name"] = key.name;
  out["q"] = json_numbers(key.q);
  out["v"] = json_numbers(key.v);
  return out;
}

}  // namespace

OrderedJson write_model(const ModelDescription& description) {
  OrderedJson out;
  out["name"] = description.name;
  out["gravity"] = json_numbers(description.gravity.a);
  OrderedJson& bodies = out["bodies"] = OrderedJson::array();
  for (const BodyDescription& body : description.bodies) bodies.push_back(write_body(description, body));
  OrderedJson frames = OrderedJson::array();
  for (const FrameDescription& frame : description.frames) frames.push_back(write_frame(description, frame));
  if (!frames.empty()) out["frames"] = std::move(frames);
  OrderedJson shapes = OrderedJson::array();
  for (const ShapeDescription& shape : description.shapes) shapes.push_back(write_shape(description, shape));
  if (!shapes.empty()) out["shapes"] = std::move(shapes);
  OrderedJson excludes = OrderedJson::array();
  for (const ContactExclusion& pair : description.excludes) {
    excludes.push_back({{"body1", body_name(description, pair.body1)}, {"body2", body_name(description, pair.body2)}});
  }
  if (!excludes.empty()) out["excludes"] = std::move(excludes);
  OrderedJson keyframes = OrderedJson::array();
  for (const Keyframe& key : description.keyframes) keyframes.push_back(write_keyframe(key));
  if (!keyframes.empty()) out["keyframes"] = std::move(keyframes);
  return out;
}

}  // namespace delassus::io
