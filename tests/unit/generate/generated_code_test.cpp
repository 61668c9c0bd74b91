// Generated code, compiled by the system's compiler of C, beside the library: numbers and statuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "delassus/constraints/state.hpp"
#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/operators/condensed.hpp"
#include "delassus/scenes/load_named.hpp"
#include "support/compiled_code.hpp"
#include "support/generated_numbers.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

using test::as_damping;
using test::as_generated;
using test::CompiledCode;
using test::DampingForm;
using test::difference;
using test::with;
using Numbers = test::GeneratedNumbers;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr auto kFloat = GenerateOptions::Scalar::kFloat;

const GenerateOptions kPlain =
    with(GenerateOptions::Scalar::kDouble, GenerateOptions::Contacts::kFixed, DampingForm::kRows);

/// The operator alone: motion is in parts in any form.
GenerateOptions in_form(GenerateOptions::Form form, GenerateOptions options = kPlain) {
  options.form = form;
  options.functions = GenerateOptions::Functions::kOperator;
  return options;
}
constexpr auto kLanes = GenerateOptions::Form::kLanes;
constexpr auto kLimbs = GenerateOptions::Form::kLimbs;

struct Differences {
  double tau = 0, y = 0;  // products
  double a = 0, z = 0;    // inverses
  int inaccurate = 0;     // solves that say so; of float, which has not the digits for all
};

void expect_below(const Differences& d, double products, double inverses) {
  EXPECT_LT(d.tau, products);
  EXPECT_LT(d.y, products);
  EXPECT_LT(d.a, inverses);
  EXPECT_LT(d.z, inverses);
}

/// The library in float, called as the code is.
class FloatLibrary {
 public:
  FloatLibrary(const Scene& scene, const GenerateOptions& options)
      : model_(scene.model),
        form_(options.damping),
        state_(model_, scene.constraints),
        op_(state_),
        forward_(model_),
        inverse_(model_),
        constraints_(scene.constraints) {}

  std::uint32_t inverse_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> a,
                                 std::span<double> tau) {
    EXPECT_TRUE(state_.update(held(q), held(v)).ok());
    std::vector<float> left(tau.size());
    rnea<float>(model_, state_.kinematics(), state_.velocities(), held(a), left, inverse_);
    std::copy(left.begin(), left.end(), tau.begin());
    return 0;
  }
  std::uint32_t forward_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                                 std::span<double> a) {
    std::vector<float> left(a.size());
    const Status status = aba<float>(model_, held(q), held(v), held(tau), left, forward_);
    std::copy(left.begin(), left.end(), a.begin());
    return as_generated(status);
  }
  std::uint32_t update(std::span<const double> q, std::span<const double> contacts) {
    const double* given = contacts.data();
    for (Constraint& constraint : constraints_) {
      auto* contact = std::get_if<PointContact>(&constraint);
      if (contact == nullptr || contacts.empty()) continue;
      std::copy_n(given, 3, contact->a.offset.p.a);
      std::copy_n(given + 3, 9, contact->axes.a);
      given += 12;
    }
    EXPECT_TRUE(state_.move_constraints(constraints_).ok());
    EXPECT_TRUE(state_.update(held(q)).ok());
    return as_generated(op_.factor(state_));
  }
  std::uint32_t apply(std::span<const double> x, std::span<double> y) {
    std::vector<float> left(y.size());
    const Status status = op_.apply(held(x), left);
    std::copy(left.begin(), left.end(), y.begin());
    return as_generated(status);
  }
  std::uint32_t damp(std::span<const double> damping) {
    const std::vector<float> numbers = held(damping);
    if (form_ == DampingForm::kNumber) return as_generated(op_.update_damping(Damping<float>(numbers.front())));
    return as_generated(
        op_.update_damping(form_ == DampingForm::kBlocks ? Damping<float>::blocks(numbers) : Damping<float>(numbers)));
  }
  std::uint32_t solve(std::span<const double> b, std::span<double> z) {
    std::vector<float> left(z.size());
    const Status status = op_.solve(held(b), left);
    std::copy(left.begin(), left.end(), z.begin());
    return as_generated(status);
  }

 private:
  static std::vector<float> held(std::span<const double> list) { return {list.begin(), list.end()}; }

  Model model_;
  DampingForm form_;
  State<float> state_;
  CondensedDelassus<float> op_;
  ForwardDynamics<float> forward_;
  InverseDynamics<float> inverse_;
  std::vector<Constraint> constraints_;
};

