// Newton's method for contact problems, on any Delassus operator: for problems whose forces are far from unique, such as a limp robot on
// the ground with twice as many rows as it can feel, where first-order methods creep.
//
// Outer steps are proximal, with the friction shift s = Γ(σ) of the last forces λ_k (zero for the convex law):
//
//   λ = Π_K(λ_k - (ηW)⁻¹ (Λ⁻¹λ + Rλ + g + s))
//
// and each is solved by Newton's method with the derivative P of the projection, of which each step is one damped solve:
//
//   (B + R + Λ⁻¹) δ = B (Π_K(...) - λ),   B = ηW P⁻¹, one block per constraint
//
// δ is a direction of descent of ½ λᵀ(Λ⁻¹ + R)λ + ½ ‖Π_K(...)‖² in the metric ηW, whose slope along δ grows steadily, so that the length of the
// step is the root of a monotone function. (Augmented Lagrangians with semismooth Newton steps: Zhao, Sun, Toh, "A Newton-CG augmented
// Lagrangian method for semidefinite programming", 2010.) η falls from one outer step to the next, so that few are needed.
//
// A shift that lags behind can grow from step to step where lifting a contact makes it slide. Once a few outer steps have not halved the
// residual, s = Γ(σ) is taken at the forces themselves, with its derivative w e_nᵀ at each contact that moves along its plane:
//
//   (B + R + Λ⁻¹) δ + Σ e_n wᵀ (R + Λ⁻¹) δ = B (Π_K(...) - λ)
//
// which is a small dense system beside one damped solve per such contact (Woodbury), and steps are as long as the residual falls. Where that
// does not get there either, the shift grows from nothing, which is the convex law and always has an answer, to all of Γ, in steps
// that are as long as Newton's method follows.
// docs/algorithms/contact.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "solvers/contact_contradiction.hpp"
#include "solvers/row_mobility.hpp"

namespace delassus {

struct ContactNewtonOptions {
  /// As those of ADMM.
  double tolerance = 1e-8;
  double relative_tolerance = 1e-9;
  int iterations = 1000;         // Newton steps, of all outer ones
  double proximal = 1;           // η to begin with, relative to the size of Λ⁻¹
  double least_proximal = 1e-9;  // where it stops falling, or before, where rounding makes the operator singular
};

class ContactNewton {
 public:
  /// Throws an Error that names the option which makes no sense.
  explicit ContactNewton(const ContactNewtonOptions& options = {});

  /// Memory for so many; solve allocates beyond only.
  void reserve(int constraints, int rows);

  /// Finds λ, from where it stands. Damps the operator. Statuses are those of Admm::solve.
  template <class Op>
  requires DelassusOperator<Op, double> Status solve(Op& op, const ContactProblem& problem, Out<double> lambda);

  const ContactCertificate& certificate() const { return certificate_; }
  /// σ of the last solve.
  const std::vector<double>& velocity() const { return sigma_; }
  const ContactNewtonOptions& options() const { return options_; }

 private:
  enum class Shift : std::uint8_t { kNone, kLagging, kExact };
  /// A contact that moves along its plane: its block, w, and B w.
  struct Sliding {
    int block = 0;
    std::array<double, 6> gradient{}, damped{};
  };

  Status begin(const ContactProblem& problem, VectorView<const double> lambda);
  void start(const ContactProblem& problem);
  void project_forces();
  bool judge(const ContactProblem& problem);
  void keep_best();
  void begin_outer(const ContactProblem& problem);
  void find_target(double length);
  bool is_near() const;
  void make_blocks(const ContactProblem& problem);
  double slope(double length);
  double find_length();
  void take_step();
  void end_outer(bool near);
  bool stiffen();
  Status finish(StopReason reason, VectorView<double> lambda);

  // With the derivative of the shift.
  void reserve_sliding(int constraints);
  void list_sliding();
  static void damp_sliding(Sliding& contact, int rows, const double* damping);
  void keep_column(std::size_t c);
  void turn_right_side();
  double miss(double length);
  double find_length_by_miss();

  template <class Op>
  void multiply(const Op& op, const ContactProblem& problem, const std::vector<double>& x, std::vector<double>& out) {
    op.apply(x, out);
    for (int r = 0; r < problem.rows(); ++r)
      out[static_cast<std::size_t>(r)] += problem.compliance_of(r) * x[static_cast<std::size_t>(r)];
  }
  template <class Op>
  Status solve_outer(Op& op, const ContactProblem& problem);
  template <class Op>
  Status find_step(Op& op);
  template <class Op>
  void go_on(const Op& op, const ContactProblem& problem, const std::vector<double>& force, Shift shift, double share);
  template <class Op>
  Status settle(Op& op, const ContactProblem& problem, int iterations, bool& reached);
  template <class Op>
  Status follow(Op& op, const ContactProblem& problem, bool& solved);
  bool is_settled(const ContactProblem& problem);
  template <class Op>
  bool is_infeasible(const Op& op, const ContactProblem& problem) {
    return contradiction_.find_last(op, problem, {blocks_, mobility_.weights(), mobility_.scale(), sigma_, tolerance_});
  }

  ContactNewtonOptions options_;
  ContactCertificate certificate_;
  RowMobility mobility_;
  ContactContradiction contradiction_;
  std::vector<ForceBlock> blocks_;
  double eta_ = 0, least_eta_ = 0;  // relative to the size of Λ⁻¹
  double tolerance_ = 0, last_velocity_ = 0;
  bool infeasible_ = false;
  int slow_ = 0;  // outer steps since one that left less than half of what was least before
  // One per row: λ, λ_k, Π_K, what is projected, (Λ⁻¹ + R) λ, δ, (Λ⁻¹ + R) δ, right-hand side, g + s, σ.
  std::vector<double> force_, anchor_, target_, point_, product_, step_, step_product_, right_, free_, sigma_;
  std::vector<double> damping_;  // blocks, one after the other
  // What was nearest to the law so far.
  ContactResiduals best_;
  std::vector<double> best_force_, best_sigma_;

