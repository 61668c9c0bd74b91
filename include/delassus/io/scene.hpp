// Scene: a model, its state and the constraints on it; the project's own JSON file of one (docs/scene-format.md); and LoadReport, what
// reading any file left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/math/error.hpp"  // what all of this throws
#include "delassus/math/scalar.hpp"

namespace delassus {

/// A kind of element or attribute that was not read.
struct Ignored {
  std::string what;  // "link/visual"; an attribute is "joint/limit@soft"
  int line = 0;      // of the first one; 0 if not known
  int count = 0;
  bool operator==(const Ignored&) const = default;
};

/// Something that was read, but is physically doubtful or not what the format asks for.
struct ReportWarning {
  std::string element;  // "link 'foot'"
  int line = 0;         // 0 if not known
  std::string message;
  bool operator==(const ReportWarning&) const = default;
};

/// A file that the one that was read refers to, and that is not there.
struct MissingFile {
  std::string name;                // as it is written: "package://robot/meshes/foot.stl"
  int line = 0;                    // of the first that names it; 0 if not known
  std::vector<std::string> tried;  // where it was looked for
  bool operator==(const MissingFile&) const = default;
};

/// What reading a file left out, and what in it is doubtful.
struct LoadReport {
  /// The most entries that each list of findings holds, so that a hostile file cannot fill the memory.
  static constexpr int kMaxEntries = 1000;

  std::string file;
  std::vector<Ignored> ignored;  // by line, as the warnings
  std::vector<ReportWarning> warnings;
  int more_ignored = 0;   // elements and attributes of further kinds, beyond the list
  int more_warnings = 0;  // beyond the list
  int more_missing = 0;   // files, beyond the list
  /// Meshes and height fields, each once: nothing collides with them.
  std::vector<MissingFile> missing;
  /// All that were read, included ones and meshes too, as absolute paths. Empty for a text.
  std::vector<std::string> files;

  bool operator==(const LoadReport&) const = default;
};

/// Some lines for a person, each ending with a newline.
std::string to_text(const LoadReport& report);

/// One sentence about the files that are missing, and where the first was looked for. Empty if there are none.
std::string describe_missing(const LoadReport& report);

struct Scene {
  /// At rest in the neutral configuration, without constraints.
  explicit Scene(const Model& model);

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
/// (load_embedded_robot): much shorter. Velocities and torques that are zero are left out. Throws an Error if the scene is on
/// another model, or does not begin with the robot's own constraints.
std::string write_scene_on_robot(const Scene& scene, std::string_view robot);
/// Writes that into a file, all of it or nothing: what had the name before stays if the disk is full. Throws an Error for a file that the
/// scene was read from, unless that is a scene.
void save_scene(const Scene& scene, const std::string& path);

}  // namespace delassus
