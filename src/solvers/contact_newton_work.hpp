// The work of ContactNewton, which stands in two files: contact_newton.cpp, and what the derivative of the shift needs in contact_newton_sliding.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "delassus/solvers/contact_newton.hpp"
#include "solvers/budget_watch.hpp"
#include "solvers/contact_contradiction.hpp"
#include "solvers/row_mobility.hpp"

namespace delassus {

class ContactNewton::Work {
 public:
  explicit Work(const ContactNewtonOptions& options);

  void reserve(int constraints, int rows);
  Status solve(OperatorRef<double> op, const ContactProblem& problem, VectorView<double> lambda,
               const SolveBudget& budget);

  const ContactCertificate& certificate() const { return certificate_; }
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

  Status solve_outer(OperatorRef<double> op, const ContactProblem& problem);
  Status find_step(OperatorRef<double> op);
  void go_on(OperatorRef<double> op, const ContactProblem& problem, const std::vector<double>& force, Shift shift,
             double share);
  Status settle(OperatorRef<double> op, const ContactProblem& problem, int iterations, bool& reached);
  Status follow(OperatorRef<double> op, const ContactProblem& problem, bool& solved);
  bool is_settled(const ContactProblem& problem);
  bool is_infeasible(OperatorRef<double> op, const ContactProblem& problem);

  ContactNewtonOptions options_;
  BudgetWatch watch_;
  ContactCertificate certificate_;
  RowMobility mobility_;
  ContactContradiction contradiction_;
  std::vector<ForceBlock> blocks_;
  double eta_ = 0, least_eta_ = 0;  // relative to the size of Λ⁻¹
  double tolerance_ = 0, last_velocity_ = 0, least_velocity_ = 0;
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

}  // namespace delassus
