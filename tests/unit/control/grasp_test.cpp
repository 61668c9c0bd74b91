// An object in two hands: shares of its wrench, its inertia against the closed chain that hands and object are, paths for it.
#include <gtest/gtest.h>

#include <cmath>

#include "delassus/control/grasp_controller.hpp"
#include "delassus/control/task.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/model/builder.hpp"
#include "scenes/mechanisms.hpp"
#include "support/slope.hpp"
#include "support/task_oracle.hpp"

namespace delassus {
namespace {

using testing::column_of;
using testing::Exact;
using testing::random_vector;
using testing::relative_difference;
using testing::rows_of;
using testing::TaskOracle;
using Vector = std::vector<double>;

const Inertial kBox = box_inertial(3, {{0.2, 0.1, 0.15}}, {{0.02, -0.05, 0.03}});
constexpr double kRounding = 1e-13;  // a few hundred operations

Vector rows_of(const Force<double>& f) {
  return {f.force[0], f.force[1], f.force[2], f.moment[0], f.moment[1], f.moment[2]};
}
Vector rows_of(const Motion<double>& m) {
  return {m.linear[0], m.linear[1], m.linear[2], m.angular[0], m.angular[1], m.angular[2]};
}

/// Three hands, none at the middle.
AugmentedObject<double> three_hands() {
  samples::Random random(3);
  AugmentedObject<double> out({kBox, {random.pose(0.4), random.pose(0.4), random.pose(0.4)}});
  out.update(random.pose(1), {random.vector(1), random.vector(1)});
  return out;
}

/// How far the hands are from their middle, the root of the mean square: what moments are measured by.
double reach_of(const HeldObject& object) {
  const auto count = static_cast<double>(object.hands.size());
  Vec3<double> middle = Vec3<double>::zero();
  for (const Pose<double>& hand : object.hands) middle += (1 / count) * hand.p;
  double square = 0;
  for (const Pose<double>& hand : object.hands) square += dot(hand.p - middle, hand.p - middle) / count;
  return std::sqrt(square);
}

/// What is added to the wish makes the wrench, and is orthogonal to all that makes none: no other addition is smaller.
TEST(AugmentedObject, SharesBalanceAndAreTheLeast) {
  const AugmentedObject<double> object = three_hands();
  samples::Random random(4);
  const Force<double> wrench{random.vector(5), random.vector(20)};
  const Vector wish = random_vector(18, 4, 1), other = random_vector(18, 4, 2);
  Vector forces(18), internal(18), in_place = wish, without(18), zero(18);
  object.distribute(wrench, wish.data(), forces.data());
  EXPECT_LT(relative_difference(rows_of(object.wrench(forces.data())), rows_of(wrench)), kRounding);
  object.distribute(Force<double>::zero(), other.data(), internal.data());
  EXPECT_LT(relative_difference(rows_of(object.wrench(internal.data())), Vector(6), 1), kRounding);
  const double reach = reach_of(object.object());
  double product = 0;
  for (int k = 0; k < 18; ++k) {
    product += (forces[k] - wish[k]) * internal[k] / (k % 6 < 3 ? 1 : reach * reach);
  }
  EXPECT_NEAR(product, 0, 20 * kRounding);
  object.distribute(wrench, in_place.data(), in_place.data());
  EXPECT_EQ(in_place, forces);
  object.distribute(wrench, nullptr, without.data());
  object.distribute(wrench, zero.data(), zero.data());
  EXPECT_EQ(without, zero);
}

TEST(AugmentedObject, SqueezeOfTwoHandsMovesNothing) {
  AugmentedObject<double> object({kBox, {translation(0.3, 0.1, 0), translation(-0.3, 0.1, 0)}});
  object.update({samples::Random(5).rotation(), {{1, 2, 3}}}, Motion<double>::zero());
  Vector forces(12);
  object.squeeze(7, forces.data());
  EXPECT_LT(relative_difference(rows_of(object.wrench(forces.data())), Vector(6), 7), kRounding);
  const Vec3<double> first = object.pose().R * Vec3<double>{{-7, 0, 0}};  // towards the second
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(forces[k], first[k], 7 * kRounding);
}

/// Hands that are nearly at one place cannot turn an object by forces: moments do.
TEST(AugmentedObject, HandsMayBeTogether) {
  for (const double apart : {0.0, 1e-12, 1e-7, 1e-3}) {
    AugmentedObject<double> object({kBox, {translation(0.3, 0, 0), translation(0.3 + apart, 0, 0)}});
    const Force<double> wrench{{{1, 2, 3}}, {{4, 5, 6}}};
    Vector forces(12);
    object.distribute(wrench, nullptr, forces.data());
    // Levers of 0.3 m over a reach of 1 cm, squared: a thousand times rounding.
    EXPECT_LT(relative_difference(rows_of(object.wrench(forces.data())), rows_of(wrench)), 1000 * kRounding);
  }
}

TEST(AugmentedObject, WhatDoesNotFitIsNamed) {
  EXPECT_THROW(AugmentedObject<double>({kBox, {}}), Error);
  Inertial negative = kBox, nowhere = kBox, unknown = kBox, inside_out = kBox;
  negative.mass = -1;
  inside_out.inertia(0, 0) = -1;
  nowhere.com[1] = unknown.inertia(2, 1) = std::nan("");
  for (const Inertial& wrong : {negative, nowhere, unknown, inside_out}) {
    EXPECT_THROW(AugmentedObject<double>({wrong, {translation(0, 0, 0)}}), Error);
  }
  Pose<double> bent = translation(0, 0, 0);
  bent.R(0, 0) = 2;
  EXPECT_THROW(AugmentedObject<double>({kBox, {translation(0, 0, 0), bent}}), Error);
}

/// Two arms on one trunk hold a box; the same as a closed chain, with welds between the hands and a box that floats.
struct TwoArms {
  static constexpr const char* kTips[] = {"left_arm_tip", "right_arm_tip"};

