#include "collision/broad_phase.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

/// Pairs for which there is room, per shape: a ball has no more than 12 others of its size around it.
constexpr int kPairsPerShape = 24;

/// Pairs up to which each is looked at: sorting and sweeping take longer than two or three comparisons for each.
constexpr std::size_t kMostListed = 512;

/// What is apart mostly is so along the first axis or the second, and in the same way as in the step before.
bool overlap_in_turn(const Bounds& a, const Bounds& b) {
  for (int k = 0; k < 3; ++k) {
    if (!(a.low[k] <= b.high[k]) || !(b.low[k] <= a.high[k])) return false;
  }
  return true;
}

bool overlap(const Bounds& a, const Bounds& b) {
  bool all = true;
  for (int k = 0; k < 3; ++k) all &= a.low[k] <= b.high[k] && b.low[k] <= a.high[k];
  return all;
}

/// The axis along which the bounds lie most apart.
int widest_axis(std::span<const Bounds> bounds) {
  Vec3<double> sum{{0, 0, 0}}, squares{{0, 0, 0}};
  int count = 0;
  for (const Bounds& b : bounds) {
    if (!std::isfinite(b.low[0]) || !std::isfinite(b.high[0])) continue;  // a plane
    ++count;
    for (int k = 0; k < 3; ++k) {
      sum[k] += b.low[k];
      squares[k] += b.low[k] * b.low[k];
    }
  }
  int widest = 0;
  double most = -1;
  for (int k = 0; k < 3; ++k) {
    const double variance = count * squares[k] - sum[k] * sum[k];
    if (variance > most) {
      most = variance;
      widest = k;
    }
  }
  return widest;
}

/// Insertion: little to do from one step to the next, and no trouble with what is not a number.
void sort_along(int axis, std::span<const Bounds> bounds, std::vector<std::int32_t>& order) {
  const auto low = [&](std::int32_t i) { return bounds[static_cast<std::size_t>(i)].low[axis]; };
  for (std::size_t k = 1; k < order.size(); ++k) {
    const std::int32_t moved = order[k];
    std::size_t hole = k;
    for (; hole > 0 && low(moved) < low(order[hole - 1]); --hole) order[hole] = order[hole - 1];
    order[hole] = moved;
  }
}

}  // namespace

BroadPhase::BroadPhase(const PairTable& table) {
  const int count = table.count();
  for (int i = 0; i < count; ++i) order_.push_back(i);
  pairs_.resize(static_cast<std::size_t>(count) * kPairsPerShape);
  for (int i = 0; i < count && listed_.size() <= kMostListed; ++i) {
    for (int j = i + 1; j < count; ++j) {
      if (table.get(i, j)) listed_.push_back({i, j});
    }
  }
  if (listed_.size() > kMostListed) listed_ = {};
}

bool BroadPhase::look_at_listed(std::span<const Bounds> bounds) {
  for (const Pair& pair : listed_) {
    if (!overlap_in_turn(bounds[static_cast<std::size_t>(pair.i)], bounds[static_cast<std::size_t>(pair.j)])) continue;
    if (static_cast<std::size_t>(num_pairs_) == pairs_.size()) return false;
    pairs_[static_cast<std::size_t>(num_pairs_++)] = pair;
  }
  return true;
}

bool BroadPhase::sweep_along(int axis, std::span<const Bounds> bounds, const PairTable& table) {
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const std::int32_t i = order_[k];
    const Bounds& here = bounds[static_cast<std::size_t>(i)];
    for (std::size_t l = k + 1; l < order_.size(); ++l) {
      const std::int32_t j = order_[l];
      const Bounds& there = bounds[static_cast<std::size_t>(j)];
      if (there.low[axis] > here.high[axis]) break;
      if (!overlap(here, there) || !table.get(i, j)) continue;
      if (static_cast<std::size_t>(num_pairs_) == pairs_.size()) return false;
      pairs_[static_cast<std::size_t>(num_pairs_++)] = {std::min(i, j), std::max(i, j)};
    }
  }
  return true;
}

bool BroadPhase::sweep(std::span<const Bounds> bounds, const PairTable& table) {
  const int axis = widest_axis(bounds);
  sort_along(axis, bounds, order_);
  if (!sweep_along(axis, bounds, table)) return false;
  std::sort(pairs_.begin(), pairs_.begin() + num_pairs_,
            [](const Pair& a, const Pair& b) { return a.i != b.i ? a.i < b.i : a.j < b.j; });
  return true;
}

bool BroadPhase::find(std::span<const Bounds> bounds, const PairTable& table) {
  num_pairs_ = 0;
  const bool fits = listed_.empty() ? sweep(bounds, table) : look_at_listed(bounds);
  if (!fits) num_pairs_ = 0;
  return fits;
}

}  // namespace delassus
