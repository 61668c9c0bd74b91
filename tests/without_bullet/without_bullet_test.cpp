// What a library without Bullet says of shapes that need it, and that the others collide.
#include <gtest/gtest.h>

#include "delassus/collision/collision_world.hpp"
#include "delassus/math/error.hpp"
#include "scenes/boxes.hpp"
#include "support/surfaces.hpp"

namespace delassus::testing {
namespace {

TEST(WithoutBullet, ShapesWithASurfaceAreRefusedByName) {
  const SurfacePointer box = box_surface({{1, 1, 1}}), field = height_field(1, 2, [](double, double) { return 0.0; });
  for (const ShapeKind kind : {ShapeKind::kHull, ShapeKind::kMesh, ShapeKind::kHeightField}) {
    ModelDescription description = make_box_stack(1);
    ShapeDescription& shape = description.shapes.emplace_back();
    shape.name = "rock";
    shape.body = kWorld;
    shape.kind = kind;
    shape.surface = kind == ShapeKind::kHeightField ? field : box;
    const Model model(description);
    try {
      const CollisionWorld world(model);
      ADD_FAILURE() << name_of(kind) << ": no Error was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(
          std::string(error.what()),
          std::string(name_of(kind)) +
              " 'rock' can collide, and this library was built without Bullet, which that needs; install Bullet in "
              "double precision (Debian: libbullet-dev) and build again, or remove the shape");
    }
  }
}

TEST(WithoutBullet, OtherShapesCollide) {
  const Model model(make_box_stack(2));
  EXPECT_NO_THROW(CollisionWorld{model});
}

}  // namespace
}  // namespace delassus::testing
