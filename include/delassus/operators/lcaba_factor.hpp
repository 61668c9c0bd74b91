// The numbers of LCABA: the tree with its loops, factored for one damping (docs/algorithms/lcaba.md).
//
//   paper                here
//   H_ij (line 9)        columns of `panel` of the link that goes first; rows about its origin, columns about j's
//   H_ii, D_i            H, and Articulation::D_factor
//   U_i D_i⁻¹            Articulation::U_hat
//   H_ji S_i D_i⁻¹       `hat`, about the reference points of the neighbours
//
// Inertias and couplings are about the origins of links, where no digits are lost; what the sweeps read is moved to the
// reference points, as in Articulation.
#pragma once

#include "delassus/dynamics/articulate.hpp"
#include "delassus/dynamics/origin_frames.hpp"
#include "delassus/math/view.hpp"
#include "delassus/operators/lcaba_plan.hpp"
#include "delassus/operators/row_weights.hpp"

namespace delassus {

template <class T>
struct LcabaFactor {
  explicit LcabaFactor(const Model& model) : art(model), origins(model) {}
  void resize(const Model& model, const LcabaPlan& plan);
  std::size_t bytes() const {
    return heap_bytes(art, origins, wrench, placed, base, H, panel, hat, triangle, stiff_joint, felt);
  }

  Articulation<T> art;  // of the damped tree; only live links have Û and D

  // Of a configuration.
  OriginFrames<T> origins;
  std::vector<Force<T>> wrench;             // rows about the origins of links
  std::vector<Force<T>> placed;             // the same about reference points
  std::vector<ArticulatedInertia<T>> base;  // live links with the quiet ones that hang on them
  // Of a damping.
  std::vector<ArticulatedInertia<T>> H;
  std::vector<T> panel, hat;
  std::vector<T> triangle;     // multipliers: -H of each, then its LDLᵀ with negative pivots
  std::vector<T> stiff_joint;  // what rows on joints add to D, packed as Articulation::D_factor
  std::vector<T> felt;         // Sᵀ times the panel of the link at work
};

/// Takes over a configuration. `free` has to be articulated for plan.quiet, and for no other links yet. kNotFinite names a
/// row that is no number or whose square overflows.
template <class T>
Status place_lcaba(const Kinematics<T>& kin, const Articulation<T>& free, const ConstraintRows<T>& rows,
                   const LcabaPlan& plan, LcabaFactor<T>& factor);

/// Factors with a damping, by elimination of all nodes. `free` is the undamped tree, articulated for all links: no pivot of
/// the damped tree can be smaller, nor one of a multiplier than its damping. One that is less than half of that has been
/// lost to rounding, and kNotPositive names the row to blame: that of the multiplier, or the one damped least.
template <class T>
Status damp_lcaba(const Model& model, const Articulation<T>& free, const ConstraintRows<T>& rows, const LcabaPlan& plan,
                  const RowWeights<T>& weights, LcabaFactor<T>& factor);

/// Forces on nodes and joints in, accelerations of nodes and joints out; of multipliers, minus the multiplier.
template <class T>
struct LcabaSweep {
  explicit LcabaSweep(const Model& model) : joint(model.nv(), unwritten<T>()) {}
  std::size_t bytes() const { return heap_bytes(value, joint); }

  std::vector<T> value;  // at LcabaPlan::Node::value
  std::vector<T> joint;
};

template <class T>
void sweep_lcaba(const Model& model, const LcabaPlan& plan, const LcabaFactor<T>& factor, LcabaSweep<T>& sweep);

/// Six components in a row.
template <class T>
DELASSUS_INLINE Force<T> force_at(const T* from) {
  return {{{from[0], from[1], from[2]}}, {{from[3], from[4], from[5]}}};
}
template <class T>
DELASSUS_INLINE void store_force(T* to, const Force<T>& f) {
  DELASSUS_UNROLL
  for (int c = 0; c < 3; ++c) {
    to[c] = f.moment[c];
    to[c + 3] = f.force[c];
  }
}

}  // namespace delassus
