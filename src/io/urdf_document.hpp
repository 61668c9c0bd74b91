// What a URDF says, element by element: numbers are read and defaults filled in, but names are not resolved
// yet.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "delassus/model/description.hpp"
#include "io/xml.hpp"

namespace delassus::io {

/// A root link of this name is the world.
inline constexpr std::string_view kUrdfWorld = "world";

struct UrdfLink {
  std::string name;
  int line = 0;
  Inertial inertial;
  std::vector<ShapeDescription> shapes;
};

struct UrdfMimic {
  std::string joint;
  double multiplier = 1;
  double offset = 0;
  int line = 0;
};

struct UrdfJoint {
  JointDescription joint;  // of a fixed one, only name and placement count
  bool fixed = false;
  std::string parent, child;
  int line = 0;
  std::optional<UrdfMimic> mimic;
};

struct UrdfLoop {
  std::string name, predecessor, successor;
  int line = 0;
  Pose<double> predecessor_offset, successor_offset;  // turned so that the free axes are axes of these frames
  std::uint8_t free_linear = 0, free_angular = 0;
};

struct UrdfCoupling {
  std::string name, predecessor, successor;
  int line = 0;
  double ratio = 1;
};

struct UrdfDocument {
  std::string name;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::vector<UrdfLoop> loops;
  std::vector<UrdfCoupling> couplings;
};

/// Throws an Error for what is not a URDF. What is not read is listed in the file's report.
UrdfDocument read_urdf_document(XmlFile& file, const std::vector<std::string>& package_paths);

// The parts of it.
UrdfLink read_urdf_link(XmlFile& file, pugi::xml_node node, const std::vector<std::string>& package_paths);
UrdfJoint read_urdf_joint(XmlFile& file, pugi::xml_node node);
UrdfLoop read_urdf_loop(XmlFile& file, pugi::xml_node node);
UrdfCoupling read_urdf_coupling(XmlFile& file, pugi::xml_node node);

/// The name of a top-level element, which must have one.
std::string read_urdf_name(const XmlFile& file, pugi::xml_node node);
/// The <origin> of an element; identity if it has none.
Pose<double> read_urdf_origin(const XmlElement& element);
/// The unit vector of a child such as <axis>, or the default if there is none.
Vec3<double> read_urdf_axis(const XmlElement& element, const char* child, const Vec3<double>& fallback);

}  // namespace delassus::io
