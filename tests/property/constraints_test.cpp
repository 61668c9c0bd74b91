// Constraint rows and the Delassus matrix of random systems against the long-double oracle.
#include <gtest/gtest.h>

#include "delassus/delassus.hpp"
#include "dynamics/articulated_body.hpp"
#include "dynamics/row_response.hpp"
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

/// Sums of products. Measured over 2000 seeds: J 1e-14, drift 8e-15, positions 2e-15; ten times that.
constexpr double kSums = 1e-13;
/// Λ⁻¹ carries the condition number of M, up to 1.2e5 on these trees. Measured over 2000 seeds: 1.6e-12.
constexpr double kSolves = 1e-11;

struct Case {
  explicit Case(int seed)
      : Case(
            samples::random_model(seed),
            [&] { return samples::random_constraints(samples::random_model(seed), seed, 1 + seed % 12); }(), seed) {}
  Case(const Model& m, std::vector<Constraint> list, int seed)
      : Case(m, std::move(list), samples::random_state(m, seed)) {}
  Case(const Model& m, std::vector<Constraint> list, samples::State s)
      : model(m),
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
  /// J v.
  std::vector<double> row_velocities() const {
    std::vector<double> y(rows.num_rows());
    LinkMotions<double> work(model);
    apply_jacobian(model, kin, rows, state.v, y, work);
    return y;
  }
  std::vector<double> drift() const {
    std::vector<double> out(rows.num_rows());
    constraint_drift(model, kin, vel, constraints, rows, out);
    return out;
  }
  std::vector<double> positions() const {
    std::vector<double> out(rows.num_rows());
    constraint_positions(model, kin, constraints, rows, out);
    return out;
  }
  std::vector<double> matrix() const {
    const int m = rows.num_rows();
    std::vector<double> A(static_cast<std::size_t>(m) * m);
    DenseDelassus<double> op(model, rows);
    EXPECT_TRUE(op.factor({model, kin, rows}).ok());
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

/// How much the exact drift changes when q is rounded. A universal joint with nearly parallel arms multiplies rounding by
/// the inverse square of the sine between them; no algorithm can be better than that.
double drift_sensitivity(const Case& c, const std::vector<long double>& drift) {
  std::vector<long double> rounded = c.q;
  for (std::size_t k = 0; k < rounded.size(); ++k) {
    rounded[k] *= 1 + (k % 2 == 0 ? 1 : -1) * static_cast<long double>(std::numeric_limits<double>::epsilon()) / 2;
  }
  return relative_difference(oracle::constraint_drift<long double>(c.model, c.constraints, rounded, c.v), drift, 1.0);
}

void rows_agree(int seed) {
  const Case c(seed);
  const auto J = oracle::constraint_jacobian<long double>(c.model, c.constraints, c.q);
  const auto drift = oracle::constraint_drift<long double>(c.model, c.constraints, c.q, c.v);
  const auto position = oracle::constraint_position<long double>(c.model, c.constraints, c.q);
  EXPECT_LT(relative_difference(c.jacobian(), J.entries()), kSums);
  EXPECT_LT(relative_difference(c.drift(), drift, 1.0), kSums + 16 * drift_sensitivity(c, drift));
  EXPECT_LT(relative_difference(c.positions(), position, 1.0), kSums);
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
    apply_inverse_inertia(c.model, art, tau, sweep);
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
  DenseDelassus<double> op(c.model, c.rows);
  ASSERT_TRUE(op.factor({c.model, c.kin, c.rows}).ok());
  samples::Random random(seed, 7);
  std::vector<double> b(m), damping(m), z(m), y(m), diagonal(m), response(nv), tau(nv);
  for (int r = 0; r < m; ++r) b[r] = random.uniform(-1, 1), damping[r] = random.uniform(0.01, 1);
  ASSERT_TRUE(op.update_damping(damping).ok());
  EXPECT_TRUE(op.solve(b, z).ok());
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
/// The sweeps give M⁻¹ Jᵀ x as the solve with M does.
void response_equals_solve(int seed) {
  const Case c(seed);
  const int m = c.rows.num_rows(), nv = c.model.nv();
  DenseDelassus<double> op(c.model, c.rows);
  Articulation<double> art(c.model);
  Sweep<double> sweep(c.model);
  ASSERT_TRUE(op.factor({c.model, c.kin, c.rows}).ok());
  ASSERT_TRUE(articulate(c.model, c.kin, art).ok());
  samples::Random random(seed, 8);
  std::vector<double> x(m), by_solve(nv), by_sweeps(nv);
  for (double& e : x) e = random.uniform(-1, 1);
  op.joint_response(x, by_solve);
  row_response(c.model, art, c.rows, x, by_sweeps, sweep);
  EXPECT_LT(relative_difference(by_sweeps, by_solve), kSolves);
}
TEST(Rows, ResponseEqualsSolve) { for_each_seed(0, kSeeds, response_equals_solve); }

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
TEST(Rows, PermutingConstraintsPermutesTheMatrix) {
  for_each_seed(0, kSeeds, permuting_constraints_permutes_the_matrix);
}

void expect_rank(const samples::System& s) {
  const Case c(s.model, s.constraints, s.state);
  const int m = c.rows.num_rows();
  const std::vector<double> A = c.matrix();
  EXPECT_LT(relative_difference(A, oracle::delassus_matrix<long double>(c.model, c.constraints, c.q).entries()),
            kSolves);
  const Spectrum spectrum = make_spectrum(MatrixView<const double>(A.data(), m, m));
  EXPECT_EQ(spectrum.rank, s.rank);
  EXPECT_LT(s.rank, m);
  EXPECT_GT(spectrum.smallest, -1e-12 * spectrum.largest);  // positive semidefinite up to rounding
}
TEST(SingularSystems, StretchedChain) { expect_rank(samples::straight_chain_with_end_contact(8)); }
TEST(SingularSystems, DuplicatedWeld) { expect_rank(samples::duplicated_constraint()); }
TEST(SingularSystems, FootOnFourPoints) { expect_rank(samples::foot_with_four_points()); }

/// Central differences along the motion at constant v: the error of the step, h² times a third derivative, and rounding
/// over the step balance near 1e-10. Measured: rates 3e-10, accelerations 1.3e-9, where short distances turn fast.
constexpr double kStep = 1e-5;
constexpr double kFiniteDifference = 1e-8;

Case moved(const Case& c, double t) {
  samples::State s = c.state;
  std::vector<double> step = c.state.v;
  for (double& x : step) x *= t;
  integrate(c.model, c.state.q, step, s.q);
  return Case(c.model, c.constraints, std::move(s));
}

std::vector<double> quotient(const std::vector<double>& after, const std::vector<double>& before) {
  std::vector<double> out;
  for (std::size_t k = 0; k < after.size(); ++k) out.push_back((after[k] - before[k]) / (2 * kStep));
  return out;
}

/// Positions whose rate is the row's velocity: of loops where they are closed, and of all that depend on q alone.
bool has_rate(const Constraint& c) {
  return !std::holds_alternative<PointContact>(c) && !std::holds_alternative<JointFriction>(c) &&
         !std::holds_alternative<CustomRows>(c);
}

void rows_are_derivatives(int seed) {
  const Model model = samples::random_model(seed);
  const samples::State s = samples::random_state(model, seed);
  std::vector<Constraint> constraints = samples::random_constraints(model, seed, 1 + seed % 12);
  for (Constraint& c : constraints) {
    if (auto* loop = std::get_if<LoopClosure>(&c)) *loop = samples::closed(model, s.q, *loop);
  }
  const Case c(model, constraints, s), before = moved(c, -kStep), after = moved(c, kStep);
  const std::vector<double> rate = quotient(after.positions(), before.positions()), velocity = c.row_velocities();
  const std::vector<double> acceleration = quotient(after.row_velocities(), before.row_velocities()), drift = c.drift();
  const std::vector<double> position = c.positions();
  for (std::size_t e = 0; e < constraints.size(); ++e) {
    for (int k = 0; k < c.rows.spans[e].rows; ++k) {
      const int r = c.rows.spans[e].first_row + k;
      const double scale = 1 + std::abs(velocity[r]) + std::abs(drift[r]);
      if (has_rate(constraints[e])) {
        EXPECT_NEAR(rate[r], velocity[r], kFiniteDifference * scale) << kind_of(constraints[e]);
      }
      if (std::holds_alternative<LoopClosure>(constraints[e])) {
        EXPECT_NEAR(position[r], 0, kSums);
      }
      // Contacts have no position to differentiate, but every row has a drift.
      EXPECT_NEAR(acceleration[r], drift[r], kFiniteDifference * scale) << kind_of(constraints[e]);
    }
  }
}
TEST(Rows, AreDerivatives) { for_each_seed(0, kSeeds, rows_are_derivatives); }

/// Whether a constraint means the same when the robot, but not the world, is moved.
bool moves_along(const Model& model, const Constraint& c) {
  const auto on_robot = [&](const Attachment& a) { return model.frame(a.frame).link != kWorld; };
  if (const auto* x = std::get_if<LoopClosure>(&c)) {
    return x->axes == LoopAxes::kFrame1 && on_robot(x->first) && on_robot(x->second);
  }
  if (const auto* x = std::get_if<Distance>(&c)) return on_robot(x->first) && on_robot(x->second);
  if (const auto* x = std::get_if<PointContact>(&c)) return on_robot(x->a);
  return !std::holds_alternative<CentreOfMass>(c);
}

/// Λ⁻¹ does not know where the world's origin is: move the floating robot, and the axes of its contacts with it.
void moving_the_base_changes_nothing(int seed) {
  samples::ModelOptions options = samples::random_options(seed);
  options.base = samples::Base::kFloating;
  options.fixed_body = 0;  // on the world, such a body carries trees of its own
  const Model model = samples::random_model(seed, options);
  samples::State s = samples::random_state(model, seed);
  std::vector<Constraint> here;
  for (const Constraint& c : samples::random_constraints(model, seed, 8)) {
    if (moves_along(model, c)) here.push_back(c);
  }
  const Case before(model, here, s);
  samples::Random random(seed, 13);
  const Pose<double> motion = random.pose(2);
  // The root's pose is (placement of the joint) (pose of the joint).
  const Link& root = model.link(0);
  ASSERT_EQ(root.kind, JointKind::kFree);
  for (int i = 1; i < model.num_links(); ++i) ASSERT_NE(model.link(i).parent, kWorld);
  const Pose<double> there = inverse(root.placement) * motion * before.kin.pose[0];
  const Quaternion<double> turn = quaternion_of(there.R);
  for (int k = 0; k < 3; ++k) s.q[root.q + k] = there.p[k];
  for (int k = 0; k < 4; ++k) s.q[root.q + 3 + k] = turn[k];
  std::vector<Constraint> moved_along = here;
  for (Constraint& c : moved_along) {
    if (auto* contact = std::get_if<PointContact>(&c)) contact->axes = contact->axes * transposed(motion.R);
  }
  const Case after(model, moved_along, s);
  EXPECT_LT(relative_difference(after.matrix(), before.matrix()), kSolves);  // measured 7e-13
}
TEST(Rows, MovingTheBaseChangesNothing) { for_each_seed(0, kSeeds, moving_the_base_changes_nothing); }

TEST(Baumgarte, TargetBringsPositionsBack) {
  const std::vector<double> drift{1, 2}, velocity{3, -1}, position{0.5, 0.25};
  std::vector<double> target(2);
  stabilised_target<double>(drift, velocity, position, 100, 20, target);
  EXPECT_DOUBLE_EQ(target[0], -1 - 20 * 3 - 100 * 0.5);
  EXPECT_DOUBLE_EQ(target[1], -2 + 20 * 1 - 100 * 0.25);
}

}  // namespace
}  // namespace delassus
