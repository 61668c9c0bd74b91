// Generated code of motion under constraints, and constraints that are switched off, beside the library.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/scenes/load_named.hpp"
#include "delassus/solvers/constrained_dynamics.hpp"
#include "support/compiled_code.hpp"
#include "support/generated_numbers.hpp"

namespace delassus {
namespace {

using test::as_damping;
using test::as_generated;
using test::CompiledCode;
using test::DampingForm;
using test::difference;
using Numbers = test::GeneratedNumbers;
constexpr auto kFloat = GenerateOptions::Scalar::kFloat;
constexpr auto kDouble = GenerateOptions::Scalar::kDouble;
constexpr auto kFixed = GenerateOptions::Contacts::kFixed;
constexpr auto kInputs = GenerateOptions::Contacts::kInputs;

class GeneratedMotion : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_c_compiler()) GTEST_SKIP() << "there is no compiler of C (cc)";
  }
};
using LongGeneratedMotion = GeneratedMotion;

/// A scene in random states, in the library and as code.
class Pair {
 public:
  Pair(const Scene& scene, const GenerateOptions& options)
      : scene_(scene),
        options_(options),
        code(scene, options),
        numbers(code.is_float()),
        constraints(scene.constraints),
        state(scene.model, constraints),
        op(state) {}

  /// Another state.
  void move(double far = 0.6) {
    q = numbers.configuration(scene_, far);
    v = numbers.list(nv(), 1);
    std::vector<double> contacts;
    if (options_.contacts == kInputs) {
      constraints = scene_.constraints;
      contacts = numbers.move_contacts(constraints);
      ASSERT_TRUE(state.move_constraints(constraints).ok());
    }
    ASSERT_TRUE(state.update(q, v).ok());
    ASSERT_TRUE(op.factor(state).ok());
    ASSERT_EQ(code.update(q, contacts), 0U);
  }
  int nv() const { return scene_.model.nv(); }
  int rows() const { return state.num_rows(); }
  const Scene& scene() const { return scene_; }

 private:
  Scene scene_;
  GenerateOptions options_;

 public:
  CompiledCode code;
  Numbers numbers;
  std::vector<Constraint> constraints;
  State<double> state;
  CondensedDelassus<double> op;
  std::vector<double> q, v;
};

/// J a and M⁻¹ Jᵀ x, Jᵀ x by the library's maps; the free motion by the articulated-body algorithm.
void compare_motion(Pair& pair, int states, double tolerance) {
  const Model& model = pair.scene().model;
  ForwardDynamics<double> forward(model);
  LinkMotions<double> motions(model);
  LinkForces<double> forces(model);
  const int nv = pair.nv(), m = pair.rows();
  std::vector<double> a(nv), free(nv), rows(m), velocity(m), acceleration(m), drift(m), wanted(nv), got(nv);
  for (int k = 0; k < states; ++k) {
    pair.move();
    const std::vector<double> tau = pair.numbers.list(nv, 5), x = pair.numbers.list(m, 5);
    ASSERT_TRUE(aba<double>(model, pair.q, pair.v, tau, free, forward).ok());
    apply_jacobian<double>(model, pair.state.kinematics(), pair.state.rows(), free, rows, motions);
    ASSERT_EQ(pair.code.free_motion(pair.v, tau, a, velocity, acceleration, drift), 0U);
    EXPECT_LT(difference(a, free), tolerance);
    EXPECT_LT(difference(acceleration, rows), tolerance);
    EXPECT_LT(difference(velocity, pair.state.velocity()), tolerance);
    // Of velocities around 1: where the drift is zero, rounding of their products is left.
    for (int r = 0; r < m; ++r)
      EXPECT_NEAR(drift[r], pair.state.drift()[r], tolerance * (1 + std::abs(pair.state.drift()[r])));
    pair.op.joint_response(x, wanted);
    ASSERT_EQ(pair.code.response(x, got), 0U);
    EXPECT_LT(difference(got, wanted), tolerance);
    apply_jacobian_transpose<double>(model, pair.state.kinematics(), pair.state.rows(), x, wanted, forces);
    ASSERT_EQ(pair.code.row_torques(x, got), 0U);
    EXPECT_LT(difference(got, wanted), tolerance);
  }
}

GenerateOptions rows_of(GenerateOptions::Scalar scalar, GenerateOptions::Contacts contacts) {
  return test::with(scalar, contacts, DampingForm::kRows);
}