/// The largest of so many random states, against the library in double.
template <class Code = CompiledCode>
Differences compare(const Scene& scene, const GenerateOptions& options, int states) {
  Code code(scene, options);
  Numbers random(options.scalar == kFloat);
  std::vector<Constraint> constraints = scene.constraints;
  State<double> state(scene.model, constraints);
  CondensedDelassus<double> op(state);
  ForwardDynamics<double> forward(scene.model);
  InverseDynamics<double> inverse(scene.model);
  const int nv = scene.model.nv(), m = state.num_rows();
  std::vector<double> wanted(nv), got(nv), y(m), z(m), got_rows(m);
  Differences worst;
  const auto note = [](double& most, double now) { most = now <= most ? most : now; };
  for (int k = 0; k < states; ++k) {
    const std::vector<double> q = random.configuration(scene), v = random.list(nv, 1), x = random.list(nv, 5);
    std::vector<double> contacts;
    if (options.contacts == GenerateOptions::Contacts::kInputs) {
      constraints = scene.constraints;
      contacts = random.move_contacts(constraints);
      EXPECT_TRUE(state.move_constraints(constraints).ok());
    }
    EXPECT_TRUE(state.update(q, v).ok());
    if (options.functions == GenerateOptions::Functions::kAll) {
      rnea<double>(scene.model, state.kinematics(), state.velocities(), x, wanted, inverse);
      EXPECT_EQ(code.inverse_dynamics(q, v, x, got), 0U);
      note(worst.tau, difference(got, wanted));
      EXPECT_TRUE(aba<double>(scene.model, q, v, x, wanted, forward).ok());
      EXPECT_EQ(code.forward_dynamics(q, v, x, got), 0U);
      note(worst.a, difference(got, wanted));
    }
    if (m == 0) continue;
    const std::vector<double> b = random.list(m, 1), damping = random.damping(scene, options.damping);
    EXPECT_TRUE(op.factor(state).ok() && op.apply(b, y).ok());
    EXPECT_EQ(code.update(q, contacts), 0U);
    EXPECT_EQ(code.apply(b, got_rows), 0U);
    note(worst.y, difference(got_rows, y));
    EXPECT_TRUE(op.update_damping(as_damping(damping, options.damping)).ok() && op.solve(b, z).ok());
    EXPECT_EQ(code.damp(damping), 0U);
    const std::uint32_t solved = code.solve(b, got_rows);
    if (options.scalar == kFloat && solved % 256 == static_cast<unsigned>(Status::Code::kInaccurate)) {
      ++worst.inaccurate;
      continue;
    }
    EXPECT_EQ(solved, 0U);
    note(worst.z, difference(got_rows, z));
  }
  return worst;
}

class CompiledCodeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_c_compiler()) GTEST_SKIP() << "there is no compiler of C (cc)";
  }
};
using LongCompiledCode = CompiledCodeTest;

// 1e-13: some hundred roundings in sequence, of numbers that do not cancel.
TEST_F(CompiledCodeTest, IsTheLibraryInDouble) {
  const Differences d = compare(load_named("go2-standing"), kPlain, 200);
  expect_below(d, 1e-13, 1e-13);
}

// 1e-5: the same of float.
TEST_F(CompiledCodeTest, IsTheLibraryInFloatAndContactsMove) {
  const Differences d =
      compare(load_named("go2-standing"), with(kFloat, GenerateOptions::Contacts::kInputs, DampingForm::kNumber), 200);
  expect_below(d, 1e-5, 1e-5);
}

// Four points under each foot: where they take from each other what damping leaves, float has few digits. The library says so of 3 in 1000.
TEST_F(CompiledCodeTest, ContactsThatRepeatEachOtherAreSolvedInFloat) {
  const auto options = with(kFloat, GenerateOptions::Contacts::kFixed, DampingForm::kRows);
  EXPECT_LE(compare(load_named("g1-standing"), options, 200).inaccurate, 8);
}

