// An operator of one's own (docs/how-to/new-operator.md): a way to compute the matrix is four functions, and
// ExplicitDelassus makes all verbs of them. Here by the book: J, and M⁻¹Jᵀ column by column.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "delassus/constraints/lower.hpp"
#include "delassus/constraints/state.hpp"
#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/operators/condensed.hpp"
#include "delassus/operators/explicit_method.hpp"
#include "delassus/scenes/load_named.hpp"
#include "delassus/solvers/admm.hpp"

namespace {

using namespace delassus;

// begin method
class ByTheBook {
 public:
  explicit ByTheBook(const Model& model) : inertia_(model) {}

  /// What follows from the structure of the rows. The only one that may allocate.
  void plan(const Model& model, const RowStructure& rows) {
    J_.assign(static_cast<std::size_t>(rows.num_rows()) * model.nv(), 0.0);
    response_ = J_;
  }
  /// For those that compute in frames of their own.
  void place(const Model&, const Kinematics<double>&, const ConstraintRows<double>&) {}
  /// Adds Λ⁻¹ to a lower triangle of zeros.
  Status compute(const Model& model, const Kinematics<double>& kin, const ConstraintRows<double>& rows,
                 LowerView<double> lower) {
    const int m = rows.num_rows(), nv = model.nv();
    if (const Status status = articulate(model, kin, inertia_); !status.ok())
      return status;  // a joint that moves nothing
    constraint_jacobian(model, kin, rows, MatrixView<double>(J_.data(), m, nv));
    response_ = J_;  // row by row what will be a column of M⁻¹Jᵀ
    apply_inverse_inertia_panel(model, MatrixView<double>(response_.data(), nv, m, 1, nv), inertia_);
    for (int r = 0; r < m; ++r)
      for (int c = 0; c <= r; ++c)
        for (int k = 0; k < nv; ++k) lower(r, c) += J_[r * nv + k] * response_[c * nv + k];
    return {};
  }
  /// ν̇ = M⁻¹ Jᵀ x.
  void respond(const Model& model, const ConstraintRows<double>&, VectorView<const double> x, VectorView<double> out) {
    for (int k = 0; k < out.size(); ++k) out[k] = 0;
    for (int r = 0; r < x.size(); ++r)
      for (int k = 0; k < out.size(); ++k) out[k] += response_[r * model.nv() + k] * x[r];
  }
  std::size_t bytes() const { return sizeof(double) * (J_.capacity() + response_.capacity()); }

 private:
  ForwardDynamics<double> inertia_;
  std::vector<double> J_, response_;
};

using BookDelassus = ExplicitDelassus<double, ByTheBook>;
static_assert(DelassusOperator<BookDelassus, double>);
// end method

template <class Op>
std::vector<double> solve(const State<double>& state, Op& op, Status& status) {
  std::vector<double> impulse(state.num_rows());
  status = op.factor(state);
  ContactProblem problem{state.rows().spans, state.rows().sets, state.velocity()};
  problem.law = ContactLaw::kConvex;  // whose velocities are unique
  Admm solver({.tolerance = 1e-10, .relative_tolerance = 0});
  if (status.ok()) status = solver.solve(op, problem, impulse);
  return solver.velocity();
}

}  // namespace

int main() {
  const Scene go2 = load_named("go2-standing-friction");
  std::vector<double> v(go2.model.nv());
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = 0.3 * std::cos(static_cast<double>(k));
  State<double> state(go2.model, go2.constraints);
  if (!state.update(go2.q, v).ok()) return 1;

  BookDelassus book(go2.model);
  CondensedDelassus<double> condensed(go2.model);
  Status first, second;
  const auto by_book = solve(state, book, first), by_tree = solve(state, condensed, second);
  double velocities = 0, products = 0;
  std::vector<double> x(v.size()), y = x;
  book.joint_response(by_book, x);
  condensed.joint_response(by_book, y);
  for (std::size_t k = 0; k < by_book.size(); ++k) velocities = std::max(velocities, std::abs(by_book[k] - by_tree[k]));
  for (std::size_t k = 0; k < x.size(); ++k) products = std::max(products, std::abs(x[k] - y[k]));
  std::printf(
      "%d rows, %zu kB; joint velocities differ from the condensed tree's by %.0e, contacts after ADMM by %.0e m/s\n",
      book.rows(), book.bytes() / 1000, products, velocities);
  // Rounding of some hundred terms; and twice what the solver was asked for, with room for light links.
  return first.ok() && second.ok() && products < 1e-10 && velocities < 1e-8 ? 0 : 1;
}
