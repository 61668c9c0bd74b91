// Derivatives of constrained dynamics, against differences of the oracle in long double and against dual numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "delassus/kinematics/kinematics.hpp"
#include "delassus/kinematics/motion_derivatives.hpp"
#include "delassus/operators/kkt.hpp"
#include "delassus/scenes/load_named.hpp"
#include "delassus/solvers/constrained_derivatives.hpp"
#include "delassus/solvers/constrained_dynamics.hpp"
#include "support/compare.hpp"
#include "support/constrained_case.hpp"
#include "support/seeds.hpp"
#include "support/slope.hpp"

namespace delassus {
namespace {

using testing::column_of;
using testing::converted;
using testing::Exact;
using testing::for_each_seed;
using testing::product;
using testing::random_vector;
using testing::relative_difference;
using testing::slope;

using Vector = std::vector<double>;
using Long = std::vector<long double>;

/// Which of q, v and tau moves.
enum Input { kQ, kV, kTau };
constexpr std::array kInputs{kQ, kV, kTau};

/// Accelerations, then least forces, of dense algebra in long double, for any rank.
Long oracle_dynamics(const Model& model, const std::vector<Constraint>& list, const samples::State& s,
                     const Baumgarte& pull) {
  const testing::ConstrainedCase c(model, list, s);
  const Long q = converted<long double>(s.q), v = converted<long double>(s.v);
  const Long drift = oracle::constraint_drift<long double>(model, list, q, v);
  const Long phi = oracle::constraint_position<long double>(model, list, q);
  const Exact velocity = c.J * column_of(v);
  Vector target;
  for (int r = 0; r < c.m(); ++r) {
    const long double a = -drift[r] - pull.damping * velocity(r, 0) - pull.stiffness * phi[r];
    target.push_back(static_cast<double>(a));
  }
  const testing::ConstrainedReference reference(c, target);
  Long out = reference.motion.entries();
  out.insert(out.end(), reference.lambda.entries().begin(), reference.lambda.entries().end());
  return out;
}

/// All derivatives at one state, found with the condensed operator.
struct Derivatives {
  Derivatives(const Model& model, const std::vector<Constraint>& list, const samples::State& s,
              const Baumgarte& pull = {})
      : nv(model.nv()), state(model, list), dynamics(model) {
    const int m = state.num_rows();
    for (Vector& x : accelerations) x.resize(static_cast<std::size_t>(nv) * nv);
    for (Vector& x : forces) x.resize(static_cast<std::size_t>(m) * nv);
    qdd.resize(nv);
    lambda.resize(m);
    Vector target(m);
    EXPECT_TRUE(state.update(s.q, s.v).ok());
    EXPECT_TRUE(dynamics.factor(state).ok());
    state.target(pull, target);
    status = dynamics.solve(state, s.tau, target, qdd, lambda);
    if (!status.ok()) return;
    ConstrainedDerivatives<double> derivatives(model);
    const auto square = [&](Vector& x) { return MatrixView<double>(x.data(), nv, nv); };
    const auto wide = [&](Vector& x) { return MatrixView<double>(x.data(), m, nv); };
    status = derivatives.compute(dynamics.op(), state, qdd, lambda, pull,
                                 {square(accelerations[kQ]), square(accelerations[kV]), square(accelerations[kTau]),
                                  wide(forces[kQ]), wide(forces[kV]), wide(forces[kTau])});
    redundant = derivatives.redundant_rows();
  }

