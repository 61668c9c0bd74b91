// Factorizations that a batch keeps between its verbs, one per block.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "batch/blocks.hpp"
#include "batch/engine.hpp"

namespace delassus {

/// Environments of a block that do not go together have no factorization: each verb makes it again from q, for each alone.
template <class T>
class KeptFactors {
 public:
  using In = BatchView<const T>;
  using Out = BatchView<T>;

  /// Forgets what was kept, and takes over q. Allocates for blocks beyond those before.
  void begin(const BatchEngine<T>& engine, int blocks, const In& q);
  /// Takes over a damping.
  void begin_damping(const BatchDamping<T>& damping);
  void drop() { updated_ = damped_ = false; }
  void drop_damping() { damped_ = false; }
  void finish() { updated_ = true; }
  void finish_damping() { damped_ = true; }
  bool is_updated() const { return updated_; }
  bool is_damped() const { return damped_; }

  // Verbs for Batch::Parts::run.

  Outcome factor(BatchEngine<T>& engine, const BatchBlock& block, int index);
  Outcome damp(BatchEngine<T>& engine, const BatchBlock& block, int index);
  /// Calls verb(factor) with the one of a block, damped if asked for.
  template <class Verb>
  Outcome with_factor(BatchEngine<T>& engine, const BatchBlock& block, int index, bool damped, Verb&& verb) {
    const auto at = static_cast<std::size_t>(index);
    if (!block.alone) return split_[at] || (damped && damping_split_[at]) ? Outcome{{}, true} : verb(*factors_[at]);
    BatchFactor& own = engine.factor_of(*block.structure);
    Outcome outcome = engine.factor(block, q(), FactorScope::kAll, own);
    if (outcome.together() && damped) outcome = engine.damp(block, own, damping());
    return outcome.together() ? verb(own) : outcome;
  }

  std::size_t bytes() const;

 private:
  In q() const { return {q_.data(), size_, size_ == 0 ? 0 : static_cast<int>(q_.size()) / size_}; }
  BatchDamping<T> damping() const;

  bool updated_ = false, damped_ = false;
  int size_ = 0;
  std::vector<T> q_;
  typename BatchDamping<T>::Kind damping_kind_{};
  T damping_scalar_{0};
  int damping_components_ = 0;
  std::vector<T> damping_;
  std::vector<std::unique_ptr<BatchFactor>> factors_;  // one per block
  std::vector<std::uint8_t> split_, damping_split_;    // per block: whether its environments do not go together
};

}  // namespace delassus
