#include "solvers/row_analysis.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "delassus/constraints/maps.hpp"
#include "delassus/dynamics/inertia_factor.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"

namespace delassus {
namespace {

/// Weights of unit rows below this, relative to the largest, are rounding: a row that depends on others does so to the root of
/// the rank's tolerance, 1e-7.
constexpr double kNoWeight = 1e-6;

double length(const double* x, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += x[k] * x[k];
  return std::sqrt(sum);
}

/// |J| without the cancellation of levers: for a row with force f and moment m about its link's origin, the motion of a
/// degree of freedom at distance r counts |m||ω| + |f||v| + r|f||ω|.
void find_reach(const Model& model, const Kinematics<double>& kin, const ConstraintRows<double>& rows,
                RowAnalysis& out) {
  out.reach.assign(static_cast<std::size_t>(out.rows) * out.dofs, 0);
  for (const RowBlock& block : rows.blocks) {
    for (int r = 0; r < block.rows; ++r) {
      const Force<double> w = row_wrench(rows, block, r, Vec3<double>::zero());
      double* row = &out.reach[static_cast<std::size_t>(block.first_row + r) * out.dofs];
      for (int i = block.link; i != kWorld; i = model.link(i).parent) {
        const double lever = norm(kin.pose[block.link].p - kin.pose[i].p);
        for (int k = model.link(i).v; k < model.link(i).v + model.link(i).nv; ++k) {
          const Motion<double>& S = kin.S[k];
          row[k] += (norm(w.moment) + lever * norm(w.force)) * norm(S.angular) + norm(w.force) * norm(S.linear);
        }
      }
    }
  }
  for (const JointEntry<double>& e : rows.entries) {
    out.reach[static_cast<std::size_t>(e.row) * out.dofs + e.v] += std::abs(e.weight);
  }
}

void find_inertia(const Model& model, const Kinematics<double>& kin, RowAnalysis& out) {
  std::vector<double> M(static_cast<std::size_t>(out.dofs) * out.dofs);
  CompositeInertia<double> work(model);
  crba<double>(model, kin, MatrixView<double>(M.data(), out.dofs, out.dofs), work);
  out.inertia.resize(static_cast<std::size_t>(out.dofs));
  for (int k = 0; k < out.dofs; ++k) out.inertia[k] = M[static_cast<std::size_t>(k) * out.dofs + k];
}

/// The scaled Y, one row of J after the other; zero where no joint moves the row.
class ScaledRows {
 public:
  ScaledRows(const Model& model, const Kinematics<double>& kin, const ConstraintRows<double>& rows)
      : n_(model.nv()), Y_(static_cast<std::size_t>(rows.num_rows()) * n_) {
    constraint_jacobian<double>(model, kin, rows, MatrixView<double>(Y_.data(), rows.num_rows(), n_));
  }
  double* row(int r) { return Y_.data() + static_cast<std::ptrdiff_t>(r) * n_; }
  const double* row(int r) const { return Y_.data() + static_cast<std::ptrdiff_t>(r) * n_; }

  Status take_out_inertia(const Model& model, const Kinematics<double>& kin, int rows) {
    WorldFrames<double> frames(model);
    place_frames(model, kin, frames);
    InertiaFactor<double> factor(model);
    const Status status = factor.compute(model, kin, frames);
    for (int r = 0; status.ok() && r < rows; ++r) factor.solve_transposed(row(r));
    return status;
  }

  /// The strength of a row compares with what it would be if nothing cancelled and joints moved one at a time.
  Status scale(double tolerance, RowAnalysis& out) {
    for (int r = 0; r < out.rows; ++r) {
      double reachable = 0;
      for (int k = 0; k < n_; ++k) {
        const double reach = out.reach[static_cast<std::size_t>(r) * n_ + k];
        reachable += reach * reach / out.inertia[k];
      }
      const double norm = length(row(r), n_);
      if (!std::isfinite(norm)) return {Status::Code::kNotFinite, r};
      out.diagonal.push_back(norm * norm);
      out.strength.push_back(reachable > 0 ? norm / std::sqrt(reachable) : 0);
      const bool moves = out.strength[r] * out.strength[r] > tolerance;
      for (int k = 0; k < n_; ++k) row(r)[k] = moves ? row(r)[k] / norm : 0;
    }
    return {};
  }

 private:
  int n_;
  std::vector<double> Y_;
};

/// Rows one after the other against the span of those that are kept: Gram and Schmidt, twice. What is nearly in the span waits
/// until all others are there, so that no sum needs the small difference of two rows.
class Elimination {
 public:
  Elimination(const ScaledRows& Y, RowAnalysis& out) : Y_(Y), out_(out), rest_(out.dofs) {}

  void run(double exactly, double nearly) {
    std::vector<int> waiting, close;
    for (const int r : order()) {
      const double distance = project(r);
      if (distance < nearly) {
        waiting.push_back(r);
        continue;
      }
      if (kept() > 0 && distance < closest_.distance) closest_ = dependency(r, distance, false);
      keep(r, distance);
    }
    for (const int r : waiting) {
      const double distance = project(r);
      distance <= exactly ? add(r, distance, true) : close.push_back(r);
    }
    for (const int r : close) {
      const double distance = project(r);
      add(r, distance, distance <= exactly);
      if (distance > exactly) keep(r, distance);
    }
    std::ranges::sort(out_.independent);
    std::ranges::stable_sort(out_.dependencies, {}, [](const RowDependency& d) { return d.rows[0]; });
  }