// Loops of light links: accelerations and damped solves lose the digits of a condition of 1e5.
TEST_F(CompiledCodeTest, HasLoopsAndBlocks) {
  const Differences d =
      compare(load_named("cassie-standing"),
              with(GenerateOptions::Scalar::kDouble, GenerateOptions::Contacts::kInputs, DampingForm::kBlocks), 50);
  expect_below(d, 1e-13, 1e-10);
}

/// What the limbs do goes in lanes, as vectors or in loops, and the trunk beside them.
TEST_F(CompiledCodeTest, LimbsSideBySideAreTheLibrary) {
  constexpr auto kDouble = GenerateOptions::Scalar::kDouble;
  const Scene scene = load_named("go2-standing");
  const GenerateOptions moving = with(kDouble, GenerateOptions::Contacts::kInputs, DampingForm::kBlocks),
                        floats = with(kFloat, GenerateOptions::Contacts::kFixed, DampingForm::kNumber);
  expect_below(compare(scene, in_form(kLanes), 100), 1e-13, 1e-13);
  expect_below(compare(scene, in_form(kLanes, moving), 100), 1e-13, 1e-13);
  expect_below(compare(scene, in_form(kLimbs, floats), 100), 1e-5, 1e-5);
}

// Lanes with other parents, and lanes without links: arms beside legs. Loops inside limbs, light ones (see HasLoopsAndBlocks).
TEST_F(CompiledCodeTest, LimbsMayBeUnlike) {
  expect_below(compare(load_named("g1-standing"), in_form(kLanes), 50), 1e-13, 1e-11);
  expect_below(compare(load_named("cassie-standing"), in_form(kLimbs), 50), 1e-13, 1e-10);
}

TEST_F(CompiledCodeTest, FramesAreWhereTheLibraryHasThem) {
  const Scene scene = load_named("go2-standing");
  CompiledCode code(scene, kPlain);
  Numbers random(false);
  State<double> state(scene.model, scene.constraints);
  for (int k = 0; k < 20; ++k) {
    const std::vector<double> q = random.configuration(scene), v = random.list(scene.model.nv(), 1);
    ASSERT_TRUE(state.update(q, v).ok());
    std::vector<double> got(18 * scene.constraints.size()), wanted;
    ASSERT_EQ(code.frames(q, v, got), 0U);
    for (const Constraint& c : scene.constraints) {
      const int frame = std::get<PointContact>(c).a.frame;
      const Pose<double> pose = frame_pose(scene.model, state.kinematics(), frame);
      const Motion<double> velocity = frame_velocity(scene.model, state.kinematics(), state.velocities(), frame);
      wanted.insert(wanted.end(), pose.p.a, pose.p.a + 3);
      wanted.insert(wanted.end(), pose.R.a, pose.R.a + 9);
      wanted.insert(wanted.end(), velocity.linear.a, velocity.linear.a + 3);
      wanted.insert(wanted.end(), velocity.angular.a, velocity.angular.a + 3);
    }
    EXPECT_LT(difference(got, wanted), 1e-14);  // some roundings
  }
}

/// What the library says of a state, and the code.
class Statuses {
 public:
  explicit Statuses(const std::string& name, const GenerateOptions& options = kPlain)
      : scene_(load_named(name)), code_(scene_, options), state_(scene_.model, scene_.constraints), op_(state_) {}

  void of_configurations() {
    for (int k = 0; k < scene_.model.nq(); ++k) {
      for (const double bad : {kNan, kInfinity, -kInfinity}) {
        std::vector<double> q = scene_.q;
        q[k] = bad;
        EXPECT_EQ(code_.update(q), library(q)) << scene_.model.name() << ", q[" << k << "] = " << bad;
        q[(3 * k + 5) % q.size()] = bad;
        EXPECT_EQ(code_.update(q), library(q)) << scene_.model.name() << ", q[" << k << "] and another = " << bad;
      }
    }
    if (scene_.model.link(0).kind != JointKind::kFree) return;
    std::vector<double> q = scene_.q;
    std::fill_n(q.begin() + 3, 4, 0.0);
    EXPECT_EQ(code_.update(q), library(q));
    EXPECT_NE(library(q), 0U);
  }

