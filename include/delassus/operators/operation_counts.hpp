// What algorithms cost on a given system, and operators for a workload, counted by running them on numbers that count.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/math/counted.hpp"
#include "delassus/math/scalar.hpp"
#include "delassus/math/view.hpp"
#include "delassus/operators/algorithm.hpp"

namespace delassus {

/// What is wanted of an operator at one configuration.
struct Workload {
  int products = 0;
  int dampings = 0;  // one number for all rows; the first of a configuration counts, too
  int solves = 0;    // damped, so there is at least one damping with them
  bool matrix = false;

  constexpr int all_dampings() const { return std::max(dampings, solves > 0 ? 1 : 0); }
};

inline constexpr Workload kMatrixAlone{.matrix = true};
inline constexpr Workload kOneProduct{.products = 1};
inline constexpr Workload kHundredProducts{.products = 100};
/// Of ADMM: one damped solve each, with a damping to begin with and three others on the way.
inline constexpr Workload kThirtyIterations{.dampings = 4, .solves = 30};

/// In which frames the sweeps write their vectors: the library's, or those of the papers (src/dynamics/joint_frames.hpp).
enum class CountedFrames : std::uint8_t {
  kWorldAxes,
  kLinkAxes,
  kLinkAxesFolded,  // the same with operations on zeros and ones left out, rows along the axes of the first link that they
                    // act on: as code generators count
};

/// Up to where an explicit algorithm is counted.
enum class CountedResult : std::uint8_t {
  kMatrix,            // the lower triangle of Λ⁻¹
  kMatrixAndInverse,  // and then J̄ = M⁻¹ Jᵀ Λ, with a Λ that is there: inverting Λ⁻¹ is the same for every algorithm
};

struct StageCount {
  const char* name;
  OperationCount operations;
};

struct AlgorithmCount {
  OperationCount total;
  std::vector<StageCount> stages;  // in the order in which they run
};

/// Of an explicit algorithm: operations from poses and lowered rows to the lower triangle of Λ⁻¹. Kinematics, lowering, and taking both over into the
/// frames are not in it: they are the same for every algorithm. No kernel branches on a number, so q matters only where the
/// tree is singular; then this throws an Error. Folded counts take a general configuration instead of q. The dense algorithm
/// has one way of counting only, that of the world. Throws an Error for what is not counted.
AlgorithmCount count_algorithm(Algorithm algorithm, CountedFrames frames, const Model& model,
                               std::span<const Constraint> constraints, VectorView<const double> q,
                               CountedResult result = CountedResult::kMatrix);

/// Whether count_algorithm counts it: J̄ by responses to the columns of Λ is counted in the world alone, where those are
/// computed; LTL and EFPA have ways of their own.
bool is_counted(Algorithm algorithm, CountedFrames frames, CountedResult result);

/// Calls of an operator that differ in what they cost, and which of them a workload has.
inline constexpr int kCalls = 6;
constexpr std::array<bool, kCalls> calls_of(const Workload& w) {
  return {true, w.matrix, w.products > 0, w.all_dampings() > 0, w.all_dampings() > 1, w.solves > 0};
}

/// What single calls cost; zero for those that a workload has none of.
template <class Cost>
struct PerCall {
  Cost factor = 0;
  Cost matrix = 0;
  Cost product = 0;
  Cost damping = 0;  // the first of a configuration: some operators make ready then for all that follow
  Cost redamping = 0;
  Cost solve = 0;

  static constexpr std::array<Cost PerCall::*, kCalls> all() {
    return {&PerCall::factor,  &PerCall::matrix,    &PerCall::product,
            &PerCall::damping, &PerCall::redamping, &PerCall::solve};
  }
  Cost total(const Workload& workload) const {
    const int dampings = workload.all_dampings();
    return factor + matrix + workload.products * product + damping + (dampings > 1 ? (dampings - 1) * redamping : 0) +
           workload.solves * solve;
  }
};

using OperatorCount = PerCall<std::int64_t>;  // operations; factor from poses and lowered rows on
using OperatorTime = PerCall<double>;         // microseconds; factor from q on, with kinematics and rows

/// What an operator needs for a workload, in the order of OperatorCount; solves without refinement, which depends on numbers.
/// Throws an Error where the tree is singular at q.
OperatorCount count_operator(Algorithm algorithm, const Model& model, std::span<const Constraint> constraints,
                             VectorView<const double> q, const Workload& workload);

}  // namespace delassus
