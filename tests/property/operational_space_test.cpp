// Tasks and their controllers on robots, against null spaces and motions by dense algebra in long double.
#include <gtest/gtest.h>

#include <filesystem>

#include "delassus/constraints/describe.hpp"
#include "delassus/control/operational_controller.hpp"
#include "delassus/scenes/load_named.hpp"
#include "support/task_levels.hpp"

namespace delassus {
namespace {

using testing::column_of;
using testing::difference_of;
using testing::Exact;
using testing::ExactLevel;
using testing::Loops;
using testing::loops_of;
using testing::make_levels;
using testing::norm_of;
using testing::posture_motion;
using testing::random_vector;
using testing::rows_of;
using testing::state_under;
using testing::TaskOracle;
using testing::TaskReference;
using Vector = std::vector<double>;

constexpr long double kStiffness = testing::kTaskGains.stiffness, kDamping = testing::kTaskGains.damping;

/// A robot or a scene with levels of tasks.
struct Case {
  const char* name;
  const char* levels;
  bool flies = false;  // nothing to push against
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

/// Side by side.
Exact beside(const Exact& a, const Exact& b) {
  Exact out(a.rows(), 2);
  for (int r = 0; r < a.rows(); ++r) {
    out(r, 0) = a(r, 0);
    out(r, 1) = b(r, 0);
  }
  return out;
}

Exact matrix_of(int rows, int cols, const auto& verb) {
  oracle::Matrix<double> out(rows, cols);
  EXPECT_TRUE(verb(MatrixView<double>(out)).ok());
  return {rows, cols, testing::converted<long double>(out.entries())};
}

class OperationalSpaceOn : public ::testing::TestWithParam<Case> {
 protected:
  /// Calls check(state) at postures where no task is weak, with loops open and with loops closed: three of each, found among thirty.
  template <class Tasked, class Check>
  void at_regular_postures(Tasked& tasked, Check&& check) {
    for (const Loops loops : {Loops::kOpen, Loops::kClosed}) {
      if (loops == Loops::kClosed && loops_of(scene_).empty()) continue;
      int found = 0;
      for (int seed = 1; seed <= 30 && found < 3; ++seed) {
        const std::optional<samples::State> s = state_under(scene_, seed, loops);
        if (!s || !tasked.update(s->q, s->v).ok()) continue;
        SCOPED_TRACE("seed " + std::to_string(seed) + (loops == Loops::kOpen ? "" : ", closed"));
        check(*s);
        if (HasFailure()) return;
        ++found;
      }
      EXPECT_EQ(found, 3) << "a case whose tasks are singular nearly everywhere shows nothing";
    }
  }

