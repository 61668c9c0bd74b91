// Batch<T>: many states of one robot at once (docs/batch.md).
//
// Environments run side by side in the lanes of SIMD vectors, by the kernels that run one robot elsewhere, and blocks of them on
// threads. T is float or double.
//
// What an environment gets depends on its own numbers alone: not on how many others there are, where it stands among them, what
// they hold, or how many threads run. All are the same bits. Where environments of a block would go different ways (one is singular,
// holds a NaN, or has to refine a solve), each of them is run again by itself.
//
// Arrays are (B, n) or (B, n, n) views of any strides (batch_view.hpp). Those of rows are (B, max_rows()): beyond rows(e), inputs are not
// read and outputs are zero. An output may be an input of the same layout; any other overlap is an error that is not looked for. Verbs
// throw an Error that names the argument and its shape where that does not fit.
//
// Every verb returns how many environments have a status that is not ok; statuses() has all of them. If one is not ok, outputs of
// that environment are NaN, unless the status says that they are the best there is (kInaccurate, kInfeasible, kNotConverged).
// Results that are NaN or infinite always have a status: kNotFinite.
//
// A batch belongs to one thread at a time. Nothing of the library allocates after the first call of a verb with the constraints
// at hand; oneTBB may, when its threads start.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "delassus/batch/batch_view.hpp"
#include "delassus/constraints/constraint.hpp"
#include "delassus/constraints/state.hpp"
#include "delassus/math/error.hpp"
#include "delassus/math/scalars.hpp"
#include "delassus/operators/condensed.hpp"
#include "delassus/solvers/admm.hpp"
#include "delassus/solvers/contact_problem.hpp"
#include "delassus/solvers/proximal.hpp"

namespace delassus {

/// R⁻¹ of a batch: one number for all, one per environment, or one per row of each environment. A view: the numbers have to live as
/// long as the call that they are given to. All have to be positive.
template <class T>
class BatchDamping {
 public:
  enum class Kind : std::uint8_t { kScalar, kPerEnvironment, kPerRow };

  BatchDamping(T scalar)
      : kind_(Kind::kScalar), scalar_(scalar), values_(nullptr, 0, 0) {}  // NOLINT: implicit by design
  /// (B, 1).
  static BatchDamping per_environment(BatchView<const T> values) { return {Kind::kPerEnvironment, values}; }
  /// (B, Batch::max_rows()); what is beyond the rows of an environment is not read.
  static BatchDamping per_row(BatchView<const T> values) { return {Kind::kPerRow, values}; }

  Kind kind() const { return kind_; }
  T scalar() const { return scalar_; }
  const BatchView<const T>& values() const { return values_; }

 private:
  BatchDamping(Kind kind, const BatchView<const T>& values) : kind_(kind), scalar_(0), values_(values) {}

  Kind kind_;
  T scalar_;
  BatchView<const T> values_;
};

/// How a batch is made.
struct BatchOptions {
  int threads = 0;               // that verbs run on, the caller's among them; 0: as many as there are cores
  CondensedOptions condensed{};  // of the operators; a capacity is not needed and not read
  ProximalOptions proximal{};    // of constrained_dynamics
};

/// What contact_solve solves, beside Λ⁻¹ and the sets of the constraints; see ContactProblem and Admm.
template <class T>
struct BatchContactProblem {
  BatchView<const T> free_velocity;              // g: (B, max_rows())
  BatchView<const T> compliance{nullptr, 0, 0};  // R: (B, max_rows()), or nothing: rigid
  ContactLaw law = ContactLaw::kCoulomb;
  double time_step = 1;
};

template <class T>
class Batch {
  static_assert(FloatingPoint<T> && !std::same_as<T, long double>, "a Batch holds floats or doubles");
  static_assert(CompiledScalar<Pack<T, DELASSUS_PACK_BYTES / sizeof(T)>>,
                "Batch runs on vectors: build the library with DELASSUS_SCALARS=all");

 public:
  /// `size` environments without constraints. Throws an Error if an option makes no
  /// sense.
  Batch(const Model& model, int size, const BatchOptions& options = {});
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;
  ~Batch();

