// Every scalar runs the same sweeps: lanes of packs equal scalar runs, duals are derivatives, floats keep their bound.
#include <gtest/gtest.h>

#include <array>
#include <concepts>

#include "delassus/delassus.hpp"
#include "dynamics/articulated_body.hpp"
#include "math/instantiate.hpp"
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

/// Each seed runs every scalar several times.
constexpr int kScalarSeeds = 12;

/// What a run computes. Each part is compared for itself: forces are thousands where Λ⁻¹ is 1.
enum Part { kAcceleration, kDrift, kRows, kBias, kMatrix, kParts };
constexpr std::array<const char*, kParts> kPartNames{"accelerations", "drift", "J", "h", "inverse of Lambda"};
template <class T>
using Results = std::array<std::vector<T>, kParts>;
/// One bound for each part.
using Bounds = std::array<double, kParts>;

template <class T>
Results<T> run_everything(const Model& model, const std::vector<Constraint>& constraints, const std::vector<T>& q,
                          const std::vector<T>& v, const std::vector<T>& tau) {
  const int nv = model.nv();
  ForwardDynamics<T> work(model);
  std::vector<T> acceleration(nv);
  EXPECT_TRUE(aba<T>(model, q, v, tau, acceleration, work).ok());
  ConstraintRows<T> rows;
  lower_structure(model, constraints, rows);
  EXPECT_TRUE(lower_values<T>(model, work.kin, constraints, rows).ok());
  const int m = rows.num_rows();
  std::vector<T> drift(m), J(static_cast<std::size_t>(m) * nv), A(static_cast<std::size_t>(m) * m), h(nv);
  constraint_drift<T>(model, work.kin, work.vel, constraints, rows, drift);
  constraint_jacobian<T>(model, work.kin, rows, MatrixView<T>(J.data(), m, nv));
  InverseDynamics<T> inverse(model);
  bias_forces<T>(model, work.kin, work.vel, h, inverse);
  CondensedDelassus<T> op(model, rows);
  EXPECT_TRUE(op.factor({model, work.kin, rows}).ok());
  op.dense(MatrixView<T>(A.data(), m, m));
  return {acceleration, drift, J, h, A};
}

/// One number of every entry: a lane, a value, a derivative.
template <class T, class Read>
auto each_entry(const Results<T>& results, Read&& read) {
  Results<std::decay_t<decltype(read(results[0][0]))>> out;
  for (int part = 0; part < kParts; ++part) {
    for (const T& x : results[part]) out[part].push_back(read(x));
  }
  return out;
}

/// The drift of joint rows is zero, so it is compared with 1 where it is smaller; speeds are about 1 here.
template <class T, class U>
void expect_close(const Results<T>& got, const Results<U>& want, const Bounds& bounds) {
  for (int part = 0; part < kParts; ++part) {
    const double floor = part == kDrift ? 1.0 : 1e-300;
    EXPECT_LT(relative_difference(got[part], want[part], floor), bounds[part]) << kPartNames[part];
  }
}

/// Lane i holds a state of its own. Lanes and scalars do the same operations in the same order; only the contraction of
/// a multiplication and an addition to one rounding may differ.
template <class P>
void lanes_equal_scalars(int seed, const Bounds& bounds) {
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
  const Results<P> packed = run_everything<P>(model, constraints, q, v, tau);
  for (int lane = 0; lane < P::kWidth; ++lane) {
    SCOPED_TRACE("lane " + std::to_string(lane));
    const auto& s = states[lane];
    const Results<T> scalar =
        run_everything<T>(model, constraints, converted<T>(s.q), converted<T>(s.v), converted<T>(s.tau));
    expect_close(each_entry(packed, [lane](const P& p) { return p[lane]; }), scalar, bounds);
  }
}

/// Measured between scalars of double precision: 5e-14, 3e-15, 1e-15, 1e-15 and 6e-13. A dozen seeds are not the worst.
constexpr Bounds kDoubleBounds{1e-12, 1e-13, 1e-14, 1e-13, 1e-11};
/// Measured against the oracle over 2000 seeds: 4e-5, 3e-6, 9e-7, 1.5e-6 and 1e-3; solutions carry the condition number
/// of M, up to 1.2e5, times 6e-8.
constexpr Bounds kFloatBounds{2e-4, 1e-5, 6e-6, 1e-5, 7e-3};

void lanes_of_doubles_equal_scalar_runs(int seed) { lanes_equal_scalars<PackDoubles>(seed, kDoubleBounds); }
TEST(Scalars, LanesOfDoublesEqualScalarRuns) { for_each_seed(0, kScalarSeeds, lanes_of_doubles_equal_scalar_runs); }
void lanes_of_floats_equal_scalar_runs(int seed) { lanes_equal_scalars<PackFloats>(seed, kFloatBounds); }
TEST(Scalars, LanesOfFloatsEqualScalarRuns) { for_each_seed(0, kScalarSeeds, lanes_of_floats_equal_scalar_runs); }

