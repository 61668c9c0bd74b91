#include "delassus/solvers/contact_problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "math/chunks.hpp"
#include "solvers/cone_lanes.hpp"

namespace delassus {
namespace {

/// Of one constraint, or of one in each lane: impulses and velocities.
template <class X = double>
struct BlockResiduals {
  X primal{}, dual{}, complementarity{}, impulse{}, velocity{};
};

/// The larger one; NaN is the largest.
void take(double& most, double value) {
  if (!(value <= most) && !std::isnan(most)) most = value;
}

/// Zero for what is negative; NaN stays.
template <class X>
DELASSUS_INLINE X positive_part(const X& x) {
  return select(x < X(0), X(0), x);
}

/// The largest mobility of the block's rows, for all of them: the law is the same for any, and this one shows the least force. Rows that
/// nothing moves count as rows of unit mass.
double mobility_of(const ForceBlock& block, const double* mobility) {
  const double most = *std::max_element(mobility, mobility + block.rows);
  return most > kImmovable ? most : 1.0;
}

/// How far σ + Γ lies outside of K*. With Coulomb's law ‖μ σ_t‖ drops out, and is left out: where coefficients are huge it would take the normal
/// velocity with it.
template <class X>
DELASSUS_INLINE X measure_dual(ContactLaw law, const X& slides, const X& normal) {
  return positive_part(law == ContactLaw::kCoulomb ? -normal : slides - normal);
}

void measure_cone(const ForceBlock& block, ContactLaw law, double slides, const double* x, const double* v,
                  BlockResiduals<>& out) {
  const double shift = law == ContactLaw::kCoulomb ? slides : 0.0;
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
  out.primal = positive_part(std::sqrt(square) - x[0]);
  out.dual = measure_dual(law, slides, v[0]);
  out.complementarity = std::abs(work + x[0] * (v[0] + shift));
}

/// Rows of their own: equalities, limits, bounds.
void measure_rows(const ForceBlock& block, const double* x, const double* v, BlockResiduals<>& out) {
  for (int k = 0; k < block.rows; ++k) {
    double primal = 0, dual = 0, work = 0;
    if (block.kind == SetKind::kNonNegative) {
      primal = positive_part(-x[k]);
      dual = positive_part(-v[k]);
      work = std::abs(x[k] * v[k]);
    } else if (block.kind != SetKind::kEquality && std::isfinite(block.bound)) {
      primal = positive_part(std::abs(x[k]) - block.bound);
      work = std::abs(block.bound * std::abs(v[k]) + x[k] * v[k]);
    } else {
      dual = std::abs(v[k]);
    }
    take(out.primal, primal);
    take(out.dual, dual);
    take(out.complementarity, work);
  }
}

/// ‖s λ - Π_K(s λ - σ - Γ)‖: where forces are the larger part, as σ + Γ less what Π_K adds to its argument. However large one is beside the
/// other, rounding can add to what is missed, but not take the smaller one from it.
double missed_law(const ForceBlock& block, double shift, double scale, const double* x, const double* v) {
  constexpr std::size_t kChunk = 6;
  double most = 0;
  // Rows of equalities, limits and bounds stand alone, so those with many go through in pieces.
  ForceBlock piece = block;
  piece.bound *= scale;
  for (int first = 0; first < block.rows; first += piece.rows) {
    std::array<double, kChunk> weights{}, force{}, velocity{}, point{}, nearest{};
    double push = 0, speed = 0;
    piece.rows = std::min(block.rows - first, static_cast<int>(kChunk));
    weights.fill(1);
    for (int k = 0; k < piece.rows; ++k) {
      const auto i = static_cast<std::size_t>(k);
      force[i] = scale * x[first + k];
      velocity[i] = v[first + k] + (first + k == 0 ? shift : 0.0);
      point[i] = force[i] - velocity[i];
      push += std::abs(force[i]);
      speed += std::abs(velocity[i]);
    }
    project(piece, weights.data(), point.data(), nearest.data());
    for (std::size_t k = 0; k < static_cast<std::size_t>(piece.rows); ++k)
      take(most, std::abs(push < speed ? force[k] - nearest[k] : velocity[k] - (nearest[k] - point[k])));
  }
  return most;
}

BlockResiduals<> measure(const ForceBlock& block, ContactLaw law, const double* mobility, const double* x,
                         const double* v) {
  BlockResiduals<> out;
  const bool cone = block.kind == SetKind::kFrictionCone;
  const double slides = cone ? sliding_speed(block, v) : 0.0, shift = law == ContactLaw::kCoulomb ? slides : 0.0;
  if (cone) {
    measure_cone(block, law, slides, x, v, out);
  } else {
    measure_rows(block, x, v, out);
  }
  const double scale = mobility_of(block, mobility);
  out.velocity = missed_law(block, shift, scale, x, v);
  out.impulse = out.velocity / scale;
  return out;
}

/// The same of round cones side by side, by the same formulas.
template <class X>
DELASSUS_INLINE BlockResiduals<X> measure_cones(const X& mu, ContactLaw law, const double* mobility,
                                                const double* lambda, const double* sigma) {
  const X zero(0), one(1);
  const ConeVector<X> m = load_cones<X>(mobility), x = load_cones<X>(lambda), v = load_cones<X>(sigma);
  const X slides = mu * tangent_norm(v), shift = law == ContactLaw::kCoulomb ? slides : zero;
  const X tangent = tangent_norm(x), most = max(m.n, max(m.t1, m.t2)), scale = select(X(kImmovable) < most, most, one);
  BlockResiduals<X> out;
  out.primal = positive_part(select(zero < tangent, tangent / mu, zero) - x.n);
  out.dual = measure_dual(law, slides, v.n);
  out.complementarity = magnitude(x.t1 * v.t1 + x.t2 * v.t2 + x.n * (v.n + shift));
  const ConeVector<X> velocity{v.n + shift, v.t1, v.t2};
  const ConeVector<X> force{scale * x.n, scale * x.t1, scale * x.t2};
  const ConeVector<X> point{force.n - velocity.n, force.t1 - velocity.t1, force.t2 - velocity.t2};
  const X push = magnitude(force.n) + magnitude(force.t1) + magnitude(force.t2);
  const X speed = magnitude(velocity.n) + magnitude(velocity.t1) + magnitude(velocity.t2);
  X shorter;
  const ConeVector<X> nearest = project_cones(mu, point, shorter);
  const auto missed = [&](const X& f, const X& u, const X& from, const X& to) {
    return magnitude(select(push < speed, f - to, u - (to - from)));
  };
  const X n = missed(force.n, velocity.n, point.n, nearest.n), t1 = missed(force.t1, velocity.t1, point.t1, nearest.t1),
          t2 = missed(force.t2, velocity.t2, point.t2, nearest.t2), sum = n + t1 + t2;
  out.velocity = select(is_finite(sum), max(n, max(t1, t2)), sum);
  out.impulse = out.velocity / scale;
  return out;
}

/// μ of each.
template <class X>
DELASSUS_INLINE X load_coefficients(const ForceBlock* blocks) {
  if constexpr (std::same_as<X, double>) {
    return blocks->mu[0];
  } else {
    X x;
    for (int k = 0; k < X::kWidth; ++k) x.set(k, blocks[k].mu[0]);
    return x;
  }
}

/// The largest residuals of constraints that come in their order.
class Largest {
 public:
  void add(const BlockResiduals<>& one) {
    if (constraint_ < 0 || !(one.velocity <= most_.velocity)) constraint_ = count_;
    ++count_;
    take(most_.primal, one.primal);
    take(most_.dual, one.dual);
    take(most_.complementarity, one.complementarity);
    take(most_.impulse, one.impulse);
    take(most_.velocity, one.velocity);
  }

