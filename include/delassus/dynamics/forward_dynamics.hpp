// Accelerations from forces, and products with M⁻¹.
#pragma once

#include "delassus/kinematics/kinematics.hpp"
#include "delassus/math/pack.hpp"
#include "dynamics/sweeps.hpp"

namespace delassus {

/// Workspaces of all stages of the articulated-body algorithm.
template <class T>
struct ForwardDynamics {
  explicit ForwardDynamics(const Model& model) : kin(model), vel(model), art(model), sweep(model) {}

  Kinematics<T> kin;
  Velocities<T> vel;
  Articulation<T> art;
  Sweep<T> sweep;
};

/// qdd = M⁻¹(tau - h) from scratch: the articulated-body algorithm. Friction, damping and limits are not in it. qdd is
/// not written if the tree is singular.
template <class T>
Status aba(const Model& model, In<T> q, In<T> v, In<T> tau, Out<T> qdd, ForwardDynamics<T>& work);

/// The same where the stages have been run already.
template <class T>
void forward_dynamics(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel,
                      const Articulation<T>& art, In<T> tau, Out<T> qdd, Sweep<T>& sweep);

/// tau - h as the sweeps take it: h enters as a wrench on each link, so the same two sweeps serve forward dynamics, M⁻¹ and
/// the Delassus operators.
template <class T>
void begin_forward_dynamics(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel,
                            const Articulation<T>& art, In<T> tau, Sweep<T>& sweep);

/// x ← M⁻¹ x for one vector.
template <class T>
void apply_inverse_inertia(const Model& model, const Articulation<T>& art, Out<T> x, Sweep<T>& sweep);

/// X ← M⁻¹ X for a panel of columns (nv × k), several columns at a time.
template <class T>
class InverseInertiaPanel {
 public:
  explicit InverseInertiaPanel(const Model& model) : sweep_(model) {}
  void multiply(const Model& model, const Articulation<T>& art, MatrixOut<T> X);

 private:
  /// Plain floating point takes eight columns at a time, one per lane; other scalars one.
  static constexpr int kColumns = FloatingPoint<T> ? 8 : 1;
  using Columns = std::conditional_t<FloatingPoint<T>, Pack<T, 8>, T>;
  Sweep<Columns> sweep_;
};

}  // namespace delassus
