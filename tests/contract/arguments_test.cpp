// Wrong calls (docs/arguments.md): set-up throws an Error that names the argument, what runs in a loop returns a status, throws
// nothing, and leaves NaN where it should have written and its status may be left unread.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "delassus/delassus.hpp"
#include "delassus/solvers/contact_newton.hpp"
#include "delassus/solvers/pgs.hpp"
#include "scenes/recipes.hpp"
#include "support/controllers.hpp"

namespace delassus {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Code = Status::Code;
using Vector = std::vector<double>;

constexpr Status kFirst{Code::kBadArgument, 0}, kSecond{Code::kBadArgument, 1}, kThird{Code::kBadArgument, 2};

MatrixView<double> matrix(Vector& x, int rows, int cols) { return {x.data(), rows, cols}; }
MatrixView<const double> read(const Vector& x, int rows, int cols) { return {x.data(), rows, cols}; }
bool all_nan(const Vector& x) {
  return std::all_of(x.begin(), x.end(), [](double e) { return std::isnan(e); });
}

/// Go2 on its feet, and a contact that no model has.
struct Case {
  Scene scene = make_scene("go2-standing");
  const Model& model = scene.model;
  std::vector<Constraint> wrong{PointContact{"heel", {99}}};
  State<double> state{model, scene.constraints};
  int m = state.num_rows(), nv = model.nv();
  Vector x = Vector(static_cast<std::size_t>(m), 1.0), y = x, few = Vector(3),
         joints = Vector(static_cast<std::size_t>(nv));
  Vector square = Vector(static_cast<std::size_t>(m * m));
};

TEST(WrongCalls, OfStates) {
  Case c;
  EXPECT_THAT([&] { State<double>(c.model, c.wrong); }, ThrowsMessage<Error>(HasSubstr("'heel'")));
  EXPECT_THAT([&] { c.state.set_constraints(c.wrong); }, ThrowsMessage<Error>(HasSubstr("'heel'")));
  EXPECT_EQ(c.state.update(c.few), kFirst);
  EXPECT_EQ(c.state.update(c.scene.q, c.few), kSecond);
  EXPECT_EQ(c.state.update_velocity(c.few), kFirst);
  EXPECT_EQ(c.state.move_constraints(c.wrong), kFirst);
  EXPECT_EQ(c.state.target(c.few), kFirst);
  EXPECT_TRUE(all_nan(c.few));
  EXPECT_EQ(c.state.target(Baumgarte{1, 1}, c.few), kSecond);
  EXPECT_EQ(c.state.position(c.few), kFirst);
  std::vector<Constraint> moved = c.scene.constraints;
  moved[0] = JointFriction{"other", 6};
  EXPECT_TRUE(c.state.move_constraints(moved).ok());
  EXPECT_EQ(c.state.update(c.scene.q), kTooEarly) << "set_constraints is needed first";
  EXPECT_TRUE(c.state.move_constraints(c.scene.constraints).ok());
  EXPECT_TRUE(c.state.update(c.scene.q, c.scene.v).ok()) << "and all is well after";
}

/// The verbs of an operator that has values and a damping.
template <class Op>
void expect_statuses(Op& op, Case& c) {
  const int m = c.m;
  EXPECT_EQ(op.apply(c.few, c.y), kFirst);
  EXPECT_TRUE(all_nan(c.y));
  EXPECT_EQ(op.apply(c.x, c.few), kSecond);
  EXPECT_EQ(op.joint_response(c.few, c.joints), kFirst);
  EXPECT_TRUE(all_nan(c.joints));
  EXPECT_EQ(op.joint_response(c.x, c.few), kSecond);
  EXPECT_EQ(op.apply_panel(read(c.square, 1, m), matrix(c.square, m, 1)), kFirst);
  EXPECT_EQ(op.apply_panel(read(c.square, m, 1), matrix(c.square, 1, 1)), kSecond);
  EXPECT_EQ(op.apply_panel(read(c.square, m, 1), matrix(c.square, m, 2)), kSecond);
  EXPECT_EQ(op.dense(matrix(c.square, m, 1)), kFirst);
  EXPECT_TRUE(std::isnan(c.square[0]));
  EXPECT_EQ(op.diagonal(c.few), kFirst);
  EXPECT_EQ(op.update_damping(c.few), kFirst);
  EXPECT_EQ(op.update_damping(Damping<double>::blocks(c.few)), kFirst);
  EXPECT_EQ(op.solve(c.few, c.y), kFirst);
  EXPECT_EQ(op.solve(c.x, c.few), kSecond);
  EXPECT_EQ(op.solve_panel(read(c.square, 1, m), matrix(c.square, m, 1)), kFirst);
  EXPECT_EQ(op.solve_panel(read(c.square, m, 1), matrix(c.square, m, 2)), kSecond);
  EXPECT_TRUE(op.solve(c.x, c.y).ok()) << "and all is well after";
  EXPECT_TRUE(op.apply(c.x, c.y).ok());
  EXPECT_FALSE(all_nan(c.y));
}

TEST(WrongCalls, OfAlgorithms) {
  const Scene other = make_scene("g1-standing");
  State<double> elsewhere(other.model, other.constraints);
  ASSERT_TRUE(elsewhere.update(other.q).ok());
  for (const Algorithm algorithm : kDirectAlgorithms) {
    SCOPED_TRACE(name_of(algorithm));
    Case c;
    AnyDelassus<double> op(algorithm, c.model);
    EXPECT_THAT([&] { op.update_structure(other.model, elsewhere.rows()); },
                ThrowsMessage<Error>(HasSubstr("'model'")));
    EXPECT_EQ(op.apply(c.x, c.y), kFirst) << "no rows yet";
    EXPECT_FALSE(op.joint_response({c.x.data(), 0}, c.few).ok());
    EXPECT_EQ(op.factor(elsewhere), kFirst);
    ASSERT_TRUE(c.state.update(c.scene.q).ok());
    ASSERT_TRUE(op.factor(c.state).ok());
    EXPECT_EQ(op.solve(c.x, c.y), kTooEarly);
    ASSERT_TRUE(op.update_damping(1e-3).ok());
    expect_statuses(op, c);
  }
}

TEST(WrongCalls, OfOperators) {
  Case c;
  EXPECT_THAT([&] { Operator<double>(c.model, c.wrong); }, ThrowsMessage<Error>(HasSubstr("'heel'")));
  Operator<double> op(c.model, c.scene.constraints);
  EXPECT_THAT([&] { op.set_constraints(c.wrong); }, ThrowsMessage<Error>(HasSubstr("'heel'")));
  op.set_constraints(c.scene.constraints);
  EXPECT_EQ(op.apply(c.x, c.y), kTooEarly);
  EXPECT_TRUE(all_nan(c.y));
  EXPECT_EQ(op.dense(matrix(c.square, c.m, c.m)), kTooEarly);
  EXPECT_EQ(op.diagonal(c.y), kTooEarly);
  EXPECT_EQ(op.joint_response(c.x, c.joints), kTooEarly);
  EXPECT_EQ(op.apply_jacobian(c.joints, c.y), kTooEarly);
  EXPECT_EQ(op.update_damping(1.0), kTooEarly);
  EXPECT_EQ(op.update(c.few), kFirst);
  ASSERT_TRUE(op.update(c.scene.q).ok());
  EXPECT_EQ(op.update_velocity(c.few), kFirst);
  EXPECT_EQ(op.solve(c.x, c.y), kTooEarly);
  EXPECT_EQ(op.solve_panel(read(c.square, c.m, 1), matrix(c.square, c.m, 1)), kTooEarly);
  EXPECT_EQ(op.apply_jacobian(c.few, c.y), kFirst);
  EXPECT_EQ(op.apply_jacobian_transpose(c.x, c.few), kSecond);
  EXPECT_EQ(op.jacobian(matrix(c.square, c.m, 1)), kFirst);
  ASSERT_TRUE(op.update_damping(1e-3).ok());
  expect_statuses(op, c);
}

/// Room for contacts may run out in a loop: factor says so, and planning ahead says why.
TEST(WrongCalls, BeyondCapacity) {
  Case c;
  CondensedOptions options;
  options.capacity = room_for(1);
  CondensedDelassus<double> op(c.model, options);
  ASSERT_TRUE(c.state.update(c.scene.q).ok());
  EXPECT_EQ(op.factor(c.state), kFirst);
  EXPECT_THAT([&] { op.update_structure(c.model, c.state.rows()); }, ThrowsMessage<Error>(HasSubstr("'rows'")));
}

template <class Solver>
void expect_solver_statuses() {
  Case c;
  Solver solver(c.model);
  Vector tau(c.joints), qdd(c.joints);
  ASSERT_TRUE(c.state.update(c.scene.q, c.scene.v).ok());
  EXPECT_EQ(solver.solve(c.state, tau, c.x, qdd, c.y), kTooEarly);
  ASSERT_TRUE(solver.factor(c.state).ok());
  EXPECT_EQ(solver.solve(c.state, c.few, c.x, qdd, c.y), kSecond);
  EXPECT_EQ(solver.solve(c.state, tau, c.few, qdd, c.y), kThird);
  EXPECT_EQ(solver.solve(c.state, tau, c.x, c.few, c.y), (Status{Code::kBadArgument, 3}));
  EXPECT_EQ(solver.solve(c.state, tau, c.x, qdd, c.few), (Status{Code::kBadArgument, 4}));
}
TEST(WrongCalls, OfConstrainedDynamics) {
  expect_solver_statuses<ConstrainedDynamics<double>>();
  expect_solver_statuses<ConstrainedDynamics<double, KktDelassus<double>>>();
  expect_solver_statuses<ConstrainedAba<double>>();
  const Model model = Case().model;
  EXPECT_THAT([&] { ConstrainedDynamics<double>(model, {.iterations = 0}); },
              ThrowsMessage<Error>(HasSubstr("'options'")));
}

TEST(WrongCalls, OfImpactsInverseDynamicsAndDerivatives) {
  Case c;
  Vector tau(c.joints), qdd(c.joints), wide(static_cast<std::size_t>(c.m * c.nv));
  ASSERT_TRUE(c.state.update(c.scene.q, c.scene.v).ok());
  ConstrainedDynamics<double> dynamics(c.model);
  ASSERT_TRUE(dynamics.factor(c.state).ok());
  EXPECT_EQ(dynamics.solve_impact(c.state, c.few, qdd, c.y), kSecond);
  EXPECT_EQ(dynamics.solve_impact(c.state, Vector(c.x.size(), 2.0), qdd, c.y), kSecond);
  EXPECT_EQ(dynamics.solve_impact(c.state, c.x, c.few, c.y), kThird);
  ConstrainedInverseDynamics<double> inverse(c.model, Actuation(c.model));
  EXPECT_EQ(inverse.solve(c.state, c.few, tau, c.y), kSecond);
  EXPECT_EQ(inverse.solve(c.state, qdd, c.few, c.y), kThird);
  EXPECT_EQ(inverse.solve(c.state, qdd, tau, c.few), (Status{Code::kBadArgument, 3}));
  EXPECT_EQ(inverse.solve(c.state, qdd, c.few, tau, c.y), kThird);
  ConstrainedDerivatives<double> derivatives(c.model);
  const auto none = matrix(wide, 1, 1);
  EXPECT_EQ(derivatives.compute(dynamics.op(), c.state, c.few, c.x, {}, {none, none, none, none, none, none}), kThird);
  EXPECT_EQ(derivatives.compute(dynamics.op(), c.state, qdd, c.x, {}, {none, none, none, none, none, none}),
            (Status{Code::kBadArgument, 5}));
}

template <class Solver>
void expect_contact_statuses() {
  Case c;
  ASSERT_TRUE(c.state.update(c.scene.q).ok());
  LtlDelassus<double> op(c.state);
  ASSERT_TRUE(op.factor(c.state).ok());
  const ConstraintRows<double>& rows = c.state.rows();
  ContactProblem problem{rows.spans, rows.sets, c.x};
  Solver solver;
  EXPECT_EQ(solver.solve(op, problem, c.few), kThird);
  problem.time_step = -1;
  EXPECT_EQ(solver.solve(op, problem, c.y), kSecond);
  EXPECT_THAT([&] { require_valid(problem); }, ThrowsMessage<Error>(HasSubstr("time_step")));
}
TEST(WrongCalls, OfContactSolvers) {
  expect_contact_statuses<Admm>();
  expect_contact_statuses<Pgs>();
  expect_contact_statuses<ContactNewton>();
  EXPECT_THAT([] { Admm({.iterations = 0}); }, ThrowsMessage<Error>(HasSubstr("'iterations'")));
  Case c;
  ASSERT_TRUE(c.state.update(c.scene.q).ok());
  CondensedDelassus<double> op(c.state);
  ASSERT_TRUE(op.factor(c.state).ok());
  EXPECT_EQ(Proximal<double>().solve(op, c.few, c.y), kSecond);
  EXPECT_EQ(Proximal<double>().solve(op, c.x, c.few), kThird);
}

TEST(WrongCalls, OfControllers) {
  testing::Standing<double> s;
  EXPECT_EQ(s.controller.solve(s.tau), kTooEarly);
  EXPECT_EQ(s.controller.compute(Vector(3), s.v, s.tau), kFirst);
  EXPECT_THAT([&] { s.controller.find_task("tail"); }, ThrowsMessage<Error>(HasSubstr("'tail'")));
}

TEST(WrongCalls, OfSimulatorsAndIntegrators) {
  Case c;
  Simulator simulator(c.model);
  EXPECT_THAT([&] { simulator.set_state(c.few, c.scene.v); }, ThrowsMessage<Error>(HasSubstr("'q'")));
  simulator.forces()[2] = NAN;
  EXPECT_EQ(simulator.step().code, StepStatus::Code::kBadForce);
  EXPECT_THAT([&] { Integrator(c.model, {}, {.dt = 0}); }, ThrowsMessage<Error>(HasSubstr("'dt'")));
  Integrator integrator(c.model, {});
  Vector q = c.scene.q, v = c.scene.v;
  EXPECT_EQ(integrator.step(c.few, v, c.joints), kFirst);
  EXPECT_EQ(integrator.step(q, c.few, c.joints), kSecond);
  EXPECT_EQ(integrator.step(q, v, c.few), kThird);
}

}  // namespace
}  // namespace delassus
