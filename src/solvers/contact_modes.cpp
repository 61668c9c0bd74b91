#include "solvers/contact_modes.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

/// Of a row that stands alone.
bool row_pushes(const ForceBlock& block, double force, double velocity) {
  switch (block.kind) {
    case SetKind::kNonNegative:
      return force > 0 || velocity < 0;
    case SetKind::kBox:
      return std::abs(force) < block.bound;
    default:
      return true;
  }
}

/// Whether the friction of a contact that presses is all that it can be.
bool is_on_surface(const ForceBlock& block, const double* force) {
  constexpr double kInside = 1 - 1e-6;
  double square = 0;
  for (int k = 1; k < block.rows; ++k) {
    const double mu = block.mu[static_cast<std::size_t>(k - 1)];
    if (mu > 0) square += (force[k] / mu) * (force[k] / mu);
  }
  return force[0] > 0 && square >= kInside * force[0] * force[0];
}

/// Rows of friction that are without any bear nothing.
bool has_idle_row(const ForceBlock& block) {
  return std::any_of(block.mu.begin(), block.mu.begin() + (block.rows - 1), [](double mu) { return !(mu > 0); });
}

}  // namespace

bool list_modes(std::span<const ForceBlock> blocks, std::span<const double> lambda, std::span<const double> sigma,
                std::vector<std::uint8_t>& pushes) {
  bool any = false;
  for (const ForceBlock& block : blocks) {
    const auto first = static_cast<std::size_t>(block.row), rows = static_cast<std::size_t>(block.rows);
    if (block.kind == SetKind::kFrictionCone) {
      if (is_on_surface(block, &lambda[first]) || has_idle_row(block)) return false;
      const bool touches = lambda[first] > 0 || sigma[first] < 0;
      std::fill_n(&pushes[first], rows, static_cast<std::uint8_t>(touches));
      any = any || touches;
      continue;
    }
    for (std::size_t r = first; r < first + rows; ++r) {
      pushes[r] = static_cast<std::uint8_t>(row_pushes(block, lambda[r], sigma[r]));
      any = any || pushes[r] != 0;
    }
  }
  return any;
}

}  // namespace delassus
