// Scene: a model, its state and the constraints on it; and the project's own JSON file of one.
//
// docs/scene-format.md describes the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/io/load_report.hpp"
#include "delassus/math/error.hpp"  // what all of this throws

namespace delassus {

struct Scene {
  /// At rest in the neutral configuration, without constraints.
  explicit Scene(Model model);

  Model model;
  std::vector<double> q, v, tau;
  std::vector<Constraint> constraints;
  std::string recipe;  // how it was made, in words or as a call; may be empty
  LoadReport report;   // of the file that it was read from; not written
};

/// Throws an Error that names the part of the scene at fault: a state of the wrong size or not finite, a
/// quaternion of zero, a constraint that does not fit the model.
void require_valid(const Scene& scene);

/// Throw an Error that names the file and the place in it, as a JSON pointer such as /constraints/3/first.
Scene load_scene(const std::string& path);
/// `file_name` is for messages; a URDF that the scene refers to is looked for in `base_directory`.
Scene parse_scene(std::string_view text, const std::string& file_name, const std::string& base_directory);

/// The model is always written in full, so the text stands alone. Reading it gives the same bits, and writing
/// that gives the same text. Throws an Error for a scene that could not be read back.
std::string write_scene(const Scene& scene);
/// The same, but with the model and the constraints that it brings as a reference to a robot that the library carries
/// (embedded.hpp): much shorter. Velocities and torques that are zero are left out. Throws an Error if the scene is on
/// another model, or does not begin with the robot's own constraints.
std::string write_scene_on_robot(const Scene& scene, std::string_view robot);
/// Writes that into a file, all of it or nothing: what had the name before stays if the disk is full. Throws an Error for a file that the
/// scene was read from, unless that is a scene.
void save_scene(const Scene& scene, const std::string& path);

}  // namespace delassus
