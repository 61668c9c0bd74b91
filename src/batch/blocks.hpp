// Which environments run together.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "batch/engine.hpp"

namespace delassus {

/// Blocks of environments, each of one structure.
class BlockList {
 public:
  explicit BlockList(int width) : width_(width) {}

  int size() const { return static_cast<int>(entries_.size()); }
  BatchBlock operator[](int block) const {
    const Entry& entry = entries_[static_cast<std::size_t>(block)];
    return {entry.structure, lanes_.data() + static_cast<std::ptrdiff_t>(block) * width_, entry.count, entry.contiguous,
            false};
  }

  void clear() {
    entries_.clear();
    lanes_.clear();
  }
  /// Environments of one structure, ascending. Lanes that are left over repeat the last one.
  void add(const BatchStructure* structure, const std::vector<std::int32_t>& environments);

 private:
  struct Entry {
    const BatchStructure* structure;
    int count;
    bool contiguous;
  };

  int width_;
  std::vector<Entry> entries_;
  std::vector<std::int32_t> lanes_;
};

/// The constraints of a batch, and the structures that they have. Structures are kept for a while when no environment has them: who
/// walks comes back to them.
class BatchConstraints {
 public:
  /// Keeps the constraints in `sets`, which engines read.
  BatchConstraints(const Model& model, int size, int width, BatchSets& sets);

  void set(std::span<const Constraint> constraints);
  void set(int environment, std::span<const Constraint> constraints);
  void set_active(BatchView<const bool> active);

  const BatchStructure& structure_of(int environment) const {
    return *structures_[static_cast<std::size_t>(slot_of_[static_cast<std::size_t>(environment)])];
  }
  /// What environments have at most.
  struct Sizes {
    int rows = 0, constraints = 0;
    int structures = 0;  // that some environment has
  };
  const Sizes& sizes() const {
    if (!measured_) measure();
    return sizes_;
  }

  /// Blocks by structure, up to date. `forget(slot)` is called for structures that are given up.
  template <class Forget>
  const BlockList& blocks(Forget&& forget) {
    if (!grouped_) {
      group();
      for (const int slot : given_up_) forget(slot);
      given_up_.clear();
    }
    return blocks_;
  }
  template <class F>
  void for_each_structure(F&& f) const {
    for (std::size_t s = 0; s < structures_.size(); ++s) {
      if (structures_[s] && !members_[s].empty()) f(*structures_[s]);
    }
  }

 private:
  int find_structure(std::span<const Constraint> constraints);
  void fill_own(OwnSet& own, int slot, std::span<const Constraint> constraints) const;
  void measure() const;
  void group();
  void give_up_structures();

  Model model_;
  int size_;
  BatchSets& sets_;
  std::vector<std::unique_ptr<BatchStructure>> structures_;  // by slot
  std::vector<RowStructure> rows_;                           // by slot
  std::vector<std::vector<std::int32_t>> members_;           // by slot
  std::vector<int> slot_of_;                                 // per environment
  std::vector<int> given_up_;
  RowStructure scratch_;
  mutable Sizes sizes_;
  mutable bool measured_ = false;
  bool grouped_ = false;
  BlockList blocks_;
};

}  // namespace delassus
