// What derivatives of constrained dynamics cost: operations, and no memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/math/counted.hpp"
#include "delassus/scenes/load_named.hpp"
#include "delassus/solvers/constrained_derivatives.hpp"
#include "delassus/solvers/constrained_dynamics.hpp"
#include "dynamics/articulated_body.hpp"
#include "support/allocation_count.hpp"

namespace delassus {
namespace {

/// A scene at rest, solved; `call` is one constrained dynamics from scratch.
template <class T>
struct Solved {
  explicit Solved(const char* name)
      : scene(load_named(name)),
        nv(scene.model.nv()),
        q(scene.q.begin(), scene.q.end()),
        v(static_cast<std::size_t>(nv), T(0)),
        tau(v),
        qdd(v),
        state(scene.model, scene.constraints),
        dynamics(scene.model),
        derivatives(scene.model) {
    const auto m = static_cast<std::size_t>(state.num_rows());
    target.resize(m);
    lambda.resize(m);
    for (std::vector<T>& x : square) x.resize(static_cast<std::size_t>(nv) * nv);
    for (std::vector<T>& x : wide) x.resize(m * nv);
    dynamics.update_structure(state);
    derivatives.update_structure(state);
    call();
  }

  void call() {
    std::fill(lambda.begin(), lambda.end(), T(0));
    EXPECT_TRUE(state.update(q, v).ok());
    EXPECT_TRUE(dynamics.factor(state).ok());
    state.target(target);
    EXPECT_TRUE(dynamics.solve(state, tau, target, qdd, lambda).ok());
  }
  void differentiate() {
    const auto a = [&](int k) { return MatrixView<T>(square[k].data(), nv, nv); };
    const auto f = [&](int k) { return MatrixView<T>(wide[k].data(), state.num_rows(), nv); };
    EXPECT_TRUE(derivatives.compute(dynamics.op(), state, qdd, lambda, {}, {a(0), a(1), a(2), f(0), f(1), f(2)}).ok());
  }

  Scene scene;
  int nv;
  std::vector<T> q, v, tau, qdd, target, lambda;
  std::array<std::vector<T>, 3> square, wide;
  State<T> state;
  ConstrainedDynamics<T> dynamics;
  ConstrainedDerivatives<T> derivatives;
};

struct Share {
  const char* name;
  double of_calls;  // docs/algorithms/derivatives.md has the numbers
};

/// The call that is differentiated counts on both sides.
TEST(DerivativeOperations, AreFewerThanThoseOfACallForEveryDegreeOfFreedom) {
  for (const Share& share : {Share{"go2-standing", 0.7}, Share{"g1-standing", 0.9}, Share{"atlas-feet", 0.55},
                             Share{"atlas-feet-points", 0.9}}) {
    SCOPED_TRACE(share.name);
    Solved<Counted> solved(share.name);
    const double call = static_cast<double>(count_operations([&] { solved.call(); }).total());
    const double own = static_cast<double>(count_operations([&] { solved.differentiate(); }).total());
    EXPECT_LT(call + own, share.of_calls * (solved.nv + 1) * call);
  }
}

TEST(DerivativeMemory, IsThatOfTheConstructorAndTheStructure) {
  for (const char* name : {"go2-standing", "g1-standing", "four_bar"}) {
    Solved<double> solved(name);
    EXPECT_EQ(testing::allocations_of([&] { solved.differentiate(); }), 0) << name;
  }
}

TEST(DerivativeErrors, NameTheArgumentOfTheWrongSize) {
  Solved<double> solved("go2-standing");
  solved.wide[2].resize(1);
  const MatrixView<double> square(solved.square[0].data(), solved.nv, solved.nv), small(solved.wide[2].data(), 1, 1);
  const MatrixView<double> wide(solved.wide[0].data(), 12, solved.nv);
  const DerivativeViews<double> out{square, square, square, wide, wide, small};
  EXPECT_EQ(solved.derivatives.compute(solved.dynamics.op(), solved.state, solved.qdd, solved.lambda, {}, out),
            (Status{Status::Code::kBadArgument, 5}));
}

/// Without constraints they are those of forward dynamics: M⁻¹ with the joint forces.
TEST(DerivativesWithoutRows, AreThoseOfForwardDynamics) {
  const Scene scene = load_named("go2-standing");
  const int nv = scene.model.nv();
  const std::vector<double> zero(static_cast<std::size_t>(nv));
  State<double> state(scene.model, {});
  ConstrainedDynamics<double> dynamics(scene.model);
  ConstrainedDerivatives<double> derivatives(scene.model);
  std::array<std::vector<double>, 3> A;
  for (std::vector<double>& x : A) x.resize(static_cast<std::size_t>(nv) * nv);
  std::vector<double> none;
  const auto a = [&](int k) { return MatrixView<double>(A[k].data(), nv, nv); };
  const MatrixView<double> empty(none.data(), 0, nv);
  ASSERT_TRUE(state.update(scene.q, zero).ok());
  ASSERT_TRUE(dynamics.factor(state).ok());
  std::vector<double> qdd(zero);
  ASSERT_TRUE(dynamics.solve(state, zero, none, qdd, none).ok());
  ASSERT_TRUE(derivatives.compute(dynamics.op(), state, qdd, none, {}, {a(0), a(1), a(2), empty, empty, empty}).ok());
  Articulation<double> art(scene.model);
  Sweep<double> sweep(scene.model);
  ASSERT_TRUE(articulate(scene.model, state.kinematics(), art).ok());
  std::vector<double> x(zero);
  x[7] = 1;
  apply_inverse_inertia<double>(scene.model, art, x, sweep);
  // Panels and vectors do the same operations; where lanes contract them differently, rounding is left.
  for (int k = 0; k < nv; ++k) EXPECT_NEAR(A[2][k * nv + 7], x[k], 1e-12 * std::abs(x[7]));
  // In free fall from rest nothing changes with the velocities, to first order.
  for (const double e : A[1]) EXPECT_NEAR(e, 0, 1e-12);
}

TEST(DerivativeErrors, NumbersThatAreNoneAreSaid) {
  Solved<double> s("go2-standing");
  s.qdd[3] = std::nan("");
  const MatrixView<double> a(s.square[0].data(), s.nv, s.nv), f(s.wide[0].data(), s.state.num_rows(), s.nv);
  const Status status = s.derivatives.compute(s.dynamics.op(), s.state, s.qdd, s.lambda, {}, {a, a, a, f, f, f});
  EXPECT_EQ(status, (Status{Status::Code::kNotFinite, 3}));
}

}  // namespace
}  // namespace delassus
