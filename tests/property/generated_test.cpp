// Code made for one model and its constraints is an operator like the others, whatever is asked of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "delassus/generate/compile.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/operators/condensed.hpp"
#include "delassus/scenes/load_named.hpp"
#include "delassus/solvers/admm.hpp"
#include "delassus/solvers/constrained_dynamics.hpp"
#include "delassus/solvers/contact_interior_point.hpp"
#include "delassus/solvers/contact_newton.hpp"
#include "delassus/solvers/pgs.hpp"
#include "support/compare.hpp"
#include "support/compiled_code.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::relative_difference;

/// Of some thousand operations in two orders; solves with dampings of a hundredth of Λ⁻¹ and more, Cassie's light loops among them.
constexpr double kProducts = 1e-12, kSolves = 1e-9;

GeneratedDelassus<double> compiled(const Scene& scene, bool blocks = false) {
  return compile(scene.model, scene.constraints, {.keep = false, .blocks = blocks});
}

std::vector<double> numbers(int size, int seed, double low = -1, double high = 1) {
  samples::Random random(static_cast<std::uint64_t>(seed), 7);
  std::vector<double> list(static_cast<std::size_t>(size));
  for (double& x : list) x = random.uniform(low, high);
  return list;
}

std::vector<double> moved(const Scene& scene, int seed) {
  std::vector<double> q(scene.q.size());
  const std::vector<double> way = numbers(scene.model.nv(), seed, -0.5, 0.5);
  integrate(scene.model, VectorView<const double>(scene.q), VectorView<const double>(way), VectorView<double>(q));
  return q;
}

/// Contacts elsewhere on their links, with other axes.
std::vector<Constraint> with_moved_contacts(std::vector<Constraint> constraints, int seed) {
  samples::Random random(static_cast<std::uint64_t>(seed), 8);
  for (Constraint& constraint : constraints) {
    if (auto* contact = std::get_if<PointContact>(&constraint)) {
      contact->a.offset.p = contact->a.offset.p + random.vector(0.02);
      contact->axes = random.rotation() * contact->axes;
    }
  }
  return constraints;
}

struct Answers {
  std::vector<double> y, panel, matrix, diagonal, response;
  std::vector<std::vector<double>> z;
};

std::vector<double> blocks_of(const std::vector<Constraint>& constraints, double symmetric) {
  std::vector<double> list;
  for (const Constraint& c : constraints) {
    const int n = row_count(c);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) list.push_back(i == j ? 0.1 + 0.01 * i : j < i ? 0.01 : 0.01 * symmetric);
    }
  }
  return list;
}

template <class Op>
Answers answers_of(Op& op, const Model& model, const std::vector<Constraint>& constraints) {
  const int m = op.rows();
  Answers a;
  const std::vector<double> x = numbers(m, 1), two = numbers(2 * m, 2);
  a.y.resize(x.size());
  EXPECT_TRUE(op.apply(x, a.y).ok());
  a.panel.resize(two.size());
  EXPECT_TRUE(
      op.apply_panel(MatrixView<const double>(two.data(), m, 2), MatrixView<double>(a.panel.data(), m, 2)).ok());
  a.matrix.resize(x.size() * x.size());
  EXPECT_TRUE(op.dense(MatrixView<double>(a.matrix.data(), m, m)).ok());
  a.diagonal.resize(x.size());
  EXPECT_TRUE(op.diagonal(a.diagonal).ok());
  a.response.resize(static_cast<std::size_t>(model.nv()));
  EXPECT_TRUE(op.joint_response(x, a.response).ok());
  const std::vector<double> rows = numbers(m, 3, 0.05, 1), blocks = blocks_of(constraints, 1),
                            unsymmetric = blocks_of(constraints, -1);
  for (const Damping<double>& damping : {Damping<double>(0.1), Damping<double>(rows), Damping<double>::blocks(blocks),
                                         Damping<double>::unsymmetric(unsymmetric), Damping<double>(0.2)}) {
    EXPECT_TRUE(op.update_damping(damping).ok());
    std::vector<double> z = x;
    EXPECT_TRUE(op.solve(z, z).ok()) << "b and z may be the same";
    a.z.push_back(z);
    a.z.emplace_back(two.size());
    EXPECT_TRUE(
        op.solve_panel(MatrixView<const double>(two.data(), m, 2), MatrixView<double>(a.z.back().data(), m, 2)).ok());
  }
  return a;
}

