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
  /// The factored inertia of the tree, made when first asked for. Throws a StatusError where it is singular.
  const Articulation<double>& articulation();

  const std::shared_ptr<Model> model_object;
  const Model& model;
  std::mutex mutex;
  Kinematics<double> kin;
  Velocities<double> vel;
  SubtreeMasses<double> subtree_masses;
  InverseDynamics<double> inverse_dynamics;
  CompositeInertia<double> composite;
  Sweep<double> sweep;
  InverseInertiaPanel<double> panel;

 private:
  Articulation<double> articulation_;
  bool articulated_ = false;
};

}  // namespace delassus::python
