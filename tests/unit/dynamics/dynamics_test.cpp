#include <gtest/gtest.h>

#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/model/builder.hpp"
#include "dynamics/reference_plan.hpp"
#include "support/compare.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

using testing::converted;
using testing::relative_difference;

TEST(ForwardDynamics, LeavesTheResultAloneWhereTheTreeIsSingular) {
  ModelBuilder b("light");
  const int arm = b.add_body("arm", kWorld, revolute("shoulder", {{0, 1, 0}}), box_inertial(1, {{0.1, 0.1, 0.1}}));
  b.add_body("ghost", arm, revolute("wrist", {{0, 1, 0}}), Inertial{});
  const Model model = b.make_model();
  ForwardDynamics<double> work(model);
  const std::vector<double> zero(2);
  std::vector<double> qdd{7, -3};
  EXPECT_EQ(aba(model, zero, zero, zero, qdd, work), (Status{Status::Code::kSingularJoint, 1}));
  EXPECT_EQ(qdd, (std::vector<double>{7, -3}));
}

TEST(InverseDynamics, WorksInPlace) {
  for (int seed = 0; seed < 20; ++seed) {
    samples::ModelOptions options = samples::random_options(seed);
    options.armature = 1;  // read after the force of the same joint has been written
    const Model model = samples::random_model(seed, options);
    const samples::State s = samples::random_state(model, seed);
    Kinematics<double> kin(model);
    Velocities<double> vel(model);
    update_kinematics(model, s.q, kin);
    update_velocities(model, kin, s.v, vel);
    InverseDynamics<double> work(model);
    std::vector<double> apart(model.nv()), in_place = s.tau;
    rnea(model, kin, vel, s.tau, apart, work);
    rnea(model, kin, vel, in_place, in_place, work);
    EXPECT_EQ(in_place, apart) << "seed " << seed;
  }
}

/// A lift, a joint of this kind on it, and an arm of six links on that.
Model arm_behind(JointKind kind) {
  ModelBuilder b("crane");
  int parent = b.add_body("lift", kWorld, prismatic("lift", {{0, 0, 1}}), box_inertial(5, {{0.3, 0.3, 0.3}}));
  parent = b.add_body("carrier", parent, joint(kind, "carrier"), box_inertial(2, {{0.2, 0.2, 0.2}}));
  for (int i = 0; i < 6; ++i) {
    Vec3<double> axis{{0, 0, 0}};
    axis[i % 3] = 1;
    parent = b.add_body("link" + std::to_string(i), parent,
                        revolute("joint" + std::to_string(i), axis, translation(0.3, 0, 0)),
                        box_inertial(1, {{0.15, 0.03, 0.03}}, {{0.15, 0, 0}}));
  }
  return b.make_model();
}

TEST(ReferencePlan, APointBeginsBehindAJointThatCanTravel) {
  for (const JointKind kind : {JointKind::kPrismatic, JointKind::kCylindrical, JointKind::kPlanar, JointKind::kFree}) {
    const ReferencePlan plan = make_reference_plan(arm_behind(kind));
    EXPECT_FALSE(plan.shares_parent[1]) << name_of(kind);
    for (int i = 2; i < 8; ++i) EXPECT_TRUE(plan.shares_parent[i]) << name_of(kind) << " " << i;
  }
  for (const JointKind kind : {JointKind::kRevolute, JointKind::kUniversal, JointKind::kSpherical}) {
    EXPECT_TRUE(make_reference_plan(arm_behind(kind)).shares_parent[1]) << name_of(kind);
  }
}

/// Relative error of accelerations in float, a kilometre from the origin.
double float_error_far_away(JointKind kind, int displacement) {
  const Model model = arm_behind(kind);
  const samples::State s = samples::random_state(model, 2);
  const Link& carrier = model.link(1);
  const std::vector<float> v = converted<float>(s.v), tau = converted<float>(s.tau);
  std::vector<float> q = converted<float>(s.q), got(model.nv());
  q[carrier.q + displacement] = 1000;
  ForwardDynamics<float> work(model);
  EXPECT_TRUE(aba<float>(model, q, v, tau, got, work).ok());
  ForwardDynamics<double> exact(model);
  std::vector<double> want(model.nv());
  EXPECT_TRUE(aba<double>(model, converted<double>(q), converted<double>(v), converted<double>(tau), want, exact).ok());
  return relative_difference(got, want);
}

TEST(ReferencePlan, FloatKeepsItsDigitsFarAway) {
  // Measured: 2e-6 or below; 2e-4 to 2e-3 if the arm had its reference point at the lift.
  EXPECT_LT(float_error_far_away(JointKind::kPrismatic, 0), 2e-5);
  EXPECT_LT(float_error_far_away(JointKind::kCylindrical, 1), 2e-5);
  EXPECT_LT(float_error_far_away(JointKind::kPlanar, 0), 2e-5);
  EXPECT_LT(float_error_far_away(JointKind::kFree, 0), 2e-5);
}

}  // namespace
}  // namespace delassus
