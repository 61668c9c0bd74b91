// What kernels are compiled for, and what they refuse.
#include "gpu/plan.hpp"

#include <gtest/gtest.h>

#include "delassus/batch/batch.hpp"
#include "delassus/gpu/gpu.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/scenes/load_named.hpp"
#include "gpu/driver.hpp"
#include "gpu/gpu_robots.hpp"

namespace delassus::gpu {
namespace {

Plan plan_of(const std::string& name) {
  const GpuRobot robot = make_gpu_robot(name);
  return make_plan(robot.model, robot.constraints);
}

/// The message of the Error that a call throws.
template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST(GpuPlan, LimbsLieSideBySide) {
  const Plan g1 = plan_of("g1");
  EXPECT_EQ(g1.lanes, 4);
  EXPECT_EQ(g1.trunk, 4);              // pelvis and waist
  EXPECT_EQ(g1.elements.size(), 11U);  // and seven of an arm or a leg
  EXPECT_EQ(g1.rows, 24);
  EXPECT_EQ(g1.num_slots(), 4);  // eight points, in the lanes of two legs
  EXPECT_TRUE(g1.level && g1.full_points);
  const Plan go2 = plan_of("go2");
  EXPECT_EQ(go2.lanes, 4);
  EXPECT_EQ(go2.elements.size(), 4U);
  EXPECT_EQ(go2.num_slots(), 1);
  const Plan cassie = plan_of("cassie");
  EXPECT_EQ(cassie.lanes, 2);
  EXPECT_EQ(cassie.loops.size(), 2U);  // of each leg, side by side
  EXPECT_EQ(plan_of("chain").lanes, 1);
}

TEST(GpuPlan, EveryDofAndRowIsInOneLane) {
  for (const std::string& name : gpu_robot_names()) {
    SCOPED_TRACE(name);
    const Plan plan = plan_of(name);
    std::vector<int> dofs(static_cast<std::size_t>(plan.dofs)), rows(static_cast<std::size_t>(plan.rows));
    const auto index = [&](std::size_t which, int lane) { return plan.indices[which * at(plan.lanes) + at(lane)]; };
    for (std::size_t i = 0; i < plan.elements.size(); ++i) {
      const int lanes = static_cast<int>(i) < plan.trunk ? 1 : plan.lanes;  // of the trunk lane 0 writes
      for (int lane = 0; lane < lanes; ++lane) {
        const int dof = index(i * element::kIndices + element::kDof, lane),
                  wide = plan.elements[i].kind == Kind::kFree ? 6 : 1;
        for (int k = 0; dof >= 0 && k < wide; ++k) ++dofs[at(dof + k)];
      }
    }
    // Rows of points, then of loops, then of joints; of the trunk's lane 0 writes those of loops and joints.
    std::size_t which = plan.elements.size() * element::kIndices;
    const auto count = [&](int wide, bool in_trunk) {
      for (int lane = 0; lane < (in_trunk ? 1 : plan.lanes); ++lane) {
        for (int k = 0; index(which, lane) >= 0 && k < wide; ++k) ++rows[at(index(which, lane) + k)];
      }
      ++which;
    };
    for (int k = 0; k < plan.num_slots() * slot::kIndices; ++k) count(1, false);
    for (const LoopSlot& loop : plan.loops) count(3, loop.a < plan.trunk);
    for (const JointRowSlot& row : plan.joint_rows) count(1, row.element < plan.trunk);
    EXPECT_EQ(dofs, std::vector<int>(dofs.size(), 1));
    EXPECT_EQ(rows, std::vector<int>(rows.size(), 1));
  }
}

TEST(GpuPlan, NamesWhatDevicesCannotDo) {
  const Scene stewart = load_named("stewart");
  EXPECT_NE(message_of([&] { make_plan(stewart.model, stewart.constraints); }).find("cannot run on the GPU"),
            std::string::npos);
  const std::vector<Constraint> com{CentreOfMass{.name = "com"}};
  EXPECT_NE(message_of([&] { make_plan(stewart.model, com); }).find("constraint 'com' cannot run on the GPU"),
            std::string::npos);
  GpuRobot go2 = make_gpu_robot("go2");
  std::get<PointContact>(go2.constraints[1]).b = go2.model.find_frame("base");
  EXPECT_NE(message_of([&] { make_plan(go2.model, go2.constraints); }).find("both of its bodies move"),
            std::string::npos);
  std::get<PointContact>(go2.constraints[1]).b = 0;
  std::get<PointContact>(go2.constraints[1]).kind = ContactKind::kRolling;
  EXPECT_NE(message_of([&] { make_plan(go2.model, go2.constraints); }).find("it resists rotation"), std::string::npos);
  ModelBuilder boxes("boxes");
  for (const char* name : {"a", "b"})
    boxes.add_body(name, kWorld, joint(JointKind::kFree, name), sphere_inertial(1, 0.1));
  EXPECT_NE(message_of([&] { make_plan(boxes.make_model(), {}); }).find("joint 'b' is free"), std::string::npos);
  ModelBuilder rope("rope");
  for (int k = 0, body = kWorld; k < 90; ++k) {
    body =
        rope.add_body(std::to_string(k), body, revolute("j" + std::to_string(k), {{0, 1, 0}}), sphere_inertial(1, 0.1));
  }
  EXPECT_NE(message_of([&] { make_plan(rope.make_model(), {}); }).find("90 degrees of freedom"), std::string::npos);
}

TEST(GpuDevice, SaysWhatIsMissing) {
  if (Device::count() > 0) GTEST_SKIP() << "there is a card";
  EXPECT_NE(message_of([] { Device device; }).find(driver_fault().empty() ? "there are 0 devices" : "driver of CUDA"),
            std::string::npos);
}

}  // namespace
}  // namespace delassus::gpu