/// How many states have an answer, in the library and in the code: where rows contradict each other, or yield next to nothing, there is none.
int compare_constrained(Pair& pair, double far, double damping, int states, double tolerance,
                        bool forces_are_unique = true) {
  const int nv = pair.nv(), m = pair.rows();
  ConstrainedDynamics<double> library(pair.scene().model);
  library.update_structure(pair.state);
  std::vector<double> wanted(nv), forces(m), a(nv), lambda(m), target(m);
  int solved = 0;
  for (int k = 0; k < states; ++k) {
    SCOPED_TRACE(k);
    pair.move(far);
    const std::vector<double> tau = pair.numbers.list(nv, 5);
    EXPECT_TRUE(library.factor(pair.state).ok());
    // Velocities that the rows allow: others may ask for what they cannot do, points of one foot that part.
    std::vector<double> v(nv);
    std::fill(lambda.begin(), lambda.end(), 0.0);
    if (!library.solve_impact(pair.state, std::vector<double>(m, 0.0), v, lambda).ok()) continue;
    for (double& x : v) x = pair.numbers.held(x);
    EXPECT_TRUE(pair.state.update_velocity(v).ok() && pair.state.target(target).ok());
    std::fill(forces.begin(), forces.end(), 0.0);
    std::fill(lambda.begin(), lambda.end(), 0.0);
    if (!library.solve(pair.state, tau, target, wanted, forces).ok()) continue;
    EXPECT_EQ(pair.code.damp(std::vector<double>(m, damping)), 0U);
    const std::uint32_t status = pair.code.constrained_dynamics(v, tau, std::vector<double>(m, 0.0), 10, a, lambda);
    if (status != 0U) {
      EXPECT_EQ(status % 256, static_cast<unsigned>(Status::Code::kNotConverged));
      continue;
    }
    ++solved;
    EXPECT_LT(difference(a, wanted), tolerance);
    if (forces_are_unique) {
      EXPECT_LT(difference(lambda, forces), tolerance);
    }
  }
  return solved;
}

/// Rows that give way: (R⁻¹ + Λ⁻¹) λ = a* - J a, by the library's own solve.
TEST_F(GeneratedMotion, RowsThatGiveWay) {
  Pair pair(load_named("go2-standing"), test::with(kDouble, kInputs, DampingForm::kBlocks));
  const int nv = pair.nv(), m = pair.rows();
  std::vector<double> free(nv), a(nv), lambda(m), y(m), wanted(m), added(nv), velocity(m), acceleration(m), drift(m);
  for (int k = 0; k < 10; ++k) {
    pair.move();
    const std::vector<double> tau = pair.numbers.list(nv, 5), target = pair.numbers.list(m, 5);
    const std::vector<double> damping = pair.numbers.damping(pair.scene(), DampingForm::kBlocks);
    ASSERT_EQ(pair.code.free_motion(pair.v, tau, free, velocity, acceleration, drift), 0U);
    for (int r = 0; r < m; ++r) y[r] = target[r] - acceleration[r] - drift[r];
    ASSERT_TRUE(pair.op.update_damping(as_damping(damping, DampingForm::kBlocks)).ok() &&
                pair.op.solve(y, wanted).ok());
    pair.op.joint_response(wanted, added);
    for (int i = 0; i < nv; ++i) added[i] += free[i];
    ASSERT_EQ(pair.code.damp(damping), 0U);
    ASSERT_EQ(pair.code.damped_dynamics(pair.v, tau, target, a, lambda), 0U);
    EXPECT_LT(difference(lambda, wanted), 1e-11);  // as damped solves
    EXPECT_LT(difference(a, added), 1e-11);
  }
}

/// Rows of the constraints that are on.
std::vector<int> rows_on(const State<double>& state, const std::vector<unsigned char>& active) {
  std::vector<int> list;
  for (std::size_t e = 0; e < active.size(); ++e) {
    const RowSpan& span = state.rows().spans[e];
    for (int r = 0; active[e] != 0 && r < span.rows; ++r) list.push_back(span.first_row + r);
  }
  return list;
}

template <class T>
std::vector<T> taken(const std::vector<T>& from, const std::vector<int>& rows) {
  std::vector<T> out;
  for (const int r : rows) out.push_back(from[r]);
  return out;
}

/// Code of all constraints with some of them on, and the library with those alone.
void compare_masked(Pair& pair, int states, double products, double inverses) {
  const Scene& scene = pair.scene();
  const int m = pair.rows();
  samples::Random random(3);
  for (int k = 0; k < states; ++k) {
    SCOPED_TRACE(k);
    std::vector<unsigned char> active;
    for (std::size_t e = 0; e < scene.constraints.size(); ++e) active.push_back(random.chance(0.5) ? 1 : 0);
    active[static_cast<std::size_t>(k) % active.size()] = 1;
    pair.code.activate(active);
    pair.move();
    std::vector<Constraint> on;
    std::vector<double> damping(m, 1e-2), blocks;
    for (std::size_t e = 0; e < active.size(); ++e) {
      if (active[e] != 0) on.push_back(pair.constraints[e]);
    }
    State<double> state(scene.model, on);
    CondensedDelassus<double> op(state);
    ASSERT_TRUE(state.update(pair.q).ok() && op.factor(state).ok());
    const std::vector<int> rows = rows_on(pair.state, active);
    std::vector<double> x = pair.numbers.list(m, 5), got(m), wanted(rows.size());
    const std::vector<double> given = taken(x, rows);
    ASSERT_TRUE(op.apply(given, wanted).ok());
    ASSERT_TRUE(op.update_damping(Damping<double>(std::vector<double>(rows.size(), pair.numbers.held(1e-2)))).ok());
    for (int r = 0; r < m; ++r) {
      if (std::find(rows.begin(), rows.end(), r) == rows.end()) x[r] = std::numeric_limits<double>::quiet_NaN();
    }
    ASSERT_EQ(pair.code.apply(x, got), 0U);
    EXPECT_LT(difference(taken(got, rows), wanted), products);
    ASSERT_TRUE(op.solve(given, wanted).ok());
    ASSERT_EQ(pair.code.damp(damping), 0U);
    ASSERT_EQ(pair.code.solve(x, got), 0U);
    EXPECT_LT(difference(taken(got, rows), wanted), inverses);
    for (int r = 0; r < m; ++r) {
      if (std::isnan(x[r])) {
        EXPECT_EQ(got[r], 0) << r;
      }
    }
  }
}

