// Contact forces by generated code: judged by the library's certificate, and beside its own solver.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/scenes/load_named.hpp"
#include "delassus/solvers/admm.hpp"
#include "support/compiled_code.hpp"
#include "support/generated_numbers.hpp"

namespace delassus {
namespace {

using test::as_generated;
using test::CompiledCode;
using test::DampingForm;
using test::difference;
using Numbers = test::GeneratedNumbers;
constexpr auto kFloat = GenerateOptions::Scalar::kFloat;
constexpr auto kDouble = GenerateOptions::Scalar::kDouble;

constexpr double kStep = 1e-3;  // s

// A solver, whose settings and results are numbers of an array.
constexpr const char* kMore = R"(
static tested_contact_solver solver;
uint32_t tested_begin(const tested_real *settings);
uint32_t tested_contacts(tested_factor *f, const tested_real *g, tested_real *lambda);
void tested_report(tested_real *report);
uint32_t tested_begin(const tested_real *settings) {
  tested_contact_settings(&solver);
  solver.tolerance = settings[0];
  solver.time_step = settings[1];
  solver.iterations = (int)settings[2];
  solver.is_convex = (int)settings[3];
  return 0U;
}
uint32_t tested_contacts(tested_factor *f, const tested_real *g, tested_real *lambda) {
  return tested_contact_forces(&solver, f, g, lambda);
}
void tested_report(tested_real *report) {
  report[0] = solver.velocity;
  report[1] = solver.dual;
  report[2] = solver.primal;
  report[3] = solver.complementarity;
  report[4] = solver.rounding;
  report[5] = (tested_real)solver.constraint;
  report[6] = (tested_real)solver.solves;
  report[7] = (tested_real)solver.dampings;
}
)";

struct Report {
  double velocity = 0, dual = 0, primal = 0, complementarity = 0, rounding = 0;
  int constraint = -1, solves = 0, dampings = 0;
};

/// Code and its solver.
class ContactCode {
 public:
  ContactCode(const Scene& scene, const GenerateOptions& options) : code(scene, options, kMore) {}

  void begin(double tolerance, double time_step, int iterations, bool convex = false) {
    const std::vector<double> settings{tolerance, time_step, static_cast<double>(iterations), convex ? 1.0 : 0.0};
    with_type([&]<class R>(R) {
      const std::vector<R> given(settings.begin(), settings.end());
      reinterpret_cast<std::uint32_t (*)(const R*)>(code.symbol("begin"))(given.data());
    });
  }
  std::uint32_t solve(const std::vector<double>& g, std::vector<double>& lambda) {
    std::uint32_t status = 0;
    with_type([&]<class R>(R) {
      const std::vector<R> given(g.begin(), g.end());
      std::vector<R> left(lambda.begin(), lambda.end());
      using Function = std::uint32_t (*)(void*, const R*, R*);
      status = reinterpret_cast<Function>(code.symbol("contacts"))(code.factor(), given.data(), left.data());
      lambda.assign(left.begin(), left.end());
    });
    return status;
  }
  Report report() {
    Report out;
    with_type([&]<class R>(R) {
      std::vector<R> x(8);
      reinterpret_cast<void (*)(R*)>(code.symbol("report"))(x.data());
      out = {x[0], x[1], x[2], x[3], x[4], static_cast<int>(x[5]), static_cast<int>(x[6]), static_cast<int>(x[7])};
    });
    return out;
  }

  CompiledCode code;

 private:
  template <class F>
  void with_type(F&& f) {
    code.is_float() ? f(0.0F) : f(0.0);
  }
};

/// A scene in random states, with the velocities that it would have after a step.
class Steps {
 public:
  Steps(const Scene& scene, bool is_float)
      : scene_(scene),
        state(scene.model, scene.constraints),
        op(state),
        numbers(is_float),
        free(state.num_rows()),
        forward_(scene.model),
        motions_(scene.model) {}

  void move(double far, double speed) {
    const int nv = scene_.model.nv();
    q = numbers.configuration(scene_, far);
    const std::vector<double> v = numbers.list(nv, speed), tau = numbers.list(nv, 5);
    std::vector<double> after(nv);
    ASSERT_TRUE(state.update(q, v).ok() && op.factor(state).ok());
    ASSERT_TRUE(aba<double>(scene_.model, q, v, tau, after, forward_).ok());
    for (int i = 0; i < nv; ++i) after[i] = v[i] + kStep * after[i];
    apply_jacobian<double>(scene_.model, state.kinematics(), state.rows(), after, free, motions_);
    for (double& x : free) x = numbers.held(x);
  }
  ContactProblem problem(bool convex) const {
    ContactProblem out{state.rows().spans, state.rows().sets, free};
    out.time_step = kStep;
    out.law = convex ? ContactLaw::kConvex : ContactLaw::kCoulomb;
    return out;
  }
  /// How far what impulses do to the velocities of joints differs: they are unique where forces need not be.
  double felt_difference(const std::vector<double>& a, const std::vector<double>& b) const {
    std::vector<double> between(a.size()), out(scene_.model.nv());
    std::transform(a.begin(), a.end(), b.begin(), between.begin(), std::minus<>());
    op.joint_response(between, out);
    return std::abs(
        *std::max_element(out.begin(), out.end(), [](double x, double y) { return std::abs(x) < std::abs(y); }));
  }

