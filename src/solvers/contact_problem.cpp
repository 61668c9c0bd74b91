#include "delassus/solvers/contact_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "delassus/math/error.hpp"
#include "solvers/cone_lanes.hpp"

namespace delassus {
namespace {

[[noreturn]] void fail(std::size_t constraint, const char* what) {
  throw Error("constraint " + std::to_string(constraint) + ": " + what);
}

bool is_coefficient(double mu) { return mu >= 0 && std::isfinite(mu); }

ForceBlock block_of(const RowSpan& span, const ForceSet& set, double time_step, std::size_t constraint) {
  ForceBlock out;
  out.row = span.first_row;
  out.rows = span.rows;
  out.kind = set.kind;
  if (set.kind == SetKind::kBox) {
    if (!(set.bound >= 0)) fail(constraint, "the bound of its force has to be zero or more");
    out.bound = set.bound * time_step;
  }
  if (set.kind != SetKind::kFrictionCone) return out;
  if (span.rows > 6) fail(constraint, "a friction cone has at most six rows: n, t1, t2, and rotation about n, t1, t2");
  const double across = set.mu_across == 0 ? set.mu : set.mu_across;
  out.mu = {set.mu, across, set.mu_torsion, set.mu_rolling, set.mu_rolling};
  if (!std::ranges::all_of(out.mu, is_coefficient))
    fail(constraint, "its coefficients of friction have to be zero or more");
  return out;
}

/// Of a cone in its own axes: where every row has the coefficient `mu`.
void project_round(int rows, double mu, const double* x, double* y) {
  double square = 0;
  for (int k = 1; k < rows; ++k) square += x[k] * x[k];
  const double tangent = std::sqrt(square), normal = x[0];
  if (normal >= 0 && tangent <= mu * normal) {
    std::copy_n(x, rows, y);
    return;
  }
  if (mu * tangent <= -normal) {
    std::fill_n(y, rows, 0.0);
    return;
  }
  y[0] = (mu * tangent + normal) / (1 + mu * mu);
  const double share = mu * y[0] / tangent;
  for (int k = 1; k < rows; ++k) y[k] = share * x[k];
}

/// The multiplier τ >= 0 at which (1 - τ) S(τ) = p_n, with S = ‖p_k a_k / (a_k² + τ)‖ the normal part of the projection: stationarity gives
/// u_k = p_k a_k² / (a_k² + τ) and (1 - τ) u_n = p_n, and the cone's surface u_n = ‖u_k / a_k‖. The left side falls from ‖p_k / a_k‖
/// at zero to -‖a_k p_k‖ at infinity, so there is one root whenever p is neither in the cone nor in its polar.
double find_multiplier(int rows, const double* p, const double* a) {
  const auto value = [&](double tau, double& normal, double& slope) {
    double sum = 0, fall = 0;
    for (int k = 1; k < rows; ++k) {
      const double scale = a[k] * a[k] + tau, part = p[k] * a[k] / scale;
      sum += part * part;
      fall += part * part / scale;
    }
    normal = std::sqrt(sum);
    slope = normal > 0 ? -normal - (1 - tau) * fall / normal : -1.0;
    return (1 - tau) * normal - p[0];
  };
  constexpr int kMostSteps = 100;
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
  double low = 0, high = std::numeric_limits<double>::infinity(), tau = 1;
  for (int step = 0; step < kMostSteps; ++step) {
    double normal = 0, slope = 0;
    const double f = value(tau, normal, slope);
    (f > 0 ? low : high) = tau;
    double next = tau - f / slope;
    if (!(next > low && next < high)) next = std::isfinite(high) ? 0.5 * (low + high) : 4 * tau;
    if (std::abs(next - tau) <= kRounding * tau) return next;
    tau = next;
  }
  return tau;
}

void project_elliptic(int rows, const double* a, const double* p, double* u) {
  double inside = 0, polar = 0;
  for (int k = 1; k < rows; ++k) {
    inside += (p[k] / a[k]) * (p[k] / a[k]);
    polar += a[k] * p[k] * a[k] * p[k];
  }
  if (std::sqrt(inside) <= p[0]) {
    std::copy_n(p, rows, u);
    return;
  }
  if (std::sqrt(polar) <= -p[0]) {
    std::fill_n(u, rows, 0.0);
    return;
  }
  const double tau = find_multiplier(rows, p, a);
  double square = 0;
  for (int k = 1; k < rows; ++k) {
    const double share = a[k] / (a[k] * a[k] + tau);
    u[k] = p[k] * a[k] * share;
    square += p[k] * share * p[k] * share;
  }
  u[0] = std::sqrt(square);
}

/// Rows scaled by the roots of their weights relative to the normal's: there the metric is the plain one, and the cone has other
/// coefficients. Rows without friction bear nothing and are left out.
struct ScaledCone {
  ScaledCone(const ForceBlock& block, const double* weights, const double* x) {
    p[0] = x[0];
    for (int k = 1; k < block.rows; ++k) {
      const double mu = block.mu[static_cast<std::size_t>(k - 1)];
      if (mu == 0) continue;
      const auto c = static_cast<std::size_t>(count++);
      root[c] = std::sqrt(weights[k] / weights[0]);
      p[c] = root[c] * x[k];
      a[c] = root[c] * mu;
      row[c] = k;
      round = round && a[c] == a[1];
    }
  }

