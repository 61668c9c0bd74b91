#include "delassus/solvers/pgs.hpp"

#include <algorithm>
#include <cmath>

#include "math/finite.hpp"
#include "solvers/budget_watch.hpp"
#include "solvers/contact_contradiction.hpp"

namespace delassus {

class Pgs::Work {
 public:
  explicit Work(const PgsOptions& options) : options_(options) {
    if (!(options.tolerance > 0)) throw Error("option 'tolerance' of PGS has to be positive, in metres per second");
    if (!(options.relative_tolerance >= 0)) throw Error("option 'relative_tolerance' of PGS has to be zero or more");
    if (options.iterations < 1) throw Error("option 'iterations' of PGS has to be one at least");
    if (!(options.relaxation > 0 && options.relaxation < 2))
      throw Error("option 'relaxation' of PGS lies between 0 and 2");
  }

  void reserve(int constraints, int rows) {
    const auto n = static_cast<std::size_t>(rows);
    blocks_.reserve(static_cast<std::size_t>(constraints));
    sizes_.reserve(static_cast<std::size_t>(constraints));
    matrix_.reserve(n * n);
    for (std::vector<double>* x : {&sigma_, &mobility_, &weights_, &metric_, &point_}) x->reserve(n);
    contradiction_.reserve(rows);
  }

  Status solve(OperatorRef<double> op, const ContactProblem& problem, VectorView<double> lambda,
               const SolveBudget& budget) {
    watch_.begin(options_.iterations, budget);
    if (const Status status = begin(problem, lambda); !status.ok()) return status;
    if (problem.rows() != op.rows()) return {Status::Code::kBadArgument, 1};
    op.dense(MatrixView<double>(matrix_.data(), problem.rows(), problem.rows()));
    start(problem, lambda);
    for (;;) {
      if (const Status status = judge(problem, lambda); !status.ok()) return status;
      if (certificate_.solved()) break;
      if (is_infeasible(op, problem)) {
        certificate_.reason = StopReason::kInfeasible;
        break;
      }
      if (!watch_.allows_more(certificate_.iterations)) break;
      sweep(problem, lambda);
    }
    return conclude(certificate_, tolerance_, contradiction_, blocks_);
  }

  const ContactCertificate& certificate() const { return certificate_; }
  const std::vector<double>& velocity() const { return sigma_; }
  const PgsOptions& options() const { return options_; }

 private:
  Status begin(const ContactProblem& problem, VectorView<const double> lambda) {
    certificate_ = {};
    certificate_.reason = StopReason::kFailed;
    if (const Status s = check_sizes({{2, lambda.size(), problem.rows()}}); !s.ok()) return s;
    if (const Status s = as_status(1, [&] { list_force_blocks(problem, blocks_); }); !s.ok()) return s;
    const auto n = static_cast<std::size_t>(problem.rows());
    matrix_.resize(n * n);
    sizes_.resize(blocks_.size());
    for (std::vector<double>* x : {&sigma_, &mobility_, &metric_, &point_}) x->resize(n);
    weights_.assign(n, 1.0);
    double most = 0;
    if (const Status status = measure_free_velocity(problem, blocks_, lambda, most); !status.ok()) return status;
    tolerance_ = std::max(options_.tolerance, options_.relative_tolerance * most);
    return {};
  }

  /// The largest sum of magnitudes in a row: no eigenvalue is larger.
  double size_of_block(const ContactProblem& problem, const ForceBlock& block) const {
    double most = 0;
    for (int r = block.row; r < block.row + block.rows; ++r) {
      double sum = problem.compliance_of(r);
      for (int k = block.row; k < block.row + block.rows; ++k) {
        sum += std::abs(matrix_[static_cast<std::size_t>(r) * sigma_.size() + static_cast<std::size_t>(k)]);
      }
      most = std::max(most, sum);
    }
    return most;
  }

  void find_velocity(const ContactProblem& problem, VectorView<const double> lambda) {
    const int n = problem.rows();
    for (int r = 0; r < n; ++r) {
      const double* row = matrix_.data() + static_cast<std::ptrdiff_t>(r) * n;
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += row[k] * lambda[k];
      sigma_[static_cast<std::size_t>(r)] = sum;
    }
    add_free_velocity(problem, lambda, sigma_);
  }

