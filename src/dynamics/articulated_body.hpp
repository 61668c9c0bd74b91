// The stages of the articulated-body algorithm after the articulation, for who holds that itself.
#pragma once

#include "delassus/dynamics/forward_dynamics.hpp"
#include "dynamics/sweeps.hpp"

namespace delassus {

/// qdd = M⁻¹(tau - h) where the stages have been run already.
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

template <class T>
struct ForwardDynamics<T>::Tree {
  explicit Tree(const Model& model) : art(model), sweep(model), panel(model) {}

  Articulation<T> art;
  Sweep<T> sweep;
  InverseInertiaPanel<T> panel;
};

}  // namespace delassus