  /// Of the rows that are kept, the one that is closest to the span of those before, and what they have in common.
  const RowDependency& closest() const { return closest_; }

 private:
  int kept() const { return static_cast<int>(kept_.size()); }
  void add(int r, double distance, bool exact) { out_.dependencies.push_back(dependency(r, distance, exact)); }

  /// Rows that joints hardly move come last: of two rows along one direction the other one is worth keeping.
  std::vector<int> order() const {
    constexpr double kWeak = 0.01;
    std::vector<int> out(static_cast<std::size_t>(out_.rows));
    std::iota(out.begin(), out.end(), 0);
    std::stable_partition(out.begin(), out.end(), [&](int r) { return out_.strength[r] > kWeak; });
    return out;
  }

  /// Row = Σ along · basis + rest; the length of the rest.
  double project(int r) {
    std::copy_n(Y_.row(r), out_.dofs, rest_.begin());
    along_.assign(static_cast<std::size_t>(kept()), 0);
    for (int pass = 0; pass < 2; ++pass) {
      for (int k = 0; k < kept(); ++k) {
        double d = 0;
        for (int i = 0; i < out_.dofs; ++i) d += basis_[k][i] * rest_[i];
        for (int i = 0; i < out_.dofs; ++i) rest_[i] -= d * basis_[k][i];
        along_[k] += d;
      }
    }
    return length(rest_.data(), out_.dofs);
  }

  void keep(int r, double distance) {
    for (double& x : rest_) x /= distance;
    basis_.push_back(rest_);
    along_.push_back(distance);
    triangle_.push_back(along_);
    kept_.push_back(r);
    out_.independent.push_back(r);
  }

  /// The only sum of kept rows that the row is: with it they are a circuit, of which no row can be left out.
  RowDependency dependency(int r, double distance, bool exact) const {
    std::vector<double> x = along_;
    double largest = 0;
    for (int k = kept() - 1; k >= 0; --k) {
      x[k] /= triangle_[k][k];
      for (int i = 0; i < k; ++i) x[i] -= x[k] * triangle_[k][i];
      largest = std::max(largest, std::abs(x[k]));
    }
    RowDependency out{{r}, {1}, distance, exact};
    for (int k = 0; k < kept(); ++k) {
      if (std::abs(x[k]) <= kNoWeight * largest) continue;
      const int other = kept_[k];
      out.rows.push_back(other);
      out.weights.push_back(-x[k] * std::sqrt(out_.diagonal[r] / out_.diagonal[other]));
    }
    return out;
  }

  const ScaledRows& Y_;
  RowAnalysis& out_;
  std::vector<int> kept_;
  std::vector<double> rest_, along_;
  RowDependency closest_{{}, {}, 1, false};
  std::vector<std::vector<double>> basis_;
  std::vector<std::vector<double>> triangle_;  // column k: row k of those kept in the basis
};

/// Of Yᵀ Y or Y Yᵀ, whichever is smaller, in long double: squares of numbers with as many digits as Y has.
void find_eigenvalues(const ScaledRows& Y, RowAnalysis& out) {
  const int m = out.rows, n = out.dofs, size = std::min(m, n);
  using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  Matrix gram = Matrix::Zero(size, size);
  for (int a = 0; a < size; ++a) {
    for (int b = 0; b <= a; ++b) {
      for (int k = 0; k < std::max(m, n); ++k) {
        gram(a, b) += m < n ? static_cast<long double>(Y.row(a)[k]) * Y.row(b)[k]
                            : static_cast<long double>(Y.row(k)[a]) * Y.row(k)[b];
      }
    }
  }
  out.eigenvalues.assign(static_cast<std::size_t>(m), 0);
  if (out.independent.empty()) return;
  const auto values = Eigen::SelfAdjointEigenSolver<Matrix>(gram, Eigen::EigenvaluesOnly).eigenvalues();
  for (int k = 0; k < size; ++k) out.eigenvalues[k] = std::max(0.0, static_cast<double>(values[size - 1 - k]));
  out.condition = out.eigenvalues[0] / out.eigenvalues[out.independent.size() - 1];
}

}  // namespace

Status analyse_rows(const Model& model, const Kinematics<double>& kin, const ConstraintRows<double>& rows,
                    double tolerance, double worst_condition, RowAnalysis& out) {
  out = {};
  out.rows = rows.num_rows();
  out.dofs = model.nv();
  find_reach(model, kin, rows, out);
  find_inertia(model, kin, out);
  ScaledRows Y(model, kin, rows);
  Status status = Y.take_out_inertia(model, kin, out.rows);
  if (status.ok()) status = Y.scale(tolerance, out);
  if (!status.ok()) return status;
  Elimination elimination(Y, out);
  elimination.run(std::sqrt(tolerance), 1 / std::sqrt(worst_condition));
  find_eigenvalues(Y, out);
  // A condition that many rows have together has no culprit, but one to begin with.
  const bool blamed = std::ranges::any_of(out.dependencies, [](const RowDependency& d) { return !d.exact; });
  if (out.condition > worst_condition && !blamed) out.dependencies.push_back(elimination.closest());
  return {};
}

}  // namespace delassus