  void of_dampings() {
    ASSERT_EQ(code_.update(scene_.q), library(scene_.q));
    const int m = state_.num_rows();
    for (int r = 0; r < m; ++r) {
      for (const double bad : {kNan, kInfinity, 0.0, -1.0, 1e-320}) {
        std::vector<double> damping(m, 1e-3);
        damping[r] = bad;
        EXPECT_EQ(code_.damp(damping), as_generated(op_.update_damping(Damping<double>(damping))))
            << scene_.model.name() << ", damping[" << r << "] = " << bad;
        damping[(2 * r + 1) % m] = bad;
        EXPECT_EQ(code_.damp(damping), as_generated(op_.update_damping(Damping<double>(damping))))
            << scene_.model.name() << ", damping[" << r << "] and another = " << bad;
      }
      // What rounding cannot carry beside the inertias: at which row that shows depends on the rounding.
      std::vector<double> damping(m, 1e-3);
      damping[r] = 1e-30;
      EXPECT_EQ(code_.damp(damping) % 256, as_generated(op_.update_damping(Damping<double>(damping))) % 256)
          << scene_.model.name() << ", damping[" << r << "]";
    }
  }

  void of_motions() {
    ForwardDynamics<double> forward(scene_.model);
    const int nq = scene_.model.nq(), nv = scene_.model.nv();
    for (int k = 0; k < nq + 2 * nv; ++k) {
      std::vector<double> q = scene_.q, v(nv, 0.1), tau(nv, 0.2), a(nv);
      (k < nq ? q[k] : k < nq + nv ? v[k - nq] : tau[k - nq - nv]) = kNan;
      const std::uint32_t wanted = as_generated(aba<double>(scene_.model, q, v, tau, a, forward));
      EXPECT_EQ(code_.forward_dynamics(q, v, tau, a), wanted) << scene_.model.name() << ", number " << k;
    }
  }

  /// Solves that have to be refined, and those that cannot be.
  void of_solves() {
    ASSERT_EQ(code_.update(scene_.q), library(scene_.q));
    const int m = state_.num_rows();
    std::vector<double> z(m), wanted(m);
    for (const double damping : {1e-12, 1e-9, 1e-6}) {
      const std::vector<double> rows(m, damping), b(m, 0.5);
      ASSERT_EQ(code_.damp(rows), as_generated(op_.update_damping(Damping<double>(rows))));
      const std::uint32_t status = code_.solve(b, z), of_library = as_generated(op_.solve(b, wanted));
      // Where the library goes on with the matrix, the code says that its solution is not exact enough.
      const bool same = op_.used_matrix()
                            ? status % 256 == static_cast<unsigned>(Status::Code::kInaccurate) || status == 0U
                            : status == of_library;
      EXPECT_TRUE(same) << scene_.model.name() << ", damping " << damping << ": " << status << ", not " << of_library;
    }
    std::vector<double> b(m, 0.5);
    b[m / 2] = kNan;
    EXPECT_TRUE(code_.solve(b, z) != 0U || std::isnan(z[m / 2]));
  }

 private:
  std::uint32_t library(const std::vector<double>& q) {
    if (const Status s = state_.update(q); !s.ok()) return as_generated(s);
    return as_generated(op_.factor(state_));
  }

  Scene scene_;
  CompiledCode code_;
  State<double> state_;
  CondensedDelassus<double> op_;
};

TEST_F(CompiledCodeTest, SaysWhatTheLibrarySays) {
  for (const char* name : {"go2-standing", "four_bar"}) {
    Statuses statuses(name);
    statuses.of_configurations();
    statuses.of_dampings();
    statuses.of_motions();
    statuses.of_solves();
  }
  for (const auto form : {kLanes, kLimbs}) {
    SCOPED_TRACE("form " + std::to_string(static_cast<int>(form)));
    Statuses statuses("go2-standing", in_form(form));
    statuses.of_configurations();
    statuses.of_dampings();
    statuses.of_solves();
  }
}

