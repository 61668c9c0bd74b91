// The file of a robot, edited so that MuJoCo reads the same mechanism as the library, with a floor below it.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "delassus/io/urdf.hpp"

namespace delassus::testing {

class MujocoSource {
 public:
  MujocoSource(const std::string& path, UrdfOptions::Base base);

  bool is_urdf() const { return std::string_view(main().document_element().name()) == "robot"; }
  void save(const std::string& path) const { main().save_file(path.c_str()); }
  /// All elements of that name, of included files too.
  std::vector<pugi::xml_node> all(const char* tag) const;

 private:
  const pugi::xml_document& main() const { return *documents_.front(); }
  void read(const std::string& path);
  void edit_urdf(UrdfOptions::Base base);
  void edit_mjcf();

  std::vector<std::unique_ptr<pugi::xml_document>> documents_;
};

/// Makes a plane of what the source put there for one, and returns the geom.
int make_plane(mjModel& model);

}  // namespace delassus::testing