 private:
  Scene scene_;

 public:
  State<double> state;
  CondensedDelassus<double> op;
  Numbers numbers;
  std::vector<double> free, q;

 private:
  ForwardDynamics<double> forward_;
  LinkMotions<double> motions_;
};

struct Count {
  int solved = 0, by_library = 0;
};

/// Whatever ends with 0 keeps the promise, by the library's own certificate; that of the code says the same of anything. With the convex law, whose
/// velocities are unique, what is felt is what the library's forces do.
Count compare(const Scene& scene, const GenerateOptions& options, bool convex, int states, double tolerance) {
  ContactCode code(scene, options);
  Steps steps(scene, code.code.is_float());
  AdmmOptions admm_options;
  admm_options.tolerance = tolerance;
  admm_options.relative_tolerance = 0;
  admm_options.iterations = 200;
  Admm admm(admm_options);
  CertificateWork work;
  Count count;
  for (int k = 0; k < states; ++k) {
    SCOPED_TRACE(k);
    steps.move(0.2, 0.3);
    const ContactProblem problem = steps.problem(convex);
    std::vector<double> lambda(steps.free.size()), library(lambda);
    code.begin(tolerance, kStep, 200, convex);
    EXPECT_EQ(code.code.update(steps.q), 0U);
    const std::uint32_t status = code.solve(steps.free, lambda);
    const ContactResiduals truth = certify(steps.op, problem, lambda, work);
    const Report report = code.report();
    const bool by_library = admm.solve(steps.op, problem, library).ok();
    count.by_library += by_library ? 1 : 0;
    // Rounding of the largest force.
    const double most = std::abs(
        *std::max_element(lambda.begin(), lambda.end(), [](double x, double y) { return std::abs(x) < std::abs(y); }));
    EXPECT_LE(truth.primal, (code.code.is_float() ? 1e-6 : 1e-14) * most / kStep);
    EXPECT_LE(report.solves, 200);
    // What the products lose, some dozen roundings, and what the sums of a residual do, of velocities of about a metre per second.
    const double rounding = 4 * report.rounding + (code.code.is_float() ? 1e-6 : 1e-15);
    EXPECT_NEAR(report.velocity, truth.velocity, rounding);
    EXPECT_NEAR(report.dual, truth.dual, rounding);
    if (status != 0U) {
      EXPECT_EQ(status % 256, static_cast<unsigned>(Status::Code::kNotConverged));
      continue;
    }
    ++count.solved;
    EXPECT_LE(truth.worst(), tolerance + rounding);
    // Residuals within the tolerance, in directions that yield a ten-thousandth of what light joints do.
    if (convex && by_library) {
      EXPECT_LT(steps.felt_difference(lambda, library), 1e4 * tolerance);
    }
  }
  return count;
}

GenerateOptions rows_of(GenerateOptions::Scalar scalar) {
  return test::with(scalar, GenerateOptions::Contacts::kFixed, DampingForm::kRows);
}

class GeneratedContacts : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_c_compiler()) GTEST_SKIP() << "there is no compiler of C (cc)";
  }
};
using LongGeneratedContacts = GeneratedContacts;

TEST_F(GeneratedContacts, OfGo2AreSolved) {
  const Scene scene = load_named("go2-standing");
  EXPECT_EQ(compare(scene, rows_of(kDouble), false, 100, 1e-8).solved, 100);
  EXPECT_EQ(
      compare(scene, test::with(kDouble, GenerateOptions::Contacts::kFixed, DampingForm::kBlocks), true, 100, 1e-8)
          .solved,
      100);
  EXPECT_EQ(compare(scene, rows_of(kFloat), false, 100, 1e-4).solved, 100);
}

// Loops as equalities, with the contacts.
TEST_F(GeneratedContacts, OfCassieAreSolved) {
  const Count count = compare(load_named("cassie-standing"), rows_of(kDouble), true, 50, 1e-8);
  EXPECT_GE(count.solved, 48);
  EXPECT_GE(count.by_library, 48);
}

/// Limits on both sides of joints, dry friction in them, and contacts.
Scene with_limits() {
  Scene scene = load_named("go2-standing-friction");
  for (const Constraint& limit : make_joint_limits(scene.model)) scene.constraints.push_back(limit);
  return scene;
}

TEST_F(GeneratedContacts, LimitsAndDryFriction) {
  Scene scene = with_limits();
  // Limits that hold: some of the joints are at theirs, and move towards it.
  for (Constraint& c : scene.constraints) {
    if (auto* friction = std::get_if<JointFriction>(&c)) friction->set.bound = 2;
  }
  const Count count = compare(scene, rows_of(kDouble), true, 50, 1e-7);
  EXPECT_GE(count.solved, 40);
  EXPECT_GE(count.solved, count.by_library - 5);
}

