#include "support/constrained_case.hpp"

#include <Eigen/Eigenvalues>

namespace delassus::testing {
namespace {

using Dense = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::SelfAdjointEigenSolver<Dense> decompose(const Exact& A) {
  return Eigen::SelfAdjointEigenSolver<Dense>(Eigen::Map<const Dense>(A.data(), A.rows(), A.cols()));
}

/// Eigenvalues of dependent rows come out at rounding of long double, 1e-19 of the largest times the condition number of M
/// (1e5); those of independent ones at 1e-12 and more.
constexpr long double kZero = 1e-13L;

/// Infinite if there is something that is no number.
double most(const Exact& x) {
  long double size = 0;
  for (const long double e : x.entries()) {
    if (std::isnan(e)) return std::numeric_limits<double>::infinity();
    size = std::max(size, std::abs(e));
  }
  return static_cast<double>(size);
}

}  // namespace

ConstrainedCase::ConstrainedCase(const Model& m, std::vector<Constraint> list, const samples::State& s)
    : ConstrainedCase(OracleCase<double>(m, std::move(list), s), s) {}

ConstrainedCase::ConstrainedCase(OracleCase<double> c, const samples::State& s)
    : OracleCase<double>(std::move(c)), v(s.v), tau(s.tau) {
  h = column_of(oracle::bias_forces<long double>(model, converted<long double>(q), converted<long double>(v)));
  Jt = oracle::transposed(J);
  free_force = column_of(tau) - h;
  free_motion = oracle::solve_positive(M, free_force);
  if (m() == 0) return;
  const auto values = decompose(matrix).eigenvalues();
  const long double largest = values[m() - 1];
  for (int r = 0; r < m(); ++r) {
    eigenvalues.push_back(values[r]);
    if (values[r] < kZero * largest) continue;
    if (rank++ == 0) gap = static_cast<double>(values[r] / largest);
  }
}

std::vector<double> ConstrainedCase::feasible_target(int stream) const {
  const Exact a = J * column_of(random_vector(model.nv(), stream));
  return {a.entries().begin(), a.entries().end()};
}

ConstrainedReference::ConstrainedReference(const ConstrainedCase& c, const std::vector<double>& target)
    : b(column_of(target) - c.J * c.free_motion), lambda(c.m(), 1) {
  if (c.m() > 0) {
    const auto eigen = decompose(c.matrix);
    const Eigen::Map<const Eigen::VectorX<long double>> right(b.data(), c.m());
    Eigen::VectorX<long double> parts = eigen.eigenvectors().transpose() * right;
    for (int r = 0; r < c.m(); ++r) parts[r] = r < c.m() - c.rank ? 0 : parts[r] / eigen.eigenvalues()[r];
    Eigen::Map<Eigen::VectorX<long double>>(lambda.data(), c.m()) = eigen.eigenvectors() * parts;
  }
  joint_force = c.Jt * lambda;
  motion = oracle::solve_positive(c.M, c.free_force + joint_force);
  remainder = column_of(target) - c.J * motion;
}

KktResiduals::KktResiduals(const ConstrainedCase& c, const std::vector<double>& target,
                           const std::vector<double>& motion, const std::vector<double>& lambda) {
  const Exact inertial = c.M * column_of(motion), force = c.Jt * column_of(lambda);
  const double size = std::max({most(inertial), most(c.h), most(column_of(c.tau)), most(force), 1e-300});
  forces = most(inertial - c.free_force - force) / size;
  const Exact got = c.J * column_of(motion), want = column_of(target);
  rows = most(got - want) / std::max({most(want), most(c.J * c.free_motion), 1e-300});
}

ConstrainedCase random_constrained_case(int seed) {
  OracleCase<double> c = random_case(seed);
  const samples::State state = samples::random_state(c.model, seed);
  return ConstrainedCase(std::move(c), state);
}

}  // namespace delassus::testing
