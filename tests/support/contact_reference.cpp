#include "support/contact_reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus::testing {
namespace {

using Real = long double;
using Vector = std::vector<Real>;
using Dense = oracle::Matrix<Real>;

Real size_of(const Vector& x, std::size_t first, std::size_t last) {
  Real square = 0;
  for (std::size_t k = first; k < last; ++k) square += x[k] * x[k];
  return std::sqrt(square);
}

/// Solves H x = b by LDLᵀ. Directions without stiffness, as rows that say the same have, stay at zero.
Vector solve_semidefinite(Dense H, Vector b) {
  constexpr Real kNothing = 1e-18L;
  const int n = H.rows();
  for (int j = 0; j < n; ++j) {
    const Real before = H(j, j);
    for (int k = 0; k < j; ++k) {
      if (std::isfinite(H(k, k))) H(j, j) -= H(j, k) * H(j, k) * H(k, k);
    }
    if (!(H(j, j) > kNothing * before)) H(j, j) = std::numeric_limits<Real>::infinity();
    for (int i = j + 1; i < n; ++i) {
      Real sum = H(i, j);
      for (int k = 0; k < j; ++k) {
        if (std::isfinite(H(k, k))) sum -= H(i, k) * H(j, k) * H(k, k);
      }
      H(i, j) = std::isfinite(H(j, j)) ? sum / H(j, j) : 0;
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) b[static_cast<std::size_t>(i)] -= H(i, k) * b[static_cast<std::size_t>(k)];
  }
  for (int i = n - 1; i >= 0; --i) {
    b[static_cast<std::size_t>(i)] /= H(i, i);
    for (int k = i + 1; k < n; ++k) b[static_cast<std::size_t>(i)] -= H(k, i) * b[static_cast<std::size_t>(k)];
  }
  return b;
}

/// Solves D x = b by elimination with complete pivoting; what is left when pivots become nothing stays at zero.
Vector solve_any(Dense D, Vector b) {
  constexpr Real kNothing = 1e-15L;
  const int n = D.rows();
  std::vector<int> column(b.size());
  for (int k = 0; k < n; ++k) column[static_cast<std::size_t>(k)] = k;
  int rank = 0;
  Real largest = 0;
  for (; rank < n; ++rank) {
    int row = rank, col = rank;
    for (int r = rank; r < n; ++r) {
      for (int c = rank; c < n; ++c) {
        if (std::abs(D(r, c)) > std::abs(D(row, col))) row = r, col = c;
      }
    }
    largest = std::max(largest, std::abs(D(row, col)));
    if (!(std::abs(D(row, col)) > kNothing * largest)) break;
    for (int c = 0; c < n; ++c) std::swap(D(row, c), D(rank, c));
    for (int r = 0; r < n; ++r) std::swap(D(r, col), D(r, rank));
    std::swap(b[static_cast<std::size_t>(row)], b[static_cast<std::size_t>(rank)]);
    std::swap(column[static_cast<std::size_t>(col)], column[static_cast<std::size_t>(rank)]);
    for (int r = rank + 1; r < n; ++r) {
      const Real share = D(r, rank) / D(rank, rank);
      if (share == 0) continue;
      for (int c = rank; c < n; ++c) D(r, c) -= share * D(rank, c);
      b[static_cast<std::size_t>(r)] -= share * b[static_cast<std::size_t>(rank)];
    }
  }
  Vector x(b.size(), 0);
  for (int r = rank - 1; r >= 0; --r) {
    Real sum = b[static_cast<std::size_t>(r)];
    for (int c = r + 1; c < rank; ++c)
      sum -= D(r, c) * x[static_cast<std::size_t>(column[static_cast<std::size_t>(c)])];
    x[static_cast<std::size_t>(column[static_cast<std::size_t>(r)])] = sum / D(r, r);
  }
  return x;
}

// ------------------------------------------------------------------------------------------------ interior points
// Slacks s = F λ + f and multipliers z, both in Lorentz cones s_0 >= ‖s_k‖, of which a half line is one of size 1.

struct Slack {
  int row;
  Real factor, offset;  // s = factor λ_row + offset
};

struct Cone {
  std::size_t first, last;
};

/// Distance to the surface times its mirror image: s_0² - ‖s_k‖², without cancelling more than it must.
Real determinant(const Vector& s, const Cone& c) {
  const Real tangent = size_of(s, c.first + 1, c.last);
  return (s[c.first] - tangent) * (s[c.first] + tangent);
}

bool is_inside(const Vector& s, const Cone& c) { return s[c.first] > size_of(s, c.first + 1, c.last); }

/// x ∘ y, the product that Lorentz cones are the squares of.
Vector circle(const Vector& x, const Vector& y, const std::vector<Cone>& cones) {
  Vector out(x.size(), 0);
  for (const Cone& c : cones) {
    for (std::size_t k = c.first; k < c.last; ++k) {
      out[c.first] += x[k] * y[k];
      if (k > c.first) out[k] = x[c.first] * y[k] + y[c.first] * x[k];
    }
  }
  return out;
}

/// y with x ∘ y = b.
Vector divide(const Vector& x, const Vector& b, const std::vector<Cone>& cones) {
  Vector out(x.size(), 0);
  for (const Cone& c : cones) {
    Real product = 0;
    for (std::size_t k = c.first + 1; k < c.last; ++k) product += x[k] * b[k];
    out[c.first] = (x[c.first] * b[c.first] - product) / determinant(x, c);
    for (std::size_t k = c.first + 1; k < c.last; ++k) out[k] = (b[k] - out[c.first] * x[k]) / x[c.first];
  }
  return out;
}

/// The scaling W of Nesterov and Todd: symmetric, and W z = W⁻¹ s.
class Scaling {
 public:
  Scaling(const Vector& s, const Vector& z, const std::vector<Cone>& cones) : cones_(cones), w_(s.size()) {
    for (const Cone& c : cones) {
      const Real ds = std::sqrt(determinant(s, c)), dz = std::sqrt(determinant(z, c));
      Real product = 0;
      for (std::size_t k = c.first; k < c.last; ++k) product += s[k] * z[k];
      const Real gamma = std::sqrt((1 + product / (ds * dz)) / 2);
      for (std::size_t k = c.first; k < c.last; ++k) {
        w_[k] = (s[k] / ds + (k == c.first ? z[k] : -z[k]) / dz) / (2 * gamma);
      }
      size_.push_back(std::sqrt(ds / dz));
    }
  }
  Vector times(const Vector& x) const { return product(x, 1); }
  Vector inverse_times(const Vector& x) const { return product(x, -1); }