  const Scene scene_ = load_named(GetParam().name);
  const std::vector<TaskLevel> levels_ = make_levels(scene_.model, GetParam().levels, 1);
  const int nv_ = scene_.model.nv();
};

/// What is asked of regular postures, those where no level yields less than the threshold, 1e-4. Rounding of 1e-16 is divided by that once
/// for each level above and once by the condition of held rows: 1.3e-11 is the worst of these robots.
constexpr double kConsistent = 1e-10;

void expect_matrices(const OperationalSpace<double>& space, int k, const ExactLevel& want) {
  const int m = space.rows(k), n = space.model().nv();
  const Exact J = matrix_of(m, n, [&](auto out) { return space.jacobian(k, out); });
  const Exact J_bar = matrix_of(n, m, [&](auto out) { return space.consistent_inverse(k, out); });
  const Exact N = matrix_of(n, n, [&](auto out) { return space.null_space(k, out); });
  const Exact D = matrix_of(m, m, [&](auto out) { return space.inverse_inertia(k, out); });
  const Exact inertia = matrix_of(m, m, [&](auto out) { return space.inertia(k, out); });
  EXPECT_LT(difference_of(J, want.J), kConsistent);
  EXPECT_LT(difference_of(D, want.inverse_inertia), kConsistent);
  EXPECT_LT(difference_of(inertia, want.inertia), kConsistent);
  EXPECT_LT(difference_of(J_bar, want.J_bar), kConsistent);
  EXPECT_LT(difference_of(N, want.N, 1), kConsistent);
  EXPECT_LT(difference_of(J * J_bar, testing::identity(m)), kConsistent);
  EXPECT_LT(difference_of(N * N, N, 1), kConsistent);
}

/// Forces within N do not move any level so far; motions and forces are projected alike.
void expect_consistency(const OperationalSpace<double>& space, int k, const Exact& J, const Exact& inverse) {
  const int n = space.model().nv();
  const Exact N = matrix_of(n, n, [&](auto out) { return space.null_space(k, out); });
  const Exact response = J * inverse;
  EXPECT_LT(difference_of(response * oracle::transposed(N), Exact(J.rows(), n), norm_of(response)), kConsistent);
  EXPECT_LT(difference_of(N * inverse, inverse * oracle::transposed(N), norm_of(inverse)), kConsistent);
}

/// The operators are their matrices, to rounding of sums of n terms.
void expect_operators(const OperationalSpace<double>& space, int k, const ExactLevel& want) {
  const int m = space.rows(k), n = space.model().nv();
  const Vector x = random_vector(m, 1, k), y = random_vector(n, 2, k);
  Vector force(m), nu(n), tau(n);
  EXPECT_TRUE(space.apply_inertia(k, x, force).ok());
  EXPECT_LT(difference_of(column_of(force), want.inertia * column_of(x)), kConsistent);
  EXPECT_TRUE(space.apply_consistent_inverse(k, x, nu).ok());
  EXPECT_LT(difference_of(column_of(nu), want.J_bar * column_of(x)), kConsistent);
  EXPECT_TRUE(space.apply_consistent_force(k, y, force).ok());
  EXPECT_LT(difference_of(column_of(force), oracle::transposed(want.J_bar) * column_of(y)), kConsistent);
  EXPECT_TRUE(space.apply_jacobian_transpose(k, x, tau).ok());
  EXPECT_LT(difference_of(column_of(tau), oracle::transposed(want.J) * column_of(x)), kConsistent);
  nu = y;
  EXPECT_TRUE(space.project_motion(k, nu).ok());
  EXPECT_LT(difference_of(column_of(nu), want.N * column_of(y), 1 + norm_of(want.N)), kConsistent);
  tau = y;
  EXPECT_TRUE(space.project_force(k, tau).ok());
  const Exact Nt = oracle::transposed(want.N);
  EXPECT_LT(difference_of(column_of(tau), Nt * column_of(y), 1 + norm_of(Nt)), kConsistent);
}

/// The columns of the oracle's forces are those of all velocities and of none.
void expect_bias(const OperationalSpace<double>& space, int k, const ExactLevel& want) {
  const int m = space.rows(k);
  Vector bias(m), gravity(m);
  EXPECT_TRUE(space.bias_force(k, bias).ok());
  EXPECT_TRUE(space.gravity_force(k, gravity).ok());
  EXPECT_LT(difference_of(beside(column_of(bias), column_of(gravity)), want.force), kConsistent);
}

TEST_P(OperationalSpaceOn, LevelsAreThoseOfNestedNullSpaces) {
  OperationalSpace<double> space(scene_.model, levels_, scene_.constraints);
  at_regular_postures(space, [&](const samples::State& s) {
    const TaskReference r(scene_.model, space.tasks().constraints(), s);
    const Exact none(r.J.rows(), 1), free = -1.0L * beside(r.h, r.weight);
    TaskOracle want(r.M, oracle::solve_positive(r.M, free));
    const Exact wanted = -1.0L * beside(r.drift, none);
    const int held = space.held_rows();
    want.hold(rows_of(r.J, 0, held), rows_of(wanted, 0, held));
    for (int k = 0; k < space.num_levels(); ++k) {
      SCOPED_TRACE("level " + std::to_string(k));
      const int first = space.first_row(k), m = space.rows(k);
      const ExactLevel level = want.add(rows_of(r.J, first, m), rows_of(wanted, first, m));
      expect_matrices(space, k, level);
      expect_consistency(space, k, rows_of(r.J, 0, first + m), want.inverse);
      expect_operators(space, k, level);
      expect_bias(space, k, level);
    }
  });
}

/// Motors of the controller, in the dynamics by dense algebra: all tasks accelerate as asked, what is held stays, and what is left is as
/// the posture wants it.
TEST_P(OperationalSpaceOn, ControlledMotionIsTheOneAskedFor) {
  OperationalController<double> controller(scene_.model, levels_, scene_.constraints);
  Vector asked, tau(nv_);
  for (int k = static_cast<int>(scene_.constraints.size());
       k < static_cast<int>(controller.space().tasks().constraints().size()); ++k) {
    const Vector rows = random_vector(controller.rows(k), 3, k);
    ASSERT_TRUE(controller.set_acceleration(k, rows).ok());
    asked.insert(asked.end(), rows.begin(), rows.end());
  }
  at_regular_postures(controller, [&](const samples::State& s) {
    const Vector posture = samples::random_state(scene_.model, 77).q;
    const Vector push = random_vector(nv_, 4, 1);
    ASSERT_TRUE(controller.set_posture(posture).ok());
    ASSERT_TRUE(controller.set_posture_force(push).ok());
    const ControlStatus status = controller.solve(tau);
    const OperationalSpace<double>& space = controller.space();
    const TaskReference r(scene_.model, space.tasks().constraints(), s);
    const Exact pushed = oracle::solve_positive(r.M, column_of(push)), qdd = column_of(controller.acceleration());
    const Exact nu = column_of(posture_motion(scene_.model, s, posture)) + pushed;
    const Exact N = matrix_of(nv_, nv_, [&](auto out) { return space.null_space(space.num_levels() - 1, out); });
    EXPECT_LT(difference_of(N * qdd, N * nu, norm_of(qdd)), kConsistent);
    if (GetParam().flies) {
      EXPECT_EQ(status.code, Status::Code::kUnbalanced);
      return;
    }
    ASSERT_TRUE(status.numerics().ok()) << describe(status, scene_.model);
    TaskOracle motion(r.M, oracle::solve_positive(r.M, column_of(tau) - r.h));
    const int held = space.held_rows(), m = r.J.rows() - held;
    motion.hold(rows_of(r.J, 0, held), -1.0L * rows_of(r.drift, 0, held));
    const Exact want =
        column_of(asked) - kDamping * rows_of(r.velocity, held, m) - kStiffness * rows_of(r.position, held, m);
    const Exact got = rows_of(r.J * motion.motions + r.drift, held, m);
    constexpr double kMoved = 1e-9;  // M and M⁻¹ come on top: 5e-11 is the worst of these robots
    EXPECT_LT(difference_of(got, want), kMoved);
    EXPECT_LT(difference_of(qdd, motion.motions), kMoved);
  });
}

/// Targets of every kind with velocities and accelerations of their own.
TEST(OperationalController, TargetsThatMoveAreFollowed) {
  const Scene scene = load_named("atlas-feet");
  const auto levels = make_levels(scene.model, "pose l_hand, turn head | point r_hand, com | joint l_leg_kny", 2);
  OperationalController<double> controller(scene.model, levels, scene.constraints);
  samples::Random random(5);
  const int first = static_cast<int>(scene.constraints.size());
  const PoseTarget pose{random.pose(1), {random.vector(1), random.vector(1)}, {random.vector(1), random.vector(1)}};
  const PointTarget point{random.vector(1), random.vector(1), random.vector(1)};
  const ScalarTarget number{0.4, -0.3, 2};
  for (const int task : {first, first + 1}) ASSERT_TRUE(controller.set_target(task, pose).ok());
  ASSERT_TRUE(controller.set_target(first + 2, point).ok());
  // A path is made of poses: the centre of mass takes what one has of a point.
  const PoseTarget on_path{
      {random.pose(1).R, point.position}, {random.vector(1), point.velocity}, {random.vector(1), point.acceleration}};
  ASSERT_TRUE(controller.set_target(first + 3, on_path).ok());
  ASSERT_TRUE(controller.set_target(first + 4, number).ok());
  const samples::State s = *state_under(scene, 3);
  Vector tau(scene.model.nv()), velocity, acceleration;
  ASSERT_TRUE(controller.compute(s.q, s.v, tau).ok());

  const auto append = [&](const Vec3<double>& v, const Vec3<double>& a) {
    velocity.insert(velocity.end(), v.a, v.a + 3);
    acceleration.insert(acceleration.end(), a.a, a.a + 3);
  };
  append(pose.velocity.linear, pose.acceleration.linear);
  for (int k = 0; k < 2; ++k) append(pose.velocity.angular, pose.acceleration.angular);
  for (int k = 0; k < 2; ++k) append(point.velocity, point.acceleration);
  velocity.push_back(number.velocity);
  acceleration.push_back(number.acceleration);
  // The same tasks, made where the targets are.
  std::vector<Constraint> there(controller.space().tasks().constraints().begin() + first,
                                controller.space().tasks().constraints().end());
  for (int k : {0, 1}) std::get<LoopClosure>(there[k]).second.offset = pose.pose;
  std::get<LoopClosure>(there[2]).second.offset.p = point.position;
  std::get<CentreOfMass>(there[3]).target = point.position;
  std::get<JointPolynomial>(there[4]).coefficients[0] = number.position;
  const TaskReference r(scene.model, there, s);
  const Exact want = column_of(acceleration) + kDamping * (column_of(velocity) - r.velocity) - kStiffness * r.position;
  EXPECT_LT(difference_of(r.J * column_of(controller.acceleration()) + r.drift, want), kConsistent);
}

/// Forces on the surroundings are made by the motors beside all else; wishes for held forces change no motion.
TEST(OperationalController, ForcesAreAddedAndInternalOnesMoveNothing) {
  const Scene panda = load_named("panda"), atlas = load_named("atlas-feet");
  OperationalController<double> arm(panda.model, make_levels(panda.model, "pose hand", 1));
  const samples::State s = samples::random_state(panda.model, 1);
  const Vector force = random_vector(6, 1, 1);
  Vector tau(panda.model.nv()), more(tau);
  ASSERT_TRUE(arm.compute(s.q, s.v, tau).ok());
  ASSERT_TRUE(arm.set_force(0, force).ok());
  ASSERT_TRUE(arm.compute(s.q, s.v, more).ok());
  const TaskReference r(panda.model, arm.space().tasks().constraints(), s);
  EXPECT_LT(difference_of(column_of(more), column_of(tau) + oracle::transposed(r.J) * column_of(force)), 1e-13);

  OperationalController<double> body(atlas.model, make_levels(atlas.model, "com", 1), atlas.constraints);
  const samples::State a = *state_under(atlas, 1);
  Vector plain(atlas.model.nv()), wished(plain);
  ASSERT_TRUE(body.compute(a.q, a.v, plain).ok());
  const Vector held = body.held_force();
  ASSERT_TRUE(body.set_held_force(random_vector(body.space().held_rows(), 2, 1)).ok());
  ASSERT_TRUE(body.compute(a.q, a.v, wished).ok());
  const TaskReference b(atlas.model, body.space().tasks().constraints(), a);
  const Exact change = column_of(body.held_force()) - column_of(held),
              Jt = oracle::transposed(rows_of(b.J, 0, change.rows()));
  EXPECT_GT(norm_of(change), 0.1);
  EXPECT_LT(difference_of(column_of(plain) - column_of(wished), Jt * change), kConsistent);
}

INSTANTIATE_TEST_SUITE_P(
    Robots, OperationalSpaceOn,
    ::testing::Values(Case{"panda", "pose hand | joint joint3"}, Case{"panda", "point hand | turn hand"},
                      Case{"atlas", "pose l_hand, pose r_hand | com | point l_foot", true},
                      Case{"g1", "pose left_ankle_roll_link | com | pose left_wrist_yaw_link", true},
                      Case{"talos_like", "com | pose arm_left_7_link, pose arm_right_7_link | turn head_2_link", true},
                      Case{"icub_like", "pose l_palm | pose r_palm | com", true},
                      Case{"anymal_like", "point LF_FOOT, point RH_FOOT | pose base", true},
                      Case{"solo_like", "com | turn base_link | point FL_FOOT", true},
                      Case{"shadow_like", "point rh_ffdistal | point rh_thdistal, point rh_mfdistal"},
                      Case{"cassie", "com | point left-foot", true}, Case{"delta", "point platform"},
                      Case{"stewart", "point platform | turn platform"}, Case{"four_bar", "joint j_rocker"},
                      Case{"go2-standing", "pose base"}, Case{"g1-standing", "com | pose left_wrist_yaw_link"},
                      Case{"cassie-standing", "point cassie-pelvis"},
                      Case{"atlas-feet", "pose l_hand | pose r_hand | com"}));

/// Robots that the repository does not carry, as far as they are here.
std::vector<Case> robot_files() {
  std::vector<Case> out;
  for (const Case& c :
       {Case{DELASSUS_TEST_ROBOTS_DIR "/example-robot-data/baxter/baxter.urdf",
             "pose left_gripper_base_link, pose right_gripper_base_link | com"},
        Case{DELASSUS_TEST_ROBOTS_DIR "/drake_models/iiwa14/iiwa14_primitive_collision.urdf",
             "point iiwa_link_7 | turn iiwa_link_7"},
        Case{DELASSUS_TEST_ROBOTS_DIR "/menagerie/universal_robots_ur5e/ur5e.xml", "pose wrist_3_link"},
        Case{DELASSUS_TEST_ROBOTS_DIR "/menagerie/kinova_gen3/gen3.xml", "turn bracelet_link | point forearm_link"}}) {
    if (std::filesystem::exists(c.name)) out.push_back(c);
  }
  return out;
}
INSTANTIATE_TEST_SUITE_P(Files, OperationalSpaceOn, ::testing::ValuesIn(robot_files()));

}  // namespace
}  // namespace delassus
