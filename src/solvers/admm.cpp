#include "delassus/solvers/admm.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/chunks.hpp"
#include "math/columns.hpp"
#include "math/finite.hpp"
#include "solvers/anderson.hpp"
#include "solvers/budget_watch.hpp"
#include "solvers/cone_lanes.hpp"
#include "solvers/contact_contradiction.hpp"
#include "solvers/contact_modes.hpp"
#include "solvers/row_mobility.hpp"

namespace delassus {
namespace {

/// ρ of a first solve, relative to the size of Λ⁻¹.
constexpr double kFirstPenalty = 0.1;
/// Equalities leave nothing to project, so that their rows converge the faster the less they are damped. It is the same in all of a solve, whatever ρ is, so
/// that operators keep what follows from it. Solves that take long are held up by rounding, which is less with more. Relative to what a row yields.
constexpr double kEqualityDamping = 1e-5, kLateEqualityDamping = 1e-3;
constexpr int kLate = 50;  // iterations
/// What forces of equalities count for where those of all rows are compared.
constexpr double kEqualityWeight = 1e-3;
/// Rows up to which iterations have a weight for each contact. The diagonal of a pile takes as long as a hundred iterations.
constexpr int kMostWeighed = 128;
/// How often the penalty is looked at, and the residual; what the penalty may differ from the best by before it is changed.
constexpr int kAdaptEvery = 10;
constexpr int kJudgeEvery = 5;
constexpr double kMostImbalance = 2, kMostChange = 5;

/// The largest of what f(type, row) gives for rows, a chunk at a time. NaN does not count.
template <class F>
double largest_of_rows(int rows, F&& f) {
  Pack<double, kChunk<double>> lanes(0);
  double most = 0;
  for_each_chunk<double>(rows, [&]<class X>(std::type_identity<X> type, int r) {
    const X x = f(type, r);
    if constexpr (std::same_as<X, decltype(lanes)>) {
      lanes = max(lanes, x);
    } else if constexpr (std::same_as<X, double>) {
      most = std::max(most, x);
    } else {
      for (int k = 0; k < X::kWidth; ++k) most = std::max(most, x[k]);
    }
  });
  for (int k = 0; k < kChunk<double>; ++k) most = std::max(most, lanes[k]);
  return most;
}

/// By what factor per step a quantity fell over the last steps: the slope of its logarithm, by least squares.
class Rate {
 public:
  void begin() { count_ = 0; }
  void add(double value) { last_[static_cast<std::size_t>(count_++) % kMost] = value; }

  double value() const {
    const int n = std::min(count_, static_cast<int>(kMost));
    double sum = 0, square = 0;
    for (int k = 0; k < n; ++k) {
      const double value = last_[static_cast<std::size_t>(count_ - n + k) % kMost], x = k - 0.5 * (n - 1);
      if (!(value > 0 && std::isfinite(value))) return n > 1 ? 0 : 1;
      sum += x * std::log(value);
      square += x * x;
    }
    return n > 1 ? std::exp(sum / square) : 1;
  }

  static constexpr int kMost = 10;

 private:
  std::array<double, kMost> last_{};
  int count_ = 0;
};

}  // namespace

class Admm::Work {
 public:
  explicit Work(const AdmmOptions& options) : options_(options), anderson_(options.memory) {
    if (!(options.tolerance > 0)) throw Error("option 'tolerance' of ADMM has to be positive, in metres per second");
    if (!(options.relative_tolerance >= 0)) throw Error("option 'relative_tolerance' of ADMM has to be zero or more");
    if (options.iterations < 1) throw Error("option 'iterations' of ADMM has to be one at least");
    if (!(options.relaxation > 0 && options.relaxation < 2))
      throw Error("option 'relaxation' of ADMM lies between 0 and 2");
    if (!(options.penalty >= 0 && std::isfinite(options.penalty))) {
      throw Error("option 'penalty' of ADMM has to be positive, or zero for the default");
    }
    if (!(options.start_tolerance >= 0))
      throw Error("option 'start_tolerance' of ADMM has to be zero or more metres per second");
    if (options.patience < 0) throw Error("option 'patience' of ADMM has to be zero or more iterations");
    if (options.memory < 0 || options.memory > 50) throw Error("option 'memory' of ADMM lies between 0 and 50");
  }

