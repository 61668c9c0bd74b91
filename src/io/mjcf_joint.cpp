// <joint>, <freejoint> and <inertial>.
#include <fmt/format.h>

#include "io/mjcf_document.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

constexpr JointKind kJointKinds[] = {JointKind::kFree, JointKind::kSpherical, JointKind::kPrismatic,
                                     JointKind::kRevolute};

void read_range(const MjcfElement& element, const MjcfSettings& settings, const JointDescription& joint,
                DofProperties& dof) {
  const int limited = element.word_or("limited", {"false", "true", "auto"}, 2);
  const bool applies = limited == 1 || (limited == 2 && settings.autolimits && element.has("range"));
  if (!applies) return;
  if (joint.kind == JointKind::kSpherical || joint.kind == JointKind::kFree) {
    if (element.has("range")) element.own().ignore_attribute("range");  // a cone, or without meaning
    return;
  }
  if (!element.has("range")) element.fail("is limited but has no range; add it");
  const Vec<double, 2> range = element.vector_or<2>("range", {});
  if (!(range[0] < range[1])) {
    if (limited == 1) element.fail("has a range whose lower end is not below its upper end; swap them");
    // As in MuJoCo, where 0 0 stands for no range.
    if (range[0] != 0 || range[1] != 0)
      element.own().warn("has a range whose lower end is not below its upper end: it has no limits");
    return;
  }
  const bool angle = joint.kind == JointKind::kRevolute;
  dof.lower = (angle ? settings.angle(range[0]) : range[0]) - dof.reference;
  dof.upper = (angle ? settings.angle(range[1]) : range[1]) - dof.reference;
}

void read_springs(const MjcfElement& element, const MjcfSettings& settings, JointKind kind, DofProperties& dof) {
  const bool scalar = kind == JointKind::kRevolute || kind == JointKind::kPrismatic;
  const auto coordinate = [&](const char* attribute) {
    const double x = element.number_or(attribute, 0);
    return kind == JointKind::kRevolute ? settings.angle(x) : x;
  };
  dof.reference = scalar ? coordinate("ref") : 0;
  dof.stiffness = element.number_or("stiffness", 0);
  dof.spring_reference = scalar ? coordinate("springref") - dof.reference : 0;
}

}  // namespace

MjcfJoint read_mjcf_joint(const MjcfContext& context, const MjcfNode& node, int inherited_class,
                          const std::string& body) {
  const std::string label = mjcf_label(node, body);
  MjcfJoint out;
  out.node = node;
  if (node.tag() == "freejoint") {
    const MjcfElement element(node, label);
    element.own().ignore_all_but({"name"}, {});
    out.joint.name = element.text_or("name", "");
    out.joint.kind = JointKind::kFree;
    return out;
  }
  const MjcfElement element(node, label, context.defaults, inherited_class, "joint");
  element.own().ignore_all_but({"name", "class", "type", "axis", "pos", "ref", "range", "limited", "armature",
                                "damping", "frictionloss", "stiffness", "springref"},
                               {});
  out.joint.name = element.text_or("name", "");
  out.joint.kind = kJointKinds[element.word_or("type", {"free", "ball", "slide", "hinge"}, 3)];
  out.joint.axis = element.vector_or<3>("axis", {{0, 0, 1}});
  const bool has_axis = sizes_of(out.joint.kind).nv == 1;
  if (!has_axis) out.joint.axis = {{0, 0, 1}};  // whatever the file says
  if (!is_usable(out.joint.axis.a, 3)) element.fail("has a zero axis; give a direction, such as 0 0 1");
  if (out.joint.kind != JointKind::kFree) out.position = element.vector_or<3>("pos", {{0, 0, 0}});
  DofProperties dof;
  dof.armature = element.number_or("armature", 0);
  if (out.joint.kind == JointKind::kFree && dof.armature != 0) {
    element.own().warn(
        "has an armature, which resists accelerations in the body's axes here, and in those of the "
        "world in MuJoCo; give the body that mass, or use <freejoint/>");
  }
  dof.damping = element.number_or("damping", 0);
  dof.friction_loss = element.number_or("frictionloss", 0);
  read_springs(element, context.settings, out.joint.kind, dof);
  read_range(element, context.settings, out.joint, dof);
  for (int k = 0; k < sizes_of(out.joint.kind).nv; ++k) out.joint.dofs[static_cast<std::size_t>(k)] = dof;
  return out;
}

Inertial read_mjcf_inertial(const MjcfContext& context, const MjcfNode& node, const std::string& body) {
  const MjcfElement element(node, body);
  element.own().ignore_all_but(
      {"pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "mass", "diaginertia", "fullinertia"}, {});
  Inertial out;
  out.mass = element.own().number("mass");
  if (out.mass < 0) element.fail("its mass is negative; a mass is zero or more");
  out.com = element.own().vector<3>("pos");
  const bool full = element.has("fullinertia");
  if (full && element.has("diaginertia")) element.fail("has both diaginertia and fullinertia; remove one");
  if (full && element.has_orientation()) element.fail("has both fullinertia and an orientation; remove one");
  if (full) {
    const Vec<double, 6> I = element.own().vector<6>("fullinertia");
    for (int i = 0; i < 3; ++i) out.inertia(i, i) = I[i];
    out.inertia(0, 1) = I[3];
    out.inertia(0, 2) = I[4];
    out.inertia(1, 2) = I[5];
  } else {
    const Vec3<double> I = element.own().vector<3>("diaginertia");
    for (int i = 0; i < 3; ++i) {
      if (I[i] < 0) element.fail("has a negative moment of inertia; moments are zero or more");
      out.inertia(i, i) = I[i];
    }
    out.inertia = congruence(element.orientation(context.settings), out.inertia);
  }
  return out;
}

}  // namespace delassus::io
