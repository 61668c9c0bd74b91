// What the kernels cost, exactly. A change of these numbers is a change of the algorithm: say why in the commit.
#include <gtest/gtest.h>

#include "delassus/delassus.hpp"
#include "delassus/math/counted.hpp"

namespace delassus {
namespace {

/// A fixed chain of revolute joints: each link after the first adds the same work.
Model chain(int links) {
  ModelBuilder b("chain");
  int parent = kWorld;
  for (int i = 0; i < links; ++i) {
    parent = b.add_body("link" + std::to_string(i), parent,
                        revolute("joint" + std::to_string(i), {{0, 1, 0}}, translation(0, 0, 0.3)),
                        box_inertial(1, {{0.1, 0.1, 0.1}}));
  }
  return b.make_model();
}

struct StageCounts {
  OperationCount kinematics, velocities, articulation, forward;
};

StageCounts counts(int links) {
  const Model model = chain(links);
  std::vector<Counted> x(model.nv(), Counted(0.1)), out(model.nv());
  ForwardDynamics<Counted> w(model);
  StageCounts c;
  c.kinematics = count_operations([&] { update_kinematics<Counted>(model, x, w.kin); });
  c.velocities = count_operations([&] { update_velocities<Counted>(model, w.kin, x, w.vel); });
  c.articulation = count_operations([&] { EXPECT_TRUE(articulate(model, w.kin, w.art).ok()); });
  c.forward = count_operations([&] { forward_dynamics<Counted>(model, w.kin, w.vel, w.art, x, out, w.sweep); });
  return c;
}

TEST(OperationCounts, PerLinkOfAChain) {
  const StageCounts ten = counts(10), eleven = counts(11);
  EXPECT_EQ(eleven.kinematics.total() - ten.kinematics.total(), 174);
  EXPECT_EQ(eleven.kinematics.trigonometric - ten.kinematics.trigonometric, 2);
  EXPECT_EQ(eleven.velocities.total() - ten.velocities.total(), 72);
  EXPECT_EQ(eleven.articulation.total() - ten.articulation.total(), 236);
  EXPECT_EQ(eleven.articulation.divisions - ten.articulation.divisions, 1);
  EXPECT_EQ(eleven.articulation.square_roots, 0);
  EXPECT_EQ(eleven.forward.total() - ten.forward.total(), 160);
  EXPECT_EQ(eleven.forward.divisions, 0);
}

}  // namespace
}  // namespace delassus