  void reserve(int constraints, int rows) {
    blocks_.reserve(static_cast<std::size_t>(constraints));
    cones_.reserve(constraints);
    shift_.reserve(static_cast<std::size_t>(constraints));
    pushes_.reserve(static_cast<std::size_t>(rows));
    anderson_.reserve(rows);
    mobility_.reserve(rows);
    contradiction_.reserve(rows);
    for (std::vector<double>* x :
         {&weights_, &penalties_, &damping_, &u_, &x_, &y_, &y_before_, &right_, &step_, &sigma_, &start_}) {
      x->reserve(static_cast<std::size_t>(rows));
    }
  }

  Status solve(OperatorRef<double> op, const ContactProblem& problem, VectorView<double> lambda,
               const SolveBudget& budget) {
    watch_.begin(options_.iterations, budget);
    Status status = begin(problem, lambda);
    if (!status.ok()) return status;
    if (problem.rows() == 0) return finish(StopReason::kSolved, lambda);
    if (problem.rows() != op.rows()) return {Status::Code::kBadArgument, 1};
    mobility_.find(op, problem);
    weigh_rows();
    hold_equalities(kEqualityDamping);
    find_velocity(op, problem);
    const bool solved = judge(problem);
    if (solved && worst(certificate_) <= options_.start_tolerance) return finish(StopReason::kSolved, lambda);
    if (hold_modes(op, problem) || solved) return finish(StopReason::kSolved, lambda);
    if (problem.rows() <= kMostWeighed) {
      mobility_.find_each(op, problem);
      weigh_rows();
      judge(problem);
    }
    start_residuals_ = certificate_;
    start_ = y_;
    start(problem);
    status = damp(op, problem);
    StopReason reason = StopReason::kFailed;
    if (status.ok()) status = iterate(op, problem, reason);
    return status.ok() ? finish(reason, lambda) : status;
  }

  const ContactCertificate& certificate() const { return certificate_; }
  const std::vector<double>& velocity() const { return sigma_; }
  const AdmmOptions& options() const { return options_; }
  double rate() const { return rate_.value(); }
  double penalty() const { return penalty_; }
  void set_penalty(double penalty) { penalty_ = penalty; }

 private:
  /// Sizes, and forces to begin with, which are those of λ in their sets.
  Status begin(const ContactProblem& problem, VectorView<const double> lambda) {
    certificate_ = {};
    certificate_.reason = StopReason::kFailed;
    if (const Status s = check_sizes({{2, lambda.size(), problem.rows()}}); !s.ok()) return s;
    if (const Status s = as_status(1, [&] { list_force_blocks(problem, blocks_); }); !s.ok()) return s;
    const auto n = static_cast<std::size_t>(problem.rows());
    for (std::vector<double>* x :
         {&weights_, &penalties_, &damping_, &u_, &x_, &y_, &y_before_, &right_, &step_, &sigma_}) {
      x->resize(n);
    }
    pushes_.resize(n);
    cones_.list(blocks_);
    shift_.resize(cones_.mu().size());
    rate_.begin();
    double most = 0;
    if (const Status status = measure_free_velocity(problem, blocks_, lambda, most); !status.ok()) return status;
    tolerance_ = std::max(options_.tolerance, options_.relative_tolerance * most);
    std::fill(weights_.begin(), weights_.end(), 1.0);
    std::copy_n(lambda.data(), lambda.size(), u_.begin());
    project_all();
    return {};
  }

