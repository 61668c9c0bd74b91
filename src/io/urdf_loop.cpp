// <loop> and <coupling>: what closes a tree of links to a mechanism with loops and gears.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "io/urdf_document.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

constexpr std::uint8_t kZ = 4, kXY = 3, kXYZ = 7;

/// How far from a right angle the axes of a universal joint may be.
constexpr double kSkew = 1e-6;

/// Which axes of its frames a loop joint leaves free. The frames are turned so that <axis> is their z, but
/// those of a universal joint so that <axis> is x and <axis2> is y, the two about which it turns.
struct LoopType {
  std::string_view word;
  std::uint8_t free_linear, free_angular;
  bool has_axis;
};

constexpr std::string_view kUniversal = "universal";

constexpr std::array kLoopTypes{
    LoopType{"revolute", 0, kZ, true},     LoopType{"continuous", 0, kZ, true},   LoopType{"prismatic", kZ, 0, true},
    LoopType{"cylindrical", kZ, kZ, true}, LoopType{"spherical", 0, kXYZ, false}, LoopType{"ball", 0, kXYZ, false},
    LoopType{kUniversal, 0, kXY, true},    LoopType{"planar", kXY, kZ, true},     LoopType{"fixed", 0, 0, false},
    LoopType{"weld", 0, 0, false},
};

const LoopType& read_loop_type(const XmlElement& element) {
  const std::string_view word = element.text("type");
  if (word == "floating") element.fail("a floating loop constrains nothing; remove it");
  ClosestName closest(word);
  std::vector<std::string_view> known;
  for (const LoopType& type : kLoopTypes) {
    if (type.word == word) return type;
    closest.consider(type.word);
    known.push_back(type.word);
  }
  element.fail(fmt::format("its type {} is unknown{}; known types: {}", in_quotes(word), closest.hint(),
                           comma_separated(known)));
}

/// x along axis, y along axis2.
Mat3<double> universal_frame(const XmlElement& element, const Vec3<double>& axis) {
  const Vec3<double> axis2 = read_urdf_axis(element, "axis2", {{0, 1, 0}});
  if (std::abs(dot(axis, axis2)) > kSkew) {
    element.fail("its <axis> and <axis2> are not orthogonal, which a universal loop needs; give axis2");
  }
  const Vec3<double> z = cross(axis, axis2);
  const Vec3<double> unit_z = (1 / norm(z)) * z;
  const Vec3<double> y = cross(unit_z, axis);
  return {{axis[0], y[0], unit_z[0], axis[1], y[1], unit_z[1], axis[2], y[2], unit_z[2]}};
}

Mat3<double> read_turn(const XmlElement& element, const LoopType& type) {
  if (!type.has_axis) {
    if (const auto axis = element.child("axis")) axis->ignore();
    return Mat3<double>::identity();
  }
  const Vec3<double> axis = read_urdf_axis(element, "axis", {{1, 0, 0}});
  return type.word == kUniversal ? universal_frame(element, axis) : rotation_from_z_to(axis);
}

}  // namespace

UrdfLoop read_urdf_loop(XmlFile& file, pugi::xml_node node) {
  UrdfLoop loop;
  loop.name = read_urdf_name(file, node);
  loop.line = file.line(node);
  const std::string owner = "loop " + in_quotes(loop.name);
  const XmlElement element(file, node, owner);
  element.ignore_all_but({"name", "type"}, {"predecessor", "successor", "axis", "axis2"});
  const LoopType& type = read_loop_type(element);
  loop.free_linear = type.free_linear;
  loop.free_angular = type.free_angular;
  const Pose<double> turn{read_turn(element, type), Vec3<double>::zero()};
  const XmlElement predecessor = element.required_child("predecessor");
  const XmlElement successor = element.required_child("successor");
  predecessor.ignore_all_but({"link"}, {"origin"});
  successor.ignore_all_but({"link"}, {"origin"});
  loop.predecessor = predecessor.text("link");
  loop.successor = successor.text("link");
  loop.predecessor_offset = read_urdf_origin(predecessor) * turn;
  loop.successor_offset = read_urdf_origin(successor) * turn;
  return loop;
}

UrdfCoupling read_urdf_coupling(XmlFile& file, pugi::xml_node node) {
  UrdfCoupling coupling;
  coupling.name = read_urdf_name(file, node);
  coupling.line = file.line(node);
  const std::string owner = "coupling " + in_quotes(coupling.name);
  const XmlElement element(file, node, owner);
  element.ignore_all_but({"name"}, {"predecessor", "successor", "ratio"});
  const XmlElement predecessor = element.required_child("predecessor");
  const XmlElement successor = element.required_child("successor");
  const XmlElement ratio = element.required_child("ratio");
  predecessor.ignore_all_but({"link"}, {});
  successor.ignore_all_but({"link"}, {});
  ratio.ignore_all_but({"value"}, {});
  coupling.predecessor = predecessor.text("link");
  coupling.successor = successor.text("link");
  coupling.ratio = ratio.number("value");
  return coupling;
}

}  // namespace delassus::io