  /// One constraint, with velocities as they are; keeps velocities up to date.
  void improve(const ContactProblem& problem, const ForceBlock& block, double size, VectorView<double> lambda) {
    if (size <= kImmovable) return;
    const auto first = static_cast<std::size_t>(block.row);
    const bool shifted = block.kind == SetKind::kFrictionCone && problem.law == ContactLaw::kCoulomb;
    const double shift = shifted ? sliding_speed(block, &sigma_[first]) : 0.0;
    for (int k = 0; k < block.rows; ++k) {
      const double velocity = sigma_[first + static_cast<std::size_t>(k)] + (k == 0 ? shift : 0.0);
      point_[static_cast<std::size_t>(k)] = lambda[block.row + k] - options_.relaxation * velocity / size;
    }
    project(block, weights_.data(), point_.data(), point_.data());
    const std::size_t n = sigma_.size();
    for (int k = 0; k < block.rows; ++k) {
      const double change = point_[static_cast<std::size_t>(k)] - lambda[block.row + k];
      if (change == 0) continue;
      lambda[block.row + k] += change;
      const double* column = matrix_.data() + (first + static_cast<std::size_t>(k)) * n;  // the matrix is symmetric
      for (std::size_t r = 0; r < n; ++r) sigma_[r] += change * column[r];
      sigma_[first + static_cast<std::size_t>(k)] += change * problem.compliance_of(block.row + k);
    }
  }

  /// Sizes of blocks, and forces in their sets.
  void start(const ContactProblem& problem, VectorView<double> lambda) {
    for (std::size_t c = 0; c < blocks_.size(); ++c) {
      const ForceBlock& block = blocks_[c];
      sizes_[c] = size_of_block(problem, block);
      std::fill_n(metric_.begin() + block.row, block.rows, sizes_[c] > kImmovable ? sizes_[c] : 1.0);
      project(block, weights_.data(), lambda.data() + block.row, lambda.data() + block.row);
    }
    for (int r = 0; r < problem.rows(); ++r) {
      const auto k = static_cast<std::size_t>(r);
      mobility_[k] = matrix_[k * sigma_.size() + k] + problem.compliance_of(r);
    }
  }

  Status judge(const ContactProblem& problem, VectorView<const double> lambda) {
    find_velocity(problem, lambda);  // rounding of the updates adds up
    static_cast<ContactResiduals&>(certificate_) = measure_residuals(blocks_, problem, mobility_, lambda, sigma_);
    certificate_.reason = StopReason::kFailed;
    if (const Status status = require_finite<double>(sigma_); !status.ok()) return status;
    certificate_.reason =
        is_within(certificate_, tolerance_) ? StopReason::kSolved : watch_.reason(certificate_.iterations);
    return {};
  }

  /// Until the next judgement.
  void sweep(const ContactProblem& problem, VectorView<double> lambda) {
    constexpr int kJudgeEvery = 10;
    do {
      for (std::size_t c = 0; c < blocks_.size(); ++c) improve(problem, blocks_[c], sizes_[c], lambda);
      ++certificate_.iterations;
    } while (certificate_.iterations % kJudgeEvery != 0 && watch_.allows_more(certificate_.iterations));
  }

  bool is_infeasible(OperatorRef<double> op, const ContactProblem& problem) {
    constexpr int kLookFirst = 100;
    const ContactStand at{blocks_, metric_, 1.0, sigma_, tolerance_};
    if (!watch_.allows_more(certificate_.iterations)) return contradiction_.find_last(op, problem, at);
    return ContactContradiction::is_due(certificate_.iterations, kLookFirst) && contradiction_.find(op, problem, at);
  }

  PgsOptions options_;
  BudgetWatch watch_;
  ContactCertificate certificate_;
  ContactContradiction contradiction_;
  std::vector<ForceBlock> blocks_;
  std::vector<double> matrix_, sigma_, mobility_, sizes_, weights_, metric_, point_;
  double tolerance_ = 0;
};

Pgs::Pgs(const PgsOptions& options) : work_(std::in_place, options) {}
void Pgs::reserve(int constraints, int rows) { work_->reserve(constraints, rows); }
Status Pgs::solve(OperatorRef<double> op, const ContactProblem& problem, Out<double> lambda,
                  const SolveBudget& budget) {
  return work_->solve(op, problem, lambda, budget);
}
const ContactCertificate& Pgs::certificate() const { return work_->certificate(); }
const std::vector<double>& Pgs::velocity() const { return work_->velocity(); }
const PgsOptions& Pgs::options() const { return work_->options(); }

}  // namespace delassus