  void weigh_rows() {
    std::copy(mobility_.weights().begin(), mobility_.weights().end(), weights_.begin());
    for (const ForceBlock& block : blocks_) {
      if (block.kind != SetKind::kEquality) continue;
      for (int r = block.row; r < block.row + block.rows; ++r) weights_[static_cast<std::size_t>(r)] *= kEqualityWeight;
    }
    scale_ = mobility_.scale();
    const double given = options_.penalty > 0 ? options_.penalty : penalty_;
    penalty_ = given > 0 ? given : kFirstPenalty;
    rho_ = penalty_ * scale_;
  }

  template <class F>
  void for_each_row(F&& f) const {
    for (const ForceBlock& block : blocks_) {
      const bool equality = block.kind == SetKind::kEquality;
      for (int r = block.row; r < block.row + block.rows; ++r) f(static_cast<std::size_t>(r), equality);
    }
  }

  /// ρW, but for equalities.
  void set_penalties() {
    for_each_row([&](std::size_t r, bool equality) {
      if (!equality) penalties_[r] = rho_ * weights_[r];
    });
  }
  /// Whether there are any.
  bool hold_equalities(double damping) {
    bool any = false;
    for_each_row([&](std::size_t r, bool equality) {
      any = any || equality;
      if (equality) penalties_[r] = damping * scale_ * mobility_.weights()[r];
    });
    return any;
  }

  /// One number as damping is cheaper than one per row.
  bool has_equal_rows(const ContactProblem& problem) const {
    for (int r = 0; r < problem.rows(); ++r) {
      if (weights_[static_cast<std::size_t>(r)] != 1 || problem.compliance_of(r) != 0) return false;
    }
    return true;
  }

  const std::vector<double>& list_damping(const ContactProblem& problem) {
    for (std::size_t r = 0; r < damping_.size(); ++r) {
      damping_[r] = penalties_[r] + problem.compliance_of(static_cast<int>(r));
    }
    return damping_;
  }

  /// Steps in which rows that push take their velocity away, and all others keep their force: damped solves, the first of which is nearly the solution while
  /// modes last. What damping leaves over goes with the next. Forces are those with the least change, where they are not unique. Whether y is the solution then;
  /// if not, it is what it was.
  bool hold_modes(OperatorRef<double> op, const ContactProblem& problem) {
    constexpr double kFall = 1e-2;  // of the residual, or modes do not last
    if (!options_.modes || !watch_.allows_more(certificate_.iterations)) return false;
    if (!list_modes(blocks_, y_, sigma_, pushes_) || !damp_modes(op, problem)) return false;
    y_before_ = y_;
    step_ = sigma_;
    for (double before = worst(certificate_); watch_.allows_more(certificate_.iterations);) {
      if (!take_mode_step(op, problem)) break;
      if (judge(problem)) return true;
      if (!(worst(certificate_) < kFall * before)) break;
      before = worst(certificate_);
    }
    y_.swap(y_before_);
    sigma_.swap(step_);
    judge(problem);
    return false;
  }

  bool damp_modes(OperatorRef<double> op, const ContactProblem& problem) {
    constexpr double kPushing = 1e-6, kKept = 1e6;  // damping, relative to what a row yields
    const std::vector<double>& yields = mobility_.weights();
    for_each_row([&](std::size_t r, bool equality) {
      const double own = equality ? penalties_[r] : (pushes_[r] != 0 ? kPushing : kKept) * scale_ * yields[r];
      damping_[r] = own + problem.compliance_of(static_cast<int>(r));
    });
    ++certificate_.dampings;
    return op.update_damping(Damping<double>(damping_)).ok();
  }

  /// With its velocities.
  bool take_mode_step(OperatorRef<double> op, const ContactProblem& problem) {
    for (std::size_t r = 0; r < u_.size(); ++r) right_[r] = pushes_[r] != 0 ? -sigma_[r] : 0;
    ++certificate_.iterations;
    if (!op.solve(right_, x_).ok()) return false;
    for (std::size_t r = 0; r < u_.size(); ++r) u_[r] = pushes_[r] != 0 ? y_[r] + x_[r] : y_[r];
    project_all();
    find_velocity(op, problem);
    return true;
  }

