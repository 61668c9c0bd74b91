// Newton's method on z = Π(z - s) in scaled rows, where each cone is round and the derivative P of its projection Π has a closed form. With
//
//   (1 - P) dz + P (1 + S) A dz = Π - z
//
// solved for A dz, times P⁻¹ and (1 - S), it is a damping of the same kind as inside of the sets:
//
//   (A + (1 - S) (P⁻¹ - 1)) dz = (1 - S) P⁻¹ (Π - z)
//
// The directions in which P is zero are stiff instead. Steps need not come closer each time: what they end with counts.
#include <algorithm>
#include <cmath>

#include "solvers/contact_interior_point_work.hpp"

namespace delassus {
namespace {

/// P⁻¹ where P is zero.
constexpr double kStiff = 1e8;
/// Damping of rows that bear nothing, relative to what they yield.
constexpr double kIdle = 1e12;

}  // namespace

/// Of one row that is held or bounded: its right-hand side, and what its damping grows by.
double ContactInteriorPoint::Work::linearise_row(std::size_t r) {
  const double s = scaled_.velocity(r, sigma_[r]), b = scaled_.bound(r);
  right_[r] = -s;
  if (scaled_.role(r) == RowRole::kHeld || std::abs(z_[r] - s) < b) return 0;
  right_[r] = kStiff * (std::copysign(b, z_[r] - s) - z_[r]);
  return kStiff;
}

/// P⁻¹ (Π - z) in `right`, and P⁻¹ - 1 in `damping`, of one cone in its own rows. x = z - s has the eigenvectors (1, d) / 2 and (1, -d) / 2.
void ContactInteriorPoint::Work::linearise_cone(int n, const double* z, const double* s, double* right,
                                                double* damping) {
  cone::Point x{}, d{1};
  for (int k = 0; k < n; ++k) x[static_cast<std::size_t>(k)] = z[k] - s[k];
  const double tail = cone::tail(n, x.data());
  const bool stays = x[0] >= tail, leaves = x[0] <= -tail;
  for (int k = 0; k < n; ++k) {
    right[k] = stays ? -s[k] : -kStiff * z[k];
    if (leaves && !stays) damping[k * (n + 1)] = kStiff;
  }
  if (stays || leaves) return;
  for (std::size_t k = 1; k < static_cast<std::size_t>(n); ++k) d[k] = x[k] / tail;
  const double across = 0.5 * (1 + x[0] / tail), over = 1 / (across + 1 / kStiff), nearest = 0.5 * (x[0] + tail);
  double in = 0, out = 0;  // parts of Π - z along both
  cone::Point step{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(n); ++k) {
    step[k] = nearest * d[k] - z[k];
    in += 0.5 * step[k] * d[k];
    out += 0.5 * step[k] * (k == 0 ? 1 : -d[k]);
  }
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double away = i == 0 ? 1 : -d[k], side = i == 0 ? 0 : step[k] - (in - out) * d[k];
    right[i] = in * d[k] + kStiff * out * away + over * side;
    for (int j = 0; j < n; ++j) {
      const auto m = static_cast<std::size_t>(j);
      damping[i * n + j] = 0.5 * kStiff * away * (j == 0 ? 1 : -d[m]);
      if (i > 0 && j > 0) damping[i * n + j] += (1 - across) * over * ((i == j ? 1 : 0) - d[k] * d[m]);
    }
  }
}