void expect_near(const Answers& a, const Answers& b) {
  EXPECT_LT(relative_difference(a.y, b.y), kProducts);
  EXPECT_LT(relative_difference(a.panel, b.panel), kProducts);
  EXPECT_LT(relative_difference(a.matrix, b.matrix), kProducts);
  EXPECT_LT(relative_difference(a.diagonal, b.diagonal), kProducts);
  EXPECT_LT(relative_difference(a.response, b.response), kSolves);
  for (std::size_t k = 0; k < a.z.size(); ++k) EXPECT_LT(relative_difference(a.z[k], b.z[k]), kSolves) << k;
}

class Generated : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_c_compiler()) GTEST_SKIP() << "there is no compiler of C";
  }
};

/// From rows and from q, contacts where they were and moved, code for rows and for blocks.
TEST_F(Generated, GivesTheNumbersOfTheLibrary) {
  for (const char* name : {"go2-standing", "cassie-standing"}) {
    const Scene scene = load_named(name);
    for (const bool blocks : {false, true}) {
      GeneratedDelassus<double> op = compiled(scene, blocks);
      for (int seed = 0; seed < 4; ++seed) {
        SCOPED_TRACE(std::string(name) + " " + std::to_string(seed));
        const std::vector<Constraint> constraints =
            seed % 2 == 0 ? scene.constraints : with_moved_contacts(scene.constraints, seed);
        const std::vector<double> q = moved(scene, seed);
        State<double> state(scene.model, constraints);
        ASSERT_TRUE(state.update(q).ok());
        CondensedDelassus<double> library(state);
        ASSERT_TRUE(library.factor(state).ok());
        const Answers want = answers_of(library, scene.model, constraints);
        ASSERT_TRUE(op.factor(state).ok());
        EXPECT_TRUE(op.in_code()) << op.reason();
        expect_near(answers_of(op, scene.model, constraints), want);
        ASSERT_TRUE(op.update(q, constraints).ok());
        EXPECT_TRUE(op.in_code());
        expect_near(answers_of(op, scene.model, constraints), want);
      }
    }
  }
}

/// Contacts between two bodies of the robot, with more rows and with one, and on a body that the world holds on to.
TEST_F(Generated, TakesContactsOfAllKinds) {
  const Scene go2 = load_named("go2-standing");
  std::vector<Constraint> list;
  const auto touch = [&](const char* a, const char* b, ContactKind kind) {
    PointContact contact;
    contact.a = attach(go2.model, a, {{0.01, 0.02, 0.03}});
    contact.b = b ? go2.model.find_frame(b) : 0;
    contact.kind = kind;
    contact.axes = contact_axes({{0.3, -0.2, 1}});
    list.emplace_back(contact);
  };
  touch("FL_foot", "FR_foot", ContactKind::kSliding);
  touch("RL_foot", nullptr, ContactKind::kRolling);
  touch("RR_foot", "RL_foot", ContactKind::kTorsional);
  touch("FR_foot", nullptr, ContactKind::kFrictionless);
  PointContact on_world;
  on_world.a.offset.p = {{0.1, 0.2, 0}};
  on_world.b = go2.model.find_frame("FL_foot");
  list.emplace_back(on_world);
  Scene scene = go2;
  scene.constraints = list;
  GeneratedDelassus<double> op = compiled(scene);
  for (int seed = 0; seed < 2; ++seed) {
    const std::vector<Constraint> constraints = with_moved_contacts(list, seed);
    State<double> state(scene.model, constraints);
    ASSERT_TRUE(state.update(moved(scene, seed)).ok());
    CondensedDelassus<double> library(state);
    ASSERT_TRUE(library.factor(state).ok());
    ASSERT_TRUE(op.factor(state).ok());
    EXPECT_TRUE(op.in_code()) << op.reason();
    expect_near(answers_of(op, scene.model, constraints), answers_of(library, scene.model, constraints));
  }
}

