// Constraints of the C interface.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "c/handles.hpp"
#include "delassus/math/rotation.hpp"

namespace delassus::c {
namespace {

/// Adds the constraint that `make` makes from the model, if it fits.
template <class Make>
delassus_status add(delassus_scene* scene, Make&& make) {
  return guarded([&] {
    delassus_scene& s = required(scene, "scene");
    Constraint constraint = make(*s.model);
    require_valid(*s.model, constraint);
    s.constraints.push_back(std::move(constraint));
    return DELASSUS_OK;
  });
}

std::string text(const char* value, std::string_view argument) { return &required(value, argument); }

Vec3<double> vector3(const double* values, std::string_view argument) {
  const VectorView<const double> x = input(values, 3, 3, argument);
  return {{x[0], x[1], x[2]}};
}

Attachment attachment(const Model& model, const char* frame, const double* pose, const std::string& argument) {
  Attachment out = attach(model, text(frame, argument));
  if (pose == nullptr) return out;
  const VectorView<const double> x = input(pose, 7, 7, argument + "_pose");
  const Quaternion<double> turn{{x[3], x[4], x[5], x[6]}};
  if (!std::ranges::any_of(turn.a, [](double c) { return c != 0; })) {
    throw Error("argument '" + argument + "_pose': its quaternion (entries 3 to 6) is zero; 0 0 0 1 is no rotation");
  }
  out.offset = {rotation_of(turn), {{x[0], x[1], x[2]}}};
  return out;
}

std::uint8_t axis_bits(unsigned bits, const char* argument) {
  if (bits > 7) throw Error("argument '" + std::string(argument) + "' has bits beyond the three axes");
  return static_cast<std::uint8_t>(bits);
}

}  // namespace
}  // namespace delassus::c

using namespace delassus;     // NOLINT: this file defines functions of C alone
using namespace delassus::c;  // NOLINT

extern "C" {

delassus_status delassus_scene_clear_constraints(delassus_scene* scene) {
  return guarded([&] {
    required(scene, "scene").constraints.clear();
    return DELASSUS_OK;
  });
}

delassus_status delassus_scene_add_contact(delassus_scene* scene, const char* name, const char* frame,
                                           const double* point, const double* normal, double friction) {
  return add(scene, [&](const Model& model) {
    PointContact c;
    c.name = text(name, "name");
    c.a = attach(model, text(frame, "frame"));
    if (point != nullptr) c.a.offset.p = vector3(point, "point");
    if (normal != nullptr) c.axes = contact_axes(vector3(normal, "normal"));
    if (friction != std::numeric_limits<double>::infinity()) c.set = {.kind = SetKind::kFrictionCone, .mu = friction};
    return c;
  });
}

delassus_status delassus_scene_add_loop(delassus_scene* scene, const char* name, const char* first,
                                        const double* first_pose, const char* second, const double* second_pose,
                                        unsigned free_linear, unsigned free_angular) {
  return add(scene, [&](const Model& model) {
    LoopClosure c;
    c.name = text(name, "name");
    c.first = attachment(model, first, first_pose, "first");
    c.second = attachment(model, second, second_pose, "second");
    c.free_linear = axis_bits(free_linear, "free_linear");
    c.free_angular = axis_bits(free_angular, "free_angular");
    return c;
  });
}

delassus_status delassus_scene_add_joint_limit(delassus_scene* scene, const char* name, const char* joint, int dof,
                                               int upper, double bound) {
  return add(scene, [&](const Model& model) {
    return JointLimit{.name = text(name, "name"),
                      .link = model.find_joint(text(joint, "joint")),
                      .dof = dof,
                      .upper = upper != 0,
                      .bound = bound};
  });
}

delassus_status delassus_scene_add_joint_friction(delassus_scene* scene, const char* name, const char* joint, int dof,
                                                  double bound) {
  return add(scene, [&](const Model& model) {
    return JointFriction{.name = text(name, "name"),
                         .link = model.find_joint(text(joint, "joint")),
                         .dof = dof,
                         .set = {.kind = SetKind::kBox, .bound = bound}};
  });
}

delassus_status delassus_scene_add_joint_coupling(delassus_scene* scene, const char* name, const char* const* joints,
                                                  const double* weights, int count, double offset) {
  return add(scene, [&](const Model& model) {
    if (count < 1)
      throw Error("argument 'count' is " + std::to_string(count) + "; a coupling needs at least one joint");
    (void)required(joints, "joints");
    const VectorView<const double> factors = input(weights, count, count, "weights");
    JointCoupling c;
    c.name = text(name, "name");
    c.offset = offset;
    for (int k = 0; k < count; ++k) {
      const int link = model.find_joint(text(joints[k], "joints[" + std::to_string(k) + "]"));
      c.terms.push_back({.link = link, .dof = 0, .weight = factors[k]});
    }
    return c;
  });
}

}  // extern "C"