/// At the rounded state, so that only what float does on the way counts.
void floats_keep_their_bound(int seed) {
  const Model model = samples::random_model(seed);
  const std::vector<Constraint> constraints = samples::random_constraints(model, seed, 4);
  const samples::State s = samples::random_state(model, seed);
  const std::vector<float> q = converted<float>(s.q), v = converted<float>(s.v), tau = converted<float>(s.tau);
  const auto exact_q = converted<long double>(q), exact_v = converted<long double>(v);
  Results<long double> want;
  want[kDrift] = oracle::constraint_drift<long double>(model, constraints, exact_q, exact_v);
  want[kRows] = oracle::constraint_jacobian<long double>(model, constraints, exact_q).entries();
  want[kBias] = oracle::bias_forces<long double>(model, exact_q, exact_v);
  want[kMatrix] = oracle::delassus_matrix<long double>(model, constraints, exact_q).entries();
  oracle::Matrix<long double> rhs(model.nv(), 1);
  for (int k = 0; k < model.nv(); ++k) rhs(k, 0) = tau[k] - want[kBias][k];
  want[kAcceleration] = oracle::solve_positive(oracle::inertia_matrix<long double>(model, exact_q), rhs).entries();
  const Results<float> got = run_everything<float>(model, constraints, q, v, tau);
  expect_close(got, want, kFloatBounds);
}
TEST(Scalars, FloatsKeepTheirBound) { for_each_seed(0, kSeeds, floats_keep_their_bound); }
TEST(LongScalars, FloatsKeepTheirBound) { for_each_seed(kSeeds, kLongSeeds, floats_keep_their_bound); }

void counted_computes_what_double_computes(int seed) {
  const Model model = samples::random_model(seed);
  const std::vector<Constraint> constraints = samples::random_constraints(model, seed, 4);
  const samples::State s = samples::random_state(model, seed);
  Results<Counted> got;
  const OperationCount count = count_operations([&] {
    got = run_everything<Counted>(model, constraints, converted<Counted>(s.q), converted<Counted>(s.v),
                                  converted<Counted>(s.tau));
  });
  expect_close(each_entry(got, [](const Counted& x) { return x.value; }),
               run_everything<double>(model, constraints, s.q, s.v, s.tau), kDoubleBounds);
  EXPECT_GT(count.multiplications, 0);
  EXPECT_EQ(count.trigonometric, 2 * static_cast<int>(model.angle_coordinates().size()));
}
TEST(Scalars, CountedComputesWhatDoubleComputes) {
  for_each_seed(0, kScalarSeeds, counted_computes_what_double_computes);
}

/// Rounding of the values over the step of 1e-6. Measured: 5e-9, 7e-10, 3e-10, 3e-10 and 4e-8.
constexpr Bounds kQuotientBounds{1e-7, 1e-8, 1e-8, 1e-8, 1e-6};

/// The derivative that a dual carries through kinematics, dynamics and constraints is the difference quotient.
void duals_are_derivatives(int seed) {
  const Model model = samples::random_model(seed);
  const std::vector<Constraint> constraints = samples::random_constraints(model, seed, 4);
  const samples::State s = samples::random_state(model, seed);
  samples::Random random(seed, 3);
  std::vector<DualDouble> q, v, tau;
  for (double x : s.q) q.emplace_back(x, random.uniform(-1, 1));
  for (double x : s.v) v.emplace_back(x, random.uniform(-1, 1));
  for (double x : s.tau) tau.emplace_back(x, random.uniform(-1, 1));
  const Results<DualDouble> got = run_everything<DualDouble>(model, constraints, q, v, tau);
  const Results<double> values = each_entry(got, [](const DualDouble& x) { return x.value; });
  const Results<double> derivatives = each_entry(got, [](const DualDouble& x) { return x.derivative; });
  constexpr double kStep = 1e-6;
  const auto moved = [](const std::vector<DualDouble>& x, double t) {
    std::vector<double> out;
    for (const DualDouble& e : x) out.push_back(e.value + t * e.derivative);
    return out;
  };
  const auto at = [&](double t) {
    return run_everything<double>(model, constraints, moved(q, t), moved(v, t), moved(tau, t));
  };
  const Results<double> after = at(kStep), before = at(-kStep);
  expect_close(values, at(0), kDoubleBounds);
  for (int part = 0; part < kParts; ++part) {
    std::vector<double> quotient;
    double largest = 1e-300;
    for (std::size_t i = 0; i < values[part].size(); ++i) {
      quotient.push_back((after[part][i] - before[part][i]) / (2 * kStep));
      largest = std::max(largest, std::abs(values[part][i]));
    }
    EXPECT_LT(relative_difference(derivatives[part], quotient, largest), kQuotientBounds[part]) << kPartNames[part];
  }
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
  Articulation<double> exact(model, WorldFrames<double>(model, 0));
  EXPECT_TRUE(articulate(model, exact_kin, exact).ok());
  Sweep<double> exact_sweep(model);
  apply_inverse_inertia(model, exact, want, exact_sweep);

  Kinematics<T> kin(model);
  Articulation<T> art(model, WorldFrames<T>(model, hops));
  Sweep<T> sweep(model);
  std::vector<T> got = converted<T>(s.tau);
  update_kinematics<T>(model, converted<T>(q), kin);
  EXPECT_TRUE(articulate(model, kin, art).ok());
  apply_inverse_inertia<T>(model, art, got, sweep);
  return relative_difference(got, want);
}

TEST(ReferencePoints, LongChainsKeepTheirDigits) {
  // Measured: 2e-16, 7e-15 and 4e-6; rounding grows with the number of links.
  EXPECT_LT(reference_point_error<double>(30, ReferencePlan::kDefaultHops), 1e-14);
  EXPECT_LT(reference_point_error<double>(1000, ReferencePlan::kDefaultHops), 1e-13);
  EXPECT_LT(reference_point_error<float>(30, ReferencePlan::kDefaultHops), 2e-5);
}

TEST(ReferencePoints, OnePointForALongChainWouldLoseThem) {
  EXPECT_GT(reference_point_error<double>(1000, 1000),
            10 * reference_point_error<double>(1000, ReferencePlan::kDefaultHops));
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
