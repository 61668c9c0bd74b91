// The proximal method on any Delassus operator: Λ⁻¹ λ = b, whatever the rank of Λ⁻¹ (docs/algorithms/constrained-dynamics.md).
#pragma once

#include <concepts>
#include <vector>

#include "delassus/math/boxed.hpp"
#include "delassus/math/scalars.hpp"
#include "delassus/operators/delassus_operator.hpp"

namespace delassus {

/// Zero: what suits the scalar's rounding ε.
struct ProximalOptions {
  /// μ, relative to the size of Λ⁻¹: √ε. Directions that yield less than this count as rigid.
  double damping = 0;
  /// μ where rows nearly contradict each other: ε^(2/3). What is left may yield to a force that is large.
  double narrow_damping = 0;
  /// Residual that counts as none, relative to the row accelerations that it is the difference of: 1e4 ε, in
  /// float 1e2 ε.
  double tolerance = 0;
  int iterations = 40;
};

/// How a solve ended, beside its status.
template <class T>
struct ProximalReport {
  int iterations = 0;
  T residual{0};  // largest entry of b - Λ⁻¹ λ
  T change{0};    // largest entry of Λ⁻¹ δ of the last step: what may still be missing from the motion
};

/// How exactly a right-hand side is known.
template <class T>
struct RightHandSize {
  T size{0};   // of the numbers that it is a difference of: a small part of this is no residual
  T terms{0};  // of the terms that those are sums of: less than their rounding is nothing
};

template <class T>
class Proximal {
 public:
  static_assert(OperatorScalar<T> || std::same_as<T, DualDouble>,
                "the proximal method has no kernels for this scalar: it takes float, double, Counted and Dual<double>");

  explicit Proximal(const ProximalOptions& options = {});

  /// Memory for so many rows; solve allocates beyond only.
  void reserve(int rows);

  /// Finds λ from where it stands: from zero the least force, else the one nearest to the start. Damps the operator.
  ///
  ///   kInfeasible    the rows contradict each other; the index is the one that is missed most
  ///   kNotConverged  the iterations ran out; the index is the row that is farthest off
  ///   kNotFinite     the row whose residual is no number
  ///
  /// and what the operator has to say of its damping.
  Status solve(OperatorRef<T> op, In<T> b, Out<T> lambda);
  /// The same where b is a difference.
  Status solve(OperatorRef<T> op, In<T> b, const RightHandSize<T>& size, Out<T> lambda);

  const ProximalReport<T>& report() const;
  const ProximalOptions& options() const;
  /// b - Λ⁻¹ λ of the last solve.
  const std::vector<T>& remainder() const;

 private:
  struct Work;
  Boxed<Work> work_;
};

}  // namespace delassus
