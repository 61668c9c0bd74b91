// Constraint rows and the Delassus matrix of random systems against the long-double oracle.
#include <gtest/gtest.h>

#include "delassus/delassus.hpp"
#include "support/compare.hpp"
#include "support/random_system.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::converted;
using testing::for_each_seed;
using testing::kLongSeeds;
using testing::kSeeds;
using testing::relative_difference;

constexpr double kSums = 1e-12;
/// Λ⁻¹ carries the condition number of M, up to about 1e4 on these trees.
constexpr double kSolves = 1e-10;

struct Case {
  explicit Case(int seed)
      : Case(samples::random_model(seed), [&] {
          return samples::random_constraints(samples::random_model(seed), seed, 1 + seed % 12);
        }(), seed) {}
  Case(Model m, std::vector<Constraint> list, int seed) : Case(m, list, samples::random_state(m, seed)) {}
  Case(Model m, std::vector<Constraint> list, samples::State s)
      : model(std::move(m)),
        constraints(std::move(list)),
        state(std::move(s)),
        kin(model),
        vel(model),
        q(converted<long double>(state.q)),
        v(converted<long double>(state.v)) {
    update_kinematics(model, state.q, kin);
    update_velocities(model, kin, state.v, vel);
    lower_structure(model, constraints, rows);
    EXPECT_TRUE(lower_values(model, kin, constraints, rows).ok());
  }
  std::vector<double> jacobian() const {
    std::vector<double> J(static_cast<std::size_t>(rows.num_rows()) * model.nv());
    constraint_jacobian(model, kin, rows, MatrixView<double>(J.data(), rows.num_rows(), model.nv()));
    return J;
  }
  std::vector<double> matrix() const {
    const int m = rows.num_rows();
    std::vector<double> A(static_cast<std::size_t>(m) * m);
    DenseDelassus<double> op(model, m);
    EXPECT_TRUE(op.factor(model, kin, rows).ok());
    op.dense(MatrixView<double>(A.data(), m, m));
    return A;
  }

  Model model;
  std::vector<Constraint> constraints;
  samples::State state;
  Kinematics<double> kin;
  Velocities<double> vel;
  ConstraintRows<double> rows;
  std::vector<long double> q, v;
};

void rows_agree(int seed) {
  const Case c(seed);
  const int m = c.rows.num_rows();
  EXPECT_LT(relative_difference(c.jacobian(), oracle::constraint_jacobian<long double>(c.model, c.constraints, c.q).entries()), kSums);
  std::vector<double> drift(m), position(m);
  constraint_drift(c.model, c.kin, c.vel, c.constraints, c.rows, drift);
  EXPECT_LT(relative_difference(drift, oracle::constraint_drift<long double>(c.model, c.constraints, c.q, c.v), 1.0), kSums * 10);
  constraint_positions(c.model, c.kin, c.constraints, c.rows, position);
  EXPECT_LT(relative_difference(position, oracle::constraint_position<long double>(c.model, c.constraints, c.q), 1.0), kSums);
}
TEST(Rows, JacobianDriftAndPositionEqualOracle) { for_each_seed(0, kSeeds, rows_agree); }
TEST(LongRows, JacobianDriftAndPositionEqualOracle) { for_each_seed(kSeeds, kLongSeeds, rows_agree); }

/// The three maps Jᵀλ, M⁻¹τ and Jν̇, one after the other, are Λ⁻¹.
void maps_agree(int seed) {
  const Case c(seed);
  const int m = c.rows.num_rows(), nv = c.model.nv();
  const auto want = oracle::delassus_matrix<long double>(c.model, c.constraints, c.q);
  EXPECT_LT(relative_difference(c.matrix(), want.entries()), kSolves);

  Articulation<double> art(c.model);
  ASSERT_TRUE(articulate(c.model, c.kin, art).ok());
  Sweep<double> sweep(c.model);
  LinkForces<double> forces(c.model);
  LinkMotions<double> motions(c.model);
  std::vector<double> unit(m), tau(nv), column(m), by_maps(static_cast<std::size_t>(m) * m);
  for (int r = 0; r < m; ++r) {
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[r] = 1;
    apply_jacobian_transpose(c.model, c.kin, c.rows, unit, tau, forces);
    multiply_inverse_inertia(c.model, art, tau, sweep);
    apply_jacobian(c.model, c.kin, c.rows, tau, column, motions);
    std::copy(column.begin(), column.end(), by_maps.begin() + r * m);
  }
  EXPECT_LT(relative_difference(by_maps, want.entries()), kSolves);
}
TEST(Rows, MatrixAndThreeMapsEqualOracle) { for_each_seed(0, kSeeds, maps_agree); }
TEST(LongRows, MatrixAndThreeMapsEqualOracle) { for_each_seed(kSeeds, kLongSeeds, maps_agree); }