/// Impulses of all solvers of contact problems, on the operator that compile() makes of a scene.
TEST_F(Generated, CarriesEverySolver) {
  const Scene scene = load_named("go2-standing-friction");
  const std::vector<double> v = numbers(scene.model.nv(), 5, -0.3, 0.3);
  Operator<double> op = compile(scene, {.keep = false}), library(scene.model, scene.constraints);
  ASSERT_TRUE(op.update(scene.q).ok() && library.update(scene.q).ok());
  ASSERT_TRUE(op.update_velocity(v).ok());
  EXPECT_EQ(name_of(op.algorithm()), "generated");
  ASSERT_TRUE(std::get<GeneratedDelassus<double>>(op.held()).in_code());
  ContactProblem problem{op.state().rows().spans, op.state().rows().sets, op.state().velocity()};
  problem.law = ContactLaw::kConvex;  // whose velocities are unique
  std::vector<double> zero(static_cast<std::size_t>(op.rows())), want = zero, got = zero, y = zero, z = zero;
  constexpr double kAsked = 1e-10;
  Admm reference({.tolerance = kAsked, .relative_tolerance = 0});
  ASSERT_TRUE(reference.solve(library, problem, want).ok());
  library.apply(want, y);
  const auto expect_same = [&](auto&& solver) {
    std::ranges::fill(got, 0.0);
    EXPECT_TRUE(solver.solve(op, problem, got).ok());
    library.apply(got, z);
    // Two solvers that each keep to what was asked, with room for light links.
    EXPECT_LT(relative_difference(z, y), 1e-7);
  };
  expect_same(Admm({.tolerance = kAsked, .relative_tolerance = 0}));
  expect_same(ContactNewton({.tolerance = kAsked, .relative_tolerance = 0}));
  expect_same(ContactInteriorPoint({.tolerance = kAsked, .relative_tolerance = 0}));
  expect_same(Pgs({.tolerance = kAsked, .relative_tolerance = 0, .iterations = 100000}));
}

/// The proximal method, with dampings that it chooses: loops and feet of Cassie hold, whichever operator it has.
TEST_F(Generated, CarriesConstrainedDynamics) {
  const Scene scene = load_named("cassie-standing");
  // At rest, since rows that repeat each other contradict each other in most motions.
  const std::vector<double> v(static_cast<std::size_t>(scene.model.nv())), tau = numbers(scene.model.nv(), 7, -5, 5);
  State<double> state(scene.model, scene.constraints);
  ASSERT_TRUE(state.update(scene.q, v).ok());
  std::vector<double> target(static_cast<std::size_t>(state.num_rows()));
  ASSERT_TRUE(state.target(target).ok());
  const auto accelerations = [&](auto& dynamics) {
    std::vector<double> qdd(v.size()), lambda(target.size());
    EXPECT_TRUE(dynamics.factor(state).ok());
    EXPECT_TRUE(dynamics.solve(state, tau, target, qdd, lambda).ok());
    return qdd;
  };
  ConstrainedDynamics<double> library(scene.model);
  ConstrainedDynamics<double, GeneratedDelassus<double>> dynamics(scene.model, compiled(scene));
  // What its tolerance leaves of the rows, as the light links of the loops answer to it.
  EXPECT_LT(relative_difference(accelerations(dynamics), accelerations(library)), 1e-7);
  EXPECT_TRUE(dynamics.op().in_code());
}

/// The library's numbers, and a reason.
void expect_library(GeneratedDelassus<double>& op, const Model& model, const std::vector<Constraint>& constraints,
                    const std::vector<double>& q) {
  State<double> state(model, constraints);
  ASSERT_TRUE(state.update(q).ok());
  LimbDelassus<double> library(state);
  ASSERT_TRUE(library.factor(state).ok());
  ASSERT_TRUE(op.factor(state).ok());
  EXPECT_FALSE(op.in_code());
  EXPECT_THAT(op.reason(), HasSubstr("others than the code was made for"));
  const Answers got = answers_of(op, model, constraints), want = answers_of(library, model, constraints);
  EXPECT_EQ(got.y, want.y);
  EXPECT_EQ(got.matrix, want.matrix);
  EXPECT_EQ(got.response, want.response);
  EXPECT_EQ(got.z, want.z);
}

