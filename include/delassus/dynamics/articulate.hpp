// Articulation: the factored inertia of the tree, and the only place where a joint is factored.
//
//   symbol  here                       Featherstone 2008, ch. 7
//   H       articulated inertia        I^A
//   S       motion subspace            S
//   D       Sᵀ H S + armature          D
//   Û       H S D⁻¹                    U D⁻¹
#pragma once

#include <vector>

#include "delassus/dynamics/reference_plan.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/math/error.hpp"

namespace delassus {

/// What the sweeps need of a configuration. World axes, about the reference point of the link.
template <class T>
struct Articulation {
  explicit Articulation(const Model& model, int hops = ReferencePlan::kDefaultHops);

  ReferencePlan plan;
  std::vector<Motion<T>> S;            // per degree of freedom
  std::vector<Force<T>> U_hat;         // per degree of freedom; not written for joints on the world, which need none
  std::vector<T> D_factor;             // packed LDLᵀ of D, per link at Link::factor
  LinkArray<Vec3<T>> lever;            // from the reference point to the link's origin
  LinkArray<Vec3<T>> step;             // from the parent's reference point to the link's; used where they differ
  LinkArray<ArticulatedInertia<T>> H;  // what the children hand to a link, about its origin
};

/// Factors the tree. kSingularJoint names the joint whose D is not positive definite beyond rounding: a massless leaf
/// without armature, a point mass on its axis, a hip in gimbal lock. kNotFinite names the entry of q that is no number.
template <class T>
Status articulate(const Model& model, const Kinematics<T>& kin, Articulation<T>& art);

}  // namespace delassus
