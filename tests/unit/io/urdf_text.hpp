// URDF texts for tests, and the good files of the corpus.
#pragma once

#include <string>

#include "delassus/io/urdf.hpp"
#include "unit/io/corpus.hpp"

namespace delassus::io_test {

inline Scene load_good(const std::string& name, const UrdfOptions& options = {}) {
  return load_urdf((corpus() / "urdf" / "good" / name).string(), options);
}

/// Options that make the root float.
inline UrdfOptions floating() {
  UrdfOptions options;
  options.base = UrdfOptions::Base::kFloating;
  return options;
}

/// A link with mass.
inline std::string solid(const std::string& name) {
  return "<link name='" + name + "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>\n";
}

inline std::string robot(const std::string& content) { return "<robot name='r'>\n" + content + "</robot>\n"; }

inline std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                         const std::string& child, const std::string& content = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child + "'/>" +
         content + "</joint>\n";
}

inline const JointDescription& joint_of(const Scene& scene, const std::string& name) {
  return scene.model.joint(scene.model.find_joint(name));
}

}  // namespace delassus::io_test
