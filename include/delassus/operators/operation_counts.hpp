// What algorithms and operators cost on a given system, counted by running them on numbers that count.
#pragma once

#include <span>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/math/counted.hpp"
#include "delassus/math/view.hpp"
#include "delassus/operators/algorithm.hpp"
#include "delassus/operators/workload.hpp"

namespace delassus {

/// In which frames the sweeps write their vectors: the library's, or those of the papers (dynamics/joint_frames.hpp).
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

/// Operations of single calls; zero for those that a workload has none of.
struct OperatorCount {
  std::int64_t factor = 0;  // from poses and lowered rows on
  std::int64_t matrix = 0;
  std::int64_t product = 0;
  std::int64_t damping = 0;  // the first of a configuration: some operators make ready then for all that follow
  std::int64_t redamping = 0;
  std::int64_t solve = 0;

  std::int64_t total(const Workload& workload) const {
    const int dampings = workload.all_dampings();
    return factor + matrix + workload.products * product + damping + (dampings > 1 ? (dampings - 1) * redamping : 0) +
           workload.solves * solve;
  }
};

/// What an operator needs for a workload, in the order of OperatorCount; solves without refinement, which depends on numbers.
/// Throws an Error where the tree is singular at q.
OperatorCount count_operator(Algorithm algorithm, const Model& model, std::span<const Constraint> constraints,
                             VectorView<const double> q, const Workload& workload);

}  // namespace delassus
