#include "io/urdf_document.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "delassus/math/error.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

/// As in the model: a shorter vector is a zero that was rounded.
constexpr double kShortestVector = 1e-9;

template <int N>
double largest_entry(const Vec<double, N>& x) {
  double largest = 0;
  for (int i = 0; i < N; ++i) largest = std::max(largest, std::abs(x[i]));
  return largest;
}

/// Scaled first, since the squares of large numbers overflow.
template <int N>
Vec<double, N> unit(const Vec<double, N>& x) {
  const Vec<double, N> scaled = (1 / largest_entry(x)) * x;
  return (1 / std::sqrt(dot(scaled, scaled))) * scaled;
}

void require_urdf(const XmlFile& file) {
  const std::string_view tag = file.top().name();
  if (tag == "robot") return;
  if (tag == "mujoco") {
    throw Error(file.name() + ": is an MJCF file, not a URDF; read it with load or load_mjcf");
  }
  if (tag == "sdf") throw Error(file.name() + ": is an SDF file, which is not supported; convert it to URDF");
  throw Error(fmt::format("{}:{}: the top element is <{}>, but that of a URDF is <robot>", file.name(),
                          file.line(file.top()), printable(tag)));
}

void require_one_top(const XmlFile& file) {
  for (pugi::xml_node node = file.top().next_sibling(); node; node = node.next_sibling()) {
    if (node.type() == pugi::node_element) {
      file.fail(file.line(node), "<" + printable(node.name()) + ">",
                "stands beside <robot>; a URDF has one top element");
    }
  }
}

void read_element(XmlFile& file, pugi::xml_node node, const std::vector<std::string>& package_paths,
                  UrdfDocument& document) {
  const std::string_view tag = node.name();
  if (tag == "link") {
    document.links.push_back(read_urdf_link(file, node, package_paths));
  } else if (tag == "joint") {
    document.joints.push_back(read_urdf_joint(file, node));
  } else if (tag == "loop") {
    document.loops.push_back(read_urdf_loop(file, node));
  } else if (tag == "coupling") {
    document.couplings.push_back(read_urdf_coupling(file, node));
  } else if (tag.starts_with("xacro:")) {
    file.fail(file.line(node), "<" + printable(tag) + ">",
              "this is a xacro file; expand it first: xacro robot.xacro > robot.urdf");
  }
}

}  // namespace

UrdfDocument read_urdf_document(XmlFile& file, const std::vector<std::string>& package_paths) {
  require_urdf(file);
  require_one_top(file);
  UrdfDocument document;
  const std::string owner = "robot";
  const XmlElement robot(file, file.top(), owner);
  robot.ignore_all_but({"name", "version"}, {"link", "joint", "loop", "coupling"});
  if (robot.has("name")) {
    document.name = robot.text("name");
  } else {
    robot.warn("has no name; add the attribute name");
    document.name = "robot";
  }
  for (const pugi::xml_node node : file.top().children()) read_element(file, node, package_paths, document);
  if (document.links.empty()) robot.fail("has no links; a URDF needs at least one <link>");
  return document;
}

std::string read_urdf_name(const XmlFile& file, pugi::xml_node node) {
  std::string name = node.attribute("name").value();
  if (name.empty()) file.fail(file.line(node), node.name(), "has no name; add the attribute name");
  return name;
}

Pose<double> read_urdf_origin(const XmlElement& element) {
  Pose<double> pose = Pose<double>::identity();
  const std::optional<XmlElement> origin = element.child("origin");
  if (!origin) return pose;
  origin->ignore_all_but({"xyz", "rpy", "quat_xyzw"}, {});
  pose.p = origin->vector_or<3>("xyz", pose.p);
  if (origin->has("quat_xyzw")) {
    if (origin->has("rpy")) origin->fail("<origin> has both rpy and quat_xyzw; remove one");
    const Quaternion<double> quaternion = origin->vector<4>("quat_xyzw");
    if (largest_entry(quaternion) < kShortestVector)
      origin->fail("quat_xyzw of <origin> is zero; no rotation is 0 0 0 1");
    pose.R = rotation_of(unit(quaternion));
  } else if (origin->has("rpy")) {
    pose.R = rotation_from_rpy(origin->vector<3>("rpy"));
  }
  return pose;
}

Vec3<double> read_urdf_axis(const XmlElement& element, const char* child, const Vec3<double>& fallback) {
  const std::optional<XmlElement> axis = element.child(child);
  if (!axis) return fallback;
  axis->ignore_all_but({"xyz"}, {});
  const Vec3<double> xyz = axis->vector_or<3>("xyz", fallback);
  if (largest_entry(xyz) < kShortestVector) axis->fail("the axis is zero; give a direction, such as 0 0 1");
  return unit(xyz);
}

}  // namespace delassus::io