  explicit TwoArms(int seed) : robot(make_two_armed({})), chain(with_box(robot.description())) {
    samples::State s = samples::random_state(robot, static_cast<std::uint64_t>(seed));
    Kinematics<double> kin(robot);
    update_kinematics<double>(robot, s.q, kin);
    samples::Random random(static_cast<std::uint64_t>(seed), 9);
    const Pose<double> box{random.rotation(), random.vector(0.5)};
    object.inertial = kBox;
    for (const char* tip : kTips) {
      const Attachment palm{robot.find_frame(tip), random.pose(0.1)};
      hands.push_back(palm);
      object.hands.push_back(inverse(box) * frame_pose<double>(robot, kin, palm.frame) * palm.offset);
      welds.emplace_back(LoopClosure{tip,
                                     {chain.find_frame(tip), palm.offset},
                                     {chain.find_frame("box"), object.hands.back()},
                                     0,
                                     0,
                                     LoopAxes::kWorldAxes});
    }
    const Quaternion<double> turn = quaternion_of(box.R);
    q = s.q;
    q.insert(q.end(), box.p.a, box.p.a + 3);
    q.insert(q.end(), turn.a, turn.a + 4);
    move(seed);
  }

  static Model with_box(ModelDescription description) {
    description.bodies.push_back({"box", kWorld, {joint(JointKind::kFree, "flight")}, translation(0, 0, 0), kBox});
    return Model(std::move(description));
  }
  /// Random velocities with which the welds hold.
  void move(int seed) {
    const auto exact_q = testing::converted<long double>(q);
    J = oracle::constraint_jacobian<long double>(chain, welds, exact_q);
    M = oracle::inertia_matrix<long double>(chain, exact_q);
    TaskOracle moving(M, column_of(random_vector(chain.nv(), seed, 8)));
    moving.hold(J, Exact(12, 1));
    v.assign(moving.motions.entries().begin(), moving.motions.entries().end());
    const auto exact_v = testing::converted<long double>(v);
    h = column_of(oracle::bias_forces<long double>(chain, exact_q, exact_v));
    drift = column_of(oracle::constraint_drift<long double>(chain, welds, exact_q, exact_v));
  }
  VectorView<const double> robot_q() const { return {q.data(), robot.nq()}; }
  VectorView<const double> robot_v() const { return {v.data(), robot.nv()}; }