 private:
  Vector product(const Vector& x, Real sign) const {
    Vector out(x.size());
    for (std::size_t i = 0; i < cones_.size(); ++i) {
      const Cone& c = cones_[i];
      const Real scale = sign > 0 ? size_[i] : 1 / size_[i];
      Real dot = 0;
      for (std::size_t k = c.first + 1; k < c.last; ++k) dot += w_[k] * x[k];
      out[c.first] = scale * (w_[c.first] * x[c.first] + sign * dot);
      const Real share = sign * x[c.first] + dot / (1 + w_[c.first]);
      for (std::size_t k = c.first + 1; k < c.last; ++k) out[k] = scale * (x[k] + share * w_[k]);
    }
    return out;
  }

  const std::vector<Cone>& cones_;
  Vector w_, size_;
};

/// How far one can go from s along d and stay inside, at most 1: by halving, which is exact enough for a method that stays away from
/// the surface.
Real longest_step(const Vector& s, const Vector& d, const std::vector<Cone>& cones) {
  const auto inside = [&](Real length) {
    Vector x(s.size());
    for (std::size_t k = 0; k < s.size(); ++k) x[k] = s[k] + length * d[k];
    return std::all_of(cones.begin(), cones.end(), [&](const Cone& c) { return is_inside(x, c); });
  };
  if (inside(1)) return 1;
  Real low = 0, high = 1;
  for (int k = 0; k < 40; ++k) (inside((low + high) / 2) ? low : high) = (low + high) / 2;
  return low;
}

class ConvexSolver {
 public:
  explicit ConvexSolver(const ReferenceProblem& problem) : problem_(problem), fixed_(problem.g.size(), false) {
    for (std::size_t i = 0; i < problem.spans.size(); ++i) add_set(problem.spans[i], problem.sets[i]);
  }