  /// Of p.
  void project(double* u) const {
    if (round) {
      project_round(count, count > 1 ? a[1] : 0.0, p.data(), u);
    } else {
      project_elliptic(count, a.data(), p.data(), u);
    }
  }

  std::array<double, 6> p{}, a{}, root{1};  // the point, coefficients, scales
  std::array<int, 6> row{};
  int count = 1;
  bool round = true;
};

void project_cone(const ForceBlock& block, const double* weights, const double* x, double* y) {
  const ScaledCone cone(block, weights, x);
  std::array<double, 6> u{};
  cone.project(u.data());
  std::fill_n(y, block.rows, 0.0);
  for (std::size_t c = 0; c < static_cast<std::size_t>(cone.count); ++c) y[cone.row[c]] = u[c] / cone.root[c];
}

/// On the surface c(u) = ½ (‖u_k / a_k‖² - u_n²) = 0 the projection is u + τ c'(u) = p, so that it has the derivative
/// A⁻¹ - A⁻¹ n nᵀ A⁻¹ / (nᵀ A⁻¹ n), with A = 1 + τ c'' and n = c'(u). A is singular at τ = 1, where p has no normal part, and the derivative
/// is not. With u_n² = ‖u_k / a_k‖² and m_k = u_k / (a_k² + τ), all of it over nᵀ A⁻¹ n (1 - τ) = Σ m_k u_k (1 + 1 / a_k²) = D, it is
///
///   P_nn = Σ m_k u_k / a_k² / D,   P_nk = u_n m_k / D,   P_kl = δ_kl a_k² / (a_k² + τ) - (1 - τ) m_k m_l / D
///
/// where no sum cancels. A common factor of u does not matter: that of 1 + τ keeps it large near the polar cone.
void elliptic_derivative(const ScaledCone& cone, int rows, double* derivative) {
  const double tau = find_multiplier(cone.count, cone.p.data(), cone.a.data());
  std::array<double, 6> u{}, m{};
  double normal = 0, sum = 0, total = 0;  // u_n², Σ m_k u_k / a_k², D
  const auto count = static_cast<std::size_t>(cone.count);
  for (std::size_t c = 1; c < count; ++c) {
    const double square = cone.a[c] * cone.a[c];
    u[c] = cone.p[c] * square * ((1 + tau) / (square + tau));
    m[c] = u[c] / (square + tau);
    normal += u[c] * u[c] / square;
    sum += m[c] * u[c] / square;
    total += m[c] * u[c] * (1 + 1 / square);
  }
  u[0] = std::sqrt(normal);
  const auto entry = [&](std::size_t i, std::size_t j) -> double& {
    return derivative[cone.row[i] * rows + cone.row[j]];
  };
  entry(0, 0) = sum / total;
  for (std::size_t i = 1; i < count; ++i) {
    const double square = cone.a[i] * cone.a[i];
    entry(0, i) = entry(i, 0) = u[0] * m[i] / total;
    for (std::size_t j = 1; j < count; ++j)
      entry(i, j) = (i == j ? square / (square + tau) : 0.0) - (1 - tau) * m[i] * (m[j] / total);
  }
}

/// Along the ray of the surface that the projection is on, the projection moves as the point does; across it in the plane of the tangents
/// by so much less as it is nearer to the tip: with d the direction of the tangents, w = (1, μ d) / √(1 + μ²),
///
///   P = w wᵀ + (‖y_t‖ / ‖p_t‖) (1 - d dᵀ).
void round_derivative(const ScaledCone& cone, int rows, double* derivative) {
  const auto count = static_cast<std::size_t>(cone.count);
  double square = 0;
  for (std::size_t c = 1; c < count; ++c) square += cone.p[c] * cone.p[c];
  const double mu = cone.a[1], tangent = std::sqrt(square), along = 1 / (1 + mu * mu);
  const double across = mu * along * (mu * tangent + cone.p[0]) / tangent;
  std::array<double, 6> w{1};
  for (std::size_t c = 1; c < count; ++c) w[c] = cone.p[c] / tangent;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      const double share = i > 0 && j > 0 ? mu * mu * along - across : (i + j > 0 ? mu * along : along);
      derivative[cone.row[i] * rows + cone.row[j]] = share * w[i] * w[j] + (i == j && i > 0 ? across : 0.0);
    }
  }
}

