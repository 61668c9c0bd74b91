// What the handles of the C interface hold.
#pragma once

#include <memory>
#include <vector>

#include "c/call.hpp"
#include "delassus/operators/operator.hpp"

struct delassus_scene {
  // Shared with operators and solvers, which may outlive the scene.
  std::shared_ptr<const delassus::Model> model;
  std::vector<double> q, v;
  std::vector<delassus::Constraint> constraints;
};

struct delassus_operator {
  delassus_operator(const delassus_scene& scene, delassus::Algorithm algorithm);

  /// Throws an Error unless there are values.
  void require_ready() const;

  delassus::Operator<double> op;
  std::vector<double> q;  // of the last update; for its checks
};

namespace delassus::c {

/// Throws an Error that names the joint if the quaternion of one is zero. `scratch` has the size of q, and is overwritten.
void require_quaternions(const Model& model, VectorView<const double> q, std::vector<double>& scratch);

}  // namespace delassus::c