  /// u from y and the velocities that it gives: at a solution this is the fixed point. Equalities keep their force, which any u of theirs is.
  void start(const ContactProblem& problem) {
    set_penalties();
    for_each_row([&](std::size_t r, bool equality) { u_[r] = equality ? y_[r] : y_[r] - sigma_[r] / penalties_[r]; });
    if (problem.law == ContactLaw::kCoulomb) {
      for (const ForceBlock& block : blocks_) {
        if (block.kind != SetKind::kFrictionCone) continue;
        const auto r = static_cast<std::size_t>(block.row);
        u_[r] -= sliding_speed(block, &sigma_[r]) / penalties_[r];
      }
    }
    anderson_.begin(problem.rows());
    first_iteration_ = certificate_.iterations;
    failed_estimate_ = 10 * tolerance_;
  }

  /// y = Π_K(u), and by how much longer the tangents of u are than those of y.
  void project_all() {
    for (const ConeRun& run : cones_.runs()) {
      const double *mu = &cones_.mu()[0] + run.first, *u = &u_[0] + run.row;
      double *y = &y_[0] + run.row, *shift = &shift_[0] + run.first;
      for_each_chunk<double>(run.count, [&]<class X>(std::type_identity<X>, int k) {
        X shorter;
        store_cones(y + kConeRows * k, project_cones(load<X>(mu + k), load_cones<X>(u + kConeRows * k), shorter));
        store(shift + k, shorter);
      });
    }
    for (const int b : cones_.others()) {
      const ForceBlock& block = blocks_[static_cast<std::size_t>(b)];
      project(block, &weights_[0] + block.row, &u_[0] + block.row, &y_[0] + block.row);
    }
  }

  /// ρW y + z - g - Γ(z), z = ρW (y - u); for equalities, whose y is u, their own damping is ρW.
  void find_right_side(const ContactProblem& problem) {
    for_each_chunk<double>(problem.rows(), [&]<class X>(std::type_identity<X>, int r) {
      const X y = load<X>(&y_[0] + r), weight = load<X>(&penalties_[0] + r);
      store(&right_[0] + r, weight * (y + (y - load<X>(&u_[0] + r))) - load<X>(problem.free_velocity.data() + r));
    });
    if (problem.law != ContactLaw::kCoulomb) return;
    for (const ConeRun& run : cones_.runs()) {
      for (int k = 0; k < run.count; ++k) {
        const auto r = static_cast<std::size_t>(run.row + kConeRows * k), c = static_cast<std::size_t>(run.first + k);
        right_[r] -= penalties_[r] * cones_.mu()[c] * shift_[c];
      }
    }
    for (const int b : cones_.others()) {
      const ForceBlock& block = blocks_[static_cast<std::size_t>(b)];
      if (block.kind == SetKind::kFrictionCone) right_[static_cast<std::size_t>(block.row)] -= sliding_speed_of(block);
    }
  }

  /// ‖μ z_t‖ of a cone that is not round.
  double sliding_speed_of(const ForceBlock& block) const {
    std::array<double, 6> z{};
    for (int k = 0; k < block.rows; ++k) {
      const auto r = static_cast<std::size_t>(block.row + k);
      z[static_cast<std::size_t>(k)] = penalties_[r] * (y_[r] - u_[r]);
    }
    return sliding_speed(block, z.data());
  }

  /// α (x - y), and the largest entry of W (x - y).
  void find_step() {
    force_miss_ = largest_of_rows(static_cast<int>(u_.size()), [&]<class X>(std::type_identity<X>, int r) {
      const X difference = load<X>(&x_[0] + r) - load<X>(&y_[0] + r);
      store(&step_[0] + r, difference * options_.relaxation);
      return load<X>(&weights_[0] + r) * magnitude(difference);
    });
    estimate_ = (scale_ + rho_) * force_miss_;
    rate_.add(estimate_);
  }

