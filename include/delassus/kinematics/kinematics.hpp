// Where everything is and how it moves; and steps on the configuration manifold, q ⊕ v and its inverse.
#pragma once

#include <limits>
#include <vector>

#include "delassus/math/boxed.hpp"
#include "delassus/math/scalar.hpp"
#include "delassus/math/scalars.hpp"
#include "delassus/math/spatial.hpp"
#include "delassus/math/view.hpp"
#include "delassus/model/model.hpp"

namespace delassus {

/// Fills workspace memory: NaN in debug builds, so that a stage that reads what no stage wrote shows itself.
template <class T>
DELASSUS_INLINE T unwritten() {
#ifdef NDEBUG
  return T(0);
#else
  return T(std::numeric_limits<double>::quiet_NaN());
#endif
}

template <class X>
class LinkArray {
 public:
  LinkArray() = default;
  LinkArray(const Model& model, const X& fill) : values_(model.num_links() + 1, fill) {}

  /// Valid from kWorld to num_links() - 1.
  DELASSUS_INLINE X& operator[](int link) { return values_.data()[link + 1]; }
  DELASSUS_INLINE const X& operator[](int link) const { return values_.data()[link + 1]; }

  std::size_t bytes() const { return heap_bytes(values_); }

 private:
  static_assert(kWorld == -1);
  std::vector<X> values_;
};

/// First stage: everything that depends on q alone, in world axes. The only one that knows the kinds of joints.
template <class T>
struct Kinematics {
  static_assert(CompiledScalar<T>,
                "the library has no kernels for this scalar: it takes float, double and Counted, and with "
                "DELASSUS_SCALARS=all also Dual<double>, PackDoubles and PackFloats (math/scalars.hpp)");

  explicit Kinematics(const Model& model);

  std::size_t bytes() const { return heap_bytes(q, pose, offset, inertia, S, sine, cosine); }

  std::vector<T> q;
  LinkArray<Pose<T>> pose;             // internal frame of each link
  LinkArray<Vec3<T>> offset;           // from the parent link's origin to the link's
  LinkArray<RigidInertia<T>> inertia;  // about the link's origin; not of packs (src/kinematics/link_inertia.hpp)
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

/// Second stage: how everything moves, and how it would accelerate if every joint acceleration were zero. World axes, about the link's
/// origin; the linear part is the velocity (acceleration) of that origin itself.
template <class T>
struct Velocities {
  explicit Velocities(const Model& model);

  std::vector<T> v;
  LinkArray<Motion<T>> velocity;
  /// Classical acceleration at zero joint acceleration: what J̇ν is made of. Gravity is not in it.
  LinkArray<Motion<T>> bias_acceleration;
};

template <class T>
void update_velocities(const Model& model, const Kinematics<T>& kin, In<T> v, Velocities<T>& vel);

/// out = q ⊕ v: q moved for unit time with the constant joint velocities v. A free joint follows the screw motion of its
/// body twist (the exponential of SE(3)). `out` may be q itself.
void integrate(const Model& model, VectorView<const double> q, VectorView<const double> v, VectorView<double> out);
void integrate(const Model& model, VectorView<const float> q, VectorView<const float> v, VectorView<float> out);

/// out = the velocity that takes q0 to q1 in unit time: integrate(q0, out) = q1, by the shortest rotation.
void difference(const Model& model, VectorView<const double> q0, VectorView<const double> q1, VectorView<double> out);
void difference(const Model& model, VectorView<const float> q0, VectorView<const float> q1, VectorView<float> out);

/// Brings every quaternion in q to unit length. Throws an Error that names the joint if one is zero or not finite.
void normalise(const Model& model, VectorView<double> q);
void normalise(const Model& model, VectorView<float> q);

}  // namespace delassus
