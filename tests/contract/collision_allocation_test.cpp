// Finding contacts allocates nothing, even where there are too many.
#include <gtest/gtest.h>

#include "delassus/collision/collision_world.hpp"
#include "scenes/boxes.hpp"
#include "support/allocation_count.hpp"
#include "support/random_shapes.hpp"

namespace delassus::testing {
namespace {

TEST(CollisionAllocation, CollideAllocatesNothing) {
  ShapeSource source(4);
  for (const ShapeKind i : kAllKinds) {
    for (const ShapeKind j : kAllKinds) {
      const PlacedShape a = source.shape(i, 0.3), b = source.shape(j, 0.3);
      Manifold m;
      EXPECT_EQ(allocations_of([&] { collide(a, b, 0.01, m); }), 0) << name_of_pair(a, b);
    }
  }
}

TEST(CollisionAllocation, UpdatesAllocateNothing) {
  PyramidOptions pyramid;
  pyramid.side = 6;
  const Model model(make_box_pyramid(pyramid));
  Kinematics<double> rest(model), heap(model);
  update_kinematics<double>(model, model.neutral(), rest);
  // All boxes in one place: more pairs than the broad phase has room for, and more points than there may be.
  update_kinematics<double>(model, model.neutral(), heap);
  for (int link = 0; link < model.num_links(); ++link) heap.pose[link].p = {{0, 0, 0}};
  CollisionWorld world(model);
  EXPECT_EQ(allocations_of([&] {
              EXPECT_TRUE(world.update(rest));
              EXPECT_FALSE(world.update(heap));
              EXPECT_TRUE(world.update(rest));
            }),
            0);
  // Four corners of each of 36 boxes on the floor; and of the 55 above, in the corners of four each.
  EXPECT_EQ(world.contacts().size(), 4U * 36 + 4U * 4 * 55);
}

}  // namespace
}  // namespace delassus::testing
