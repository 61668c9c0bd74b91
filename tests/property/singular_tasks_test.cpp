// Tasks that ask for more than the mechanism has: what is left of them is tracked, torques stay bounded, and the status says which row
// lost.
#include <gtest/gtest.h>

#include <cmath>

#include "delassus/constraints/describe.hpp"
#include "delassus/control/operational_controller.hpp"
#include "delassus/io/load.hpp"
#include "delassus/model/builder.hpp"
#include "support/slope.hpp"
#include "support/task_oracle.hpp"

namespace delassus {
namespace {

using testing::column_of;
using testing::difference_of;
using testing::Exact;
using testing::rows_of;
using testing::TaskReference;
using Vector = std::vector<double>;

constexpr SingularHandling kHandlings[] = {SingularHandling::kClamp, SingularHandling::kDamp,
                                           SingularHandling::kTruncate};
constexpr double kThreshold = 1e-3;

/// A carriage along y with an arm of three links that turns in the plane of x and z, stretched along x at zero.
Model planar_arm() {
  ModelBuilder b("planar arm");
  int body = b.add_body("carriage", kWorld, prismatic("slide", {{0, 1, 0}}), box_inertial(2, {{0.1, 0.1, 0.1}}));
  for (int k = 0; k < 3; ++k) {
    const std::string number = std::to_string(k);
    body =
        b.add_body("link" + number, body, revolute("joint" + number, {{0, 1, 0}}, translation(k == 0 ? 0 : 0.5, 0, 0)),
                   box_inertial(1, {{0.25, 0.05, 0.05}}, {{0.25, 0, 0}}));
  }
  b.add_frame("tip", body, translation(0.5, 0, 0));
  return b.make_model();
}

Constraint tip_at(const Model& model, const char* name, const Vec3<double>& target) {
  return make_position_task(name, attach(model, "tip"), target);
}

TaskLevel level_of(std::vector<Constraint> tasks, SingularHandling handling = SingularHandling::kClamp,
                   bool best_effort = false) {
  return {"", std::move(tasks), {100, 20}, {handling, kThreshold, best_effort}};
}

/// A controller at rest at some posture, and how its tasks accelerate by dense algebra.
struct Controlled {
  Controlled(const Model& m, const std::vector<TaskLevel>& levels, const Vector& q)
      : model(m), controller(m, levels), tau(static_cast<std::size_t>(m.nv())) {
    samples::State s{q, Vector(tau.size()), {}};
    status = controller.compute(s.q, s.v, tau);
    const TaskReference r(m, controller.space().tasks().constraints(), s);
    const Exact motion = oracle::solve_positive(r.M, column_of(tau) - r.h);
    got = r.J * motion;
    want = -100.0L * r.position;
    J = r.J;
    M = r.M;
  }
  std::string words() const { return describe(status, model, controller.space().tasks().constraints()); }
  /// How far rows are from what was asked.
  double missed(int first, int count) const {
    return difference_of(rows_of(got, first, count), rows_of(want, first, count));
  }