// Motion: 1e-12, some hundred roundings in sequence, and accelerations of light links beside those of heavy ones. Under constraints accelerations
// leave 1e-9 of what rows are asked for, in directions that yield a thousandth of what others do; so do forces, which where rows depend on each
// other are the least. Masks: 1e-10 of the library with the others alone is what is asked of them.
TEST_F(GeneratedMotion, OfGo2IsThatOfTheLibrary) {
  Pair pair(load_named("go2-standing"), rows_of(kDouble, kFixed));
  compare_motion(pair, 50, 1e-12);
  EXPECT_EQ(compare_constrained(pair, 0.6, 1e-6, 50, 1e-8), 50);
  compare_masked(pair, 30, 1e-13, 1e-12);
}

TEST_F(GeneratedMotion, OfFourBarIsThatOfTheLibrary) {
  Pair pair(load_named("four_bar"), rows_of(kDouble, kFixed));
  compare_motion(pair, 50, 1e-12);
  EXPECT_EQ(compare_constrained(pair, 0.6, 1e-6, 50, 1e-8), 50);
}

// With links of some grams in loops the inverse of the inertia has a condition of 1e5. Rods pull at right angles to nearly all that yields: along them forces
// are hardly felt.
TEST_F(GeneratedMotion, OfCassieIsThatOfTheLibrary) {
  Pair pair(load_named("cassie-standing"), rows_of(kDouble, kInputs));
  compare_motion(pair, 20, 1e-11);
  EXPECT_GE(compare_constrained(pair, 0.1, 1e-9, 20, 1e-7, false), 14);
  compare_masked(pair, 30, 1e-13, 1e-10);
}

// 1e-4: as tests of forward dynamics and of damped solves in float have it.
TEST_F(GeneratedMotion, InFloat) {
  Pair pair(load_named("go2-standing"), rows_of(kFloat, kInputs));
  compare_motion(pair, 50, 1e-4);
  compare_masked(pair, 30, 1e-5, 1e-4);
}

TEST_F(LongGeneratedMotion, OfG1IsThatOfTheLibrary) {
  Pair pair(load_named("g1-standing"), rows_of(kDouble, kInputs));
  compare_motion(pair, 500, 1e-11);
  EXPECT_GE(compare_constrained(pair, 0.6, 1e-6, 500, 1e-6), 495);
  compare_masked(pair, 300, 1e-13, 1e-10);
}

/// All kinds of joints and constraints, bases that float and are placed anywhere.
TEST_F(LongGeneratedMotion, OfAnyMechanism) {
  for (std::uint64_t seed = 300; seed < 340; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Model model = samples::random_model(seed);
    Scene scene(model);
    scene.q = samples::random_state(model, seed).q;
    scene.constraints = samples::random_constraints(model, seed, 1 + static_cast<int>(seed % 4));
    Pair pair(scene, rows_of(kDouble, seed % 2 == 0 ? kFixed : kInputs));
    compare_motion(pair, 3, 1e-10);
    compare_masked(pair, 3, 1e-11, 1e-9);
  }
}

/// A base with armature falls more slowly than its links would: seed 316 has one, and its rows turn with it.
TEST_F(GeneratedMotion, OfABaseWithArmature) {
  const Model model = samples::random_model(316);
  Scene scene(model);
  scene.q = samples::random_state(model, 316).q;
  scene.constraints = samples::random_constraints(model, 316, 1);
  ASSERT_GT(model.armature()[4], 0);
  Pair pair(scene, rows_of(kDouble, kFixed));
  compare_motion(pair, 3, 1e-10);
}

TEST_F(GeneratedMotion, AMaskForgetsTheDamping) {
  const Scene scene = load_named("go2-standing");
  CompiledCode code(scene, rows_of(kDouble, kFixed));
  const std::vector<double> x(12, 1.0);
  std::vector<double> z(12);
  ASSERT_EQ(code.update(scene.q), 0U);
  ASSERT_EQ(code.damp(std::vector<double>(12, 1e-3)), 0U);
  code.activate({1, 1, 1, 1});
  EXPECT_EQ(code.solve(x, z), 0U) << "nothing has changed";
  code.activate({1, 0, 1, 1});
  EXPECT_EQ(code.solve(x, z), as_generated({Status::Code::kBadArgument, -1}));
}

}  // namespace
}  // namespace delassus
