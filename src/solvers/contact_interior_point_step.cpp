// One step inside of the sets: Mehrotra, "On the implementation of a primal-dual interior point method", 1992, with the scaling of Nesterov
// and Todd for cones. A bounded row has a velocity for each of its bounds, of which at most one is left at a solution:
//
//   σ = l - u,   (b + z) l = (b - z) u = 0
#include <algorithm>
#include <cmath>

#include "solvers/contact_interior_point_work.hpp"

namespace delassus {
namespace {

/// Keeps the matrix from being singular where there are more rows than can be felt: relative to what rows yield.
constexpr double kProximal = 1e-10;
/// Damping of rows that bear nothing, relative to what they yield.
constexpr double kIdle = 1e12;
/// Part of the longest step that is taken.
constexpr double kWithin = 0.95;
/// Products of forces and velocities fall no further than this part of what velocities are off by.
constexpr double kLeastGap = 0.003;
/// Close to the end products fall steadily: a cone's force and velocity are in line only as far as all products are alike.
constexpr double kNearEnd = 1e-5, kSteadyFall = 0.1;
/// Steps shorter than this are followed by one towards the path.
constexpr double kShort = 0.2, kCentring = 0.5;
/// Predictors shorter than this say nothing of the curve of the path.
constexpr double kCurved = 0.1;

}  // namespace

/// Mean product of force and velocity after a step of that length.
double ContactInteriorPoint::Work::find_gap(double length) const {
  double sum = 0;
  for (std::size_t r = 0; r < z_.size(); ++r) {
    const double z = z_[r] + length * dz_[r];
    if (scaled_.role(r) == RowRole::kCone) {
      sum += z * (s_[r] + length * ds_[r]);
    } else if (scaled_.role(r) == RowRole::kBounded) {
      const double b = scaled_.bound(r);
      sum += (b + z) * (lower_[r] + length * dlower_[r]) + (b - z) * (upper_[r] + length * dupper_[r]);
    }
  }
  return sum / scaled_.degree();
}

/// r = s - Γ(s) - A z - g, from the velocities in sigma_.
void ContactInteriorPoint::Work::find_residual(const ContactProblem& problem) {
  for (std::size_t r = 0; r < z_.size(); ++r) {
    const RowRole role = scaled_.role(r);
    const double velocity = role == RowRole::kCone ? s_[r] : role == RowRole::kBounded ? lower_[r] - upper_[r] : 0.0;
    residual_[r] = role == RowRole::kIdle ? 0 : velocity - scaled_.velocity(r, sigma_[r]);
  }
  for (const ConeRows& cone : scaled_.cones()) {
    if (problem.law == ContactLaw::kConvex) break;
    cone::Point s{};
    cone.read(s_, s.data());
    residual_[cone.row(0)] -= cone::tail(cone.count, s.data());
  }
  miss_ = 0;
  for (const double r : residual_) miss_ = std::max(miss_, std::abs(r));
}

void ContactInteriorPoint::Work::find_scalings() {
  for (std::size_t c = 0; c < scaled_.cones().size(); ++c) {
    const ConeRows& cone = scaled_.cones()[c];
    cone::Point z{}, s{};
    cone.read(z_, z.data());
    cone.read(s_, s.data());
    scalings_[c].find(cone.count, z.data(), s.data());
  }
}

/// (1 - S) N² in rows that are not scaled, and R.
void ContactInteriorPoint::Work::make_damping(const ContactProblem& problem) {
  double* out = damping_.data();
  std::size_t next = 0;  // cone
  for (const ForceBlock& block : blocks_) {
    const int n = block.rows;
    std::fill_n(out, n * n, 0.0);
    for (int k = 0; k < n; ++k) {
      const auto r = static_cast<std::size_t>(block.row + k);
      double own = std::max(kProximal, proximal_);
      if (scaled_.role(r) == RowRole::kIdle) own = kIdle;
      if (scaled_.role(r) == RowRole::kBounded) {
        own += lower_[r] / (scaled_.bound(r) + z_[r]) + upper_[r] / (scaled_.bound(r) - z_[r]);
      }
      out[k * (n + 1)] = own / (scaled_.scale(r) * scaled_.scale(r)) + problem.compliance_of(block.row + k);
    }
    for (; next < scaled_.cones().size() && scaled_.cones()[next].rows[0] < block.row + n; ++next) {
      add_scaling(next, block.row, n, out);
    }
    out += n * n;
  }
}

void ContactInteriorPoint::Work::add_scaling(std::size_t c, int first, int rows, double* out) const {
  const ConeRows& cone = scaled_.cones()[c];
  cone::Point s{}, slope{};
  cone.read(s_, s.data());
  const double slide = cone::tail(cone.count, s.data());
  for (int k = 1; k < cone.count; ++k)
    slope[static_cast<std::size_t>(k)] = shift_slope(s[static_cast<std::size_t>(k)], slide);
  for (int i = 0; i < cone.count; ++i) {
    for (int j = 0; j < cone.count; ++j) {
      double entry = scalings_[c].square(i, j);
      for (int k = 1; k < cone.count && i == 0; ++k)
        entry -= slope[static_cast<std::size_t>(k)] * scalings_[c].square(k, j);
      const std::size_t row = cone.row(i), column = cone.row(j);
      out[(static_cast<int>(row) - first) * rows + static_cast<int>(column) - first] +=
          entry / (scaled_.scale(row) * scaled_.scale(column));
    }
  }
}

/// Symmetric blocks that rounding leaves not positive have a factor all the same.
Status ContactInteriorPoint::Work::damp(OperatorRef<double> op) {
  ++certificate_.dampings;
  if (symmetric_ && op.update_damping(Damping<double>::blocks(damping_)).ok()) return {};
  return op.update_damping(Damping<double>::unsymmetric(damping_));
}

/// dz and ds from aims and r.
Status ContactInteriorPoint::Work::find_direction(OperatorRef<double> op) {
  for (std::size_t r = 0; r < z_.size(); ++r) right_[r] = aim_[r] + residual_[r];
  for (const ConeRows& cone : scaled_.cones()) {
    if (symmetric_ || cone.count == 1) continue;
    cone::Point s{};
    cone.read(s_, s.data());
    const double slide = cone::tail(cone.count, s.data());
    for (int k = 1; k < cone.count; ++k)
      right_[cone.row(0)] -= shift_slope(s[static_cast<std::size_t>(k)], slide) * aim_[cone.row(k)];
  }
  for (std::size_t r = 0; r < z_.size(); ++r) right_[r] *= scaled_.size() / scaled_.scale(r);
  const Status status = op.solve(right_, dz_);
  for (std::size_t r = 0; r < z_.size(); ++r) {
    dz_[r] = scaled_.role(r) == RowRole::kIdle ? 0 : scaled_.unscaled_force(r, dz_[r]);
    if (scaled_.role(r) != RowRole::kBounded) continue;
    dlower_[r] = aim_lower_[r] - lower_[r] / (scaled_.bound(r) + z_[r]) * dz_[r];
    dupper_[r] = aim_upper_[r] + upper_[r] / (scaled_.bound(r) - z_[r]) * dz_[r];
  }
  for (std::size_t c = 0; c < scaled_.cones().size(); ++c) {
    const ConeRows& cone = scaled_.cones()[c];
    for (int i = 0; i < cone.count; ++i) {
      double ds = aim_[cone.row(i)];
      for (int j = 0; j < cone.count; ++j) ds -= scalings_[c].square(i, j) * dz_[cone.row(j)];
      ds_[cone.row(i)] = ds;
    }
  }
  return status;
}

/// N rc of the predictor: no product is left.
void ContactInteriorPoint::Work::aim_at_solution() {
  for (std::size_t r = 0; r < z_.size(); ++r) {
    aim_lower_[r] = -lower_[r];
    aim_upper_[r] = -upper_[r];
    const RowRole role = scaled_.role(r);
    aim_[r] = role == RowRole::kCone ? -s_[r] : role == RowRole::kBounded ? aim_lower_[r] - aim_upper_[r] : 0.0;
  }
}

/// N rc of the corrector: products as on the path, with what the predictor, which stands in dz_ and ds_, left out.
void ContactInteriorPoint::Work::aim_at_path(double target, bool curved) {
  for (std::size_t c = 0; c < scaled_.cones().size(); ++c) {
    const ConeRows& cone = scaled_.cones()[c];
    const int n = cone.count;
    cone::Point centre{}, dz{}, ds{}, aim{};
    cone.read(z_, centre.data());
    scalings_[c].apply(n, centre.data(), centre.data());
    if (curved) {
      cone.read(dz_, dz.data());
      cone.read(ds_, ds.data());
      scalings_[c].apply(n, dz.data(), dz.data());
      scalings_[c].apply_inverse(n, ds.data(), ds.data());
      cone::multiply(n, dz.data(), ds.data(), aim.data());
      for (double& x : aim) x = -x;
    }
    aim[0] += target * products_[c];
    cone::divide(n, centre.data(), aim.data(), aim.data());
    scalings_[c].apply(n, aim.data(), aim.data());
    for (int k = 0; k < n; ++k) aim_[cone.row(k)] = aim[static_cast<std::size_t>(k)] - s_[cone.row(k)];
  }
  for (std::size_t r = 0; r < z_.size(); ++r) {
    if (scaled_.role(r) != RowRole::kBounded) continue;
    const double below = curved ? dz_[r] * dlower_[r] : 0, above = curved ? -dz_[r] * dupper_[r] : 0;
    aim_lower_[r] = (target - below) / (scaled_.bound(r) + z_[r]) - lower_[r];
    aim_upper_[r] = (target - above) / (scaled_.bound(r) - z_[r]) - upper_[r];
    aim_[r] = aim_lower_[r] - aim_upper_[r];
  }
}

/// Products to aim at, where the predictor's longest step is this long.
double ContactInteriorPoint::Work::choose_target(double longest) const {
  constexpr double kLeast = 1e-4;
  const double left = std::clamp(find_gap(longest) / gap_, kLeast, 1.0);
  double part = left * left;
  if (length_ < kShort) part = std::max(part, kCentring);
  if (gap_ < kNearEnd) part = std::max(part, kSteadyFall);
  return std::max(part * gap_, std::min(gap_, kLeastGap * miss_));
}

double ContactInteriorPoint::Work::longest_step() const {
  double most = HUGE_VAL;
  for (const ConeRows& cone : scaled_.cones()) {
    cone::Point x{}, d{};
    cone.read(z_, x.data());
    cone.read(dz_, d.data());
    most = std::min(most, cone::longest_step(cone.count, x.data(), d.data()));
    cone.read(s_, x.data());
    cone.read(ds_, d.data());
    most = std::min(most, cone::longest_step(cone.count, x.data(), d.data()));
  }
  const auto stay_positive = [&](double x, double d) {
    if (d < 0) most = std::min(most, -x / d);
  };
  for (std::size_t r = 0; r < z_.size(); ++r) {
    if (scaled_.role(r) != RowRole::kBounded) continue;
    stay_positive(scaled_.bound(r) + z_[r], dz_[r]);
    stay_positive(scaled_.bound(r) - z_[r], -dz_[r]);
    stay_positive(lower_[r], dlower_[r]);
    stay_positive(upper_[r], dupper_[r]);
  }
  return most;
}

/// After short steps less of the shift's derivative is in the matrix: it is what makes steps short where the path turns. It comes back slowly: else
/// the next step is short again.
void ContactInteriorPoint::Work::advance(double length) {
  constexpr double kVeryShort = 0.03, kRatherShort = 0.1, kLong = 0.3, kRise = 1.1;
  for (std::size_t r = 0; r < z_.size(); ++r) {
    z_[r] += length * dz_[r];
    s_[r] += length * ds_[r];
    lower_[r] += length * dlower_[r];
    upper_[r] += length * dupper_[r];
  }
  if (length < kVeryShort) {
    share_ *= 0.5;
  } else if (length < kRatherShort) {
    share_ *= 0.9;
  } else if (length > kLong) {
    share_ = std::min(1.0, kRise * share_);
  }
  length_ = length;
}

/// Fails where the matrix could not be factored, or numbers are not finite; then nothing has moved.
Status ContactInteriorPoint::Work::step_inside(OperatorRef<double> op, const ContactProblem& problem) {
  const auto failed = [](const Status& status) { return !status.ok() && status.code != Status::Code::kInaccurate; };
  ++certificate_.iterations;
  find_scalings();
  make_damping(problem);
  aim_at_solution();
  if (const Status status = damp(op); failed(status)) return status;
  if (const Status status = find_direction(op); failed(status)) return status;
  const double longest = std::min(1.0, longest_step());
  aim_at_path(choose_target(longest), longest > kCurved);
  if (const Status status = find_direction(op); failed(status)) return status;
  const double length = std::min(1.0, kWithin * longest_step());
  if (!(length > 0) || !std::isfinite(find_gap(length))) return {Status::Code::kNotFinite, 0};
  advance(length);
  return {};
}

}  // namespace delassus
