// Which shapes are near each other: boxes along the world's axes, pair by pair where few pairs can touch, else swept along one of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "delassus/math/mat.hpp"

namespace delassus {

struct Bounds {
  Vec3<double> low, high;
};

/// A yes or no for every pair of shapes.
class PairTable {
 public:
  explicit PairTable(int count = 0) : count_(count), cell_(index(count, 0)) {}

  bool get(int i, int j) const { return cell_[index(i, j)] != 0; }
  /// The order of the two does not matter.
  void set(int i, int j, bool value) { cell_[index(i, j)] = cell_[index(j, i)] = static_cast<char>(value); }
  int count() const { return count_; }

 private:
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(count_) + static_cast<std::size_t>(j);
  }

  int count_;
  std::vector<char> cell_;
};

class BroadPhase {
 public:
  struct Pair {
    std::int32_t i, j;  // i < j
    bool operator==(const Pair&) const = default;
  };

  BroadPhase() = default;
  /// Where few pairs of the table can touch, as of a robot's, they are listed here.
  explicit BroadPhase(const PairTable& table);

  /// Finds the pairs of the table whose bounds overlap. False if there are so many that looking at all pairs would be no
  /// slower; then there are none in pairs(). The table is the one of the constructor. Allocates nothing.
  bool find(std::span<const Bounds> bounds, const PairTable& table);

  /// In ascending order.
  std::span<const Pair> pairs() const { return {pairs_.data(), static_cast<std::size_t>(num_pairs_)}; }

 private:
  bool look_at_listed(std::span<const Bounds> bounds);
  bool sweep(std::span<const Bounds> bounds, const PairTable& table);
  bool sweep_along(int axis, std::span<const Bounds> bounds, const PairTable& table);

  std::vector<Pair> listed_;         // all that can touch, in ascending order; empty if they are many
  std::vector<std::int32_t> order_;  // along the axis of the last sweep: nearly the order of the next
  std::vector<Pair> pairs_;
  int num_pairs_ = 0;
};

}  // namespace delassus
