// What runs the environments of one block, one per lane. The only part of a batch that is compiled for an instruction set: everything
// else (threads, shapes, constraints, statuses) is outside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "delassus/batch/batch.hpp"
#include "delassus/batch/batch_view.hpp"
#include "delassus/constraints/constraint.hpp"
#include "delassus/constraints/rows.hpp"
#include "delassus/math/error.hpp"
#include "delassus/operators/condensed.hpp"

namespace delassus {

/// Environments whose constraints have the same structure.
struct BatchStructure {
  int slot = 0;  // by which engines know it
  int rows = 0;
  std::vector<Constraint> constraints;  // of one of them, for the structure
  std::vector<RowSpan> spans;
};

/// Which environment each lane holds.
struct BatchBlock {
  const BatchStructure* structure;
  const std::int32_t* environment;  // one per lane
  int count;                        // the first so many are written; lanes beyond repeat the last of them
  bool contiguous;                  // all lanes hold environments, one after the other
  bool alone;                       // all lanes hold the same: nothing can diverge
};

/// What of a contact may differ between environments of one structure: its point in the frame of its link, and n, t1, t2 in world axes.
struct ContactNumbers {
  Vec3<double> point;
  Mat3<double> axes;
};

/// Constraints of one environment alone.
struct OwnSet {
  std::vector<Constraint> constraints;
  /// One per constraint, of those that are contacts.
  std::vector<ContactNumbers> contacts;
  /// Whether the others are those of the structure.
  bool contacts_only = false;
};

/// The constraints of all environments.
struct BatchSets {
  std::span<const Constraint> of(int environment) const {
    return shared ? std::span<const Constraint>(all)
                  : std::span<const Constraint>(own[static_cast<std::size_t>(environment)].constraints);
  }
  bool is_active(int environment, int constraint) const {
    return active.empty() || active[static_cast<std::size_t>(environment) * active_stride + constraint] != 0;
  }

  bool shared = true;
  std::vector<Constraint> all;       // if shared
  std::vector<OwnSet> own;           // else
  std::vector<std::uint8_t> active;  // per environment and constraint; empty: all are
  std::size_t active_stride = 0;
};

/// Whether what was written with a status may be used: the best that there is.
inline bool has_result(const Status& status) {
  switch (status.code) {
    case Status::Code::kOk:
    case Status::Code::kInaccurate:
    case Status::Code::kInfeasible:
    case Status::Code::kNotConverged:
      return true;
    default:
      return false;
  }
}

/// How a verb went on a block. A block that failed or diverged wrote nothing, unless it held one environment alone.
struct Outcome {
  Status status;
  bool diverged = false;         // lanes would have gone different ways, each by itself
  const Status* each = nullptr;  // of lanes that went together to ends of their own; valid until the engine's next verb

  bool together() const { return status.ok() && !diverged; }
};

/// A factorization of one block that is kept.
class BatchFactor {
 public:
  virtual ~BatchFactor() = default;
  virtual std::size_t bytes() const = 0;
};

/// Workspaces of one thread.
template <class T>
class BatchEngine {
 public:
  using In = BatchView<const T>;
  using Out = BatchView<T>;
  using MatrixOut = BatchMatrixView<T>;

  virtual ~BatchEngine() = default;
  virtual int width() const = 0;
  virtual std::size_t bytes() const = 0;

  virtual Outcome inverse_dynamics(const BatchBlock& block, In q, In v, In a, Out tau) = 0;
  virtual Outcome inertia_matrix(const BatchBlock& block, In q, MatrixOut M) = 0;
  virtual Outcome forward_dynamics(const BatchBlock& block, In q, In v, In tau, Out a) = 0;

  /// Ready for blocks of a structure. Allocates.
  virtual void prepare(const BatchStructure& structure) = 0;
  virtual void forget(int slot) = 0;
  virtual std::unique_ptr<BatchFactor> make_factor() const = 0;
  /// The engine's own, for one pass.
  virtual BatchFactor& factor_of(const BatchStructure& structure) = 0;

  /// Ready for matrix(). Allocates.
  virtual void prepare_matrix(const BatchStructure& structure) = 0;
  /// Room for matrices of so many rows: those of inertia_matrix() and dense().
  virtual void reserve_matrix(int rows) = 0;
  /// The matrix from q, by an algorithm that makes nothing else.
  virtual Outcome matrix(const BatchBlock& block, In q, MatrixOut matrix) = 0;

  /// `scope`: what verbs will ask of it.
  virtual Outcome factor(const BatchBlock& block, In q, FactorScope scope, BatchFactor& out) = 0;
  virtual Outcome apply(const BatchBlock& block, BatchFactor& factor, In x, Out y) = 0;
  virtual Outcome dense(const BatchBlock& block, BatchFactor& factor, MatrixOut matrix) = 0;
  virtual Outcome damp(const BatchBlock& block, BatchFactor& factor, const BatchDamping<T>& damping) = 0;
  virtual Outcome solve(const BatchBlock& block, BatchFactor& factor, In b, Out z) = 0;
};

/// The sets have to live as long as the engine.
std::unique_ptr<BatchEngine<double>> make_engine_double(const Model& model, const BatchSets& sets,
                                                        const BatchOptions& options);
std::unique_ptr<BatchEngine<float>> make_engine_float(const Model& model, const BatchSets& sets,
                                                      const BatchOptions& options);

}  // namespace delassus