/// The same with the derivative of the shift, in rows that are not scaled.
void ContactInteriorPoint::Work::add_projection(const ConeRows& rows, int first, int width, double* out) {
  const int n = rows.count;
  cone::Point z{}, s{}, right{}, slope{};
  std::array<double, std::size_t{cone::kMostRows} * cone::kMostRows> damping{};
  rows.read(z_, z.data());
  for (int k = 0; k < n; ++k) s[static_cast<std::size_t>(k)] = scaled_.velocity(rows.row(k), sigma_[rows.row(k)]);
  if (!symmetric_) {
    const double slide = cone::tail(n, s.data());
    for (std::size_t k = 1; k < static_cast<std::size_t>(n) && slide > 0; ++k) slope[k] = s[k] / slide;
    s[0] += slide;
  }
  linearise_cone(n, z.data(), s.data(), right.data(), damping.data());
  for (int i = 0; i < n; ++i) {
    right_[rows.row(i)] = right[static_cast<std::size_t>(i)];
    for (int k = 1; k < n && i == 0; ++k)
      right_[rows.row(0)] -= slope[static_cast<std::size_t>(k)] * right[static_cast<std::size_t>(k)];
    for (int j = 0; j < n; ++j) {
      double entry = damping[static_cast<std::size_t>(i * n + j)];
      for (int k = 1; k < n && i == 0; ++k)
        entry -= slope[static_cast<std::size_t>(k)] * damping[static_cast<std::size_t>(k * n + j)];
      const std::size_t row = rows.row(i), column = rows.row(j);
      out[(static_cast<int>(row) - first) * width + static_cast<int>(column) - first] +=
          entry / (scaled_.scale(row) * scaled_.scale(column));
    }
  }
}

/// The damping and the right-hand side at the velocities in sigma_.
void ContactInteriorPoint::Work::linearise_projection(const ContactProblem& problem, double proximal) {
  double* out = damping_.data();
  std::size_t next = 0;  // cone
  for (const ForceBlock& block : blocks_) {
    const int n = block.rows;
    std::fill_n(out, n * n, 0.0);
    for (int k = 0; k < n; ++k) {
      const auto r = static_cast<std::size_t>(block.row + k);
      double own = proximal;
      right_[r] = 0;
      if (scaled_.role(r) == RowRole::kIdle) {
        own = kIdle;
      } else if (scaled_.role(r) != RowRole::kCone) {
        own += linearise_row(r);
      }
      out[k * (n + 1)] = own / (scaled_.scale(r) * scaled_.scale(r)) + problem.compliance_of(block.row + k);
    }
    for (; next < scaled_.cones().size() && scaled_.cones()[next].rows[0] < block.row + n; ++next) {
      add_projection(scaled_.cones()[next], block.row, n, out);
    }
    out += n * n;
  }
  for (std::size_t r = 0; r < right_.size(); ++r) right_[r] *= scaled_.size() / scaled_.scale(r);
}

/// Such steps, from forces inside of the sets and back to them unless the law is met: true. As many as pay, and some more.
bool ContactInteriorPoint::Work::project_on(OperatorRef<double> op, const ContactProblem& problem) {
  constexpr int kMostSlow = 8;
  constexpr double kFirstProximal = 1e-2, kFall = 0.1, kBetter = 0.5, kAlike = 1.5, kAstray = 1e4;
  const auto failed = [](const Status& status) { return !status.ok() && status.code != Status::Code::kInaccurate; };
  inside_ = z_;
  double proximal = kFirstProximal, before = last_.worst(), least = before;
  const double astray = kAstray * before;
  bool solved = false;
  for (int k = 0; k < kMostSlow && has_steps() && !solved; ++k) {
    ++certificate_.iterations;
    linearise_projection(problem, proximal);
    if (failed(damp(op)) || failed(op.solve(right_, dz_))) break;
    for (std::size_t r = 0; r < z_.size(); ++r) {
      if (scaled_.role(r) != RowRole::kIdle) z_[r] += scaled_.unscaled_force(r, dz_[r]);
    }
    solved = judge_point(op, problem);
    if (!(last_.worst() < astray)) break;
    // What is left where nothing changes any more lies in directions that hardly anything feels.
    if (last_.worst() >= kBetter * before && last_.worst() < kAlike * before) proximal *= kFall;
    before = last_.worst();
    if (before < kBetter * least) {
      least = before;
      k = 0;
    }
    for (std::size_t r = 0; r < z_.size(); ++r) z_[r] = scaled_.unscaled_force(r, lambda_[r]);
  }
  if (solved) return true;
  z_ = inside_;
  return judge_point(op, problem);
}

}  // namespace delassus
