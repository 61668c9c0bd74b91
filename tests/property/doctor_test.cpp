// The constraint doctor against brute force: eigenvalues of the oracle's J M⁻¹ Jᵀ in long double.
#include "delassus/solvers/doctor.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "delassus/scenes/load_named.hpp"
#include "support/oracle_case.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::Exact;
using testing::OracleCase;
using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// Rows and columns of Λ⁻¹, scaled to a unit diagonal. Rows that the doctor says nothing moves stay zero.
Matrix scaled(const Exact& A, const std::vector<int>& rows, const std::vector<bool>& stuck) {
  const int m = static_cast<int>(rows.size());
  Matrix S = Matrix::Zero(m, m);
  for (int a = 0; a < m; ++a) {
    for (int b = 0; b < m; ++b) {
      if (stuck[rows[a]] || stuck[rows[b]]) continue;
      S(a, b) = A(rows[a], rows[b]) / std::sqrt(A(rows[a], rows[a]) * A(rows[b], rows[b]));
    }
  }
  return S;
}

Vector eigenvalues_of(const Matrix& S) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(S, Eigen::EigenvaluesOnly).eigenvalues().reverse();
}

/// Rows that nothing moves, by their place in the dependencies, and whether the oracle agrees.
std::vector<bool> stuck_rows(const ConstraintReport& r, const OracleCase<double>& c) {
  std::vector<bool> out(static_cast<std::size_t>(c.m()), false);
  for (const RowDependency& d : r.dependencies) {
    if (d.rows.size() > 1) continue;
    out[d.rows[0]] = true;
    // A strength below the root of the rank's tolerance, in masses and lengths that differ by a hundred at most.
    EXPECT_LT(c.matrix(d.rows[0], d.rows[0]), 1e4 * r.rank_tolerance * c.norm);
  }
  return out;
}

/// Σ weight · row by the metric of M⁻¹, relative to the largest of its terms.
long double length_of(const RowDependency& d, const Exact& A) {
  long double sum = 0, largest = 0;
  for (std::size_t a = 0; a < d.rows.size(); ++a) {
    for (std::size_t b = 0; b < d.rows.size(); ++b) sum += d.weights[a] * A(d.rows[a], d.rows[b]) * d.weights[b];
    largest = std::max(largest, d.weights[a] * d.weights[a] * A(d.rows[a], d.rows[a]));
  }
  return std::sqrt(std::max(0.0L, sum / largest));
}

void expect_right(const OracleCase<double>& c, const ConstraintReport& r) {
  ASSERT_TRUE(r.status.ok());
  const std::vector<bool> stuck = stuck_rows(r, c);
  std::vector<int> all(static_cast<std::size_t>(c.m()));
  for (int k = 0; k < c.m(); ++k) all[k] = k;
  const Vector exact = eigenvalues_of(scaled(c.matrix, all, stuck));
  int rank = 0;
  for (int k = 0; k < c.m(); ++k) {
    rank += exact[k] > r.rank_tolerance * exact[0];
    // Rounding of Y: some ε times the condition of M, 1e4 or so.
    EXPECT_NEAR(r.eigenvalues[k], static_cast<double>(exact[k]), 1e-11 * static_cast<double>(exact[0]));
  }
  EXPECT_EQ(r.rank, rank);
  EXPECT_EQ(r.independent.size() + r.dependencies.size(),
            static_cast<std::size_t>(c.m() + std::ranges::count(r.dependencies, false, &RowDependency::exact)));
  if (rank > 0) {
    // None of the rows that are kept depends on the others; a row may be as close as the root of the tolerance.
    const Vector kept = eigenvalues_of(scaled(c.matrix, r.independent, stuck));
    EXPECT_GT(kept[rank - 1], 0.1 * r.rank_tolerance);
  }
  for (const RowDependency& d : r.dependencies) {
    if (d.rows.size() == 1) continue;
    // What was left out of the sum, 1e-6 for each row; and what the rank's tolerance allows.
    const double bound = d.exact ? 1e-6 * std::sqrt(r.rank) + std::sqrt(r.rank_tolerance) : 1e-3;
    EXPECT_LT(length_of(d, c.matrix), bound);
    EXPECT_EQ(d.weights[0], 1);
  }
}

void check_seeds(int first, int last) {
  testing::for_each_seed(first, last, [](int seed) {
    const OracleCase<double> c = testing::random_case(seed);
    expect_right(c, diagnose(c.model, c.constraints, c.q));
  });
}

TEST(DoctorProperty, RankAndDependenciesAreThoseOfTheOracle) { check_seeds(0, 60); }
TEST(LongDoctorProperty, RankAndDependenciesAreThoseOfTheOracle) { check_seeds(60, testing::kLongSeeds); }

TEST(DoctorProperty, SingularSystemsHaveTheirRank) {
  for (const samples::System& s : {samples::straight_chain_with_end_contact(4), samples::duplicated_constraint(),
                                   samples::foot_with_four_points()}) {
    const OracleCase<double> c(s.model, s.constraints, s.state);
    const ConstraintReport r = diagnose(c.model, c.constraints, c.q);
    expect_right(c, r);
    EXPECT_EQ(r.rank, s.rank);
  }
}

/// What is left after the redundant rows are dropped can be solved with: rows whose rests are at least a third of the best ones
/// have a condition near that of the range. The bound for such pivots grows as 2^rank; what is seen is some 70.
TEST(DoctorProperty, RowsThatAreKeptAreWellConditioned) {
  for (const char* name : {"g1-fallen", "g1-fallen-friction", "cassie-standing-friction", "g1-standing"}) {
    SCOPED_TRACE(name);
    const Scene scene = load_named(name, {});
    const OracleCase<double> c(scene.model, scene.constraints, {scene.q, scene.v, scene.tau});
    const ConstraintReport r = diagnose(c.model, c.constraints, c.q);
    const Vector kept = eigenvalues_of(scaled(c.matrix, r.independent, stuck_rows(r, c)));
    EXPECT_LT(static_cast<double>(kept[0] / kept[r.rank - 1]), 1e3 * r.condition);
    // In the units of rows, metres and radians, which differ by the size of a robot.
    for (const RowDependency& d : r.dependencies) {
      for (const double weight : d.weights) EXPECT_LT(std::abs(weight), 1e3);
    }
  }
}

/// Units are a matter of taste: what a row is multiplied with changes no rank, no condition and no verdict.
TEST(DoctorProperty, NothingDependsOnUnitsOfRows) {
  const Model model = samples::random_model(11);
  const samples::State state = samples::random_state(model, 11);
  CustomRows rows;
  rows.rows = 3;
  for (int v = 0; v < std::min(model.nv(), 4); ++v) rows.dofs.push_back({v, {1.0 + v, 2.0 - v, 0.5}});
  CustomRows large = rows;
  for (CustomRows::DofTerm& term : large.dofs) term.weights[1] *= 1e6;
  const ConstraintReport a = diagnose(model, std::vector<Constraint>{rows}, state.q);
  const ConstraintReport b = diagnose(model, std::vector<Constraint>{large}, state.q);
  EXPECT_EQ(a.rank, b.rank);
  EXPECT_NEAR(a.condition, b.condition, 1e-9 * a.condition);
  EXPECT_EQ(a.health, b.health);
}

}  // namespace
}  // namespace delassus