  const Model& model() const;
  int size() const;
  int threads() const;
  /// Environments in one vector, as wide as the registers of the level in use (docs/isa.md): 8 doubles or 16 floats with AVX-512.
  int lanes() const;
  /// Memory that the batch holds. Most of it are the factorizations of update, as long as there are some.
  std::size_t bytes() const;

  // ------------------------------------------------------------------------------------------------- constraints

  /// The same constraints for all environments, all of them active. Throws an Error that names a constraint which does not fit the
  /// model, and keeps what was.
  void set_constraints(std::span<const Constraint> constraints);
  /// Constraints of one environment alone. Environments whose constraints have the same structure (kinds, links, rows, in the same
  /// order) share vectors; their values (points, axes, gaps, sets) are their own. All constraints are active.
  void set_constraints(int environment, std::span<const Constraint> constraints);
  /// Switches constraints on and off: (B, most constraints of an environment). Rows of one that is off are zero: they take no part,
  /// their inputs are not read, their outputs are zero. Cheaper than other constraints: the structure stays.
  void set_active(BatchView<const bool> active);

  int num_constraints(int environment) const;
  /// Rows of an environment, those of constraints that are off included.
  int rows(int environment) const;
  int max_rows() const;
  /// Structures that differ: each has plans and vectors of its own.
  int num_structures() const;

  // --------------------------------------------------------------------------- dynamics without constraints, in lanes

  /// tau = M(q) a + h(q, v): RNEA. All (B, nv), q (B, nq).
  int inverse_dynamics(BatchIn<T> q, BatchIn<T> v, BatchIn<T> a, BatchOut<T> tau);
  /// M, (B, nv, nv), both triangles: CRBA.
  int inertia_matrix(BatchIn<T> q, BatchMatrixOut<T> M);
  /// a = M⁻¹ (tau - h): ABA.
  int forward_dynamics(BatchIn<T> q, BatchIn<T> v, BatchIn<T> tau, BatchOut<T> a);

  // ---------------------------------------------------- Λ⁻¹ = J M⁻¹ Jᵀ from q, in lanes; in one pass that keeps nothing

  /// y = Λ⁻¹ x.
  int apply_at(BatchIn<T> q, BatchIn<T> x, BatchOut<T> y);
  /// z = (R⁻¹ + Λ⁻¹)⁻¹ b.
  int solve_at(BatchIn<T> q, const BatchDamping<T>& damping, BatchIn<T> b, BatchOut<T> z);
  /// The matrix, (B, max_rows(), max_rows()): PV-OSIMr.
  int dense(BatchIn<T> q, BatchMatrixOut<T> matrix);

  // -------------------------------------- the same from factorizations that are kept: one for each block, see bytes()
  //
  // For batches that are asked again and again at the same q, and fit into the caches. In larger ones the verbs above are faster:
  // factorizing again takes less time than fetching a factorization from memory.

  /// Factors all environments at q. Other constraints, or other active ones, ask for a new update; so does the damping.
  int update(BatchIn<T> q);
  int apply(BatchIn<T> x, BatchOut<T> y);
  /// By products with unit vectors. From q alone the matrix takes less time.
  int dense(BatchMatrixOut<T> matrix);
  int update_damping(const BatchDamping<T>& damping);
  /// In environments whose damping failed, the status is that of the damping.
  int solve(BatchIn<T> b, BatchOut<T> z);

  // ------------------------------------------------- solvers: threads over environments, each with the scalar kernels

  /// ConstrainedDynamics of all: M a + h = tau + Jᵀ lambda, J a = -J̇ v (with `pull` towards the rows' positions). lambda is the start as
  /// well: zero if nothing better is known.
  int constrained_dynamics(BatchIn<T> q, BatchIn<T> v, BatchIn<T> tau, BatchOut<T> a, BatchOut<T> lambda,
                           const Baumgarte& pull = {});
  /// Admm on the condensed tree of each environment, in double precision. lambda is the start as well. certificates() has how each
  /// ended.
  int contact_solve(BatchIn<T> q, const BatchContactProblem<T>& problem, BatchOut<T> lambda,
                    const AdmmOptions& options = {});
  std::span<const ContactCertificate> certificates() const;

  /// Of the last verb, one per environment.
  std::span<const Status> statuses() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

#if DELASSUS_HAS_ALL_SCALARS
extern template class Batch<float>;
extern template class Batch<double>;
#endif

}  // namespace delassus