TEST_F(Generated, LeavesOtherConstraintsAndModelsToTheLibrary) {
  const Scene scene = load_named("cassie-standing");
  GeneratedDelassus<double> op = compiled(scene);
  State<double> state(scene.model, scene.constraints);
  ASSERT_TRUE(state.update(scene.q).ok());
  const auto expect_code = [&] {
    ASSERT_TRUE(op.factor(state).ok());
    EXPECT_TRUE(op.in_code());
    EXPECT_THAT(op.reason(), IsEmpty());
  };
  expect_code();
  std::vector<Constraint> fewer(scene.constraints.begin(), scene.constraints.end() - 1);
  expect_library(op, scene.model, fewer, scene.q);
  expect_code();
  // A loop that ends elsewhere has rows of the same structure.
  std::vector<Constraint> other = scene.constraints;
  const auto loop = std::ranges::find_if(other, [](const Constraint& c) {
    return std::holds_alternative<LoopClosure>(c) || std::holds_alternative<Distance>(c);
  });
  ASSERT_NE(loop, other.end());
  std::visit(
      []<class X>(X& x) {
        if constexpr (requires { x.second.offset; }) x.second.offset.p[0] += 1e-3;
      },
      *loop);
  expect_library(op, scene.model, other, scene.q);
  ASSERT_TRUE(op.update(scene.q, other).ok());
  EXPECT_FALSE(op.in_code());
  expect_code();
  ModelDescription heavier = scene.model.description();
  for (BodyDescription& body : heavier.bodies) body.inertial.mass *= 1.01;
  expect_library(op, Model(heavier), scene.constraints, scene.q);
  expect_code();
  ASSERT_TRUE(op.update(scene.q, scene.constraints).ok());
  EXPECT_TRUE(op.in_code());
}

/// Rows that were changed by hand are no contacts any more, though they look like them.
TEST_F(Generated, LeavesRowsByHandToTheLibrary) {
  Scene scene = load_named("go2-standing");
  std::get<PointContact>(scene.constraints[0]).b = scene.model.find_frame("RR_foot");
  GeneratedDelassus<double> op = compiled(scene);
  State<double> state(scene.model, scene.constraints);
  ASSERT_TRUE(state.update(scene.q).ok());
  ASSERT_TRUE(op.factor(state).ok());
  ASSERT_TRUE(op.in_code());
  const RowSpan& span = state.rows().spans[0];
  ASSERT_EQ(span.blocks, 2);
  for (const int entry : {0, 3}) {  // the lever, and a direction
    ConstraintRows<double> rows = state.rows();
    rows.values[rows.blocks[span.first_block + 1].value + entry] += 1e-6;
    ASSERT_TRUE(op.factor({scene.model, state.kinematics(), rows}).ok());
    EXPECT_FALSE(op.in_code());
    CondensedDelassus<double> library(state);
    ASSERT_TRUE(library.factor({scene.model, state.kinematics(), rows}).ok());
    std::vector<double> y(op.rows()), z(op.rows());
    op.apply(numbers(op.rows(), 1), y);
    library.apply(numbers(op.rows(), 1), z);
    EXPECT_LT(relative_difference(y, z), kProducts);
  }
}