  Vector solve(const Vector& g) {
    constexpr int kMostSteps = 100, kMostPolish = 8;
    begin(g);
    for (int step = 0; step < kMostSteps && !cones_.empty() && advance(g); ++step) {
    }
    if (cones_.empty()) return step_without_cones(g);
    for (int step = 0; step < kMostPolish && polish(g); ++step) {
    }
    return x_;
  }

 private:
  void add(int row, Real factor, Real offset) { slacks_.push_back({row, factor, offset}); }
  void close(std::size_t first) { cones_.push_back({first, slacks_.size()}); }

  void add_set(const RowSpan& span, const ForceSet& set) {
    const int last = span.first_row + span.rows;
    const std::size_t first = slacks_.size();
    if (set.kind == SetKind::kFrictionCone) {
      add(span.first_row, 1, 0);
      const Vector mu = cone_coefficients(set, span.rows);
      for (int r = span.first_row + 1; r < last; ++r) {
        const Real coefficient = mu[static_cast<std::size_t>(r - span.first_row - 1)];
        fixed_[static_cast<std::size_t>(r)] = coefficient == 0;
        if (coefficient > 0) add(r, 1 / coefficient, 0);
      }
      close(first);
      return;
    }
    for (int r = span.first_row; r < last; ++r) {
      const Real bound = set.bound * problem_.time_step;
      if (set.kind == SetKind::kNonNegative) {
        add(r, 1, 0);
        close(slacks_.size() - 1);
      } else if (set.kind == SetKind::kBox && bound == 0) {
        fixed_[static_cast<std::size_t>(r)] = true;
      } else if (set.kind == SetKind::kBox && std::isfinite(bound)) {
        for (const Real sign : {Real(1), Real(-1)}) {
          add(r, sign, bound);
          close(slacks_.size() - 1);
        }
      }
    }
  }

  void begin(const Vector& g) {
    Real velocity = 0, mobility = 0;
    for (std::size_t r = 0; r < g.size(); ++r) {
      velocity = std::max(velocity, std::abs(g[r]));
      mobility += problem_.A(static_cast<int>(r), static_cast<int>(r)) / static_cast<Real>(g.size());
    }
    x_.assign(g.size(), 0);
    s_.assign(slacks_.size(), 0);
    z_.assign(slacks_.size(), 0);
    for (const Cone& c : cones_) {
      s_[c.first] = velocity > 0 ? velocity / mobility : 1;
      z_[c.first] = velocity > 0 ? velocity : 1;
    }
  }

  Dense stiffness(const Scaling* W) const {
    Dense H = problem_.A;
    for (const Cone& c : cones_) {
      for (std::size_t i = c.first; i < c.last; ++i) {
        Vector unit(slacks_.size(), 0);
        unit[i] = slacks_[i].factor;
        const Vector column = W->inverse_times(W->inverse_times(unit));
        for (std::size_t k = c.first; k < c.last; ++k)
          H(slacks_[k].row, slacks_[i].row) += slacks_[k].factor * column[k];
      }
    }
    for (int r = 0; r < H.rows(); ++r) {
      if (!fixed_[static_cast<std::size_t>(r)]) continue;
      for (int k = 0; k < H.cols(); ++k) H(r, k) = H(k, r) = k == r ? 1 : 0;
    }
    return H;
  }

  void add_transposed(const Vector& x, Vector& out) const {
    for (std::size_t k = 0; k < slacks_.size(); ++k)
      out[static_cast<std::size_t>(slacks_[k].row)] += slacks_[k].factor * x[k];
  }

  Vector solve_forces(const Dense& H, Vector right) const {
    for (std::size_t r = 0; r < right.size(); ++r) {
      if (fixed_[r]) right[r] = 0;
    }
    return solve_semidefinite(H, std::move(right));
  }