TEST_F(CompiledCodeTest, CallsInTheWrongOrderAreTold) {
  CompiledCode code(load_named("four_bar"), kPlain);
  std::vector<double> x(code.code().rows, 1.0), y(x);
  const std::uint32_t too_early = as_generated({Status::Code::kBadArgument, -1});
  EXPECT_EQ(code.apply(x, y), too_early);
  EXPECT_EQ(code.damp(x), too_early);
  EXPECT_EQ(code.solve(x, y), too_early);
  const Scene scene = load_named("four_bar");
  EXPECT_EQ(code.update(scene.q), 0U);
  EXPECT_EQ(code.apply(x, y), 0U);
  EXPECT_EQ(code.solve(x, y), too_early);
  EXPECT_EQ(code.damp(x), 0U);
  EXPECT_EQ(code.solve(x, y), 0U);
  std::vector<double> q = scene.q;
  q[0] = kNan;
  EXPECT_NE(code.update(q), 0U);
  EXPECT_EQ(code.apply(x, y), too_early);
}

/// Joints and constraints of all kinds, bases that float and are placed anywhere.
void compare_random_systems(std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t seed = first; seed < end; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Model model = samples::random_model(seed);
    Scene scene(model);
    scene.q = samples::random_state(model, seed).q;
    scene.constraints = samples::random_constraints(model, seed, 1 + static_cast<int>(seed % 4));
    GenerateOptions options = kPlain;
    options.contacts = seed % 2 == 0 ? GenerateOptions::Contacts::kFixed : GenerateOptions::Contacts::kInputs;
    options.damping = static_cast<DampingForm>(seed % 3);
    // Rows that depend on each other, and dampings down to 1e-4: a condition of up to 1e6, times some hundred roundings.
    expect_below(compare(scene, options, 3), 1e-11, 1e-9);
  }
}

TEST_F(CompiledCodeTest, HasAllJointsAndConstraints) { compare_random_systems(28, 34); }
TEST_F(LongCompiledCode, HasAllJointsAndConstraints) { compare_random_systems(100, 180); }

/// The whole robot, small parts, and other names: what the report says is what the code has.
TEST_F(CompiledCodeTest, PartsMayBeSmall) {
  GenerateOptions options = kPlain;
  options.part_nodes = 17;
  const Differences d = compare(load_named("four_bar"), options, 20);
  expect_below(d, 1e-13, 1e-13);
}

TEST(Generate, RefusesWhatNoCompilerTakes) {
  const Scene scene = load_named("four_bar");
  const auto code_named = [&](const std::string& name) {
    GenerateOptions options;
    options.name = name;
    return generate(scene.model, scene.constraints, scene.q, options);
  };
  for (const char* name : {"", "2go", "go-2", "a b", "gö2", "math"}) EXPECT_THROW(code_named(name), Error) << name;
  EXPECT_NO_THROW(code_named("go_2"));
  EXPECT_THROW(generate(scene.model, scene.constraints, std::vector<double>(1), {}), Error);
}

/// Rows of a chain have nothing beside them; float is for small processors.
TEST(Generate, TakesTheFormThatPays) {
  const auto form = [](const char* name, const GenerateOptions& options) {
    const Scene scene = load_named(name);
    return nlohmann::json::parse(generate(scene.model, scene.constraints, scene.q, options).report)["options"]["form"];
  };
  GenerateOptions options;
  EXPECT_EQ(form("go2-standing", options), "parts");
  options.form = GenerateOptions::Form::kAuto;
  EXPECT_EQ(form("go2-standing", options), "lanes");
  EXPECT_EQ(form("four_bar", options), "parts");
  options.scalar = kFloat;
  EXPECT_EQ(form("go2-standing", options), "limbs");
  EXPECT_EQ(form("g1-standing", options), "parts");  // legs and arms are not much alike
  EXPECT_THROW(form("four_bar", in_form(kLanes)), Error);
}

TEST(Generate, NamesWhatCannotBeGenerated) {
  Scene scene = load_named("go2-standing");
  std::get<PointContact>(scene.constraints[0]).a.frame = 1'000'000;
  EXPECT_THROW(generate(scene.model, scene.constraints, scene.q), Error);
  ModelBuilder fixed("fixed");
  fixed.add_fixed_body("body", kWorld, Pose<double>::identity(), box_inertial(1, {{1, 1, 1}}));
  const Model model = fixed.make_model();
  EXPECT_THROW(generate(model, {}, {}), Error);
}