  /// Accelerations of the closed chain under the robot's motors.
  Exact motion(Vector tau, Exact* forces = nullptr) const {
    tau.resize(static_cast<std::size_t>(chain.nv()));
    TaskOracle out(M, oracle::solve_positive(M, column_of(tau) - h));
    const testing::ExactLevel level = out.add(J, -1.0L * drift);
    if (forces != nullptr) *forces = -1.0L * level.force;  // of the hands on the box
    return out.motions;
  }

  Model robot, chain;
  std::vector<Attachment> hands;
  HeldObject object;
  std::vector<Constraint> welds;
  Vector q, v;
  Exact J, M, h, drift;
};

/// Postures of two arms of general axes are regular; condition numbers reach 1e4 (arms that are light at the hands).
constexpr double kConditioned = 1e-9;

TEST(GraspController, AugmentedInertiaAndBiasAreThoseOfTheClosedChain) {
  for (int seed = 1; seed <= 5; ++seed) {
    const TwoArms s(seed);
    const auto task = [](const char* name, const Attachment& frame) {
      return make_pose_task(name, frame, Pose<double>::identity());
    };
    const std::vector<TaskLevel> both{{"hands", {task("l", s.hands[0]), task("r", s.hands[1])}}};
    const std::vector<TaskLevel> box{{"box", {task("box", attach(s.chain, "box"))}}};
    OperationalSpace<double> open(s.robot, both), closed(s.chain, box, s.welds);
    ASSERT_TRUE(open.update(s.robot_q(), s.robot_v()).ok() && closed.update(s.q, s.v).ok());
    oracle::Matrix<double> hands(12, 12), want(6, 6), got(6, 6);
    Vector hand_bias(12), want_bias(6);
    EXPECT_TRUE(open.inertia(0, hands).ok() && open.bias_force(0, hand_bias).ok());
    EXPECT_TRUE(closed.inertia(0, want).ok() && closed.bias_force(0, want_bias).ok());
    AugmentedObject<double> object(s.object);
    const Kinematics<double>& kin = open.state().kinematics();
    const Pose<double> frame = frame_pose(s.robot, kin, s.hands[1].frame), hand = frame * s.hands[1].offset;
    const Motion<double> motion = frame_velocity(s.robot, kin, open.state().velocities(), s.hands[1].frame);
    object.update_from_hand(1, hand, shifted(motion, hand.p - frame.p));
    object.inertia(MatrixView<const double>(hands.data(), 12, 12), got);
    EXPECT_LT(relative_difference(got.entries(), want.entries()), kConditioned);
    const Force<double> bias =
        object.bias(MatrixView<const double>(hands.data(), 12, 12), hand_bias.data(), s.robot.gravity());
    EXPECT_LT(relative_difference(rows_of(bias), want_bias), kConditioned);
  }
}

/// Motors for the hands and a controller of the closed chain move everything alike; the box as asked, and squeezed as asked.
TEST(GraspController, MovesAsAControllerOfTheClosedChain) {
  for (int seed = 1; seed <= 5; ++seed) {
    const TwoArms s(seed);
    samples::Random random(static_cast<std::uint64_t>(seed), 11);
    const PoseTarget target{
        random.pose(0.5), {random.vector(1), random.vector(1)}, {random.vector(1), random.vector(1)}};
    GraspOptions options{.squeeze = 25};
    GraspController<double> grasp(s.robot, s.hands, s.object, options);
    Vector tau(s.robot.nv()), chain_tau(s.chain.nv());
    ASSERT_TRUE(grasp.set_target(target).ok());
    ASSERT_TRUE(grasp.compute(s.robot_q(), s.robot_v(), tau).ok());
    Exact forces;
    const Exact motion = s.motion(tau, &forces);
    EXPECT_LT(relative_difference(grasp.forces(), forces.entries()), kConditioned);

    const std::vector<TaskLevel> box{
        {"box", {make_pose_task("box", attach(s.chain, "box"), target.pose)}, options.object}};
    std::vector<std::string> motors;
    for (int i = 0; i < s.robot.num_links(); ++i) motors.push_back(s.robot.joint_name(i));
    OperationalController<double> closed(s.chain, box, s.welds, {}, Actuation(s.chain, motors));
    ASSERT_TRUE(closed.set_target(closed.find_task("box"), target).ok());
    ASSERT_TRUE(closed.compute(s.q, s.v, chain_tau).ok());
    EXPECT_LT(relative_difference(closed.acceleration(), motion.entries()), kConditioned);
    EXPECT_LT(relative_difference(s.motion(chain_tau).entries(), motion.entries()), kConditioned);

    const auto q = testing::converted<long double>(s.q), v = testing::converted<long double>(s.v);
    const Exact J = oracle::constraint_jacobian<long double>(s.chain, box[0].tasks, q);
    const Exact moved = J * motion + column_of(oracle::constraint_drift<long double>(s.chain, box[0].tasks, q, v));
    const Exact away = column_of(oracle::constraint_position<long double>(s.chain, box[0].tasks, q));
    const Exact want = column_of(rows_of(target.acceleration)) +
                       40.0L * (column_of(rows_of(target.velocity)) - J * column_of(v)) - 400.0L * away;
    EXPECT_LT(relative_difference(moved.entries(), want.entries()), kConditioned);
    EXPECT_LT(relative_difference(rows_of(grasp.acceleration()), want.entries()), kConditioned);
  }
}

TEST(CubicPath, RestsAtItsEndsAndMovesAsItSays) {
  samples::Random random(6);
  const Pose<double> from = random.pose(1), to = random.pose(1);
  const CubicPath path(from, to, 2, 3);
  const auto difference = [](const Pose<double>& a, const Pose<double>& b) {
    return std::max(norm(a.p - b.p), norm(rotation_log(a.R * transposed(b.R))));
  };
  for (const double t : {-1.0, 2.0}) EXPECT_LT(difference(path.at(t).pose, from), 1e-15);
  for (const double t : {5.0, 9.0}) EXPECT_LT(difference(path.at(t).pose, to), 1e-14);
  for (const double t : {-1.0, 2.0, 5.0, 9.0}) EXPECT_EQ(rows_of(path.at(t).velocity), Vector(6));
  for (const double t : {-1.0, 9.0}) EXPECT_EQ(rows_of(path.at(t).acceleration), Vector(6));
  EXPECT_EQ(path.end(), 5);
  // Rounding of 1e-16 over the step; the path is a cubic, of which quotients of fourth order leave nothing.
  constexpr double kStep = 1e-3, kQuotient = 1e-11;
  for (const double t : {2.3, 3.5, 4.6}) {
    const PoseTarget here = path.at(t);
    const Vector moved = testing::slope(kStep, [&](double dt) {
      const Pose<double> there = path.at(t + dt).pose;
      return rows_of(Motion<double>{rotation_log(there.R * transposed(here.pose.R)), there.p});
    });
    EXPECT_LT(relative_difference(moved, rows_of(here.velocity)), kQuotient);
    const Vector sped = testing::slope(kStep, [&](double dt) { return rows_of(path.at(t + dt).velocity); });
    EXPECT_LT(relative_difference(sped, rows_of(here.acceleration)), kQuotient);
  }
}

TEST(CubicPath, WhatIsNoPathIsRefused) {
  const Pose<double> here = Pose<double>::identity();
  Pose<double> bent = here, nowhere = here;
  bent.R(1, 1) = -1;
  nowhere.p[2] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(CubicPath(bent, here, 0, 1), Error);
  EXPECT_THROW(CubicPath(here, nowhere, 0, 1), Error);
  EXPECT_THROW(CubicPath(here, here, std::nan(""), 1), Error);
  for (const double duration : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(CubicPath(here, here, 0, duration), Error);
  }
}

}  // namespace
}  // namespace delassus
