// Newton's steps with the derivative of the shift.
#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/contact_newton_work.hpp"

namespace delassus {
namespace {

/// Contacts whose shift has its derivative in Newton's steps: memory grows with their square.
constexpr std::size_t kMostSliding = 256;

/// x ← a⁻¹ x for a matrix of n × n by rows, by elimination with the largest pivots of columns.
void solve_small(int n, double* a, double* x) {
  for (int p = 0; p < n; ++p) {
    int best = p;
    for (int r = p + 1; r < n; ++r) {
      if (std::abs(a[r * n + p]) > std::abs(a[best * n + p])) best = r;
    }
    if (best != p) {
      std::swap_ranges(a + best * n, a + best * n + n, a + p * n);
      std::swap(x[best], x[p]);
    }
    for (int r = p + 1; r < n; ++r) {
      const double factor = a[r * n + p] / a[p * n + p];
      for (int k = p; k < n; ++k) a[r * n + k] -= factor * a[p * n + k];
      x[r] -= factor * x[p];
    }
  }
  for (int r = n - 1; r >= 0; --r) {
    for (int k = r + 1; k < n; ++k) x[r] -= a[r * n + k] * x[k];
    x[r] /= a[r * n + r];
  }
}

}  // namespace

void ContactNewton::Work::reserve_sliding(int constraints) {
  const std::size_t n = std::min(kMostSliding, static_cast<std::size_t>(constraints));
  sliding_.reserve(n);
  rates_.reserve(n);
  couplings_.reserve(n * n);
}

/// Contacts that move along their plane by more than the tolerance, and what their shift changes by.
void ContactNewton::Work::list_sliding() {
  sliding_.clear();
  for (std::size_t b = 0; b < blocks_.size() && shift_ == Shift::kExact && sliding_.size() < kMostSliding; ++b) {
    const ForceBlock& block = blocks_[b];
    const double* velocity = &sigma_[static_cast<std::size_t>(block.row)];
    const double speed = block.kind == SetKind::kFrictionCone ? sliding_speed(block, velocity) : 0;
    if (speed <= tolerance_ || target_[static_cast<std::size_t>(block.row)] == 0) continue;
    Sliding& here = sliding_.emplace_back();
    here.block = static_cast<int>(b);
    for (std::size_t k = 1; k < static_cast<std::size_t>(block.rows); ++k) {
      here.gradient[k] = share_ * block.mu[k - 1] * block.mu[k - 1] * velocity[k] / speed;
    }
  }
  rates_.resize(sliding_.size());
  couplings_.resize(sliding_.size() * sliding_.size());
}

/// wᵀ (Λ⁻¹ + R) x of all sliding contacts, for x = (B + R + Λ⁻¹)⁻¹ e_n of one: (Λ⁻¹ + R) x = e_n - B x.
void ContactNewton::Work::keep_column(std::size_t c) {
  const std::size_t n = sliding_.size();
  for (std::size_t d = 0; d < n; ++d) {
    const ForceBlock& block = blocks_[static_cast<std::size_t>(sliding_[d].block)];
    double sum = c == d ? 1 : 0;
    for (int k = 0; k < block.rows; ++k) {
      sum -= sliding_[d].damped[static_cast<std::size_t>(k)] * step_product_[static_cast<std::size_t>(block.row + k)];
    }
    couplings_[d * n + c] = sum;
  }
}

/// Takes what the shifts change by from the right-hand side.
void ContactNewton::Work::turn_right_side() {
  for (std::size_t d = 0; d < sliding_.size(); ++d) {
    const ForceBlock& block = blocks_[static_cast<std::size_t>(sliding_[d].block)];
    double sum = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(block.rows); ++k) {
      const std::size_t r = static_cast<std::size_t>(block.row) + k;
      sum += sliding_[d].gradient[k] * right_[r] - sliding_[d].damped[k] * step_[r];
    }
    rates_[d] = sum;
  }
  solve_small(static_cast<int>(sliding_.size()), couplings_.data(), rates_.data());
  for (std::size_t d = 0; d < sliding_.size(); ++d) {
    right_[static_cast<std::size_t>(blocks_[static_cast<std::size_t>(sliding_[d].block)].row)] -= rates_[d];
  }
}

/// B w
void ContactNewton::Work::damp_sliding(Sliding& contact, int rows, const double* damping) {
  for (int k = 0; k < rows; ++k) {
    double sum = 0;
    for (int j = 0; j < rows; ++j) sum += damping[k * rows + j] * contact.gradient[static_cast<std::size_t>(j)];
    contact.damped[static_cast<std::size_t>(k)] = sum;
  }
}

/// By how much forces and target miss each other at λ + length δ, as squared velocities.
double ContactNewton::Work::miss(double length) {
  find_target(length);
  double sum = 0;
  for (std::size_t r = 0; r < force_.size(); ++r) {
    const double velocity = mobility_.mobility()[r] * (force_[r] + length * step_[r] - target_[r]);
    sum += velocity * velocity;
  }
  return sum;
}

/// Halved until forces and target come closer to each other.
double ContactNewton::Work::find_length_by_miss() {
  constexpr double kCloserByPart = 2e-4;
  constexpr int kMostHalvings = 10;
  const double before = miss(0);
  double length = 1;
  for (int k = 0; k < kMostHalvings && miss(length) > (1 - kCloserByPart * length) * before; ++k) length *= 0.5;
  return length;
}

}  // namespace delassus
