// M = Lᵀ L of a tree, without fill.
//
// Paper: Featherstone, "Exploiting sparsity in operational-space dynamics" (docs/algorithms/ltl.md).
//
//   symbol  here
//   λ(k)    the degree of freedom that carries k; a joint's own ones are a chain
//   L       row k has the entries of the degrees of freedom that carry k, from the root to k itself
#pragma once

#include <cstddef>
#include <vector>

#include "delassus/math/boxed.hpp"
#include "delassus/math/error.hpp"
#include "dynamics/joint_frames.hpp"

namespace delassus {

/// n d numbers for depth d, O(n d²) to compute, O(n d) to solve with.
template <class T, class F = WorldFrames<T>>
class InertiaFactor {
 public:
  explicit InertiaFactor(const Model& model);

  /// In frames that have been placed. kSingularJoint names the joint at which M is singular, kNotFinite the entry of q that
  /// is no number.
  Status compute(const Model& model, const Kinematics<T>& kin, const F& frames);

  /// How many degrees of freedom carry k, which they are, root first, and row k of L at them; after those the inverse of its
  /// diagonal.
  int above(int k) const { return path_[k].size - 1; }
  const std::int32_t* carriers_of(int k) const { return dofs_.data() + path_[k].first; }
  const T* row(int k) const { return L_.data() + path_[k].first; }

  /// x ← L⁻¹ x and x ← L⁻ᵀ x, for one number per degree of freedom: M⁻¹ is the second and then the first. X may be four
  /// vectors of plain numbers at once.
  template <class X>
  void solve(X* x) const;
  void solve_transposed(T* x) const;

  std::size_t bytes() const { return heap_bytes(path_, dofs_, L_, composite_); }

 private:
  /// The degrees of freedom from the root to k, and k last.
  struct Path {
    std::int32_t first, size;
  };
  T* own_row(int k) { return L_.data() + path_[k].first; }

  void inertia_matrix(const Model& model, const Kinematics<T>& kin, const F& frames);
  Status factor(const Model& model);

  std::vector<Path> path_;
  std::vector<std::int32_t> dofs_;
  std::vector<T> L_;  // all rows; on the diagonal the inverse
  LinkArray<RigidInertia<T>> composite_;
};

}  // namespace delassus