  Shift shift_ = Shift::kLagging;
  double share_ = 1;             // of Γ that counts
  double moved_ = 0;             // what the last outer step says of the residual with that share
  std::vector<double> reached_;  // forces for the share before
  std::vector<Sliding> sliding_;
  std::vector<double> couplings_, rates_;  // 1 + wᵀ (Λ⁻¹ + R) x of each pair, and wᵀ (Λ⁻¹ + R) δ
};

// ----------------------------------------------------------------------------------------------------------- templates

template <class Op>
Status ContactNewton::find_step(Op& op) {
  Status status = op.solve(right_, step_);
  if (sliding_.empty()) return status;
  for (std::size_t c = 0; c < sliding_.size(); ++c) {
    std::fill(step_product_.begin(), step_product_.end(), 0.0);
    step_product_[static_cast<std::size_t>(blocks_[static_cast<std::size_t>(sliding_[c].block)].row)] = 1;
    status = op.solve(step_product_, step_product_);
    if (!status.ok() && status.code != Status::Code::kInaccurate) return status;
    keep_column(c);
  }
  turn_right_side();
  return op.solve(right_, step_);
}

template <class Op>
Status ContactNewton::solve_outer(Op& op, const ContactProblem& problem) {
  constexpr int kMostSteps = 20;
  begin_outer(problem);
  bool near = false;
  for (int k = 0; k < kMostSteps && certificate_.iterations < options_.iterations; ++k) {
    find_target(0);
    near = is_near();
    if (near) break;
    make_blocks(problem);
    ++certificate_.iterations;
    ++certificate_.dampings;
    Status status = op.update_damping(Damping<double>::blocks(damping_));
    if (status.ok()) status = find_step(op);
    if (!status.ok() && status.code != Status::Code::kInaccurate) {
      if (!stiffen()) return status;
      break;
    }
    multiply(op, problem, step_, step_product_);
    take_step();
  }
  end_outer(near);
  multiply(op, problem, force_, product_);
  return {};
}

/// From other forces, with another shift.
template <class Op>
void ContactNewton::go_on(const Op& op, const ContactProblem& problem, const std::vector<double>& force, Shift shift,
                          double share) {
  force_ = force;
  shift_ = shift;
  share_ = share;
  eta_ = options_.proximal;
  multiply(op, problem, force_, product_);
}

/// Outer steps until the law holds, with the share of the shift that counts now.
template <class Op>
Status ContactNewton::settle(Op& op, const ContactProblem& problem, int iterations, bool& reached) {
  constexpr int kMostSlow = 3;
  const int end = std::min(certificate_.iterations + iterations, options_.iterations);
  reached = false;
  while (certificate_.iterations < end) {
    const int before = certificate_.iterations;
    if (const Status status = solve_outer(op, problem); !status.ok()) return status;
    reached = is_settled(problem);
    infeasible_ = infeasible_ || (!reached && slow_ > kMostSlow && is_infeasible(op, problem));
    const bool stalled = certificate_.iterations == before && eta_ <= least_eta_;
    if (reached || infeasible_ || stalled || (slow_ > kMostSlow && shift_ == Shift::kLagging)) return {};
  }
  return {};
}

/// From the convex law to Coulomb's.
template <class Op>
Status ContactNewton::follow(Op& op, const ContactProblem& problem, bool& solved) {
  constexpr int kToConvex = 200, kToNext = 40;
  constexpr double kFirst = 0.25, kLeast = 0.01;
  bool reached = false;
  go_on(op, problem, best_force_, Shift::kNone, 0);
  Status status = settle(op, problem, kToConvex, reached);
  if (!reached) return status;
  double share = 0, stride = kFirst;
  while (status.ok() && share < 1 && stride > kLeast && certificate_.iterations < options_.iterations) {
    if (reached) reached_ = force_;
    go_on(op, problem, reached_, Shift::kExact, std::min(share + stride, 1.0));
    status = settle(op, problem, kToNext, reached);
    if (reached) share = share_;
    stride *= reached ? 2 : 0.5;
  }
  solved = reached && share == 1;
  return status;
}

template <class Op>
requires DelassusOperator<Op, double> Status ContactNewton::solve(Op& op, const ContactProblem& problem,
                                                                  Out<double> lambda) {
  constexpr int kPatience = 60;
  Status status = begin(problem, lambda);
  if (!status.ok()) return status;
  if (problem.rows() != op.rows()) return {Status::Code::kBadArgument, 1};
  if (problem.rows() == 0) return finish(StopReason::kSolved, lambda);
  mobility_.find_each(op, problem);
  start(problem);
  multiply(op, problem, force_, product_);
  bool solved = judge(problem);
  if (!solved) status = settle(op, problem, options_.iterations, solved);
  const auto goes_on = [&] { return status.ok() && !solved && !infeasible_; };
  if (problem.law == ContactLaw::kCoulomb && goes_on()) {
    go_on(op, problem, best_force_, Shift::kExact, 1);
    status = settle(op, problem, kPatience, solved);
    if (goes_on()) status = follow(op, problem, solved);
  }
  if (!status.ok()) return status;
  if (solved) return finish(StopReason::kSolved, lambda);
  if (infeasible_ || is_infeasible(op, problem)) return finish(StopReason::kInfeasible, lambda);
  return finish(certificate_.iterations < options_.iterations ? StopReason::kStalled : StopReason::kIterations, lambda);
}

}  // namespace delassus
