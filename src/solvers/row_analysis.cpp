#include "solvers/row_analysis.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "solvers/row_basis.hpp"

namespace delassus {
namespace {

/// Weights of unit rows below this, relative to the largest, are rounding: a row that depends on others does so to the root of
/// the rank's tolerance, 1e-7.
constexpr double kNoWeight = 1e-6;

/// Rows one after the other against the span of those that are kept: Gram and Schmidt, twice. A row is kept once what is left
/// of it is at least a threshold that falls from pass to pass: rows keep their order among those that are about as good, and
/// no basis has to live with a bad one. What is nearly in the span waits until all others are there, so that no sum needs the
/// small difference of two rows.
class Elimination {
 public:
  explicit Elimination(RowAnalysis& out)
      : out_(out), basis_(out.dofs), distance_(static_cast<std::size_t>(out.rows), 1) {}

  void run(double exactly, double nearly) {
    std::vector<int> waiting = order();
    fall(waiting, 1, std::max(nearly, exactly), [&](int r, double distance) {
      if (kept() > 0 && distance < closest_.distance) closest_ = dependency(r, distance, false);
    });
    take_exact(waiting, exactly);
    fall(waiting, nearly, exactly, [&](int r, double distance) { add(r, distance, false); });
    take_exact(waiting, exactly);
    std::ranges::sort(out_.independent);
    std::ranges::stable_sort(out_.dependencies, {}, [](const RowDependency& d) { return d.rows[0]; });
  }

  /// Of the rows that are kept, the one that is closest to the span of those before, and what they have in common.
  const RowDependency& closest() const { return closest_; }

 private:
  int kept() const { return basis_.size(); }

  /// Thresholds from above to the least, each some third of the one before. Distances only fall: a row that was too close
  /// before is not tried again.
  template <class Visit>
  void fall(std::vector<int>& waiting, double above, double least, Visit visit) {
    for (double threshold = above; threshold > least;) {
      threshold = std::max(0.3 * threshold, least);
      std::erase_if(waiting, [&](int r) {
        if (distance_[r] < threshold) return false;
        distance_[r] = project(r);
        if (distance_[r] < threshold) return false;
        visit(r, distance_[r]);
        keep(r, distance_[r]);
        return true;
      });
    }
  }

  void take_exact(std::vector<int>& waiting, double exactly) {
    std::erase_if(waiting, [&](int r) {
      distance_[r] = project(r);
      if (distance_[r] <= exactly) add(r, distance_[r], true);
      return distance_[r] <= exactly;
    });
  }

  void add(int r, double distance, bool exact) { out_.dependencies.push_back(dependency(r, distance, exact)); }

  /// Rows that joints hardly move come last: of two rows along one direction the other one is worth keeping.
  std::vector<int> order() const {
    constexpr double kWeak = 0.01;
    std::vector<int> out(static_cast<std::size_t>(out_.rows));
    std::iota(out.begin(), out.end(), 0);
    std::stable_partition(out.begin(), out.end(), [&](int r) { return out_.strength[r] > kWeak; });
    return out;
  }

  double project(int r) { return basis_.project(out_.row(r)); }

  void keep(int r, double distance) {
    basis_.keep(distance);
    kept_.push_back(r);
    out_.independent.push_back(r);
  }

  /// The only sum of kept rows that the row is: with it they are a circuit, of which no row can be left out.
  RowDependency dependency(int r, double distance, bool exact) const {
    const std::vector<double> x = basis_.weights();
    double largest = 0;
    for (const double weight : x) largest = std::max(largest, std::abs(weight));
    RowDependency out{{r}, {1}, distance, exact};
    for (int k = 0; k < kept(); ++k) {
      if (std::abs(x[k]) <= kNoWeight * largest) continue;
      const int other = kept_[k];
      out.rows.push_back(other);
      out.weights.push_back(-x[k] * std::sqrt(out_.diagonal[r] / out_.diagonal[other]));
    }
    return out;
  }

  RowAnalysis& out_;
  RowBasis basis_;
  std::vector<int> kept_;
  std::vector<double> distance_;  // of each row, when it was last tried
  RowDependency closest_{{}, {}, 1, false};
};

/// Of Yᵀ Y or Y Yᵀ, whichever is smaller, in long double: squares of numbers with as many digits as Y has.
void find_eigenvalues(RowAnalysis& out) {
  const int m = out.rows, n = out.dofs, size = std::min(m, n);
  using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  Matrix gram = Matrix::Zero(size, size);
  for (int a = 0; a < size; ++a) {
    for (int b = 0; b <= a; ++b) {
      for (int k = 0; k < std::max(m, n); ++k) {
        gram(a, b) += m < n ? static_cast<long double>(out.row(a)[k]) * out.row(b)[k]
                            : static_cast<long double>(out.row(k)[a]) * out.row(k)[b];
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
  const Status status = scale_rows(model, kin, rows, tolerance, out);
  if (!status.ok()) return status;
  Elimination elimination(out);
  elimination.run(std::sqrt(tolerance), 1 / std::sqrt(worst_condition));
  find_eigenvalues(out);
  // A condition that many rows have together has no culprit, but one to begin with.
  const bool blamed = std::ranges::any_of(out.dependencies, [](const RowDependency& d) { return !d.exact; });
  if (out.condition > worst_condition && !blamed) out.dependencies.push_back(elimination.closest());
  return {};
}

}  // namespace delassus
