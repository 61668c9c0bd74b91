// Rest and motion on meshes, height fields and hulls, where mechanics says what comes out.
#include <gtest/gtest.h>

#include <cmath>

#include "delassus/model/boxes.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/simulation/classic_scenes.hpp"
#include "support/surfaces.hpp"

namespace delassus::testing {
namespace {

const Vec3<double> kHalf{{0.2, 0.15, 0.1}};

void run(Simulator& sim, int steps) {
  const StepStatus status = sim.advance(steps);
  ASSERT_TRUE(status.ok()) << sim.describe(status);
}

ShapeDescription surface_shape(int body, ShapeKind kind, SurfacePointer surface) {
  ShapeDescription out;
  out.name = std::string(name_of(kind)) + std::to_string(body);
  out.body = body;
  out.kind = kind;
  out.surface = std::move(surface);
  return out;
}

/// A box, or its hull, 5 mm above ground of many triangles.
Model make_drop(ShapeKind ground, const SurfacePointer& surface, ShapeKind kind) {
  ModelBuilder builder("drop");
  const int body = builder.add_body("box", kWorld, joint(JointKind::kFree, "free", translation(0.07, 0.03, 0.105)),
                                    box_inertial(2, kHalf));
  ShapeDescription shape = surface_shape(body, kind, kind == ShapeKind::kHull ? box_surface(kHalf) : nullptr);
  shape.size = kind == ShapeKind::kBox ? kHalf : Vec3<double>{{0, 0, 0}};
  builder.add_shape(shape);
  builder.add_shape(surface_shape(kWorld, ground, surface));
  return builder.make_model();
}

TEST(Terrain, BoxComesToRestOnTriangles) {
  const SurfacePointer field = height_field(1, 10, [](double, double) { return 0.0; });
  for (const ShapeKind kind : {ShapeKind::kBox, ShapeKind::kHull}) {
    for (const ShapeKind ground : {ShapeKind::kHeightField, ShapeKind::kMesh}) {
      SimulationOptions options;
      options.collision.ground = false;
      const Model model = make_drop(ground, ground == ShapeKind::kMesh ? as_mesh(*field) : field, kind);
      Simulator sim(model, options);
      run(sim, 500);
      EXPECT_EQ(sim.contacts().size(), 4U) << name_of(kind) << " on " << name_of(ground);
      // A depth of a tenth of a millimetre is what the contact model leaves at this step.
      EXPECT_NEAR(sim.q()[2], -0.005, 2e-4);
      for (const double speed : sim.v()) EXPECT_NEAR(speed, 0, 1e-6);
      EXPECT_NEAR(sim.q()[0], 0, 1e-4);  // it fell straight down, over seams
    }
  }
}

/// The valley is flat across seams: the ball has the acceleration of one that rolls on a plane.
TEST(Terrain, BallRollsDownTheValley) {
  SimulationSetup setup = make_classic_scene("terrain:10");
  Simulator sim = setup.make_simulator();
  run(sim, 1000);
  const auto seen = observe_classic_scene("terrain:10", sim.time(), sim.q(), sim.v());
  ASSERT_EQ(seen.size(), 1U);
  // The first order of the integrator: a t dt / 2 of the way.
  EXPECT_NEAR(seen[0].measured, seen[0].theory, 2e-3 * seen[0].theory);
}

TEST(Terrain, HeightFieldsAreOnTheWorld) {
  ModelBuilder builder("moving");
  const int body = builder.add_body("body", kWorld, joint(JointKind::kFree, "free"), sphere_inertial(1, 1));
  builder.add_shape(surface_shape(body, ShapeKind::kHeightField, height_field(1, 2, [](double, double) { return 0.0; })));
  const Model model = builder.make_model();
  EXPECT_THROW(CollisionWorld{model}, Error);
}

}  // namespace
}  // namespace delassus::testing