  const Model& model;
  OperationalController<double> controller;
  Vector tau;
  ControlStatus status;
  Exact got, want, J, M;
};

/// Rounding of 1e-16 over yields of a tenth and more, and the dense oracle's of its own.
constexpr double kTracked = 1e-12;

/// Stretched, the tip cannot move along x; across and up it does what it is told. Damping costs these a share of the threshold over what
/// they yield, which is a hundredth at least.
TEST(SingularTasks, StretchedArmTracksWhatItCan) {
  const Model model = planar_arm();
  for (const SingularHandling handling : kHandlings) {
    const Controlled c(model, {level_of({tip_at(model, "tip", {{1.2, 0.3, 0.2}})}, handling)}, model.neutral());
    EXPECT_EQ(c.status, (Status{Status::Code::kSingularTask, 0}));
    EXPECT_NE(c.words().find("'tip' linear x"), std::string::npos) << c.words();
    EXPECT_EQ(c.controller.space().report(0).weak, 1);
    EXPECT_LT(std::abs(c.controller.space().report(0).smallest), 1e-15);
    EXPECT_EQ(c.got(0, 0), 0);
    EXPECT_LT(c.missed(1, 2), handling == SingularHandling::kDamp ? 0.1 : kTracked);
    if (handling == SingularHandling::kDamp) {
      EXPECT_GT(c.missed(1, 2), 1e-6) << "all directions are damped";
    }
  }
}

/// Nearly stretched along z: yields are shares of what the softest of the three rows yields, which is that along x.
TEST(SingularTasks, WeakIsMeasuredByTheSoftestRow) {
  const Model model = planar_arm();
  const Controlled c(model, {level_of({tip_at(model, "tip", {{0, 0, 0}})})}, {0, std::acos(0.0), 0.02, 0.01});
  EXPECT_EQ(c.status, (Status{Status::Code::kSingularTask, 2}));
  const Exact A = c.J * oracle::solve_positive(c.M, oracle::transposed(c.J));
  ASSERT_GT(A(0, 0), std::max(A(1, 1), A(2, 2)));
  // The smaller eigenvalue of rows x and z, beside which y stands alone.
  const long double mean = (A(0, 0) + A(2, 2)) / 2, apart = std::hypot((A(0, 0) - A(2, 2)) / 2, A(0, 2));
  EXPECT_NEAR(c.controller.space().report(0).smallest, static_cast<double>((mean - apart) / A(0, 0)), 1e-14);
}

/// At zero the axes of a Panda are along y and z only: its hand does not turn about x.
TEST(SingularTasks, StretchedPandaTracksFiveRows) {
  const Scene scene = load_embedded_robot("panda");
  const Vector q = scene.model.neutral();
  const Attachment hand = attach(scene.model, "hand");
  for (const SingularHandling handling : {SingularHandling::kClamp, SingularHandling::kTruncate}) {
    const Pose<double> target{rotation_of(quaternion_exp(Vec3<double>{{0.1, 3.0, 0.2}})), {{0.2, 0.1, 0.8}}};
    const Controlled c(scene.model, {level_of({make_pose_task("hand", hand, target)}, handling)}, q);
    EXPECT_EQ(c.status, (Status{Status::Code::kSingularTask, 3}));
    EXPECT_NE(c.words().find("'hand' angular x"), std::string::npos) << c.words();
    EXPECT_LT(std::max(c.missed(0, 3), c.missed(4, 2)), 1e-10);  // light hands: yields differ by a thousand
  }
}

/// What is done beside the posture's motion is bounded in kinetic energy by |s⁻¹ x| / √t, whatever the posture (docs/algorithms/
/// operational-space.md): √w / max(w, t) is largest at w = t. √w / (w + t (1 - w/t)²) exceeds that by 7 % at most.
TEST(SingularTasks, ForcesAreBoundedAsTheThresholdSays) {
  const Model model = planar_arm();
  for (const SingularHandling handling : kHandlings) {
    OperationalSpace<double> space(model, std::vector{level_of({tip_at(model, "tip", {{0, 0, 0}})}, handling)});
    const Vector x{1, 1, 1}, rest(4);
    Vector qdd(4), force(3);
    double most = 0;
    for (int step = -300; step <= 300; ++step) {
      const Vector q{0, 0.4, step * 1e-3, step * 2e-4};
      const Status status = space.update(q, rest);
      ASSERT_TRUE(status.ok() || status.code == Status::Code::kSingularTask);
      ASSERT_TRUE(space.accelerate(x, rest, qdd, force).ok());
      const TaskReference r(model, space.tasks().constraints(), {q, rest, {}});
      const Exact A = r.J * oracle::solve_positive(r.M, oracle::transposed(r.J)), a = column_of(qdd);
      const long double s = std::max({A(0, 0), A(1, 1), A(2, 2)});  // square of the scale
      const double energy = static_cast<double>((oracle::transposed(a) * r.M * a)(0, 0));
      most = std::max(most, energy * kThreshold / static_cast<double>(3 / s));
    }
    EXPECT_LT(most, handling == SingularHandling::kDamp ? 1.07 * 1.07 : 1.0);
    EXPECT_GT(most, 0.05) << "which is what comes near singular postures";
  }
}

/// The largest step of the torques on a way through a singular posture.
double largest_step(SingularHandling handling, int steps) {
  const Model model = planar_arm();
  OperationalController<double> controller(model,
                                           std::vector{level_of({tip_at(model, "tip", {{1.2, 0.3, 0.2}})}, handling)});
  const Vector rest(4);
  Vector tau(4), last;
  double out = 0;
  for (int k = 0; k <= steps; ++k) {
    const double elbow = -0.3 + 0.6 * k / steps;
    const ControlStatus status = controller.compute(Vector{0, 0.4, elbow, 0.2 * elbow}, rest, tau);
    EXPECT_TRUE(status.ok() || status.code == Status::Code::kSingularTask);
    for (int i = 0; i < 4 && !last.empty(); ++i) out = std::max(out, std::abs(tau[i] - last[i]));
    last = tau;
  }
  return out;
}

/// Ten times as many steps, a tenth of the step: no jumps. Giving a direction up is one.
TEST(SingularTasks, TorquesAreContinuousUnlessDirectionsAreGivenUp) {
  for (const SingularHandling handling : {SingularHandling::kClamp, SingularHandling::kDamp}) {
    EXPECT_LT(largest_step(handling, 10000), 0.15 * largest_step(handling, 1000));
  }
  EXPECT_GT(largest_step(SingularHandling::kTruncate, 10000), 0.5 * largest_step(SingularHandling::kTruncate, 1000));
}

/// Regular, but for what tasks want of each other.
const Vector kBent{0.1, 0.3, 0.9, -0.5};

TEST(SingularTasks, HigherLevelsWinWhereTasksConflict) {
  const Model model = planar_arm();
  for (const SingularHandling handling : kHandlings) {
    const Controlled c(model,
                       {level_of({tip_at(model, "first", {{1, 0.3, 0.2}})}, handling),
                        level_of({tip_at(model, "second", {{-1, 0, 0.5}})}, handling),
                        level_of({make_joint_task("third", model, "joint1", 1.4)}, handling)},
                       kBent);
    EXPECT_EQ(c.status.code, Status::Code::kSingularTask);
    EXPECT_TRUE(c.status.index >= 3 && c.status.index < 6);
    EXPECT_NE(c.words().find("'second'"), std::string::npos) << c.words();
    EXPECT_EQ(c.controller.space().report(1).weak, 3);
    EXPECT_LT(c.missed(0, 3), 1e-10);
    EXPECT_LT(c.missed(6, 1), 1e-10) << "a level below those in conflict has what they leave";
    EXPECT_LT(difference_of(rows_of(c.got, 3, 3), rows_of(c.got, 0, 3)), 1e-10);
  }
}

/// Of one priority, the tip goes between two targets.
TEST(SingularTasks, TasksOfOneLevelCompromise) {
  const Model model = planar_arm();
  for (const SingularHandling handling : {SingularHandling::kClamp, SingularHandling::kTruncate}) {
    const Constraint first = tip_at(model, "first", {{1, 0.3, 0.2}}), second = tip_at(model, "second", {{-1, 0, 0.5}});
    const Controlled c(model, {level_of({first, second}, handling)}, kBent);
    EXPECT_EQ(c.status.code, Status::Code::kSingularTask);
    EXPECT_EQ(c.controller.space().report(0).weak, 3);
    const Exact middle = 0.5L * (rows_of(c.want, 0, 3) + rows_of(c.want, 3, 3));
    EXPECT_LT(difference_of(rows_of(c.got, 0, 3), middle), 1e-10);
  }
}

/// Nᵀ τ₀ is all that joint forces of a posture add, at a regular posture and at a singular one.
TEST(SingularTasks, PostureForcesMoveNoTask) {
  const Model model = planar_arm();
  const Vector rest(4), push{3, -20, 7, 5};
  for (const Vector& q : {kBent, model.neutral()}) {
    OperationalController<double> controller(model, std::vector{level_of({tip_at(model, "tip", {{1, 0.3, 0.2}})})});
    Vector plain(4), pushed(4);
    const ControlStatus status = controller.compute(q, rest, plain);
    ASSERT_TRUE(controller.set_posture_force(push).ok());
    EXPECT_EQ(controller.compute(q, rest, pushed), status);
    const TaskReference r(model, controller.space().tasks().constraints(), {q, rest, {}});
    testing::TaskOracle left(r.M, Exact(4, 1));
    left.hold(r.J, Exact(3, 1));
    const Exact added = column_of(pushed) - column_of(plain);
    EXPECT_LT(difference_of(added, oracle::transposed(left.N) * column_of(push)), 1e-11);  // of torques of hundreds
    EXPECT_LT(difference_of(r.J * left.inverse * added, Exact(3, 1), testing::norm_of(left.inverse * added)), 1e-11);
    EXPECT_GT(testing::norm_of(added), 1);
  }
}

TEST(SingularTasks, BestEffortIsNoReasonForAStatus) {
  const Model model = planar_arm();
  const Constraint tip = tip_at(model, "tip", {{1.2, 0.3, 0.2}});
  const Controlled plain(model, {level_of({tip})}, model.neutral());
  const Controlled effort(model, {level_of({tip}, SingularHandling::kClamp, true)}, model.neutral());
  EXPECT_TRUE(effort.status.ok());
  EXPECT_EQ(effort.controller.space().report(0).weak, 1);
  EXPECT_EQ(effort.tau, plain.tau);
}

/// The hand of an arm that is fixed to the world, and rows that no joint moves; torques are those without them.
TEST(SingularTasks, WhatNothingMovesIsLeftOut) {
  const Scene scene = load_embedded_robot("panda");
  const Vector q = scene.model.neutral();
  const std::vector<TaskLevel> none;
  const Controlled free(scene.model, none, q),
      fixed(scene.model, {level_of({make_position_task("base", attach(scene.model, "link0"), {{1, 2, 3}})})}, q);
  EXPECT_TRUE(free.status.ok());
  EXPECT_EQ(fixed.status.code, Status::Code::kSingularTask);
  EXPECT_EQ(fixed.controller.space().report(0).weak, 3);
  EXPECT_EQ(fixed.tau, free.tau);
  const Exact bound =
      (1 / static_cast<long double>(kThreshold)) * testing::identity(3);  // of rows whose scale nothing gives
  oracle::Matrix<double> inertia(3, 3);
  EXPECT_TRUE(fixed.controller.space().inertia(0, inertia).ok());
  EXPECT_LT(testing::relative_difference(inertia.entries(), bound.entries()), kTracked);
  const Controlled empty(scene.model, {level_of({})}, q);
  EXPECT_TRUE(empty.status.ok());
  EXPECT_EQ(empty.tau, free.tau);
}

/// A point on the oblique axis of the only joint does not move, but for rounding, which is no row.
TEST(SingularTasks, RowsThatAreRoundingAreNone) {
  ModelBuilder b("top");
  const Vec3<double> axis{{1 / std::sqrt(14.0), 2 / std::sqrt(14.0), 3 / std::sqrt(14.0)}};
  const int body =
      b.add_body("top", kWorld, revolute("joint", axis), box_inertial(1, {{0.1, 0.2, 0.3}}, {{0.1, 0, 0}}));
  b.add_frame("tip", body, {Mat3<double>::identity(), 0.7 * axis});
  const Model model = b.make_model();
  const PointContact contact{.name = "touch", .a = attach(model, "tip"), .kind = ContactKind::kFrictionless};
  const std::vector<TaskLevel> none;
  for (const double q : {0.1, 0.7, 2.1}) {
    const Controlled free(model, none, {q}), task(model, {level_of({contact})}, {q}),
        point(model, {level_of({tip_at(model, "tip", {{0, 0, 1}})})}, {q});
    EXPECT_EQ(task.status, (Status{Status::Code::kSingularTask, 0}));
    EXPECT_EQ(point.controller.space().report(0).weak, 3);
    EXPECT_NEAR(task.tau[0], free.tau[0], 1e-10);  // rounding of 1e-16 times 1 / threshold times a stiffness of 100
    EXPECT_NEAR(point.tau[0], free.tau[0], 1e-10);
    OperationalController<double> held(model, none, std::vector<Constraint>{contact});
    Vector tau(1);
    ASSERT_TRUE(held.compute(Vector{q}, Vector{0}, tau).ok());
    EXPECT_NEAR(tau[0], free.tau[0], 1e-10);
  }
}

/// In float what rounding leaves is more, but the level above is still kept free of those below.
TEST(SingularTasks, LevelsBelowDoNotTakeWeakDirectionsInFloat) {
  const Model model = planar_arm();
  const std::vector<TaskLevel> levels{{"tip", {tip_at(model, "tip", {{1, 0, 0}})}, {0, 0}, {}},
                                      {"elbow", {make_joint_task("elbow", model, "joint2", 0)}, {0, 0}, {}}};
  OperationalController<float> controller(model, levels);
  ASSERT_TRUE(controller.set_acceleration(1, std::vector<float>{50}).ok());
  std::vector<float> tau(4), q{0, 0.3F, 0.03F, 0.03F}, rest(4), J(12);
  const ControlStatus status = controller.compute(q, rest, tau);
  EXPECT_TRUE(status.ok() || status.code == Status::Code::kSingularTask);
  ASSERT_TRUE(controller.space().jacobian(0, MatrixView<float>(J.data(), 3, 4)).ok());
  for (int r = 0; r < 3; ++r) {
    float tip = 0;
    for (int k = 0; k < 4; ++k) tip += J[4 * r + k] * controller.acceleration()[k];
    EXPECT_NEAR(tip, 0, 1e-2);  // of 50, by rounding of 1e-7 over a yield of 1e-4
  }
}

/// Below a singular level others still do theirs, and do not disturb what is left of it.
TEST(SingularTasks, LevelsBelowSingularOnesAreExact) {
  const Model model = planar_arm();
  for (const SingularHandling handling : {SingularHandling::kClamp, SingularHandling::kTruncate}) {
    const Controlled c(model,
                       {level_of({tip_at(model, "tip", {{1.2, 0.3, 0.2}})}, handling),
                        level_of({make_joint_task("elbow", model, "joint1", 0.7)}, handling)},
                       model.neutral());
    EXPECT_EQ(c.status, (Status{Status::Code::kSingularTask, 0}));
    EXPECT_LT(c.missed(1, 2), kTracked);
    EXPECT_LT(c.missed(3, 1), 1e-10);
  }
}

}  // namespace
}  // namespace delassus
