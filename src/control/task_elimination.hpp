// Priorities by recursive null spaces, as one block factorization.
//
// Level k acts in what the levels before it leave free, with the Jacobian J_k| = J_k N_(k-1) (Sentis and Khatib, "Synthesis of
// whole-body behaviors through hierarchical control of behavioral primitives", eq. (18) ff.). Eliminating levels from Λ⁻¹ of all rows,
//
//   Λ⁻¹ = J M⁻¹ Jᵀ = L D Lᵀ,   D_k = J_k| M⁻¹ J_k|ᵀ = Λ_k|⁻¹,   J| = L⁻¹ J,
//
// gives all of them at once, without a null space of size n × n: the recursion of null spaces is a Schur complement. What a level
// cannot do because it is singular is left out of D by a RobustInverse (docs/algorithms/operational-space.md).
#pragma once

#include <span>
#include <vector>

#include "control/robust_inverse.hpp"

namespace delassus {

template <FloatingPoint T>
class TaskElimination {
 public:
  struct Level {
    int first = 0, rows = 0;
  };

  /// Adds a level below all others; allocates. Held rows come first.
  void add(int rows, const SingularityOptions& options);
  void add_held(int rows);

  int num_levels() const { return static_cast<int>(levels_.size()); }
  const Level& level(int k) const { return levels_[k]; }
  int rows() const { return rows_; }
  /// Where Λ⁻¹ goes before factor, row by row. factor works in it.
  MatrixView<T> matrix() { return {matrix_.data(), rows_, rows_}; }
  /// scale: what each row yields at best (RobustInverse).
  void factor(const T* scale);

  const LevelReport<T>& report(int k) const { return inverse_[k].report(); }
  /// Λ_k|, bounded, and Λ_k|⁻¹.
  MatrixView<const T> inertia(int k) const { return inverse_[k].force(); }
  MatrixView<const T> inverse_inertia(int k) const { return block(levels_[k], levels_[k]); }
  /// force = Λ_k| acceleration
  void apply_inertia(int k, const T* acceleration, T* force) const;

  /// x ← f so that Jᵀ f makes the row accelerations x, each level as far as it can within what is left to it.
  void solve(T* x) const;
  /// x = J ν becomes f of the forces that take levels up to `last` out of ν: N ν = ν - M⁻¹ Jᵀ f.
  void project(int last, T* x) const;
  /// x = J ν becomes J| ν up to level `last`.
  void reduce(int last, T* x) const;
  /// Forces F of levels up to `last` become f with Jᵀ f = J|ᵀ F; zero beyond.
  void expand(int last, T* x) const;

 private:
  MatrixView<const T> block(const Level& a, const Level& b) const;
  void append(int rows);
  void eliminate(int k);
  /// x_a -= L_ab y
  void subtract(int a, int b, const T* y, T* x) const;

  int rows_ = 0;
  std::vector<Level> levels_;
  std::vector<RobustInverse<T>> inverse_;
  std::vector<T> matrix_;  // D in the blocks on the diagonal
  std::vector<T> lower_;   // L below them
  mutable std::vector<T> achieved_;
};

}  // namespace delassus