/// One where the point is inside, zero where it is in the polar cone, else that of the surface.
void cone_derivative(const ForceBlock& block, const double* weights, const double* x, double* derivative) {
  const ScaledCone cone(block, weights, x);
  std::array<double, 6> u{};
  cone.project(u.data());
  std::fill_n(derivative, block.rows * block.rows, 0.0);
  if (u[0] <= 0) return;
  if (u != cone.p && cone.count > 1) {
    return cone.round ? round_derivative(cone, block.rows, derivative)
                      : elliptic_derivative(cone, block.rows, derivative);
  }
  for (std::size_t c = 0; c < static_cast<std::size_t>(cone.count); ++c) derivative[cone.row[c] * (block.rows + 1)] = 1;
}

}  // namespace

void require_valid(const ContactProblem& problem) {
  std::vector<ForceBlock> blocks;
  list_force_blocks(problem, blocks);
}

void list_force_blocks(const ContactProblem& problem, std::vector<ForceBlock>& blocks) {
  if (problem.spans.size() != problem.sets.size()) {
    throw Error("argument 'problem' has " + std::to_string(problem.spans.size()) + " constraints and " +
                std::to_string(problem.sets.size()) + " sets: one set for each is needed");
  }
  const int rows = problem.spans.empty() ? 0 : problem.spans.back().first_row + problem.spans.back().rows;
  require_size("problem.free_velocity", problem.rows(), rows);
  if (problem.compliance.size() > 0) require_size("problem.compliance", problem.compliance.size(), rows);
  if (!(problem.time_step > 0 && std::isfinite(problem.time_step))) {
    throw Error("argument 'problem': time_step has to be positive");
  }
  blocks.clear();
  for (std::size_t c = 0; c < problem.spans.size(); ++c) {
    const RowSpan& span = problem.spans[c];
    blocks.push_back(block_of(span, problem.sets[c], problem.time_step, c));
    for (int r = span.first_row; r < span.first_row + span.rows; ++r) {
      if (!(problem.compliance_of(r) >= 0)) fail(c, "its compliance has to be zero or more");
    }
  }
}

Status measure_free_velocity(const ContactProblem& problem, std::span<const ForceBlock> blocks,
                             VectorView<const double> lambda, double& most) {
  most = 0;
  for (const ForceBlock& block : blocks) {
    for (int k = 0; k < block.rows; ++k) {
      const int r = block.row + k;
      const double g = problem.free_velocity[r];
      if (!std::isfinite(g) || !std::isfinite(lambda[r])) return {Status::Code::kNotFinite, r};
      const bool pushes = block.kind == SetKind::kNonNegative || (block.kind == SetKind::kFrictionCone && k == 0);
      most = std::max(most, pushes ? -g : std::abs(g));
    }
  }
  return {};
}

double sliding_speed(const ForceBlock& block, const double* velocity) {
  double square = 0;
  for (int k = 1; k < block.rows; ++k) {
    const double part = block.mu[static_cast<std::size_t>(k - 1)] * velocity[k];
    square += part * part;
  }
  return std::sqrt(square);
}

void project(const ForceBlock& block, const double* weights, const double* x, double* y) {
  switch (block.kind) {
    case SetKind::kEquality:
      std::copy_n(x, block.rows, y);
      return;
    case SetKind::kNonNegative:
      std::transform(x, x + block.rows, y, [](double value) { return std::max(value, 0.0); });
      return;
    case SetKind::kBox:
      std::transform(x, x + block.rows, y, [&](double value) { return std::clamp(value, -block.bound, block.bound); });
      return;
    case SetKind::kFrictionCone:
      if (is_round(block) && weights[0] == weights[1] && weights[0] == weights[2]) {
        double shorter = 0;
        return store_cones(y, project_cones(block.mu[0], load_cones<double>(x), shorter));
      }
      return project_cone(block, weights, x, y);
  }
}

void projection_derivative(const ForceBlock& block, const double* weights, const double* x, double* derivative) {
  if (block.kind == SetKind::kFrictionCone) return cone_derivative(block, weights, x, derivative);
  std::fill_n(derivative, block.rows * block.rows, 0.0);
  for (int k = 0; k < block.rows; ++k) {
    const bool inside = block.kind == SetKind::kEquality || (block.kind == SetKind::kNonNegative && x[k] > 0) ||
                        (block.kind == SetKind::kBox && std::abs(x[k]) < block.bound);
    derivative[k * (block.rows + 1)] = inside ? 1 : 0;
  }
}

}  // namespace delassus
