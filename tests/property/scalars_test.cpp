// Every scalar runs the same sweeps: lanes of packs equal scalar runs, duals are derivatives, floats keep their bound.
#include <gtest/gtest.h>

#include "delassus/delassus.hpp"
#include "delassus/math/instantiate.hpp"
#include "support/compare.hpp"
#include "support/random_system.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::converted;
using testing::for_each_seed;
using testing::relative_difference;

/// Each seed runs every scalar several times.
constexpr int kScalarSeeds = 12;

/// Everything that a run computes, in one vector: accelerations, M, constraint rows, drift and Λ⁻¹.
template <class T>
std::vector<T> run_everything(const Model& model, const std::vector<Constraint>& constraints, const std::vector<T>& q,
                              const std::vector<T>& v, const std::vector<T>& tau) {
  const int nv = model.nv();
  ForwardDynamics<T> work(model);
  std::vector<T> out(nv);
  EXPECT_TRUE(aba<T>(model, q, v, tau, out, work).ok());
  ConstraintRows<T> rows;
  lower_structure(model, constraints, rows);
  EXPECT_TRUE(lower_values<T>(model, work.kin, constraints, rows).ok());
  const int m = rows.num_rows();
  std::vector<T> drift(m), J(static_cast<std::size_t>(m) * nv), A(static_cast<std::size_t>(m) * m), h(nv);
  constraint_drift<T>(model, work.kin, work.vel, constraints, rows, drift);
  constraint_jacobian<T>(model, work.kin, rows, MatrixView<T>(J.data(), m, nv));
  InverseDynamics<T> inverse(model);
  bias_forces<T>(model, work.kin, work.vel, h, inverse);
  DenseDelassus<T> op(model, m);
  EXPECT_TRUE(op.factor(model, work.kin, rows).ok());
  op.dense(MatrixView<T>(A.data(), m, m));
  for (const std::vector<T>* part : {&drift, &J, &h, &A}) out.insert(out.end(), part->begin(), part->end());
  return out;
}

/// Lane i holds a state of its own. Lanes and scalars do the same operations in the same order; only the contraction of
/// a multiplication and an addition to one rounding may differ. So: rounding times the condition of M (1e4).
template <class P>
void lanes_equal_scalars(int seed, double bound) {
  using T = Base<P>;
  const Model model = samples::random_model(seed);
  const std::vector<Constraint> constraints = samples::random_constraints(model, seed, 4);
  std::vector<P> q(model.nq()), v(model.nv()), tau(model.nv());
  std::vector<samples::State> states;
  for (int lane = 0; lane < P::kWidth; ++lane) {
    states.push_back(samples::random_state(model, 100 * seed + lane));
    for (int k = 0; k < model.nq(); ++k) q[k].set(lane, static_cast<T>(states[lane].q[k]));
    for (int k = 0; k < model.nv(); ++k) v[k].set(lane, static_cast<T>(states[lane].v[k]));
    for (int k = 0; k < model.nv(); ++k) tau[k].set(lane, static_cast<T>(states[lane].tau[k]));
  }
  const std::vector<P> packed = run_everything<P>(model, constraints, q, v, tau);
  for (int lane = 0; lane < P::kWidth; ++lane) {
    const auto& s = states[lane];
    const std::vector<T> scalar =
        run_everything<T>(model, constraints, converted<T>(s.q), converted<T>(s.v), converted<T>(s.tau));
    std::vector<T> from_lane;
    for (const P& p : packed) from_lane.push_back(p[lane]);
    EXPECT_LT(relative_difference(from_lane, scalar), bound) << "lane " << lane;
  }
}

void lanes_of_doubles_equal_scalar_runs(int seed) {
  lanes_equal_scalars<PackDouble4>(seed, 1e-12);
  lanes_equal_scalars<PackDouble8>(seed, 1e-12);
}
TEST(Scalars, LanesOfDoublesEqualScalarRuns) { for_each_seed(0, kScalarSeeds, lanes_of_doubles_equal_scalar_runs); }
void lanes_of_floats_equal_scalar_runs(int seed) {
  lanes_equal_scalars<PackFloat8>(seed, 1e-3);
  lanes_equal_scalars<PackFloat16>(seed, 1e-3);
}
TEST(Scalars, LanesOfFloatsEqualScalarRuns) { for_each_seed(0, kScalarSeeds, lanes_of_floats_equal_scalar_runs); }

void counted_computes_what_double_computes(int seed) {
  const Model model = samples::random_model(seed);
  const std::vector<Constraint> constraints = samples::random_constraints(model, seed, 4);
  const samples::State s = samples::random_state(model, seed);
  const std::vector<double> want = run_everything<double>(model, constraints, s.q, s.v, s.tau);
  std::vector<Counted> got;
  const OperationCount count = count_operations([&] {
    got = run_everything<Counted>(model, constraints, converted<Counted>(s.q), converted<Counted>(s.v), converted<Counted>(s.tau));
  });
  std::vector<double> values;
  for (const Counted& x : got) values.push_back(x.value);
  EXPECT_LT(relative_difference(values, want), 1e-12);
  EXPECT_GT(count.multiplications, 0);
  EXPECT_EQ(count.trigonometric, 2 * static_cast<int>(model.angle_coordinates().size()));
}
TEST(Scalars, CountedComputesWhatDoubleComputes) { for_each_seed(0, kScalarSeeds, counted_computes_what_double_computes); }