  int nv;
  State<double> state;
  ConstrainedDynamics<double> dynamics;
  Status status;
  int redundant = 0;
  Vector qdd, lambda;
  std::array<Vector, 3> accelerations, forces;
};

/// Velocities that the constraints allow: where rows depend on each other, others contradict them.
samples::State allowed(const Model& model, const std::vector<Constraint>& list, samples::State s) {
  State<double> state(model, list);
  ConstrainedDynamics<double> dynamics(model);
  EXPECT_TRUE(state.update(s.q, s.v).ok());
  EXPECT_TRUE(dynamics.factor(state).ok());
  Vector impulse(state.num_rows()), restitution(state.num_rows());
  EXPECT_TRUE(dynamics.solve_impact(state, restitution, s.v, impulse).ok());
  return s;
}

samples::State moving_state(const Scene& scene) {
  const int nv = scene.model.nv();
  return allowed(scene.model, scene.constraints, {scene.q, random_vector(nv, 1, 1), random_vector(nv, 1, 2)});
}

/// Along random directions: that of q is turned into an allowed one where others would break loops whose rows depend on each
/// other only while they are closed.
void expect_derivatives_of_oracle(const Model& model, const std::vector<Constraint>& list, const samples::State& s,
                                  const Derivatives& got, double bound, const Baumgarte& pull = {},
                                  bool keep_loops = false) {
  // The states are doubles: 1e-16 of their size over the step is what a direction is known to.
  constexpr double kStep = 1e-5;
  for (const Input input : kInputs) {
    SCOPED_TRACE("with input " + std::to_string(input));
    Vector along = random_vector(model.nv(), model.nv(), 20 + input);
    if (input == kQ && keep_loops) along = allowed(model, list, {s.q, along, s.tau}).v;
    const Long want = slope(kStep, [&](double t) {
      samples::State at = s;
      Vector step = along;
      for (double& x : step) x *= t;
      if (input == kQ) integrate(model, s.q, step, at.q);
      for (int k = 0; input != kQ && k < model.nv(); ++k) (input == kV ? at.v : at.tau)[k] += step[k];
      return oracle_dynamics(model, list, at, pull);
    });
    const auto split = want.begin() + model.nv();
    // A mechanism without freedom does not answer at all: what is small beside 1 counts as such.
    EXPECT_LT(relative_difference(product(got.accelerations[input], along), Long(want.begin(), split), 1.0), bound);
    if (split == want.end()) continue;
    EXPECT_LT(relative_difference(product(got.forces[input], along), Long(split, want.end()), 1.0), bound);
  }
}

struct RobotCase {
  const char* name;
  int redundant;
  bool keep_loops = false;
};

class ConstrainedDerivativesOnRobots : public ::testing::TestWithParam<RobotCase> {};

/// The least force is known to 1e-8 where rows depend on each other (rounding over the damping), and so is what follows from
/// it; of the difference quotient, 1e-8 is rounding of the states.
TEST_P(ConstrainedDerivativesOnRobots, AreThoseOfTheOracle) {
  const Scene scene = load_named(GetParam().name);
  const samples::State s = moving_state(scene);
  const Derivatives got(scene.model, scene.constraints, s);
  ASSERT_TRUE(got.status.ok());
  EXPECT_EQ(got.redundant, GetParam().redundant);
  expect_derivatives_of_oracle(scene.model, scene.constraints, s, got, 5e-8, {}, GetParam().keep_loops);
}
INSTANTIATE_TEST_SUITE_P(, ConstrainedDerivativesOnRobots,
                         ::testing::Values(RobotCase{"go2-standing", 0}, RobotCase{"g1-standing", 12},
                                           RobotCase{"atlas-feet", 0}, RobotCase{"atlas-feet-points", 12},
                                           RobotCase{"cassie", 2, true}, RobotCase{"cassie-standing", 4, true},
                                           RobotCase{"four_bar", 1}, RobotCase{"stewart", 0}),
                         [](const auto& robot) {
                           std::string name = robot.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Of all kinds; every fourth system states its rows twice.
std::vector<Constraint> few_constraints(const Model& model, int seed) {
  std::vector<Constraint> list = samples::random_constraints(model, seed, 1 + seed % 3);
  const std::vector<Constraint> again = list;
  if (seed % 4 == 0) list.insert(list.end(), again.begin(), again.end());
  return list;
}

/// For rows that all yield alike; those that hardly yield make more of the rounding of the states.
constexpr double kRandomBound = 1e-8;

/// The damping of the rows counts with all kinds. False if there are more rows than the mechanism can follow.
bool agrees_with_oracle(int seed) {
  const Model model = samples::random_model(seed);
  const std::vector<Constraint> list = few_constraints(model, seed);
  const samples::State s = samples::random_state(model, seed);
  const Baumgarte pull{0, 0.8};
  const Derivatives got(model, list, s, pull);
  if (!got.status.ok()) return false;
  const testing::ConstrainedCase c(model, list, s);
  EXPECT_EQ(got.redundant, c.m() - c.rank);
  expect_derivatives_of_oracle(model, list, s, got, kRandomBound / std::sqrt(c.gap), pull);
  return true;
}
TEST(ConstrainedDerivatives, AreThoseOfTheOracle) {
  int compared = 0;
  for_each_seed(0, 60, [&](int seed) { compared += agrees_with_oracle(seed) ? 1 : 0; });
  EXPECT_GT(compared, 30) << "systems whose rows do not contradict each other";
}

/// Rows that have the rate J wherever they are: then the pull towards their positions has the derivative that it is given.
TEST(ConstrainedDerivatives, ContainThePullTowardsPositions) {
  int compared = 0;
  for_each_seed(0, 20, [&](int seed) {
    const Model model = samples::random_model(seed);
    std::vector<Constraint> list = samples::random_constraints(model, seed, 12);
    std::erase_if(list, [](const Constraint& x) {
      return !std::holds_alternative<Distance>(x) && !std::holds_alternative<JointCoupling>(x) &&
             !std::holds_alternative<JointLimit>(x) && !std::holds_alternative<CentreOfMass>(x);
    });
    if (list.size() > 2) list.resize(2);
    const samples::State s = samples::random_state(model, seed);
    const Baumgarte pull{30, 5};
    const Derivatives got(model, list, s, pull);
    if (!got.status.ok()) return;
    ++compared;
    expect_derivatives_of_oracle(model, list, s, got,
                                 kRandomBound / std::sqrt(testing::ConstrainedCase(model, list, s).gap), pull);
  });
  EXPECT_GT(compared, 10);
}

/// Another operator is another way to the same numbers. Its rounding is its own.
TEST(ConstrainedDerivatives, AreThoseOfAnyOperator) {
  const Scene scene = load_named("g1-standing");
  const Derivatives got(scene.model, scene.constraints, moving_state(scene));
  const int nv = got.nv, m = got.state.num_rows();
  KktDelassus<double> op(scene.model);
  ASSERT_TRUE(op.factor(got.state).ok());
  std::array<Vector, 3> accelerations = got.accelerations, forces = got.forces;
  const auto square = [&](int k) { return MatrixView<double>(accelerations[k].data(), nv, nv); };
  // Column by column: the layout is the caller's.
  const auto wide = [&](int k) { return MatrixView<double>(forces[k].data(), m, nv, 1, m); };
  ConstrainedDerivatives<double> derivatives(scene.model);
  ASSERT_TRUE(
      derivatives
          .compute(op, got.state, got.qdd, got.lambda, {}, {square(0), square(1), square(2), wide(0), wide(1), wide(2)})
          .ok());
  for (const Input input : kInputs) {
    EXPECT_LT(relative_difference(accelerations[input], got.accelerations[input]), 1e-9);
    Vector by_rows;
    for (int r = 0; r < m; ++r) {
      for (int k = 0; k < nv; ++k) by_rows.push_back(wide(input)(r, k));
    }
    EXPECT_LT(relative_difference(by_rows, got.forces[input]), 1e-7);
  }
}

#if DELASSUS_HAS_ALL_SCALARS
// ------------------------------------------------------------------------------------------------------- by dual numbers

/// q with the derivative of q ⊕ t along at t = 0.
std::vector<DualDouble> moving(const Model& model, const Vector& q, const Vector& along) {
  std::vector<DualDouble> out(q.begin(), q.end());
  for (const Link& link : model.links()) {
    const bool free = link.kind == JointKind::kFree;
    if (!has_axes_of_link(link.kind)) {
      for (int k = 0; k < link.nv; ++k) out[link.q + k].derivative = along[link.v + k];
      continue;
    }
    const int at = link.q + (free ? 3 : 0);
    const Quaternion<double> turn{{q[at], q[at + 1], q[at + 2], q[at + 3]}};
    const Quaternion<double> rate = quaternion_product(
        turn, Quaternion<double>{{along[link.v] / 2, along[link.v + 1] / 2, along[link.v + 2] / 2, 0}});
    for (int k = 0; k < 4; ++k) out[at + k].derivative = rate[k];
    if (!free) continue;
    const Vec3<double> step =
        rotation_of(turn) * Vec3<double>{{along[link.v + 3], along[link.v + 4], along[link.v + 5]}};
    for (int k = 0; k < 3; ++k) out[link.q + k].derivative = step[k];
  }
  return out;
}

/// One direction of q, v and tau together: a call of constrained dynamics in dual numbers. Both ways round alike, 1e-10 at most,
/// but in forces of rows that depend on each other, which dual numbers know to rounding over the damping, 3e-7.
/// False if the rows contradict each other.
bool agrees_with_duals(const Model& model, const std::vector<Constraint>& list, const samples::State& s) {
  const Derivatives got(model, list, s);
  if (!got.status.ok()) return false;
  std::array<Vector, 3> along;
  for (const Input input : kInputs) along[input] = random_vector(model.nv(), model.nv(), 30 + input);
  std::vector<DualDouble> v, tau;
  for (int k = 0; k < model.nv(); ++k) {
    v.emplace_back(s.v[k], along[kV][k]);
    tau.emplace_back(s.tau[k], along[kTau][k]);
  }
  State<DualDouble> state(model, list);
  ConstrainedDynamics<DualDouble> dynamics(model);
  std::vector<DualDouble> target(state.num_rows()), qdd(model.nv()), lambda(state.num_rows(), DualDouble(0));
  EXPECT_TRUE(state.update(moving(model, s.q, along[kQ]), v).ok());
  EXPECT_TRUE(dynamics.factor(state).ok());
  state.target(target);
  EXPECT_TRUE(dynamics.solve(state, tau, target, qdd, lambda).ok());

  const auto derivatives = [](const std::vector<DualDouble>& x) {
    Vector out;
    for (const DualDouble& e : x) out.push_back(e.derivative);
    return out;
  };
  const auto sum = [&](const std::array<Vector, 3>& parts) {
    Vector total = product(parts[kQ], along[kQ]);
    for (const Input input : {kV, kTau}) {
      const Vector part = product(parts[input], along[input]);
      for (std::size_t k = 0; k < total.size(); ++k) total[k] += part[k];
    }
    return total;
  };
  EXPECT_LT(relative_difference(derivatives(qdd), sum(got.accelerations), 1.0), 1e-9);
  EXPECT_LT(relative_difference(derivatives(lambda), sum(got.forces), 1.0), got.redundant > 0 ? 1e-6 : 1e-9);
  return true;
}

TEST(ConstrainedDerivatives, AreThoseOfDualNumbers) {
  for (const char* name : {"go2-standing", "g1-standing", "atlas-feet-points", "four_bar", "delta"}) {
    SCOPED_TRACE(name);
    const Scene scene = load_named(name);
    EXPECT_TRUE(agrees_with_duals(scene.model, scene.constraints, moving_state(scene)));
  }
  int compared = 0;
  for_each_seed(0, 60, [&](int seed) {
    const Model model = samples::random_model(seed);
    compared += agrees_with_duals(model, few_constraints(model, seed), samples::random_state(model, seed)) ? 1 : 0;
  });
  EXPECT_GT(compared, 30) << "systems whose rows do not contradict each other";
}
#endif

}  // namespace
}  // namespace delassus
