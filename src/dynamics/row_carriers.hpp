// The sweep that carries rows of constraints from their links to the world.
//
//   symbol  here
//   K       rows as wrenches on the link that they have reached (6 × columns)
//   F       K S, and the weights on the joint itself: what a joint feels of them
//   Y       d^(-1/2) L⁻¹ F, where D = L d Lᵀ is the joint's inertia (one row per degree of freedom)
#pragma once

#include <vector>

#include "delassus/math/boxed.hpp"
#include "dynamics/articulate.hpp"
#include "dynamics/carrier_plan.hpp"

namespace delassus {

template <class T>
struct RowCarriers {
  void resize(const Model& model, const CarrierPlan& plan) {
    columns = plan.columns;
    y_columns = plan.y_columns;
    K.assign(6 * static_cast<std::size_t>(columns), T(0));
    Y.assign(static_cast<std::size_t>(model.nv()) * y_columns, T(0));
    root.assign(model.nv(), T(0));
  }
  DELASSUS_INLINE T* k(int component, int column) {
    return K.data() + static_cast<std::size_t>(component) * columns + column;
  }
  DELASSUS_INLINE T* y(int dof, int column) { return Y.data() + static_cast<std::size_t>(dof) * y_columns + column; }
  DELASSUS_INLINE const T* y(int dof, int column) const {
    return Y.data() + static_cast<std::size_t>(dof) * y_columns + column;
  }

  std::size_t bytes() const { return heap_bytes(K, Y, root); }

  int columns = 0, y_columns = 0;
  std::vector<T> K, Y;
  std::vector<T> root;  // D^(-1/2) of each degree of freedom
};

/// Carries rows over joints that give way: each passes on what it does not feel. Fills Y; leaves in K, for tracks that
/// ended in a node, their rows as seen from its link.
template <class T, class F>
void carry_rows(const Model& model, const Articulation<T, F>& art, const ConstraintRows<T>& rows,
                const CarrierPlan& plan, RowCarriers<T>& work);

/// Carries rows over locked joints: Y is Jᵀ, all of it that is not zero by structure.
template <class T, class F>
void carry_rows_rigidly(const Model& model, const F& frames, const ConstraintRows<T>& rows, const CarrierPlan& plan,
                        RowCarriers<T>& work);

}  // namespace delassus
