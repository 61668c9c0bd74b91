// StateObject, what Python calls a State: a model where it is and how it moves, with the memory that kinematics and dynamics work in.
#pragma once

#include <memory>
#include <mutex>

#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/kinematics/frames.hpp"

namespace delassus::python {

class StateObject {
 public:
  explicit StateObject(std::shared_ptr<Model> model);

  /// Without the GIL.
  void update(VectorView<const double> q, VectorView<const double> v);
  /// With the inertia of the tree factored, when first asked for. Throws a StatusError where it is singular.
  ForwardDynamics<double>& articulated();

  const std::shared_ptr<Model> model_object;
  const Model& model;
  std::mutex mutex;
  ForwardDynamics<double> dynamics;
  Kinematics<double>& kin = dynamics.kin;
  Velocities<double>& vel = dynamics.vel;
  SubtreeMasses<double> subtree_masses;
  InverseDynamics<double> inverse_dynamics;
  CompositeInertia<double> composite;

 private:
  bool articulated_ = false;
};

}  // namespace delassus::python
