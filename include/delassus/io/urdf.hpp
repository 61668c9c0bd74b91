// Reading robots from URDF files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "delassus/io/scene.hpp"

namespace delassus {

struct UrdfOptions {
  enum class Base {
    kFixed,     // the root link is fixed to the world
    kFloating,  // the root link moves freely
  };
  Base base = Base::kFixed;
  std::string floating_joint_name = "__root__";
  /// Whether what would be a warning in the report is an Error.
  bool strict = false;
  /// Folders in which the packages of package:// are, or the packages themselves; looked through first.
  std::vector<std::string> package_paths = {};
};

/// Reads a URDF. Every link becomes a body with the link's frame; bodies and joints stand depth first from
/// the root, children in the order of their joints in the file. The state is neutral. A root link named
/// "world" is the world.
///
/// Beyond the standard:
/// - joint types spherical (or ball), universal (<axis> and <axis2>), cylindrical, and helical (or screw);
///   its pitch is an attribute of <joint>, in metres per radian;
/// - collision shape <capsule radius length>, its length without the caps;
/// - a collision <mesh filename scale> is the convex hull of its points, on the world the mesh itself; STL and OBJ files, relative
///   to the URDF, file:// or package://, whose package is looked for in UrdfOptions::package_paths, in the folders above the URDF and in
///   those of the environment variable ROS_PACKAGE_PATH. Other and missing files are not read, and the report says where those were
///   looked for;
/// - <origin quat_xyzw> in place of rpy;
/// - loop closures: <loop name type> with <predecessor link>, <successor link>, each with an <origin>, and
///   <axis>;
/// - gears: <coupling name> with <predecessor link>, <successor link> and <ratio value>. The ratio times the
///   sum of the joint coordinates from the nearest common ancestor to the predecessor equals the sum to the
///   successor.
///
/// Constraints: the mimic joints, then the loops, then the couplings, each in the order of the file. What is
/// not read (visuals, transmissions, unknown elements and attributes) is listed in the report.
///
/// Throws an Error of the form `robot.urdf:12: joint 'knee': what is wrong; what to do`.
Scene load_urdf(const std::string& path, const UrdfOptions& options = {});
/// The same for a text; `file_name` is for messages.
Scene parse_urdf(std::string_view text, const std::string& file_name, const UrdfOptions& options = {});

}  // namespace delassus
