#include "solvers/scaled_contact.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {

void ScaledContact::reserve(int rows) {
  const auto n = static_cast<std::size_t>(rows);
  cones_.reserve(n);
  roles_.reserve(n);
  scales_.reserve(n);
  bounds_.reserve(n);
}

void ScaledContact::find(std::span<const ForceBlock> blocks, const ContactProblem& problem,
                         const std::vector<double>& mobility) {
  const auto n = static_cast<std::size_t>(problem.rows());
  cones_.clear();
  roles_.resize(n);
  scales_.resize(n);
  bounds_.resize(n);
  degree_ = 0;
  for (const ForceBlock& block : blocks) {
    if (block.kind == SetKind::kFrictionCone) {
      add_cone(block, mobility);
      continue;
    }
    for (int k = 0; k < block.rows; ++k) {
      const auto r = static_cast<std::size_t>(block.row + k);
      add_row(block, r, mobility[r]);
    }
  }
  degree_ = std::max(degree_, 1);
  measure(blocks, problem);
}

/// The normal has the scale at which the row that yields most yields one, and the others theirs times it.
void ScaledContact::add_cone(const ForceBlock& block, const std::vector<double>& mobility) {
  ConeRows cone;
  double most = 0;
  for (int k = 0; k < block.rows; ++k) {
    const auto r = static_cast<std::size_t>(block.row + k);
    const double mu = k == 0 ? 1 : block.mu[static_cast<std::size_t>(k - 1)];
    roles_[r] = mu > 0 ? RowRole::kCone : RowRole::kIdle;
    scales_[r] = mu > 0 ? mu : 1;
    bounds_[r] = 0;
    if (mu == 0) continue;
    cone.rows[static_cast<std::size_t>(cone.count++)] = block.row + k;
    most = std::max(most, mu * mu * mobility[r]);
  }
  const double unit = 1 / std::sqrt(most);
  for (int r = block.row; r < block.row + block.rows; ++r) scales_[static_cast<std::size_t>(r)] *= unit;
  cones_.push_back(cone);
  ++degree_;
}

void ScaledContact::add_row(const ForceBlock& block, std::size_t row, double mobility) {
  scales_[row] = 1 / std::sqrt(mobility);
  bounds_[row] = 0;
  roles_[row] = RowRole::kHeld;
  if (block.kind == SetKind::kNonNegative) {
    roles_[row] = RowRole::kCone;
    cones_.push_back({1, {static_cast<int>(row)}});
    ++degree_;
  } else if (block.kind == SetKind::kBox && std::isfinite(block.bound)) {
    roles_[row] = block.bound > 0 ? RowRole::kBounded : RowRole::kIdle;
    bounds_[row] = block.bound;
    degree_ += block.bound > 0 ? 2 : 0;
  }
}

/// What parts by itself does not count.
void ScaledContact::measure(std::span<const ForceBlock> blocks, const ContactProblem& problem) {
  size_ = 0;
  for (const ForceBlock& block : blocks) {
    for (int k = 0; k < block.rows; ++k) {
      const auto r = static_cast<std::size_t>(block.row + k);
      if (roles_[r] == RowRole::kIdle) continue;
      const bool pushes = block.kind == SetKind::kNonNegative || (block.kind == SetKind::kFrictionCone && k == 0);
      const double g = problem.free_velocity[block.row + k] * scales_[r];
      size_ = std::max(size_, pushes ? -g : std::abs(g));
    }
  }
  for (std::size_t r = 0; r < bounds_.size(); ++r) {
    if (roles_[r] == RowRole::kBounded && size_ > 0) bounds_[r] /= scales_[r] * size_;
  }
}

}  // namespace delassus