  Vector step_without_cones(const Vector& g) const {
    Vector right(g.size());
    for (std::size_t r = 0; r < g.size(); ++r) right[r] = -g[r];
    return solve_forces(stiffness(nullptr), right);
  }

  struct Step {
    Vector x, s, z;
  };

  /// For W dz + W⁻¹ ds = c.
  Step direction(const Dense& H, const Scaling& W, const Vector& g, const Vector& c) const {
    const Vector force = W.inverse_times(c);
    Vector slack_miss(slacks_.size()), right(x_.size(), 0);
    for (std::size_t k = 0; k < slacks_.size(); ++k) {
      slack_miss[k] = slacks_[k].factor * x_[static_cast<std::size_t>(slacks_[k].row)] + slacks_[k].offset - s_[k];
    }
    const Vector stiff_miss = W.inverse_times(W.inverse_times(slack_miss));
    for (std::size_t r = 0; r < right.size(); ++r) {
      right[r] = -g[r];
      for (std::size_t k = 0; k < right.size(); ++k)
        right[r] -= problem_.A(static_cast<int>(r), static_cast<int>(k)) * x_[k];
    }
    Vector push(slacks_.size());
    for (std::size_t k = 0; k < push.size(); ++k) push[k] = z_[k] + force[k] - stiff_miss[k];
    add_transposed(push, right);
    Step out{solve_forces(H, right), slack_miss, force};
    for (std::size_t k = 0; k < slacks_.size(); ++k) {
      out.s[k] += slacks_[k].factor * out.x[static_cast<std::size_t>(slacks_[k].row)];
    }
    const Vector back = W.inverse_times(W.inverse_times(out.s));
    for (std::size_t k = 0; k < back.size(); ++k) out.z[k] -= back[k];
    return out;
  }

  /// Mehrotra's predictor and corrector. False: as good as it gets.
  bool advance(const Vector& g) {
    constexpr Real kFromSurface = 0.99L, kEnough = 1e-14L;
    Real gap = 0;
    for (std::size_t k = 0; k < s_.size(); ++k) gap += s_[k] * z_[k];
    gap /= static_cast<Real>(cones_.size());
    if (!(gap > kEnough)) return false;
    const Scaling W(s_, z_, cones_);
    const Dense H = stiffness(&W);
    const Vector middle = W.times(z_), square = circle(middle, middle, cones_);
    Vector wanted(square.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) wanted[k] = -square[k];
    const Step guess = direction(H, W, g, divide(middle, wanted, cones_));
    const Real reach = std::min(longest_step(s_, guess.s, cones_), longest_step(z_, guess.z, cones_));
    const Real centring = (1 - reach) * (1 - reach) * (1 - reach);
    const Vector second = circle(W.inverse_times(guess.s), W.times(guess.z), cones_);
    for (std::size_t k = 0; k < wanted.size(); ++k) wanted[k] -= second[k];
    for (const Cone& c : cones_) wanted[c.first] += centring * gap;
    const Step step = direction(H, W, g, divide(middle, wanted, cones_));
    const Real length =
        std::min<Real>(1, kFromSurface * std::min(longest_step(s_, step.s, cones_), longest_step(z_, step.z, cones_)));
    return take(step, length);
  }

  /// Of stationarity, then of s ∘ z = 0.
  Vector misses(const Vector& g, const Vector& x, const Vector& s, const Vector& z) const {
    Vector out(x.size(), 0);
    add_transposed(z, out);
    for (std::size_t r = 0; r < x.size(); ++r) {
      out[r] = fixed_[r] ? 0 : out[r] - g[r];
      for (std::size_t k = 0; k < x.size() && !fixed_[r]; ++k)
        out[r] -= problem_.A(static_cast<int>(r), static_cast<int>(k)) * x[k];
    }
    for (const Real e : circle(s, z, cones_)) out.push_back(-e);
    return out;
  }