TEST(Generate, TheReportHasCostsAndHashes) {
  const Scene scene = load_named("go2-standing");
  GenerateOptions options;
  const GeneratedCode code = generate(scene.model, scene.constraints, scene.q, options);
  const nlohmann::json report = nlohmann::json::parse(code.report);
  EXPECT_EQ(report["sizes"]["rows"], 12);
  // What compilers take of it is measured in tests/micro.
  for (const auto& [name, cost] : report["functions"].items())
    EXPECT_GT(cost["stack_bytes"].get<int>(), cost["scratch_bytes"].get<int>()) << name;
  // Fewer than the library does (docs/operation-counts.md): zeros and ones are left out, the base has no pose.
  EXPECT_LT(
      report["functions"]["update"]["operations"].get<int>() + report["functions"]["apply"]["operations"].get<int>(),
      4600);
  EXPECT_EQ(generate(scene.model, scene.constraints, scene.q, options).source, code.source);
  options.scalar = kFloat;
  const nlohmann::json other = nlohmann::json::parse(generate(scene.model, scene.constraints, scene.q, options).report);
  EXPECT_EQ(other["scene_sha256"], report["scene_sha256"]);
  EXPECT_NE(other["source_sha256"], report["source_sha256"]);
}

/// On the corners of its soles.
Scene standing_talos() {
  Scene scene = load_named("talos_like");
  for (const char* foot : {"left_foot_1", "left_foot_2", "right_foot_1", "right_foot_2"}) {
    PointContact contact;
    contact.name = foot;
    contact.a = attach(scene.model, foot);
    scene.constraints.emplace_back(contact);
  }
  return scene;
}

TEST_F(LongCompiledCode, EveryRobotInEveryForm) {
  const std::vector<Scene> scenes{load_named("go2-standing"), load_named("g1-standing"), load_named("cassie-standing"),
                                  standing_talos(),           load_named("panda"),       load_named("four_bar")};
  for (const Scene& scene : scenes) {
    const bool loops = scene.model.name().find("cassie") != std::string::npos;
    for (const auto contacts : {GenerateOptions::Contacts::kFixed, GenerateOptions::Contacts::kInputs}) {
      for (const DampingForm damping : {DampingForm::kNumber, DampingForm::kRows, DampingForm::kBlocks}) {
        const Differences d = compare(scene, with(GenerateOptions::Scalar::kDouble, contacts, damping), 1000);
        SCOPED_TRACE(scene.model.name() + ", damping " + std::to_string(static_cast<int>(damping)));
        // Inverses: dampings down to 1e-4 beside Λ⁻¹ of up to 1e2 (contacts that repeat each other), and light loops.
        expect_below(d, 1e-13, loops ? 1e-10 : 1e-11);
        const GenerateOptions doubles = with(GenerateOptions::Scalar::kDouble, contacts, damping);
        expect_below(compare(scene, in_form(GenerateOptions::Form::kAuto, doubles), 1000), 1e-13,
                     loops ? 1e-10 : 1e-11);
        const Differences f = compare(scene, with(kFloat, contacts, damping), 1000);
        // Where float has not the digits for that: three times what the library loses, and of solves what they are refined to, 1e-3 of b
        // beside solutions up to 1e4 times as large.
        const Differences library = compare<FloatLibrary>(scene, with(kFloat, contacts, damping), 1000);
        expect_below(f, std::max(1e-5, 3 * std::max(library.tau, library.y)),
                     std::max(1e-4, 3 * std::max(library.a, library.z)));
        EXPECT_LT(f.inaccurate, 1000) << "no solve was compared";
      }
    }
  }
}

TEST_F(LongCompiledCode, EveryRobotSaysWhatTheLibrarySays) {
  for (const char* name : {"cassie-standing", "g1-standing", "go2-fallen", "shadow-tips", "delta", "stewart"}) {
    Statuses statuses(name);
    statuses.of_configurations();
    statuses.of_dampings();
    statuses.of_motions();
    statuses.of_solves();
  }
  for (const char* name : {"cassie-standing", "g1-standing"}) {
    Statuses statuses(name, in_form(kLanes));
    statuses.of_configurations();
    statuses.of_dampings();
    statuses.of_solves();
  }
}

}  // namespace
}  // namespace delassus