  /// Lane after lane only where one of them has more of something than all before: seldom.
  template <class T, int W>
  void add(const BlockResiduals<Pack<T, W>>& some) {
    using X = Pack<T, W>;
    const auto above = [](const X& x, double most) { return select(X(most) < x, X(1), X(0)); };
    const X more = above(some.primal, most_.primal) + above(some.dual, most_.dual) +
                   above(some.complementarity, most_.complementarity) + above(some.impulse, most_.impulse) +
                   above(some.velocity, most_.velocity);
    const X sum = some.primal + some.dual + some.complementarity + some.velocity;
    if (constraint_ >= 0 && all_lanes(more < X(1)) && all_lanes(is_finite(sum))) {
      count_ += W;
      return;
    }
    for (int k = 0; k < W; ++k)
      add(BlockResiduals<>{some.primal[k], some.dual[k], some.complementarity[k], some.impulse[k], some.velocity[k]});
  }

  ContactResiduals residuals(double time_step) const {
    ContactResiduals out;
    out.primal = most_.primal / time_step;
    out.dual = most_.dual;
    out.complementarity = most_.complementarity;
    out.force = most_.impulse / time_step;
    out.velocity = most_.velocity;
    out.constraint = constraint_;
    return out;
  }

 private:
  BlockResiduals<> most_;
  int count_ = 0, constraint_ = -1;
};

/// Entries of Λ⁻¹ are at most the root of the product of their two on the diagonal, and each term of a product is rounded.
double measure_rounding(std::span<const ForceBlock> blocks, VectorView<const double> mobility,
                        VectorView<const double> lambda) {
  double sum = 0, most = 0, known = 0, root = 0;
  for (const ForceBlock& block : blocks) {
    for (int r = block.row; r < block.row + block.rows; ++r) {
      if (mobility[r] != known) {  // most are that of the row before
        known = mobility[r];
        root = std::sqrt(known);
        take(most, root);
      }
      sum += root * std::abs(lambda[r]);
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
    case StopReason::kTime:
      return "time ran out";
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
  Largest largest;
  for (std::size_t c = 0; c < blocks.size();) {
    const int row = blocks[c].row, count = count_round(blocks, c);
    const double *m = mobility.data() + row, *x = lambda.data() + row, *v = sigma.data() + row;
    if (count == 0) largest.add(measure(blocks[c++], problem.law, m, x, v));
    for_each_chunk<double>(count, [&]<class X>(std::type_identity<X>, int at) {
      const X mu = load_coefficients<X>(&blocks[c] + at);
      const int r = kConeRows * at;
      largest.add(measure_cones(mu, problem.law, m + r, x + r, v + r));
    });
    c += static_cast<std::size_t>(count);
  }
  ContactResiduals out = largest.residuals(problem.time_step);
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
