// The work of ContactInteriorPoint, which stands in three files: contact_interior_point.cpp has the course of a solve, contact_interior_point_step.cpp
// one step inside of the sets, contact_interior_point_projection.cpp one on the projection onto them.
#pragma once

#include <algorithm>
#include <vector>

#include "delassus/solvers/contact_interior_point.hpp"
#include "solvers/budget_watch.hpp"
#include "solvers/contact_contradiction.hpp"
#include "solvers/row_mobility.hpp"
#include "solvers/scaled_contact.hpp"

namespace delassus {

class ContactInteriorPoint::Work {
 public:
  explicit Work(const ContactInteriorPointOptions& options);

  void reserve(int constraints, int rows);
  Status solve(OperatorRef<double> op, const ContactProblem& problem, VectorView<double> lambda,
               const SolveBudget& budget);

  const ContactCertificate& certificate() const { return certificate_; }
  const std::vector<double>& velocity() const { return best_sigma_; }
  const ContactInteriorPointOptions& options() const { return options_; }

 private:
  // The course of a solve.
  Status begin(const ContactProblem& problem, VectorView<const double> lambda);
  bool judge(OperatorRef<double> op, const ContactProblem& problem);
  bool judge_point(OperatorRef<double> op, const ContactProblem& problem);
  void choose_path(int path);
  void start_cold(const ContactProblem& problem);
  void start_warm(const ContactProblem& problem);
  void lift_row(std::size_t row, double z, double s, double root);
  StopReason iterate(OperatorRef<double> op, const ContactProblem& problem);
  bool go_on(OperatorRef<double> op, const ContactProblem& problem);
  void watch_progress();
  bool is_slow(int iterations) const;
  bool is_stuck() const;
  bool is_lost() const;
  bool is_infeasible(OperatorRef<double> op, const ContactProblem& problem);
  Status finish(StopReason reason, VectorView<double> lambda);

  // One step inside of the sets.
  Status step_inside(OperatorRef<double> op, const ContactProblem& problem);
  double find_gap(double length) const;
  void find_residual(const ContactProblem& problem);
  void find_scalings();
  void make_damping(const ContactProblem& problem);
  void add_scaling(std::size_t cone, int first, int rows, double* out) const;
  Status damp(OperatorRef<double> op);
  Status find_direction(OperatorRef<double> op);
  void aim_at_solution();
  void aim_at_path(double target, bool curved);
  double choose_target(double longest) const;
  double longest_step() const;
  void advance(double length);

  // Steps on the projection.
  bool project_on(OperatorRef<double> op, const ContactProblem& problem);
  void linearise_projection(const ContactProblem& problem, double proximal);
  void add_projection(const ConeRows& rows, int first, int width, double* out);
  static void linearise_cone(int n, const double* z, const double* s, double* right, double* damping);
  double linearise_row(std::size_t row);

  /// Of the shift's derivative, row k of a cone with the tangential part `slide` of velocities.
  double shift_slope(double velocity, double slide) const {
    return slide > 0 && !symmetric_ ? share_ * velocity / slide : 0;
  }
  bool has_steps() const { return watch_.allows_more(certificate_.iterations); }

  ContactInteriorPointOptions options_;
  BudgetWatch watch_;
  ContactCertificate certificate_;
  RowMobility mobility_;
  ContactContradiction contradiction_;
  ScaledContact scaled_;
  std::vector<ForceBlock> blocks_;
  std::vector<cone::Scaling> scalings_;  // of the cones
  std::vector<double> products_;         // theirs on the path, beside the mean
  int path_ = 0;                         // how many others were given up
  int began_ = 0;                        // iterations until this start
  bool symmetric_ = true;                // no shift
  bool warm_ = false;                    // started from forces that were given
  double tolerance_ = 0;
  double gap_ = 0;       // mean product of force and velocity
  double miss_ = 0;      // largest entry of r
  double share_ = 1;     // of the shift's derivative in the matrix
  double length_ = 1;    // of the last step inside
  double proximal_ = 0;  // added to the matrix, which it keeps from being singular
  double mark_ = 0;      // residual when it had last halved, iterations since then
  int since_mark_ = 0;
  double fallen_ = 0;  // products when they had last halved, iterations since then
  int since_fall_ = 0;
  double tried_ = 0;  // residual when steps on the projection were last tried, iterations since then
  int since_try_ = 0;
  // One per row: λ, σ; z, s; velocities at the lower and upper bound; what products should become over z; r; directions of z, s and those
  // of bounded rows; right-hand side.
  std::vector<double> lambda_, sigma_, z_, s_, lower_, upper_, aim_, aim_lower_, aim_upper_, residual_;
  std::vector<double> dz_, ds_, dlower_, dupper_, right_;
  std::vector<double> damping_;  // blocks, one after the other
  Status trouble_;               // what the operator said when it could not be damped
  bool moved_ = false;           // it could, once at least
  ContactResiduals last_, best_;
  std::vector<double> best_lambda_, best_sigma_, inside_;  // inside_: z before steps on the projection
};

}  // namespace delassus