  /// Without the one that holds modes.
  int own_iterations() const { return certificate_.iterations - first_iteration_; }

  /// The velocities of y miss those in z by (Λ⁻¹ + R + ρW)(y - x). A product to look closer is worth it once that is small, and smaller than when it
  /// did not do; and now and then anyway, because where forces are not unique x and y may differ by what nothing feels.
  bool may_be_solved() const { return estimate_ <= failed_estimate_ || own_iterations() % kJudgeEvery == 0; }

  /// Whether there is to be another damping; y and z stay.
  bool adapt_penalty() {
    if (own_iterations() % kAdaptEvery != 0) return false;
    const bool held = own_iterations() == kLate && hold_equalities(kLateEqualityDamping);
    if (!balance_residuals() && !held) return false;
    anderson_.forget();
    return true;
  }

  /// Makes both alike: forces that miss their sets, in units of velocity, and velocities that projections change. Whether ρ is another one then.
  bool balance_residuals() {
    const int rows = static_cast<int>(u_.size());
    const double change = largest_of_rows(rows, [&]<class X>(std::type_identity<X>, int r) {
      return load<X>(&weights_[0] + r) * magnitude(load<X>(&y_[0] + r) - load<X>(&y_before_[0] + r));
    });
    const double ratio = std::sqrt(scale_ * force_miss_ / std::max(rho_ * change, 1e-30));
    if (ratio <= kMostImbalance && ratio >= 1 / kMostImbalance) return false;
    const double factor = std::clamp(ratio, 1 / kMostChange, kMostChange);
    rho_ *= factor;
    penalty_ = rho_ / scale_;
    set_penalties();
    for (std::size_t r = 0; r < u_.size(); ++r) u_[r] = y_[r] - (y_[r] - u_[r]) / factor;
    return true;
  }

  /// By the velocities in sigma_, which are those of y.
  bool judge(const ContactProblem& problem) {
    static_cast<ContactResiduals&>(certificate_) =
        measure_residuals(blocks_, problem, mobility_.mobility(), y_, sigma_);
    failed_estimate_ = std::min(failed_estimate_, estimate_) / 2;
    return is_within(certificate_, tolerance_);
  }

  Status finish(StopReason reason, VectorView<double> lambda) {
    certificate_.reason = reason;
    if (const Status status = require_finite<double>(y_); !status.ok()) {
      certificate_.reason = StopReason::kFailed;
      return status;
    }
    std::copy(y_.begin(), y_.end(), lambda.data());
    return conclude(certificate_, tolerance_, contradiction_, blocks_);
  }

  /// Whether it is time to look for a contradiction, and there is one. At the end that takes the diagonal, which costs as much as many iterations:
  /// whoever asks for a few of them only has another solver to go on with.
  bool is_infeasible(OperatorRef<double> op, const ContactProblem& problem) {
    constexpr int kLookFirst = 20;
    const ContactStand at{blocks_, weights_, scale_, sigma_, tolerance_};
    const bool long_enough = own_iterations() >= std::max(kLookFirst, problem.rows() / 2);
    if (!watch_.allows_more(certificate_.iterations)) return long_enough && contradiction_.find_last(op, problem, at);
    return ContactContradiction::is_due(own_iterations(), kLookFirst) && contradiction_.find(op, problem, at);
  }

  Status damp(OperatorRef<double> op, const ContactProblem& problem) {
    ++certificate_.dampings;
    if (has_equal_rows(problem)) return op.update_damping(Damping<double>(rho_));
    return op.update_damping(Damping<double>(list_damping(problem)));
  }

  /// σ of y.
  void find_velocity(OperatorRef<double> op, const ContactProblem& problem) {
    op.apply(y_, sigma_);
    add_free_velocity(problem, y_, sigma_);
  }

