// Tasks and their controllers on robots, against null spaces and motions by dense algebra in long double.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "delassus/constraints/describe.hpp"
#include "delassus/control/operational_controller.hpp"
#include "delassus/io/load_named.hpp"
#include "support/slope.hpp"
#include "support/task_oracle.hpp"

namespace delassus {
namespace {

using testing::column_of;
using testing::difference_of;
using testing::Exact;
using testing::ExactLevel;
using testing::norm_of;
using testing::random_vector;
using testing::rows_of;
using testing::TaskOracle;
using testing::TaskReference;
using Vector = std::vector<double>;

/// A robot or a scene with levels of tasks: "pose hand, point foot | com | turn head | joint knee".
struct Case {
  const char* name;
  const char* levels;
  bool flies = false;  // nothing to push against
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

Constraint make_task(const Model& model, const std::string& kind, const std::string& place, int seed) {
  samples::Random random(static_cast<std::uint64_t>(seed), 40 + kind.size() + place.size());
  const std::string name = kind + " " + place;
  const Pose<double> target = random.pose(0.5);
  if (kind == "com") return make_centre_of_mass_task(name, target.p);
  if (kind == "joint") return make_joint_task(name, model, place, target.p[0]);
  const Attachment frame{model.find_frame(place), random.pose(0.1)};
  if (kind == "point") return make_position_task(name, frame, target.p);
  if (kind == "turn") return make_orientation_task(name, frame, target.R);
  return make_pose_task(name, frame, target);
}

std::vector<TaskLevel> make_levels(const Model& model, const std::string& text, int seed) {
  std::vector<TaskLevel> out;
  std::istringstream levels(text);
  for (std::string level; std::getline(levels, level, '|');) {
    out.push_back({"level " + std::to_string(out.size()), {}, {40, 13}});
    std::istringstream tasks(level);
    for (std::string task; std::getline(tasks, task, ',');) {
      std::istringstream words(task);
      std::string kind, place;
      words >> kind >> place;
      out.back().tasks.push_back(make_task(model, kind, place, seed));
    }
  }
  return out;
}

/// A random state in which what is held does not move: rows that depend on each other have velocities and drifts that do too.
samples::State state_under(const Model& model, const std::vector<Constraint>& held, int seed) {
  samples::State s = samples::random_state(model, static_cast<std::uint64_t>(seed));
  const auto q = testing::converted<long double>(s.q);
  const Exact J = oracle::constraint_jacobian<long double>(model, held, q);
  TaskOracle free(oracle::inertia_matrix<long double>(model, q), column_of(s.v));
  free.hold(J, Exact(J.rows(), 1));
  s.v.assign(free.motions.entries().begin(), free.motions.entries().end());
  return s;
}

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
  /// Calls check(space or controller, state) at postures where no task is weak: five of them, found among thirty.
  template <class Tasked, class Check>
  void at_regular_postures(Tasked& tasked, Check&& check) {
    int found = 0;
    for (int seed = 1; seed <= 30 && found < 5; ++seed) {
      const samples::State s = state_under(scene_.model, scene_.constraints, seed);
      if (!tasked.update(s.q, s.v).ok()) continue;
      SCOPED_TRACE("seed " + std::to_string(seed));
      check(s);
      if (HasFailure()) return;
      ++found;
    }
    EXPECT_EQ(found, 5) << "a case whose tasks are singular nearly everywhere shows nothing";
  }

  const Scene scene_ = load_named(GetParam().name);
  const std::vector<TaskLevel> levels_ = make_levels(scene_.model, GetParam().levels, 1);
  const int nv_ = scene_.model.nv();
};

/// What the issue asks for at regular postures. The smallest yields are a thousandth of the largest, as the threshold says, for
/// each level above: rounding of 1e-16 becomes 1e-12 at most.
constexpr double kConsistent = 1e-10;

void expect_matrices(const OperationalSpace<double>& space, int k, const ExactLevel& want) {
  const int m = space.rows(k), n = space.model().nv();
  const Exact J = matrix_of(m, n, [&](auto out) { return space.jacobian(k, out); });
  const Exact J_bar = matrix_of(n, m, [&](auto out) { return space.consistent_inverse(k, out); });
  const Exact N = matrix_of(n, n, [&](auto out) { return space.null_space(k, out); });
  const Exact D = matrix_of(m, m, [&](auto out) { return space.inverse_inertia(k, out); });
  const Exact Lambda = matrix_of(m, m, [&](auto out) { return space.inertia(k, out); });
  EXPECT_LT(difference_of(J, want.J), kConsistent);
  EXPECT_LT(difference_of(D, want.inverse_inertia), kConsistent);
  EXPECT_LT(difference_of(Lambda, want.inertia), kConsistent);
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
  EXPECT_TRUE(space.apply_jacobian_transposed(k, x, tau).ok());
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

/// Motors of the controller, in the dynamics by dense algebra: all tasks accelerate as asked, whatever the posture wants, and what is
/// held stays.
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
    ASSERT_TRUE(controller.set_posture(samples::random_state(scene_.model, 77).q).ok());
    const Status status = controller.solve(tau);
    if (GetParam().flies) {
      EXPECT_EQ(status.code, Status::Code::kUnbalanced);
      return;
    }
    ASSERT_TRUE(status.ok()) << describe(status, scene_.model);
    const TaskReference r(scene_.model, controller.space().tasks().constraints(), s);
    TaskOracle motion(r.M, oracle::solve_positive(r.M, column_of(tau) - r.h));
    const int held = controller.space().held_rows(), m = r.J.rows() - held;
    motion.hold(rows_of(r.J, 0, held), -1.0L * rows_of(r.drift, 0, held));
    const Exact want = column_of(asked) - 13.0L * rows_of(r.velocity, held, m) - 40.0L * rows_of(r.position, held, m);
    const Exact got = rows_of(r.J * motion.motions + r.drift, held, m);
    EXPECT_LT(difference_of(got, want), 1e-8);
    EXPECT_LT(difference_of(column_of(controller.acceleration()), motion.motions), 1e-8);
  });
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
  for (const Case& c : {Case{DELASSUS_TEST_ROBOTS_DIR "/example-robot-data/baxter/baxter.urdf",
                             "pose left_gripper_base_link, pose right_gripper_base_link | com"},
                        Case{DELASSUS_TEST_ROBOTS_DIR "/drake_models/iiwa14/iiwa14_primitive_collision.urdf",
                             "point iiwa_link_7 | turn iiwa_link_7"},
                        Case{DELASSUS_TEST_ROBOTS_DIR "/menagerie/universal_robots_ur5e/ur5e.xml", "pose wrist_3_link"},
                        Case{DELASSUS_TEST_ROBOTS_DIR "/menagerie/kinova_gen3/gen3.xml",
                             "turn bracelet_link | point forearm_link"}}) {
    if (std::filesystem::exists(c.name)) out.push_back(c);
  }
  return out;
}
INSTANTIATE_TEST_SUITE_P(Files, OperationalSpaceOn, ::testing::ValuesIn(robot_files()));

}  // namespace
}  // namespace delassus
