// Constrained forward dynamics by sweeps alone: the constrained articulated-body algorithm, for trees with any loops.
//
//   M ν̇ + h = τ + Jᵀ λ,   J ν̇ = a*
//
// Papers: Popov, Vereshchagin, Zenkevich 1978; Sathya, Carpentier, "Constrained articulated body dynamics algorithms"; here
// with the sweeps of LCABA, so that loops are no exception (docs/algorithms/constrained-dynamics.md). A proximal step is
//
//   (M + JᵀJ/μ) Δν̇ = w + Jᵀ r/μ,   Δλ = (r - JΔν̇)/μ
//
// with both residuals made anew from the motion at each step: the wrenches w that are missing at every link and joint, and
// the accelerations r that are missing at the rows. (An r that is only updated by JΔν̇ never sees what the first step lost to
// rounding, ε/μ.) O(n + m) per step while loops overlap little; no matrix of the size of the rows.
#pragma once

#include <vector>

#include "delassus/constraints/state.hpp"
#include "delassus/math/boxed.hpp"
#include "delassus/operators/lcaba.hpp"
#include "delassus/solvers/proximal.hpp"

namespace delassus {

template <class T>
class ConstrainedAba {
 public:
  explicit ConstrainedAba(const Model& model, const ProximalOptions& options = {});

  /// Plans ahead, so that factor need not.
  void update_structure(const State<T>& state);
  /// Takes over one configuration; statuses are those of LCABA.
  Status factor(const State<T>& state);
  /// As ConstrainedDynamics::solve.
  Status solve(const State<T>& state, In<T> tau, In<T> target, Out<T> qdd, Out<T> lambda);

  const LcabaDelassus<T>& op() const;
  const ProximalReport<T>& report() const;
  /// a* - Jν̇ of the last solve.
  const std::vector<T>& remainder() const;

 private:
  struct Work;
  class Problem;
  Boxed<Work> work_;
};

}  // namespace delassus