TEST_F(Generated, SaysOfWrongInputWhatTheLibrarySays) {
  const Scene scene = load_named("go2-standing");
  GeneratedDelassus<double> op = compiled(scene);
  std::vector<double> x(12), y(12), few(3);
  EXPECT_EQ(op.update(few, scene.constraints).code, Status::Code::kBadArgument);
  std::vector<double> q = scene.q;
  q[8] = std::numeric_limits<double>::quiet_NaN();
  State<double> state(scene.model, scene.constraints);
  static_cast<void>(state.update(q));
  CondensedDelassus<double> library(state);
  const Status want = library.factor(state);
  EXPECT_FALSE(want.ok());
  EXPECT_EQ(op.factor(state), want);
  EXPECT_EQ(op.update(q, scene.constraints), want);
  ASSERT_TRUE(op.update(scene.q, scene.constraints).ok());
  EXPECT_EQ(op.apply(few, y), (Status{Status::Code::kBadArgument, 0}));
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_EQ(op.apply(x, few), (Status{Status::Code::kBadArgument, 1}));
  EXPECT_EQ(op.solve(x, y), kTooEarly);
  EXPECT_EQ(op.update_damping(Damping<double>(few)), (Status{Status::Code::kBadArgument, 0}));
  EXPECT_EQ(op.update_damping(-1.0).code, Status::Code::kNotPositive);
  EXPECT_FALSE(op.solve(x, y).ok());
  EXPECT_TRUE(op.update_damping(0.1).ok());
  EXPECT_EQ(op.solve(few, y).code, Status::Code::kBadArgument);
  EXPECT_TRUE(op.solve(x, y).ok());
  // A new configuration forgets the damping.
  ASSERT_TRUE(op.update(scene.q, scene.constraints).ok());
  EXPECT_EQ(op.solve(x, y), kTooEarly);
  EXPECT_EQ(op.update(scene.q, std::vector<Constraint>{PointContact{"heel", {999}}}).code, Status::Code::kBadArgument);
}

/// Eight points where three would do: what is left by rounding is more than the code refines, so the explicit matrix answers.
TEST_F(Generated, KeepsThePromiseOfSolves) {
  const Scene scene = load_named("g1-standing");
  GeneratedDelassus<double> op = compiled(scene);
  State<double> state(scene.model, scene.constraints);
  ASSERT_TRUE(state.update(scene.q).ok());
  ASSERT_TRUE(op.factor(state).ok());
  ASSERT_TRUE(op.in_code());
  CondensedDelassus<double> library(state);
  ASSERT_TRUE(library.factor(state).ok());
  const std::vector<double> b = numbers(op.rows(), 4);
  std::vector<double> z(b.size()), y(b.size());
  int solved = 0, by_library = 0;
  for (const double damping : {1e-3, 1e-6, 1e-9, 1e-11, 1e-13}) {
    ASSERT_TRUE(op.update_damping(damping).ok() && library.update_damping(damping).ok());
    by_library += library.solve(b, y).ok() ? 1 : 0;
    const Status status = op.solve(b, z);
    if (!status.ok()) {
      EXPECT_EQ(status.code, Status::Code::kInaccurate);
      continue;
    }
    ++solved;
    op.apply(z, y);
    double left = 0;
    for (std::size_t k = 0; k < b.size(); ++k) left = std::max(left, std::abs(b[k] - damping * z[k] - y[k]));
    EXPECT_LT(left, 1e-7) << damping;  // what CondensedOptions::tolerance promises of b, which is below 1
  }
  EXPECT_GE(solved, by_library);
  EXPECT_GE(solved, 2);
}

TEST_F(Generated, CopiesStandAlone) {
  const Scene scene = load_named("go2-standing");
  GeneratedDelassus<double> op = compiled(scene);
  ASSERT_TRUE(op.update(scene.q, scene.constraints).ok());
  ASSERT_TRUE(op.update_damping(0.1).ok());
  const std::vector<double> b = numbers(12, 1);
  std::vector<double> z(12), after(12);
  ASSERT_TRUE(op.solve(b, z).ok());
  GeneratedDelassus<double> copy = op;
  ASSERT_TRUE(copy.update(moved(scene, 3), scene.constraints).ok());
  ASSERT_TRUE(copy.update_damping(0.3).ok());
  ASSERT_TRUE(op.solve(b, after).ok());
  EXPECT_EQ(after, z);
  op = GeneratedDelassus<double>(scene.model);  // the code lives as long as one of them
  ASSERT_TRUE(copy.solve(b, after).ok());
  EXPECT_NE(after, z);
  EXPECT_FALSE(op.has_code());
  EXPECT_THAT(op.reason(), HasSubstr("compile()"));
}

}  // namespace
}  // namespace delassus
