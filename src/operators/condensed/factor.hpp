// The numbers of the condensed tree (docs/algorithms/condensed.md): first those of a configuration, then those of a damping.
//
//   H_ij            columns of `panel` of the node that goes first; rows about its origin, columns about j's
//   H_ii, D_i       H, D_factor
//   U_i D_i⁻¹       U_hat
//   H_ji S_i D_i⁻¹  `hat`, about the reference points of the neighbours
//   K̂, Ω            what a node feels of a carried group, and how much the group gives way on its own
//   S = (R⁻¹ + Ω)⁻¹  the damped inverse of a group whose node stands still
//
// Inertias and couplings are about the origins of links, where no digits are lost; what the sweeps read is moved to the
// reference points, as in Articulation.
#pragma once

#include <algorithm>

#include "dynamics/articulate.hpp"
#include "operators/condensed/plan.hpp"
#include "operators/row_weights.hpp"

namespace delassus {

/// Four rows side by side, for scalars that have lanes.
template <class T>
using RowLanes = std::conditional_t<Laned<T>, Pack<Base<T>, 4>, T>;

/// What follows from q.
template <class T>
struct CondensedConfiguration {
  explicit CondensedConfiguration(const ModelOf<T>& model);
  void resize(const CondensedPlan& plan);
  void reserve(const Model& model, const CondensedCapacity& capacity);
  std::size_t bytes() const;

  Articulation<T> art;                // the tree without damping; of free joints on the world only what `yield` says
  std::vector<std::int32_t> inwards;  // all links, the deepest first: neighbours in the list rarely wait for each other
  std::vector<std::uint8_t> starts;   // per link: the first of its parent's children in that list
  std::vector<std::int32_t> tips;     // links without children
  bool products_only = false;         // offset and base are left out
  bool rows_follow = false;           // configure_rows with the same plan: `handed` is kept for bases alone
  std::vector<std::int32_t> free_of;  // the plan's, of the last configure_tree
  LinkArray<ArticulatedInertia<T>> handed;  // what a link hands to its parent, about the parent's origin
  LinkArray<Vec3<T>> offset;                // from the parent's origin to the link's
  std::vector<ArticulatedInertia<T>> base;  // per node: its own inertia, and that of links on it which are no nodes
  std::vector<Sym<T, 6>> yield;             // of free joints: the inverse of the articulated inertia
  std::vector<T> free_pivots;               // six per free joint
  std::vector<Force<T>> side;               // K̂, about the reference points of nodes
  std::vector<T> omega;                     // Ω, packed
  std::vector<T> front;                     // of branches: Ω and K̂ of each row
  std::vector<T> carried;  // rows of the branch at work, on each of its links, and what a joint feels of them
  std::vector<Force<T>> wrench, placed;   // rows at nodes about origins, and about reference points
  std::vector<Force<RowLanes<T>>> strip;  // rows of strips about the origin of their (earlier) link
  std::vector<Vec3<T>> apart;             // per strip of twins: from the later link's origin to the earlier's
};

/// The articulated tree. Of the plan it reads only which free joints yield as a whole (free_of). kSingularJoint names a joint.
template <class T>
Status configure_tree(const ModelOf<T>& model, const Kinematics<T>& kin, const CondensedPlan& plan,
                      CondensedConfiguration<T>& c);
/// The rows on it.
template <class T>
void configure_rows(const ModelOf<T>& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows,
                    const CondensedPlan& plan, CondensedConfiguration<T>& c);

/// Of branches, with L D Lᵀ = R⁻¹ + Ω. What follows from rows whose damping stays, the first of each, is kept.
template <class T>
struct BranchDamping {
  void resize(const condensed::Branches& branches);
  void reserve(int rows);
  std::size_t bytes() const { return heap_bytes(front, rest, lower, inverse, damping, kept); }
  void forget() { std::fill(kept.begin(), kept.end(), Kept{}); }

  struct Pivots {
    T margin, growth;  // the least excess over a floor, and the largest ratio of an entry to its pivot
  };
  struct Kept {
    bool ready = false, blocks = false;  // blocks: with a damping by blocks
    bool anew = false;                   // in the damping at work
    Pivots pivots, all;                  // of rows that are kept, and of all
    ArticulatedInertia<T> H;             // K̂ᵀ (R⁻¹ + Ω)⁻¹ K̂ of the rows that are kept
  };

  std::vector<T> front;    // D Lᵀ above the diagonal, zeros below, and L⁻¹ K̂
  std::vector<T> rest;     // rows whose damping changes as the kept ones leave them, without their own damping
  std::vector<T> lower;    // L below the diagonal
  std::vector<T> inverse;  // D⁻¹
  std::vector<T> damping;  // of rows that are kept, six numbers each
  std::vector<Kept> kept;  // per branch
};

/// What follows from q and R.
template <class T>
struct CondensedDamping {
  void resize(const Model& model, const CondensedPlan& plan, int num_rows);
  void reserve(const Model& model, const CondensedCapacity& capacity);
  std::size_t bytes() const;

  RowWeights<T> rows;
  std::vector<ArticulatedInertia<T>> H;
  std::vector<T> panel, hat;
  std::vector<Force<T>> U_hat;  // per degree of freedom, about reference points
  std::vector<T> D_factor;
  std::vector<T> multiplier;        // -H of each, then its LDLᵀ with negative pivots
  std::vector<T> peak;              // per row of a multiplier: the most that its diagonal entry has been
  std::vector<T> stiff_joint;       // what rows on joints add to D, packed as D_factor
  std::vector<T> share;             // of lone rows: what of D is inertia
  std::vector<T> felt;              // Sᵀ times the panel of the node at work
  std::vector<T> dual;              // LDLᵀ of R⁻¹ + Ω, packed
  std::vector<Force<T>> dual_side;  // S K̂
  BranchDamping<T> branches;
  T growth;  // the largest ratio of a number in the elimination to what was left of it: rounding grows by this

  // With one damping for all rows, stiffness is the same for all but a factor.
  bool unit_ready = false;
  std::vector<ArticulatedInertia<T>> unit_H;
  std::vector<T> unit_panel;
};

/// Factors with the weights in d.rows, by elimination of all nodes. No pivot can be smaller than without damping, nor one
/// of a multiplier or a group than its damping. One that is less than half of that has been lost to rounding, and
/// kNotPositive names the row to blame: that of the multiplier or group, or the one damped least.
template <class T>
Status damp(const ModelOf<T>& model, const ConstraintRows<T>& rows, const CondensedPlan& plan,
            const CondensedConfiguration<T>& c, CondensedDamping<T>& d);

}  // namespace delassus
