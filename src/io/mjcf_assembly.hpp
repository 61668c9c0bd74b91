// From the elements of an MJCF model to a description, a state and constraints.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "io/mjcf_document.hpp"

namespace delassus::io {

/// The model's description, and where in it the elements with names went. Body i of the document is body i -
/// 1 of the description and frame i of the model.
struct MjcfAssembly {
  struct GeomPlace {
    int body;  // of the document
    int geom;
  };
  ModelDescription description;
  std::vector<double> q0;                       // MuJoCo's qpos0
  std::unordered_map<std::string, int> bodies;  // of the document, "world" among them
  std::unordered_map<std::string, int> sites;   // frames of the model
  std::unordered_map<std::string, GeomPlace> geoms;
  std::unordered_map<std::string, const MjcfJoint*> joints;  // by the name that the description has
  std::vector<Pose<double>> body_poses;                      // in the world at qpos0
  std::vector<bool> has_inertial;                            // by body of the description; else nothing gives it mass

  /// Throws an Error on behalf of the element if it does not have the attribute, or there is nothing of that
  /// name.
  int find_body(const MjcfElement& element, const char* attribute) const;
};

MjcfAssembly assemble_mjcf(const MjcfDocument& document);

/// Changes masses and inertias as <compiler> asks.
void apply_mass_settings(const MjcfDocument& document, MjcfAssembly& assembly);

/// Adds what <contact> and <keyframe> say.
void add_mjcf_exclusions(const MjcfSource& source, MjcfAssembly& assembly);
void add_mjcf_keyframes(const MjcfSource& source, MjcfAssembly& assembly);

/// Reports what in the description is doubtful; throws an Error, with lines, if it makes no model.
void check_mjcf(const MjcfDocument& document, const MjcfAssembly& assembly);

/// The active equalities.
std::vector<Constraint> mjcf_constraints(const MjcfSource& source, const MjcfDefaults& defaults,
                                         const MjcfDocument& document, const MjcfAssembly& assembly,
                                         const Model& model);

}  // namespace delassus::io