  Status iterate(OperatorRef<double> op, const ContactProblem& problem, StopReason& reason) {
    while (watch_.allows_more(certificate_.iterations)) {
      ++certificate_.iterations;
      std::swap(y_, y_before_);
      project_all();
      find_right_side(problem);
      const Status status = op.solve(right_, x_);
      if (!status.ok() && status.code != Status::Code::kInaccurate) return status;
      find_step();
      if (may_be_solved()) {
        find_velocity(op, problem);
        if (judge(problem)) {
          reason = StopReason::kSolved;
          return {};
        }
        if (is_infeasible(op, problem)) {
          reason = StopReason::kInfeasible;
          return {};
        }
        if (is_hopeless()) break;
      }
      if (adapt_penalty()) {
        if (const Status damped = damp(op, problem); !damped.ok()) return damped;
      } else {
        anderson_.advance(u_, step_, weights_);
      }
    }
    reason = is_hopeless() ? StopReason::kIterations : watch_.reason(certificate_.iterations);
    project_all();
    find_velocity(op, problem);
    if (judge(problem)) {
      reason = StopReason::kSolved;
    } else if (is_infeasible(op, problem)) {
      reason = StopReason::kInfeasible;
    } else if (worst(start_residuals_) < worst(certificate_)) {
      y_ = start_;
      find_velocity(op, problem);
      judge(problem);
    }
    return {};
  }

  static double worst(const ContactResiduals& r) { return std::max(r.velocity, r.dual); }

  /// Whether its rate says that it will take more iterations than there is patience for.
  bool is_hopeless() const {
    if (options_.patience == 0 || own_iterations() < Rate::kMost) return false;
    const double fall = std::log(rate_.value()), rest = std::log(tolerance_ / worst(certificate_));
    return !(fall < 0 && rest / fall <= options_.patience);
  }

  AdmmOptions options_;
  BudgetWatch watch_;
  ContactCertificate certificate_;
  ContactResiduals start_residuals_;  // of start_, the forces to begin with
  std::vector<double> start_;
  Anderson anderson_;
  RowMobility mobility_;
  ContactContradiction contradiction_;
  std::vector<ForceBlock> blocks_;
  double scale_ = 0;    // of Λ⁻¹
  double rho_ = 0;      // ρ
  double penalty_ = 0;  // ρ over the scale
  double tolerance_ = 0;
  int first_iteration_ = 0;                    // iterations before the first of ADMM's own
  double estimate_ = 0, failed_estimate_ = 0;  // of the velocity residual, and what it was when it was last too low
  double force_miss_ = 0;                      // largest entry of W (x - y)
  Rate rate_;                                  // of that estimate
  ConeRuns cones_;
  std::vector<double> shift_;         // of each round cone: by how much longer the tangents of u are than those of y
  std::vector<std::uint8_t> pushes_;  // modes of rows
  // One per row: W, ρW or what an equality is damped by, that with compliance, u, x, y, that of the iteration before, right-hand side, step, σ.
  std::vector<double> weights_, penalties_, damping_, u_, x_, y_, y_before_, right_, step_, sigma_;
};

Admm::Admm(const AdmmOptions& options) : work_(std::in_place, options) {}
void Admm::reserve(int constraints, int rows) { work_->reserve(constraints, rows); }
Status Admm::solve(OperatorRef<double> op, const ContactProblem& problem, Out<double> lambda,
                   const SolveBudget& budget) {
  return work_->solve(op, problem, lambda, budget);
}
const ContactCertificate& Admm::certificate() const { return work_->certificate(); }
const std::vector<double>& Admm::velocity() const { return work_->velocity(); }
const AdmmOptions& Admm::options() const { return work_->options(); }
double Admm::rate() const { return work_->rate(); }
double Admm::penalty() const { return work_->penalty(); }
void Admm::set_penalty(double penalty) { work_->set_penalty(penalty); }

}  // namespace delassus
