// The embedded robots, and what tests want to know of them in a configuration.
#pragma once

#include <string>
#include <vector>

#include "delassus/constraints/lower.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/io/load.hpp"

namespace delassus::testing {

/// Strictly: a warning is an Error. Those in URDF float.
inline Scene embedded_robot(const std::string& name) {
  UrdfOptions options;
  options.base = UrdfOptions::Base::kFloating;
  options.strict = true;
  return load_embedded_robot(name, options);
}

/// M, nv × nv.
inline std::vector<double> inertia_matrix(const Model& model, const std::vector<double>& q) {
  Kinematics<double> kin(model);
  update_kinematics(model, q, kin);
  const auto nv = static_cast<std::size_t>(model.nv());
  std::vector<double> M(nv * nv);
  CompositeInertia<double> work(model);
  crba(model, kin, MatrixView<double>(M.data(), model.nv(), model.nv()), work);
  return M;
}

/// How far each row of the scene's constraints is from where it should be.
inline std::vector<double> positions_of_constraints(const Scene& scene, const std::vector<double>& q) {
  Kinematics<double> kin(scene.model);
  update_kinematics(scene.model, q, kin);
  ConstraintRows<double> rows;
  lower_structure(scene.model, scene.constraints, rows);
  std::vector<double> positions(static_cast<std::size_t>(rows.num_rows()));
  constraint_positions(scene.model, kin, scene.constraints, rows, positions);
  return positions;
}

}  // namespace delassus::testing