/// The derivative that a dual carries through kinematics, dynamics and constraints is the difference quotient.
void duals_are_derivatives(int seed) {
  const Model model = samples::random_model(seed);
  const std::vector<Constraint> constraints = samples::random_constraints(model, seed, 4);
  const samples::State s = samples::random_state(model, seed);
  samples::Random random(seed, 3);
  std::vector<DualDouble> q, v, tau;
  for (double x : s.q) q.push_back({x, random.uniform(-1, 1)});
  for (double x : s.v) v.push_back({x, random.uniform(-1, 1)});
  for (double x : s.tau) tau.push_back({x, random.uniform(-1, 1)});
  const std::vector<DualDouble> got = run_everything<DualDouble>(model, constraints, q, v, tau);
  constexpr double kStep = 1e-6;
  const auto moved = [](const std::vector<DualDouble>& x, double t) {
    std::vector<double> out;
    for (const DualDouble& e : x) out.push_back(e.value + t * e.derivative);
    return out;
  };
  const auto at = [&](double t) {
    return run_everything<double>(model, constraints, moved(q, t), moved(v, t), moved(tau, t));
  };
  const std::vector<double> after = at(kStep), before = at(-kStep);
  std::vector<double> derivative, quotient;
  for (std::size_t i = 0; i < got.size(); ++i) {
    derivative.push_back(got[i].derivative);
    quotient.push_back((after[i] - before[i]) / (2 * kStep));
  }
  // Rounding of values (1e-13, with the condition of M) over the step.
  EXPECT_LT(relative_difference(derivative, quotient), 1e-7);
}
TEST(Scalars, DualsAreDerivatives) { for_each_seed(0, kScalarSeeds, duals_are_derivatives); }

/// A straight chain of links of 0.3 m, the hardest case for a shared reference point.
Model chain(int links) {
  ModelBuilder builder("chain");
  int parent = kWorld;
  for (int i = 0; i < links; ++i) {
    Vec3<double> axis{{0, 0, 0}};
    axis[i % 3] = 1;
    parent = builder.add_body("link" + std::to_string(i), parent,
                              revolute("joint" + std::to_string(i), axis, translation(i ? 0.3 : 0, 0, 0)),
                              box_inertial(1, {{0.15, 0.03, 0.03}}, {{0.15, 0, 0}}));
  }
  return builder.make_model();
}

/// Relative error of M⁻¹ times a vector against a run in which every link has its own reference point and, for float,
/// all is done in double.
template <class T>
double reference_point_error(int links, int hops) {
  const Model model = chain(links);
  const samples::State s = samples::random_state(model, 5);
  std::vector<double> want = s.tau, q = s.q;
  for (double& angle : q) angle *= 0.05;  // nearly straight
  Kinematics<double> exact_kin(model);
  update_kinematics(model, q, exact_kin);
  Articulation<double> exact(model, 0);
  EXPECT_TRUE(articulate(model, exact_kin, exact).ok());
  Sweep<double> exact_sweep(model);
  multiply_inverse_inertia(model, exact, want, exact_sweep);

  Kinematics<T> kin(model);
  Articulation<T> art(model, hops);
  Sweep<T> sweep(model);
  std::vector<T> got = converted<T>(s.tau);
  update_kinematics<T>(model, converted<T>(q), kin);
  EXPECT_TRUE(articulate(model, kin, art).ok());
  multiply_inverse_inertia<T>(model, art, got, sweep);
  return relative_difference(got, want);
}

TEST(ReferencePoints, LongChainsKeepTheirDigits) {
  // Measured: 2e-16, 7e-15 and 4e-6; rounding grows with the number of links.
  EXPECT_LT(reference_point_error<double>(30, ReferencePlan::kDefaultHops), 1e-14);
  EXPECT_LT(reference_point_error<double>(1000, ReferencePlan::kDefaultHops), 1e-13);
  EXPECT_LT(reference_point_error<float>(30, ReferencePlan::kDefaultHops), 2e-5);
}

TEST(ReferencePoints, OnePointForALongChainWouldLoseThem) {
  EXPECT_GT(reference_point_error<double>(1000, 1000), 10 * reference_point_error<double>(1000, ReferencePlan::kDefaultHops));
}

TEST(ReferencePoints, PlanSharesWithinItsHops) {
  const Model model = chain(40);
  const ReferencePlan plan = make_reference_plan(model, 16);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(plan.shares_parent[i], i % 17 != 0) << i;
  const ReferencePlan own = make_reference_plan(model, 0);
  for (int i = 0; i < 40; ++i) EXPECT_FALSE(own.shares_parent[i]);
}

}  // namespace
}  // namespace delassus
