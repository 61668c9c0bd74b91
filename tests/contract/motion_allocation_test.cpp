// Assembly and time steps allocate nothing, in parts and where they fail neither.
#include <gtest/gtest.h>

#include <algorithm>

#include "delassus/kinematics/kinematics.hpp"
#include "delassus/simulation/integrator.hpp"
#include "support/allocation_count.hpp"
#include "support/embedded_robots.hpp"

namespace delassus {
namespace {

using testing::allocations_of;
using Vector = std::vector<double>;

TEST(MotionAllocation, AssemblyAllocatesNothing) {
  const Scene scene = testing::embedded_robot("cassie");
  Assembler<double> assembler(scene.model, scene.constraints);
  const Vector disturbance(static_cast<std::size_t>(scene.model.nv()), 0.1);
  Vector q(scene.q), v(disturbance);
  integrate(scene.model, scene.q, disturbance, q);
  EXPECT_EQ(allocations_of([&] {
              EXPECT_TRUE(assembler.assemble(q).ok());
              EXPECT_TRUE(assembler.project_velocity(q, v).ok());
            }),
            0);
  EXPECT_GT(assembler.report().iterations, 3);
}

TEST(MotionAllocation, StepsAllocateNothing) {
  Scene scene = testing::embedded_robot("four_bar");
  Assembler<double> assembler(scene.model, scene.constraints);
  scene.v[0] = 5;
  ASSERT_TRUE(assembler.project_velocity(scene.q, scene.v).ok());
  const JointForces forces = [](double, auto, auto v, VectorView<double> tau) {
    for (int k = 0; k < tau.size(); ++k) tau[k] = -0.01 * v[k];
  };
  int most = 0;
  for (const IntegratorKind kind :
       {IntegratorKind::kSemiImplicitEuler, IntegratorKind::kRungeKutta4, IntegratorKind::kEnergyPreserving}) {
    // The second energy error is one that Euler's steps do not keep.
    for (const double energy_error : {0.0, 1e-9}) {
      Integrator integrator(scene.model, scene.constraints,
                            {.kind = kind, .energy_error = energy_error, .halvings = 3});
      Vector q(scene.q), v(scene.v);
      EXPECT_EQ(allocations_of([&] {
                  for (int k = 0; k < 20; ++k) {
                    EXPECT_TRUE(integrator.step(1e-3 * k, q, v, forces).ok());
                    most = std::max(most, integrator.parts());
                  }
                  EXPECT_TRUE(integrator.step(q, v, scene.tau).ok());
                }),
                0);
    }
  }
  EXPECT_EQ(most, 8);
}

}  // namespace
}  // namespace delassus
