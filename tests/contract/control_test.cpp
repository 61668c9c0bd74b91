// Controllers in a loop: no memory, no exceptions, the same bits from used objects as from fresh ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "delassus/constraints/constrained_model.hpp"
#include "delassus/control/task.hpp"
#include "support/allocation_count.hpp"
#include "support/controllers.hpp"

namespace delassus {
namespace {

using testing::allocations_of;
using testing::Carrying;
using testing::converted;
using testing::relative_difference;
using testing::Standing;
using Code = Status::Code;
template <class T>
using Vector = std::vector<T>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Whether the verbs of a loop are declared not to throw. Nothing here is ever called.
template <class T>
struct Verbs {
  static OperationalSpace<T>& space() noexcept;
  static OperationalController<T>& controller() noexcept;
  static GraspController<T>& grasp() noexcept;
  static const VectorView<const T>& x() noexcept;
  static const VectorView<T>& y() noexcept;
  static const MatrixView<T>& A() noexcept;
  template <class Target>
  static const Target& target() noexcept;

  static constexpr bool kNoexcept[] = {
      noexcept(space().update(x(), x())),
      noexcept(space().jacobian(0, A())),
      noexcept(space().inverse_inertia(0, A())),
      noexcept(space().inertia(0, A())),
      noexcept(space().consistent_inverse(0, A())),
      noexcept(space().null_space(0, A())),
      noexcept(space().apply_inertia(0, x(), y())),
      noexcept(space().apply_consistent_inverse(0, x(), y())),
      noexcept(space().apply_consistent_force(0, x(), y())),
      noexcept(space().apply_jacobian_transpose(0, x(), y())),
      noexcept(space().project_motion(0, y())),
      noexcept(space().project_force(0, y())),
      noexcept(space().bias_force(0, y())),
      noexcept(space().gravity_force(0, y())),
      noexcept(space().apply_inverse_mass(x(), y())),
      noexcept(space().accelerate(x(), x(), y(), y())),
      noexcept(controller().set_target(0, target<PoseTarget>())),
      noexcept(controller().set_target(0, target<PointTarget>())),
      noexcept(controller().set_target(0, target<ScalarTarget>())),
      noexcept(controller().set_acceleration(0, x())),
      noexcept(controller().set_force(0, x())),
      noexcept(controller().set_posture(x())),
      noexcept(controller().set_posture_force(x())),
      noexcept(controller().set_held_force(x())),
      noexcept(controller().update(x(), x())),
      noexcept(controller().solve(y())),
      noexcept(controller().compute(x(), x(), y())),
      noexcept(grasp().set_target(target<PoseTarget>())),
      noexcept(grasp().set_posture(x())),
      noexcept(grasp().compute(x(), x(), y())),
      noexcept(grasp().inertia(A())),
  };
};
static_assert(std::ranges::all_of(Verbs<double>::kNoexcept, std::identity{}));
static_assert(std::ranges::all_of(Verbs<float>::kNoexcept, std::identity{}));
static_assert(noexcept(std::declval<const CubicPath&>().at(0)));

template <class T>
void set_everything(Standing<T>& s, const Vector<T>& six, const Vector<T>& wish) {
  EXPECT_TRUE(s.controller.set_target(s.hand, s.target).ok());
  EXPECT_TRUE(s.controller.set_target(s.balance, PointTarget{{{0, 0, 0.7}}}).ok());
  EXPECT_TRUE(s.controller.set_target(s.waist, ScalarTarget{0.1}).ok());
  EXPECT_TRUE(s.controller.set_acceleration(s.hand, six).ok());
  EXPECT_TRUE(s.controller.set_force(s.hand, six).ok());
  EXPECT_TRUE(s.controller.set_posture(s.q).ok());
  EXPECT_TRUE(s.controller.set_posture_force(s.v).ok());
  EXPECT_TRUE(s.controller.set_held_force(wish).ok());
}

template <class T>
void expect_verbs_work(const OperationalSpace<T>& space, Vector<T>& square, Vector<T>& rows, Vector<T>& joints) {
  const int n = space.model().nv(), m = space.rows(0);
  const VectorView<T> x(rows.data(), m);
  const VectorView<const T> in(rows.data(), m);
  EXPECT_TRUE(space.jacobian(0, MatrixView<T>(square.data(), m, n)).ok());
  EXPECT_TRUE(space.inverse_inertia(0, MatrixView<T>(square.data(), m, m)).ok());
  EXPECT_TRUE(space.inertia(0, MatrixView<T>(square.data(), m, m)).ok());
  EXPECT_TRUE(space.consistent_inverse(0, MatrixView<T>(square.data(), n, m)).ok());
  EXPECT_TRUE(space.null_space(0, MatrixView<T>(square.data(), n, n)).ok());
  EXPECT_TRUE(space.apply_inertia(0, in, x).ok());
  EXPECT_TRUE(space.apply_consistent_inverse(0, in, joints).ok());
  EXPECT_TRUE(space.apply_consistent_force(0, joints, x).ok());
  EXPECT_TRUE(space.apply_jacobian_transpose(0, in, joints).ok());
  EXPECT_TRUE(space.project_motion(0, joints).ok());
  EXPECT_TRUE(space.project_force(0, joints).ok());
  EXPECT_TRUE(space.bias_force(0, x).ok());
  EXPECT_TRUE(space.gravity_force(0, x).ok());
}

template <class T>
void expect_loop_without_allocation() {
  Standing<T> s;
  const Vector<T> six(6, T(0.5)), wish(static_cast<std::size_t>(s.controller.space().held_rows()), T(1));
  const Vector<T> bent = s.q, straight = converted<T>(s.scene.model.neutral());
  Vector<T> square(s.tau.size() * s.tau.size()), rows(6), joints(s.tau.size());
  const CubicPath path(Pose<double>::identity(), s.target.pose, 0, 1);
  EXPECT_EQ(allocations_of([&] {
              set_everything(s, six, wish);
              EXPECT_TRUE(s.controller.set_target(s.hand, path.at(0.3)).ok());
              for (const Vector<T>* q : {&bent, &straight}) {
                EXPECT_TRUE(s.controller.compute(*q, s.v, s.tau).numerics().ok());
                EXPECT_EQ(s.controller.space().report(3).weak, 3);  // eigenvectors were needed
                expect_verbs_work(s.controller.space(), square, rows, joints);
              }
              EXPECT_EQ(s.controller.compute(six, s.v, s.tau).code, Code::kBadArgument);
            }),
            0);
}
TEST(ControlLoop, AllocatesNothingInDouble) { expect_loop_without_allocation<double>(); }
TEST(ControlLoop, AllocatesNothingInFloat) { expect_loop_without_allocation<float>(); }

/// Feet that are looked at, and that pull.
TEST(ControlLoop, SupportsAllocateNothing) {
  Standing<double> s;
  const Vector<std::string> names{"left_ankle_roll_link", "right_ankle_roll_link"};
  const Vector<Constraint> feet = make_welds_to_world(s.scene.model, s.scene.q, names);
  ControllerOptions options;
  options.supports = make_supports(s.scene.model, s.scene.q, feet);
  OperationalController<double> controller(s.scene.model, s.levels, feet, options);
  ASSERT_TRUE(controller.set_acceleration(controller.find_task("balance"), Vector<double>{0, 0, -200}).ok());
  EXPECT_EQ(allocations_of([&] { EXPECT_EQ(controller.compute(s.q, s.v, s.tau).contact.fault, ContactFault::kPulls); }),
            0);
}

TEST(ControlLoop, GraspsAllocateNothing) {
  Carrying s;
  Vector<double> inertia(36);
  EXPECT_EQ(allocations_of([&] {
              EXPECT_TRUE(s.grasp.compute(s.state.q, s.state.v, s.tau).ok());
              EXPECT_TRUE(s.grasp.set_target({}).ok());
              EXPECT_TRUE(s.grasp.set_posture(s.state.q).ok());
              EXPECT_TRUE(s.grasp.compute(s.state.q, s.state.v, s.tau).ok());
              EXPECT_TRUE(s.grasp.inertia(MatrixView<double>(inertia.data(), 6, 6)).ok());
            }),
            0);
}

/// After other states, failures among them, and after a move.
TEST(ControlLoop, UsedControllersGiveTheSameBits) {
  Standing<double> fresh, used;
  for (const int seed : {1, 2}) {
    const samples::State other = samples::random_state(used.scene.model, static_cast<std::uint64_t>(seed));
    (void)used.controller.compute(other.q, other.v, used.tau);
  }
  (void)used.controller.compute(Vector<double>(used.q.size(), kNan), used.v, used.tau);
  OperationalController<double> moved = std::move(used.controller);
  const ControlStatus status = fresh.controller.compute(fresh.q, fresh.v, fresh.tau);
  EXPECT_EQ(moved.compute(used.q, used.v, used.tau), status);
  EXPECT_EQ(used.tau, fresh.tau);
  EXPECT_EQ(moved.acceleration(), fresh.controller.acceleration());
  EXPECT_EQ(moved.held_force(), fresh.controller.held_force());

  Carrying once, again;
  const samples::State other = samples::random_state(again.model, 2);
  EXPECT_TRUE(once.grasp.set_target({}).ok() && again.grasp.set_target({}).ok());
  (void)again.grasp.compute(other.q, other.v, again.tau);
  EXPECT_TRUE(once.grasp.compute(once.state.q, once.state.v, once.tau).ok());
  EXPECT_TRUE(again.grasp.compute(again.state.q, again.state.v, again.tau).ok());
  EXPECT_EQ(again.tau, once.tau);
  EXPECT_EQ(again.grasp.forces(), once.grasp.forces());
}

/// Six digits of floats, of which masses that differ by hundreds and a yield of a thousandth leave three.
TEST(ControlLoop, FloatsAreAccurateToTheirDigits) {
  Standing<double> s;
  Standing<float> f;
  EXPECT_TRUE(s.controller.set_target(s.hand, s.target).ok() && f.controller.set_target(f.hand, f.target).ok());
  s.q[15] += 0.3;  // bent
  f.q[15] += 0.3F;
  EXPECT_EQ(s.controller.compute(s.q, s.v, s.tau).numerics(), f.controller.compute(f.q, f.v, f.tau).numerics());
  EXPECT_LT(relative_difference(f.tau, s.tau), 1e-3);
}

}  // namespace
}  // namespace delassus
