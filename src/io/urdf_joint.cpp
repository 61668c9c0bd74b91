// <joint>: its type, axes, limits, friction, and whom it mimics.
#include <array>
#include <limits>

#include <fmt/format.h>

#include "io/urdf_document.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

enum class Limits { kNone, kRates, kOptional, kExpected };  // kRates: effort and velocity, but no range

struct JointType {
  std::string_view word;
  JointKind kind;  // not of a fixed joint
  Limits limits;
};

constexpr std::string_view kFixed = "fixed";

constexpr std::array kTypes{
    JointType{"revolute", JointKind::kRevolute, Limits::kExpected},
    JointType{"continuous", JointKind::kRevolute, Limits::kRates},
    JointType{"prismatic", JointKind::kPrismatic, Limits::kExpected},
    JointType{kFixed, JointKind::kRevolute, Limits::kNone},
    JointType{"floating", JointKind::kFree, Limits::kNone},
    JointType{"planar", JointKind::kPlanar, Limits::kNone},
    JointType{"spherical", JointKind::kSpherical, Limits::kNone},
    JointType{"ball", JointKind::kSpherical, Limits::kNone},
    JointType{"universal", JointKind::kUniversal, Limits::kNone},
    JointType{"cylindrical", JointKind::kCylindrical, Limits::kNone},
    JointType{"helical", JointKind::kHelical, Limits::kOptional},
    JointType{"screw", JointKind::kHelical, Limits::kOptional},
};

const JointType& read_type(const XmlElement& element) {
  const std::string_view word = element.text("type");
  ClosestName closest(word);
  std::vector<std::string_view> known;
  for (const JointType& type : kTypes) {
    if (type.word == word) return type;
    closest.consider(type.word);
    known.push_back(type.word);
  }
  element.fail(fmt::format("its type {} is unknown{}; known types: {}", in_quotes(word), closest.hint(),
                           comma_separated(known)));
}

bool is_fixed(const JointType& type) { return type.word == kFixed; }
bool has_axis(const JointType& type) {
  return !is_fixed(type) && type.kind != JointKind::kFree && type.kind != JointKind::kSpherical;
}
bool has_one_dof(const JointType& type) { return !is_fixed(type) && sizes_of(type.kind).nv == 1; }

double read_rate_limit(const XmlElement& limit, const char* attribute) {
  const double value = limit.number_or(attribute, std::numeric_limits<double>::infinity());
  if (value < 0) limit.warn(fmt::format("its limit of {} is negative; give a number above zero", attribute));
  return value;
}

void read_range(const XmlElement& limit, const JointType& type, DofProperties& dof) {
  const bool given = limit.has("lower") || limit.has("upper");
  // Without a range the standard says zero, which is rarely meant. A joint type of our own has no such rule.
  if (!given && type.limits == Limits::kOptional) return;
  if (!given) limit.warn("<limit> has neither lower nor upper, so the joint has no room to move; add them");
  dof.lower = limit.number_or("lower", 0);
  dof.upper = limit.number_or("upper", 0);
}

void read_limit(const XmlElement& element, const JointType& type, DofProperties& dof) {
  const std::optional<XmlElement> limit = element.child("limit");
  if (!limit) {
    if (type.limits == Limits::kExpected) {
      element.warn(fmt::format("a {} joint needs a <limit>; without it, its range is not limited", type.word));
    }
    return;
  }
  if (type.limits == Limits::kNone) return limit->ignore();
  if (type.limits == Limits::kRates) {
    limit->ignore_all_but({"effort", "velocity"}, {});
  } else {
    limit->ignore_all_but({"lower", "upper", "effort", "velocity"}, {});
    read_range(*limit, type, dof);
  }
  dof.effort_limit = read_rate_limit(*limit, "effort");
  dof.velocity_limit = read_rate_limit(*limit, "velocity");
}

void read_dynamics(const XmlElement& element, const JointType& type, DofProperties& dof) {
  const std::optional<XmlElement> dynamics = element.child("dynamics");
  if (!dynamics) return;
  // One number for both lengths and angles would have no meaning.
  if (!has_one_dof(type)) return dynamics->ignore();
  dynamics->ignore_all_but({"damping", "friction"}, {});
  dof.damping = dynamics->number_or("damping", 0);
  dof.friction_loss = dynamics->number_or("friction", 0);
}

std::optional<UrdfMimic> read_mimic(const XmlElement& element, const JointType& type) {
  const std::optional<XmlElement> mimic = element.child("mimic");
  if (!mimic) return std::nullopt;
  if (is_fixed(type)) {
    mimic->warn("is fixed, so its <mimic> has no effect; remove it");
    return std::nullopt;
  }
  if (!has_one_dof(type)) {
    mimic->fail(
        fmt::format("a {} joint cannot mimic another one; only joints with one degree of freedom can", type.word));
  }
  mimic->ignore_all_but({"joint", "multiplier", "offset"}, {});
  return UrdfMimic{std::string(mimic->text("joint")), mimic->number_or("multiplier", 1), mimic->number_or("offset", 0),
                   mimic->line()};
}

std::string read_link_name(const XmlElement& element, const char* child) {
  const XmlElement end = element.required_child(child);
  end.ignore_all_but({"link"}, {});
  return std::string(end.text("link"));
}

void read_axes(const XmlElement& element, const JointType& type, JointDescription& joint) {
  if (has_axis(type)) {
    joint.axis = read_urdf_axis(element, "axis", {{1, 0, 0}});
  } else if (const auto axis = element.child("axis")) {
    axis->ignore();
  }
  if (type.kind == JointKind::kUniversal) {
    joint.axis2 = read_urdf_axis(element, "axis2", {{0, 1, 0}});
  } else if (const auto axis2 = element.child("axis2")) {
    axis2->ignore();
  }
}

void read_pitch(const XmlElement& element, const JointType& type, JointDescription& joint) {
  if (type.kind == JointKind::kHelical) {
    joint.pitch = element.number("pitch");
  } else if (element.has("pitch")) {
    element.ignore_attribute("pitch");
  }
}

}  // namespace

UrdfJoint read_urdf_joint(XmlFile& file, pugi::xml_node node) {
  UrdfJoint out;
  out.joint.name = read_urdf_name(file, node);
  out.line = file.line(node);
  const std::string owner = "joint " + in_quotes(out.joint.name);
  const XmlElement element(file, node, owner);
  element.ignore_all_but({"name", "type", "pitch"},
                         {"origin", "parent", "child", "axis", "axis2", "limit", "dynamics", "mimic"});
  const JointType& type = read_type(element);
  out.fixed = is_fixed(type);
  out.joint.kind = type.kind;
  out.parent = read_link_name(element, "parent");
  out.child = read_link_name(element, "child");
  out.joint.placement = read_urdf_origin(element);
  read_axes(element, type, out.joint);
  read_pitch(element, type, out.joint);
  read_limit(element, type, out.joint.dofs[0]);
  read_dynamics(element, type, out.joint.dofs[0]);
  out.mimic = read_mimic(element, type);
  return out;
}

}  // namespace delassus::io
