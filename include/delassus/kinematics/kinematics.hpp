// First stage: where everything is. The only place that knows the kinds of joints.
#pragma once

#include <vector>

#include "delassus/kinematics/link_array.hpp"
#include "delassus/math/inertia.hpp"
#include "delassus/math/instantiate.hpp"
#include "delassus/math/view.hpp"
#include "delassus/model/link_lanes.hpp"

namespace delassus {

/// Everything that depends on q alone, in world axes.
template <class T>
struct Kinematics {
  static_assert(CompiledScalar<T>,
                "the library has no kernels for this scalar: it takes float, double and Counted, and with "
                "DELASSUS_SCALARS=all also Dual<double>, PackDoubles and PackFloats (math/instantiate.hpp)");

  explicit Kinematics(const Model& model);

  std::size_t bytes() const { return heap_bytes(q, pose, offset, inertia, S, sine, cosine); }

  std::vector<T> q;
  LinkArray<Pose<T>> pose;             // internal frame of each link
  LinkArray<Vec3<T>> offset;           // from the parent link's origin to the link's
  LinkArray<RigidInertia<T>> inertia;  // about the link's origin; not of packs (link_inertia.hpp)
  std::vector<Motion<T>> S;            // motion subspace, one per degree of freedom, about the link's origin
  std::vector<T> sine, cosine;         // of model.angle_coordinates()
};

/// Fills `kin` from q. Quaternions need not be normalised.
template <class T>
void update_kinematics(const ModelOf<T>& model, In<T> q, Kinematics<T>& kin);

/// The same in two steps: kin.q with the sines and cosines of its angles, then all links.
template <class T>
void take_coordinates(const Model& model, In<T> q, Kinematics<T>& kin);
template <class T>
void place_links(const ModelOf<T>& model, Kinematics<T>& kin);

}  // namespace delassus