  /// Of (stationarity, s ∘ z) by (x, z).
  Dense derivative() const {
    const int n = static_cast<int>(x_.size()), all = n + static_cast<int>(s_.size());
    Dense D(all, all);
    for (int r = 0; r < n; ++r) {
      for (int k = 0; k < n; ++k) D(r, k) = fixed_[static_cast<std::size_t>(r)] ? r == k : problem_.A(r, k);
    }
    for (const Cone& c : cones_) {
      for (std::size_t i = c.first; i < c.last; ++i) {
        const int at = n + static_cast<int>(i), first = n + static_cast<int>(c.first);
        D(slacks_[i].row, at) = -slacks_[i].factor;
        const auto add = [&](int r, int k, Real z, Real s) {  // to what moves slack and multiplier k of this cone
          const Slack& slack = slacks_[static_cast<std::size_t>(k - n)];
          D(r, slack.row) += z * slack.factor;
          D(r, k) += s;
        };
        add(first, at, z_[i], s_[i]);
        if (at == first) continue;
        add(at, at, z_[c.first], s_[c.first]);
        add(at, first, z_[i], s_[i]);
      }
    }
    return D;
  }

  /// A step of Newton's method for the conditions themselves: near the solution it is not troubled by surfaces, as scalings are. False
  /// if that is no better.
  bool polish(const Vector& g) {
    const Vector before = misses(g, x_, s_, z_), step = solve_any(derivative(), before);
    Vector x = x_, s = s_, z = z_;
    for (std::size_t r = 0; r < x.size(); ++r) x[r] += step[r];
    for (std::size_t k = 0; k < s.size(); ++k) {
      s[k] = slacks_[k].factor * x[static_cast<std::size_t>(slacks_[k].row)] + slacks_[k].offset;
      z[k] += step[x.size() + k];
    }
    const Vector after = misses(g, x, s, z);
    if (!(size_of(after, 0, after.size()) < size_of(before, 0, before.size()) / 2)) return false;
    x_ = x, s_ = s, z_ = z;
    return true;
  }

  bool take(const Step& step, Real length) {
    Vector s = s_, z = z_;
    for (std::size_t k = 0; k < s.size(); ++k) {
      s[k] += length * step.s[k];
      z[k] += length * step.z[k];
    }
    const auto inside = [&](const Cone& c) { return is_inside(s, c) && is_inside(z, c); };
    if (!(length > 0) || !std::all_of(cones_.begin(), cones_.end(), inside)) return false;
    s_ = s, z_ = z;
    for (std::size_t r = 0; r < x_.size(); ++r) x_[r] += length * step.x[r];
    return true;
  }

  const ReferenceProblem& problem_;
  std::vector<Slack> slacks_;
  std::vector<Cone> cones_;
  std::vector<bool> fixed_;  // rows that can bear nothing
  Vector x_, s_, z_;
};

/// g with Γ(σ) in the normal rows of contacts.
Vector shifted_by(const ReferenceProblem& problem, const Vector& sigma) {
  Vector out = problem.g;
  for (std::size_t i = 0; problem.coulomb && i < problem.spans.size(); ++i) {
    if (problem.sets[i].kind != SetKind::kFrictionCone) continue;
    out[static_cast<std::size_t>(problem.spans[i].first_row)] +=
        reference_sliding(problem.spans[i], problem.sets[i], sigma);
  }
  return out;
}

}  // namespace

ReferenceSolution solve_shifted(const ReferenceProblem& problem, const Vector& sigma) {
  ReferenceSolution out;
  out.lambda = ConvexSolver(problem).solve(shifted_by(problem, sigma));
  out.sigma = reference_velocity(problem, out.lambda);
  return out;
}

ReferenceSolution solve_reference(const ReferenceProblem& problem) {
  constexpr int kMostOuter = 400;
  constexpr Real kEnough = 1e-13L;
  ReferenceSolution out{{}, Vector(problem.g.size(), 0)};
  for (Real change = 1; change > kEnough && out.outer < kMostOuter;) {
    ReferenceSolution next = solve_shifted(problem, out.sigma);
    next.outer = out.outer + 1;
    change = 0;
    for (std::size_t r = 0; problem.coulomb && r < problem.g.size(); ++r) {
      change = std::max(change, std::abs(next.sigma[r] - out.sigma[r]));
    }
    out = std::move(next);
  }
  return out;
}

}  // namespace delassus::testing
