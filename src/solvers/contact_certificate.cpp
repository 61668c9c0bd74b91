#include "delassus/solvers/contact_problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace delassus {
namespace {

/// Of one constraint, impulses and velocities.
struct BlockResiduals {
  double primal = 0, dual = 0, complementarity = 0, impulse = 0, velocity = 0;
};

/// The larger one; what is not a number is the largest.
void take(double& most, double value) {
  if (!(value <= most)) most = value;
}

/// The largest mobility of the block's rows, for all of them: the law is the same for any, and this one shows the least force. Rows that
/// nothing moves count as rows of unit mass.
double mobility_of(const ForceBlock& block, const double* mobility) {
  const double most = *std::max_element(mobility, mobility + block.rows);
  return most > kImmovable ? most : 1.0;
}

void measure_cone(const ForceBlock& block, double shift, const double* x, const double* v, BlockResiduals& out) {
  double square = 0, work = 0;
  for (int k = 1; k < block.rows; ++k) {
    const double mu = block.mu[static_cast<std::size_t>(k - 1)];
    work += x[k] * v[k];
    if (mu > 0) {
      square += (x[k] / mu) * (x[k] / mu);
    } else if (x[k] != 0) {
      square = std::numeric_limits<double>::infinity();
    }
  }
  out.primal = std::max(0.0, std::sqrt(square) - x[0]);
  out.dual = std::max(0.0, sliding_speed(block, v) - v[0] - shift);
  out.complementarity = std::abs(work + x[0] * (v[0] + shift));
}

/// Rows of their own: equalities, limits, bounds.
void measure_rows(const ForceBlock& block, const double* x, const double* v, BlockResiduals& out) {
  for (int k = 0; k < block.rows; ++k) {
    double primal = 0, dual = 0, work = 0;
    if (block.kind == SetKind::kNonNegative) {
      primal = std::max(0.0, -x[k]);
      dual = std::max(0.0, -v[k]);
      work = std::abs(x[k] * v[k]);
    } else if (block.kind != SetKind::kEquality && std::isfinite(block.bound)) {
      primal = std::max(0.0, std::abs(x[k]) - block.bound);
      work = std::abs(block.bound * std::abs(v[k]) + x[k] * v[k]);
    } else {
      dual = std::abs(v[k]);
    }
    out.primal = std::max(out.primal, primal);
    out.dual = std::max(out.dual, dual);
    out.complementarity = std::max(out.complementarity, work);
  }
}

/// ‖s λ - Π_K(s λ - σ - Γ)‖, as σ + Γ less what Π_K adds to its argument: however large forces are beside velocities, rounding can add
/// to what is missed, but not take a velocity from it.
double missed_law(const ForceBlock& block, double shift, double scale, const double* x, const double* v) {
  constexpr std::size_t kChunk = 6;
  double most = 0;
  // Rows of equalities, limits and bounds stand alone, so those with many go through in pieces.
  ForceBlock piece = block;
  piece.bound *= scale;
  for (int first = 0; first < block.rows; first += piece.rows) {
    std::array<double, kChunk> weights{}, velocity{}, point{}, nearest{};
    piece.rows = std::min(block.rows - first, static_cast<int>(kChunk));
    weights.fill(1);
    for (int k = 0; k < piece.rows; ++k) {
      const auto i = static_cast<std::size_t>(k);
      velocity[i] = v[first + k] + (first + k == 0 ? shift : 0.0);
      point[i] = scale * x[first + k] - velocity[i];
    }
    project(piece, weights.data(), point.data(), nearest.data());
    for (std::size_t k = 0; k < static_cast<std::size_t>(piece.rows); ++k)
      take(most, std::abs(velocity[k] - (nearest[k] - point[k])));
  }
  return most;
}

BlockResiduals measure(const ForceBlock& block, ContactLaw law, const double* mobility, const double* x,
                       const double* v) {
  BlockResiduals out;
  const bool cone = block.kind == SetKind::kFrictionCone;
  const double shift = cone && law == ContactLaw::kCoulomb ? sliding_speed(block, v) : 0.0;
  if (cone) {
    measure_cone(block, shift, x, v, out);
  } else {
    measure_rows(block, x, v, out);
  }
  const double scale = mobility_of(block, mobility);
  out.velocity = missed_law(block, shift, scale, x, v);
  out.impulse = out.velocity / scale;
  return out;
}

/// Entries of Λ⁻¹ are at most the root of the product of their two on the diagonal, and each term of a product is rounded.
double measure_rounding(std::span<const ForceBlock> blocks, VectorView<const double> mobility,
                        VectorView<const double> lambda) {
  double sum = 0, most = 0;
  for (const ForceBlock& block : blocks) {
    for (int r = block.row; r < block.row + block.rows; ++r) {
      const double root = std::sqrt(mobility[r]);
      sum += root * std::abs(lambda[r]);
      take(most, root);
    }
  }
  return std::numeric_limits<double>::epsilon() * most * sum;
}

}  // namespace

std::string_view name_of(StopReason reason) {
  switch (reason) {
    case StopReason::kNone:
      return "nothing to solve";
    case StopReason::kSolved:
      return "solved";
    case StopReason::kIterations:
      return "iterations ran out";
    case StopReason::kStalled:
      return "no more progress";
    case StopReason::kFailed:
      return "failed";
    case StopReason::kInfeasible:
      return "no forces do what is asked";
  }
  return "";
}

ContactResiduals measure_residuals(std::span<const ForceBlock> blocks, const ContactProblem& problem,
                                   VectorView<const double> mobility, VectorView<const double> lambda,
                                   VectorView<const double> sigma) {
  ContactResiduals out;
  for (std::size_t c = 0; c < blocks.size(); ++c) {
    const int row = blocks[c].row;
    const BlockResiduals one =
        measure(blocks[c], problem.law, mobility.data() + row, lambda.data() + row, sigma.data() + row);
    if (out.constraint < 0 || !(one.velocity <= out.velocity)) out.constraint = static_cast<int>(c);
    take(out.primal, one.primal / problem.time_step);
    take(out.dual, one.dual);
    take(out.complementarity, one.complementarity);
    take(out.force, one.impulse / problem.time_step);
    take(out.velocity, one.velocity);
  }
  out.rounding = measure_rounding(blocks, mobility, lambda);
  return out;
}

void add_free_velocity(const ContactProblem& problem, VectorView<const double> lambda, VectorView<double> sigma) {
  for (int r = 0; r < problem.rows(); ++r) sigma[r] += problem.compliance_of(r) * lambda[r] + problem.free_velocity[r];
}

void CertificateWork::reserve(int constraints, int rows) {
  blocks.reserve(static_cast<std::size_t>(constraints));
  mobility.reserve(static_cast<std::size_t>(rows));
  sigma.reserve(static_cast<std::size_t>(rows));
}

}  // namespace delassus
