// Verbs that run the scalar solvers on threads give what those give, to the last bit.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "delassus/batch/batch_controller.hpp"
#include "delassus/batch/batch_simulator.hpp"
#include "delassus/solvers/constrained_dynamics.hpp"
#include "support/batch_case.hpp"
#include "support/task_levels.hpp"

namespace delassus {
namespace {

using testing::BatchCase;
using testing::same_bits;

constexpr int kFew = 12;

template <class T>
std::vector<T> slice(const std::vector<T>& list, int e) {
  const auto n = static_cast<std::ptrdiff_t>(list.size()) / kFew;
  return {list.begin() + e * n, list.begin() + (e + 1) * n};
}

template <class T>
void expect_constrained_dynamics(const std::string& name) {
  SCOPED_TRACE(name);
  const BatchCase<T> c(name, kFew);
  Batch<T> batch(c.model, kFew, {.threads = 2});
  batch.set_constraints(c.constraints);
  const int m = batch.max_rows(), nv = c.model.nv();
  const Baumgarte pull{20, 5};
  std::vector<T> a, lambda;
  const BatchView<T> out = c.out(lambda, m);
  std::fill(lambda.begin(), lambda.end(), T(0));
  batch.constrained_dynamics(c.in(c.qs), c.in(c.vs), c.in(c.taus), c.out(a, nv), out, pull);
  for (int e = 0; e < kFew; ++e) {
    State<T> state(c.model, c.constraints);
    ConstrainedDynamics<T> dynamics(c.model);
    std::vector<T> target(m), qdd(nv), force(m, T(0));
    ASSERT_TRUE(state.update(slice(c.qs, e), slice(c.vs, e)).ok());
    ASSERT_TRUE(dynamics.factor(state).ok());
    state.target(pull, target);
    EXPECT_EQ(batch.statuses()[e], dynamics.solve(state, slice(c.taus, e), target, qdd, force));
    EXPECT_TRUE(same_bits(qdd, slice(a, e)));
    EXPECT_TRUE(same_bits(force, slice(lambda, e)));
  }
}

TEST(BatchSolvers, ConstrainedDynamics) {
  for (const char* name : {"go2-standing", "g1-standing", "cassie-standing"}) {
    expect_constrained_dynamics<double>(name);
    expect_constrained_dynamics<float>(name);
  }
}

TEST(BatchSolvers, ConstrainedDynamicsWithoutSome) {
  const BatchCase<double> c("go2-standing", kFew);
  Batch<double> batch(c.model, kFew, {.threads = 1}), without(c.model, kFew, {.threads = 1});
  batch.set_constraints(c.constraints);
  std::vector<Constraint> fewer = c.constraints;
  fewer.erase(fewer.begin() + 1);
  without.set_constraints(fewer);
  const auto count = static_cast<int>(c.constraints.size());
  const auto flags = std::make_unique<bool[]>(static_cast<std::size_t>(kFew) * count);
  for (int k = 0; k < kFew * count; ++k) flags[k] = k % count != 1;
  batch.set_active({flags.get(), kFew, count});
  const int nv = c.model.nv();
  std::vector<double> a, b, forces(static_cast<std::size_t>(kFew) * batch.max_rows(), 0),
      fewer_forces(static_cast<std::size_t>(kFew) * without.max_rows(), 0);
  EXPECT_EQ(batch.constrained_dynamics(c.in(c.qs), c.in(c.vs), c.in(c.taus), c.out(a, nv),
                                       {forces.data(), kFew, batch.max_rows()}),
            0);
  EXPECT_EQ(without.constrained_dynamics(c.in(c.qs), c.in(c.vs), c.in(c.taus), c.out(b, nv),
                                         {fewer_forces.data(), kFew, without.max_rows()}),
            0);
  EXPECT_TRUE(same_bits(a, b));
  for (int e = 0; e < kFew; ++e) {
    for (int r = 3; r < 6; ++r) EXPECT_EQ(forces[static_cast<std::size_t>(e) * batch.max_rows() + r], 0);
  }
}

TEST(BatchSolvers, ContactSolve) {
  BatchCase<double> c("g1-standing-friction", kFew);
  c.qs[5 * c.model.nq() + 8] = std::numeric_limits<double>::quiet_NaN();
  Batch<double> batch(c.model, kFew, {.threads = 2});
  batch.set_constraints(c.constraints);
  const int m = batch.max_rows();
  std::vector<double> lambda(static_cast<std::size_t>(kFew) * m, 0);
  // Velocities at random: some of these problems take more iterations than there are.
  const int failures = batch.contact_solve(c.in(c.qs), {.free_velocity = c.in(c.xs)}, {lambda.data(), kFew, m});
  EXPECT_GE(failures, 1);
  EXPECT_LE(failures, kFew / 2);
  for (int e = 0; e < kFew; ++e) {
    if (e == 5) {
      EXPECT_EQ(batch.statuses()[e].code, Status::Code::kNotFinite);
      EXPECT_TRUE(std::isnan(lambda[5 * m]));
      continue;
    }
    State<double> state(c.model, c.constraints);
    ASSERT_TRUE(state.update(slice(c.qs, e), slice(c.vs, e)).ok());
    CondensedDelassus<double> op(c.model);
    ASSERT_TRUE(op.factor(state).ok());
    std::vector<double> force(m, 0), velocity = slice(c.xs, e);
    Admm admm;
    EXPECT_EQ(batch.statuses()[e], admm.solve(op, {state.rows().spans, state.rows().sets, velocity}, force));
    EXPECT_TRUE(same_bits(force, slice(lambda, e)));
    EXPECT_EQ(batch.certificates()[e].iterations, admm.certificate().iterations);
    EXPECT_EQ(batch.certificates()[e].velocity, admm.certificate().velocity);
  }
}

/// Without lanes, environments are stepped as a Simulator steps.
TEST(BatchSolvers, Simulators) {
  const Scene scene = load_named("go2-standing");
  const int nq = scene.model.nq(), nv = scene.model.nv();
  SimulationSetup setup(scene.model);
  setup.q = scene.q;
  setup.q[2] += 0.05;
  BatchSimulator batch(setup, 5, {.threads = 2, .lanes = false});
  std::vector<double> q, v(5 * static_cast<std::size_t>(nv), 0);
  for (int e = 0; e < 5; ++e) {
    q.insert(q.end(), scene.q.begin(), scene.q.end());
    q[static_cast<std::size_t>(e) * nq + 2] += 0.05 + 0.01 * e;
  }
  batch.reset({}, {q.data(), 5, nq}, {v.data(), 5, nv});
  EXPECT_EQ(batch.step(60), 0);
  for (int e = 0; e < 5; ++e) {
    Simulator alone(scene.model);
    alone.set_state({q.data() + e * nq, nq}, {v.data(), nv});
    EXPECT_TRUE(alone.advance(60).ok());
    EXPECT_TRUE(std::equal(alone.q().begin(), alone.q().end(), batch.q().at(e, 0))) << e;
    EXPECT_TRUE(std::equal(alone.v().begin(), alone.v().end(), batch.v().at(e, 0))) << e;
  }
  batch.forces()(3, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(batch.step(), 1);
  EXPECT_EQ(batch.summaries()[3].status.code, StepStatus::Code::kBadForce);
  EXPECT_TRUE(batch.summaries()[4].status.ok());
}

template <class T>
void expect_controllers() {
  const Scene scene = load_named("panda");
  const std::vector<TaskLevel> levels = testing::make_levels(scene.model, "pose hand", 1);
  const int nq = scene.model.nq(), nv = scene.model.nv();
  BatchController<T> batch(scene.model, kFew, levels, {}, {}, {}, 2);
  std::vector<T> q, v, tau(static_cast<std::size_t>(kFew) * nv);
  for (int e = 0; e < kFew; ++e) {
    const samples::State s = samples::random_state(scene.model, static_cast<std::uint64_t>(e));
    q.insert(q.end(), s.q.begin(), s.q.end());
    v.insert(v.end(), s.v.begin(), s.v.end());
    ASSERT_TRUE(
        batch.environment(e).set_target(0, PoseTarget{{Mat3<double>::identity(), {{0.3, 0.01 * e, 0.5}}}}).ok());
  }
  q[4 * static_cast<std::size_t>(nq)] = std::numeric_limits<T>::quiet_NaN();
  EXPECT_GE(batch.compute({q.data(), kFew, nq}, {v.data(), kFew, nv}, {tau.data(), kFew, nv}), 1);
  for (int e = 0; e < kFew; ++e) {
    OperationalController<T> alone(scene.model, levels);
    ASSERT_TRUE(alone.set_target(0, PoseTarget{{Mat3<double>::identity(), {{0.3, 0.01 * e, 0.5}}}}).ok());
    std::vector<T> want(nv);
    EXPECT_EQ(batch.statuses()[e], alone.compute(slice(q, e), slice(v, e), want));
    EXPECT_EQ(std::isnan(tau[static_cast<std::size_t>(e) * nv]), e == 4);
    EXPECT_TRUE(e == 4 || same_bits(want, slice(tau, e)));
  }
}

TEST(BatchSolvers, Controllers) {
  expect_controllers<double>();
  expect_controllers<float>();
}

}  // namespace
}  // namespace delassus