void operator_keeps_its_promises(int seed) {
  const Case c(seed);
  const int m = c.rows.num_rows(), nv = c.model.nv();
  DenseDelassus<double> op(c.model, m);
  ASSERT_TRUE(op.factor(c.model, c.kin, c.rows).ok());
  samples::Random random(seed, 7);
  std::vector<double> b(m), damping(m), z(m), y(m), diagonal(m), response(nv), tau(nv);
  for (int r = 0; r < m; ++r) b[r] = random.uniform(-1, 1), damping[r] = random.uniform(0.01, 1);
  ASSERT_TRUE(op.update_damping(damping).ok());
  op.solve_damped(b, z);
  op.apply(z, y);
  for (int r = 0; r < m; ++r) y[r] += damping[r] * z[r];
  EXPECT_LT(relative_difference(y, b), 1e-9);  // condition number of the damped matrix times rounding

  const std::vector<double> A = c.matrix();
  op.diagonal(diagonal);
  for (int r = 0; r < m; ++r) {
    EXPECT_EQ(diagonal[r], A[r * m + r]);
    for (int k = 0; k < m; ++k) EXPECT_EQ(A[r * m + k], A[k * m + r]);
  }
  // M times the joint response is Jᵀx.
  LinkForces<double> forces(c.model);
  op.joint_response(b, response);
  apply_jacobian_transpose(c.model, c.kin, c.rows, b, tau, forces);
  std::vector<double> M(static_cast<std::size_t>(nv) * nv), M_response(nv);
  CompositeInertia<double> composite(c.model);
  crba(c.model, c.kin, MatrixView<double>(M.data(), nv, nv), composite);
  for (int r = 0; r < nv; ++r) {
    for (int k = 0; k < nv; ++k) M_response[r] += M[r * nv + k] * response[k];
  }
  EXPECT_LT(relative_difference(M_response, tau, 1e-6), kSolves);
}
TEST(Rows, OperatorKeepsItsPromises) { for_each_seed(0, kSeeds, operator_keeps_its_promises); }

void permuting_constraints_permutes_the_matrix(int seed) {
  const Case c(seed);
  std::vector<Constraint> reversed(c.constraints.rbegin(), c.constraints.rend());
  const Case r(c.model, reversed, c.state);
  const int m = c.rows.num_rows();
  std::vector<int> to(m);
  for (std::size_t e = 0; e < c.constraints.size(); ++e) {
    const RowSpan& from = c.rows.spans[e];
    const RowSpan& there = r.rows.spans[c.constraints.size() - 1 - e];
    for (int k = 0; k < from.rows; ++k) to[from.first_row + k] = there.first_row + k;
  }
  const std::vector<double> A = c.matrix(), B = r.matrix();
  for (int i = 0; i < m; ++i) {
    // The same rows of J, the same sums in the same order: equal to the bit.
    for (int k = 0; k < m; ++k) EXPECT_EQ(A[i * m + k], B[to[i] * m + to[k]]);
  }
}
TEST(Rows, PermutingConstraintsPermutesTheMatrix) { for_each_seed(0, kSeeds, permuting_constraints_permutes_the_matrix); }

void expect_rank(const samples::System& s) {
  const Case c(s.model, s.constraints, s.state);
  const int m = c.rows.num_rows();
  const std::vector<double> A = c.matrix();
  EXPECT_LT(relative_difference(A, oracle::delassus_matrix<long double>(c.model, c.constraints, c.q).entries()), kSolves);
  const Spectrum spectrum = make_spectrum(MatrixView<const double>(A.data(), m, m));
  EXPECT_EQ(spectrum.rank, s.rank);
  EXPECT_LT(s.rank, m);
  EXPECT_GT(spectrum.smallest, -1e-12 * spectrum.largest);  // positive semidefinite up to rounding
}
TEST(SingularSystems, StretchedChain) { expect_rank(samples::straight_chain_with_end_contact(8)); }
TEST(SingularSystems, DuplicatedWeld) { expect_rank(samples::duplicated_constraint()); }
TEST(SingularSystems, FootOnFourPoints) { expect_rank(samples::foot_with_four_points()); }

TEST(Baumgarte, TargetBringsPositionsBack) {
  const std::vector<double> drift{1, 2}, velocity{3, -1}, position{0.5, 0.25};
  std::vector<double> target(2);
  stabilised_target<double>(drift, velocity, position, 100, 20, target);
  EXPECT_DOUBLE_EQ(target[0], -1 - 20 * 3 - 100 * 0.5);
  EXPECT_DOUBLE_EQ(target[1], -2 + 20 * 1 - 100 * 0.25);
}

}  // namespace
}  // namespace delassus
