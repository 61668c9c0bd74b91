// Solvers of constrained dynamics as `delassus bench constrained` sees them.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "bench/constrained/constrained_case.hpp"

namespace delassus::cli {

/// In an order in which each leaves a solver as the next needs it. All but the first are of solvers that factor a KKT matrix
/// K = [[M, Jᵀ], [J, -μ]].
enum class ConstrainedCall : std::uint8_t {
  kDynamics,  // from q, v and τ to ν̇ and λ
  kMatrices,  // from q to what does not depend on μ
  kFactor,    // from q to a factored K
  kRedamp,    // K factored with another μ
  kSolve,     // K x = y
};
inline constexpr std::array kConstrainedCalls{ConstrainedCall::kDynamics, ConstrainedCall::kMatrices,
                                              ConstrainedCall::kFactor, ConstrainedCall::kRedamp,
                                              ConstrainedCall::kSolve};

/// As files spell it, and in the heads of tables.
constexpr std::string_view name_of(ConstrainedCall call) {
  constexpr std::array<std::string_view, kConstrainedCalls.size()> kNames{"dynamics", "matrices", "factor", "redamp",
                                                                          "solve"};
  return kNames[static_cast<std::size_t>(call)];
}
constexpr std::string_view title_of(ConstrainedCall call) {
  constexpr std::array<std::string_view, kConstrainedCalls.size()> kTitles{"dynamics", "matrices from q", "KKT from q",
                                                                           "another damping", "solve"};
  return kTitles[static_cast<std::size_t>(call)];
}

/// Configurations and dampings alternate from call to call, so that none repeats the numbers of the one before.
class ConstrainedSolver {
 public:
  ConstrainedSolver() = default;
  virtual ~ConstrainedSolver() = default;
  ConstrainedSolver(const ConstrainedSolver&) = delete;
  ConstrainedSolver& operator=(const ConstrainedSolver&) = delete;

  virtual bool has(ConstrainedCall call) const { return call == ConstrainedCall::kDynamics; }
  /// Throws an Error where it fails.
  virtual void call(ConstrainedCall call) = 0;
  /// Of both equations at the first configuration, and how many iterations that took.
  virtual EquationResiduals residuals() = 0;
  virtual int iterations() const = 0;
};

struct ConstrainedSolverEntry {
  std::string_view name;
  std::unique_ptr<ConstrainedSolver> (*make)(const ConstrainedBench& bench);
};

/// What others are compared with.
inline constexpr std::string_view kDenseSolver = "dense";

// The three forms of the library; what Eigen has; MuJoCo, which is not defined where it was not there for the build.
std::vector<ConstrainedSolverEntry> constrained_forms();
std::vector<ConstrainedSolverEntry> eigen_solvers();
std::vector<ConstrainedSolverEntry> mujoco_solvers();

/// All of them, in this order.
std::vector<ConstrainedSolverEntry> constrained_solvers();

/// For both dampings, relative to nothing: Λ⁻¹ of these robots is between 1e-2 and 1e3 per kg.
inline constexpr std::array kKktDampings{1e-8, 1.1e-8};

}  // namespace delassus::cli
