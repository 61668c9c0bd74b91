// Reference files: what another engine computed for a robot, in its own coordinates.
//
// The format: one JSON object per robot with the model's path, the layout of its joints, bodies, points and loops, and
// a list of configurations with values. Free joints have quaternions w x y z and a linear velocity in world axes,
// hinges and slides one number each; a planar joint of a URDF is three joints _TX, _TY, _RZ.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "delassus/io/scene.hpp"
#include "delassus/kinematics/coordinate_layout.hpp"

namespace delassus::cli {

/// A JSON object of a reference file that knows where it stands, so that a wrong file is told by place and reason.
class ReferenceNode {
 public:
  ReferenceNode(const nlohmann::json& json, std::string place) : json_(json), place_(std::move(place)) {}

  bool has(const char* key) const { return json_.is_object() && json_.contains(key); }
  ReferenceNode at(const char* key) const;
  ReferenceNode at(int index) const;
  int size() const { return static_cast<int>(json_.size()); }

  std::string text() const;
  double number() const;
  int integer() const;
  /// All numbers, whatever their nesting in arrays, in order.
  std::vector<double> numbers() const;
  Vec3<double> vector() const;
  const std::string& place() const { return place_; }

 private:
  const nlohmann::json& json_;
  std::string place_;
};

/// Throws an Error that names the file.
nlohmann::json read_reference_file(const std::string& path);

/// The reference's layout of coordinates. Throws an Error that says which joint is another one here.
CoordinateLayout make_reference_layout(const Model& model, const ReferenceNode& joints);

/// A state of the reference in the library's coordinates, and what changes with it from one to the other: v = T w, with
/// w the reference's velocities.
struct CoordinateMap {
  CoordinateMap(const Model& model, const ReferenceNode& joints, const std::vector<double>& qpos,
                const std::vector<double>& qvel);

  CoordinateLayout layout;
  std::vector<double> q, v;
  std::vector<double> T_dot_w;  // Ṫ w

  std::vector<double> force_to_library(const std::vector<double>& tau) const;
  std::vector<double> force_to_reference(const std::vector<double>& tau) const;
  std::vector<double> acceleration_to_reference(const std::vector<double>& a) const;
  std::vector<double> columns_to_reference(const std::vector<double>& J) const;  // J T
  std::vector<double> inertia_to_reference(const std::vector<double>& M) const;  // Tᵀ M T
};

}  // namespace delassus::cli
