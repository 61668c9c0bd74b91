// A contact solver of one's own, for any operator (docs/how-to/new-solver.md): the projected gradient method of
// Nesterov. It multiplies and projects, and never solves.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "delassus/constraints/state.hpp"
#include "delassus/operators/condensed.hpp"
#include "delassus/operators/explicit_operator.hpp"
#include "delassus/scenes/load_named.hpp"
#include "delassus/solvers/admm.hpp"

namespace {

using namespace delassus;

// begin solver
/// λ ← Π_K(y - s (Λ⁻¹ y + g)) from an extrapolated y, for the convex law. kNotConverged after so many iterations.
class ProjectedGradient {
 public:
  Status solve(OperatorRef<double> op, const ContactProblem& problem, Out<double> lambda) {
    list_force_blocks(problem, blocks_);  // throws an Error for a problem that makes no sense
    sigma_.resize(lambda.size());
    op.diagonal(sigma_);
    double step = 0;
    for (const double d : sigma_) step += d;
    step = 1 / step;  // no eigenvalue is larger than their sum
    y_.assign(lambda.data(), lambda.data() + lambda.size());
    before_ = y_;
    weights_.assign(y_.size(), 1.0);
    double speed = 1;
    for (iterations_ = 0; iterations_ < 20000; ++iterations_) {
      op.apply(y_, sigma_);
      add_free_velocity(problem, y_, sigma_);
      for (int r = 0; r < lambda.size(); ++r) lambda[r] = y_[r] - step * sigma_[r];
      for (const ForceBlock& block : blocks_)
        project(block, &weights_[block.row], &lambda[block.row], &lambda[block.row]);
      const double next = (1 + std::sqrt(1 + 4 * speed * speed)) / 2;
      for (int r = 0; r < lambda.size(); ++r) y_[r] = lambda[r] + (speed - 1) / next * (lambda[r] - before_[r]);
      before_.assign(lambda.data(), lambda.data() + lambda.size());
      speed = next;
      // What counts is what the forces do, not how far the iteration moved.
      if (iterations_ % 10 == 9 && certify(op, problem, lambda, work_).velocity < 1e-8) return {};
    }
    return {Status::Code::kNotConverged, 0};
  }
  int iterations() const { return iterations_; }

 private:
  std::vector<ForceBlock> blocks_;
  std::vector<double> sigma_, y_, before_, weights_;
  CertificateWork work_;
  int iterations_ = 0;
};
// end solver

}  // namespace

int main() {
  const Scene go2 = load_named("go2-standing");
  std::vector<double> v(go2.model.nv());
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = 0.3 * std::cos(static_cast<double>(k));
  State<double> state(go2.model, go2.constraints);
  if (!state.update(go2.q, v).ok()) return 1;
  CondensedDelassus<double> condensed(go2.model);
  PvOsimDelassus<double> matrix(go2.model);
  if (!condensed.factor(state).ok()) return 1;
  if (!matrix.factor(state).ok()) return 1;
  ContactProblem problem{state.rows().spans, state.rows().sets, state.velocity()};
  problem.law = ContactLaw::kConvex;

  ProjectedGradient ours;
  Admm admm;
  std::vector<double> by_products(problem.rows()), by_matrix(by_products), by_admm(by_products);
  const bool solved = ours.solve(condensed, problem, by_products).ok() && ours.solve(matrix, problem, by_matrix).ok() &&
                      admm.solve(condensed, problem, by_admm).ok();
  double off = 0;
  for (int r = 0; r < problem.rows(); ++r)
    off = std::max({off, std::abs(by_products[r] - by_admm[r]), std::abs(by_matrix[r] - by_admm[r])});
  std::printf("%d iterations of ours, %d of ADMM; impulses differ by %.0e Ns\n", ours.iterations(),
              admm.certificate().iterations, off);
  // Four feet with three rows each are independent here, so that impulses are unique: 1e-8 m/s, times some kilograms.
  return solved && off < 1e-6 ? 0 : 1;
}