TEST_F(GeneratedContacts, StartFromTheLastForces) {
  const Scene scene = load_named("go2-standing");
  ContactCode code(scene, rows_of(kDouble));
  Steps steps(scene, false);
  code.begin(1e-8, kStep, 200);
  steps.move(0.2, 0.3);
  std::vector<double> lambda(12), z(12);
  ASSERT_EQ(code.code.update(steps.q), 0U);
  ASSERT_EQ(code.solve(steps.free, lambda), 0U);
  EXPECT_GT(code.report().solves, 0);
  EXPECT_EQ(code.code.solve(steps.free, z), as_generated({Status::Code::kBadArgument, -1})) << "its damping is another";
  const std::vector<double> before = lambda;
  ASSERT_EQ(code.solve(steps.free, lambda), 0U);
  EXPECT_EQ(code.report().solves, 0);
  EXPECT_EQ(lambda, before);
  // One solve is not enough from zero: it says so, and its forces are in their sets.
  code.begin(1e-8, kStep, 1);
  std::fill(lambda.begin(), lambda.end(), 0.0);
  EXPECT_EQ(code.solve(steps.free, lambda) % 256, static_cast<unsigned>(Status::Code::kNotConverged));
  CertificateWork work;
  EXPECT_LT(certify(steps.op, steps.problem(false), lambda, work).primal, 1e-9);
}

TEST_F(GeneratedContacts, WithoutThoseThatAreOff) {
  const Scene scene = load_named("go2-standing");
  ContactCode code(scene, rows_of(kDouble));
  Steps steps(scene, false);
  steps.move(0.2, 0.3);
  Scene less = scene;
  less.constraints.erase(less.constraints.begin() + 1);
  State<double> state(less.model, less.constraints);
  CondensedDelassus<double> op(state);
  ASSERT_TRUE(state.update(steps.q).ok() && op.factor(state).ok());
  std::vector<double> lambda(12), library(9), g(steps.free);
  g.erase(g.begin() + 3, g.begin() + 6);
  ContactProblem problem{state.rows().spans, state.rows().sets, g};
  problem.time_step = kStep;
  problem.law = ContactLaw::kConvex;
  Admm admm;
  ASSERT_TRUE(admm.solve(op, problem, library).ok());
  ASSERT_EQ(code.code.update(steps.q), 0U);
  code.code.activate({1, 0, 1, 1});
  code.begin(1e-8, kStep, 200, true);
  steps.free[4] = std::numeric_limits<double>::quiet_NaN();  // which nobody reads
  ASSERT_EQ(code.solve(steps.free, lambda), 0U);
  for (int k = 3; k < 6; ++k) EXPECT_EQ(lambda[k], 0);
  lambda.erase(lambda.begin() + 3, lambda.begin() + 6);
  EXPECT_LT(difference(lambda, library), 1e-5);  // residuals of 1e-8 m/s
}

TEST_F(GeneratedContacts, SayWhatIsWrong) {
  const Scene scene = load_named("go2-standing");
  ContactCode code(scene, rows_of(kDouble));
  std::vector<double> g(12, -1), lambda(12);
  const std::uint32_t too_early = as_generated({Status::Code::kBadArgument, -1});
  EXPECT_EQ(code.solve(g, lambda), too_early) << "nothing is set";
  code.begin(1e-8, kStep, 100);
  EXPECT_EQ(code.solve(g, lambda), too_early) << "there is no update";
  ASSERT_EQ(code.code.update(scene.q), 0U);
  g[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(code.solve(g, lambda), as_generated({Status::Code::kNotFinite, 7}));
  g[7] = 0;
  lambda[2] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(code.solve(g, lambda), as_generated({Status::Code::kNotFinite, 2}));
  lambda[2] = 0;
  for (const auto& [tolerance, step] : {std::pair(0.0, 1.0), std::pair(std::nan(""), 1.0), std::pair(1e-8, -1.0)}) {
    code.begin(tolerance, step, 100);
    EXPECT_EQ(code.solve(g, lambda), as_generated({Status::Code::kNotPositive, -1}));
  }
  // Without any solve nothing is solved.
  code.begin(1e-8, 1, 0);
  EXPECT_EQ(code.solve(g, lambda) % 256, static_cast<unsigned>(Status::Code::kNotConverged));
}

TEST_F(LongGeneratedContacts, OfAllRobots) {
  for (const char* name : {"go2-standing", "g1-standing", "cassie-standing"}) {
    for (const bool convex : {false, true}) {
      SCOPED_TRACE(std::string(name) + (convex ? ", convex" : ""));
      const Scene scene = load_named(name);
      const Count count = compare(scene, rows_of(kDouble), convex, 1000, 1e-8);
      EXPECT_GE(count.solved, 900);
      // Rounding of Cassie's light loops hides more than a tenth of a millimetre per second in float.
      EXPECT_GE(compare(scene, rows_of(kFloat), convex, 1000, 1e-3).solved, 900);
    }
  }
}

}  // namespace
}  // namespace delassus
