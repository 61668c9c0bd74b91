// Rest and motion on meshes, height fields and hulls, where mechanics says what comes out.
#include <gtest/gtest.h>

#include <cmath>

#include "delassus/model/builder.hpp"
#include "delassus/scenes/classic.hpp"
#include "scenes/boxes.hpp"
#include "support/surfaces.hpp"
#include "unit/io/urdf_text.hpp"

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
      options.tolerance = 1e-8;
      options.collision.ground = false;
      const Model model = make_drop(ground, ground == ShapeKind::kMesh ? as_mesh(*field) : field, kind);
      Simulator sim(model, {}, options);
      run(sim, 500);
      EXPECT_EQ(sim.contacts().size(), 4U) << name_of(kind) << " on " << name_of(ground);
      // A depth of a tenth of a millimetre is what the contact model leaves at this step.
      EXPECT_NEAR(sim.q()[2], -0.005, 2e-4);
      for (const double speed : sim.v()) EXPECT_NEAR(speed, 0, 1e-6);
      EXPECT_NEAR(sim.q()[0], 0, 1e-4);  // it fell straight down, over seams
    }
  }
}

/// Boxes of the library, as they are or as hulls of their corners, each on the one below.
Model make_stack(ShapeKind kind) {
  ModelDescription description = make_box_stack(4);
  for (ShapeDescription& shape : description.shapes) {
    if (kind == ShapeKind::kBox) continue;
    shape.kind = kind;
    shape.surface = box_surface(shape.size);
    shape.size = {{0, 0, 0}};
  }
  return Model(description);
}

TEST(Terrain, StackOfHullsStandsLikeBoxes) {
  const Model boxes = make_stack(ShapeKind::kBox), hulls = make_stack(ShapeKind::kHull);
  Simulator expected(boxes), sim(hulls);
  run(expected, 1000);
  run(sim, 1000);
  EXPECT_EQ(sim.contacts().size(), 16U);
  EXPECT_EQ(expected.contacts().size(), 16U);
  // Contacts are the same to rounding, forces to the tolerance of the solver; a second of them moves nothing by a micrometre.
  for (std::size_t i = 0; i < sim.q().size(); ++i) EXPECT_NEAR(sim.q()[i], expected.q()[i], 1e-6) << i;
  for (const double speed : sim.v()) EXPECT_NEAR(speed, 0, 1e-6);
}

/// A part of a robot whose collision is a file: a box of 0.4 x 0.3 x 0.2 metres, given in millimetres, a little above the ground.
TEST(Terrain, PartFromAFileComesToRest) {
  const io_test::TemporaryFolder folder;
  const SurfacePointer box = box_surface(1000.0 * kHalf);
  std::string stl = "solid part\n";
  for (const Triangle& t : box->triangles()) {
    stl += "facet normal 0 0 0\nouter loop\n";
    for (const std::int32_t k : t) {
      const Vec3<double>& x = box->vertices()[static_cast<std::size_t>(k)];
      stl += "vertex " + std::to_string(x[0]) + " " + std::to_string(x[1]) + " " + std::to_string(x[2]) + "\n";
    }
    stl += "endloop\nendfacet\n";
  }
  folder.file("part.stl", stl + "endsolid part\n");
  const std::string urdf = folder.file("part.urdf", R"(<robot name="r"><link name="part">
<inertial><mass value="2"/><inertia ixx="0.02" iyy="0.03" izz="0.04"/></inertial>
<collision><geometry><mesh filename="part.stl" scale="0.001 0.001 0.001"/></geometry></collision></link></robot>)");
  const Scene scene = load_urdf(urdf, io_test::floating());
  EXPECT_TRUE(scene.report.warnings.empty());
  Simulator sim(scene.model);
  sim.set_state(std::vector<double>{0, 0, kHalf[2] + 0.005, 0, 0, 0, 1}, std::vector<double>(6, 0.0));
  run(sim, 500);
  EXPECT_EQ(sim.contacts().size(), 4U);
  EXPECT_NEAR(sim.q()[2], kHalf[2], 2e-4);  // a tenth of a millimetre is what the contact model leaves at this step
  for (const double speed : sim.v()) EXPECT_NEAR(speed, 0, 1e-6);
}

/// The valley is flat across seams: the ball has the acceleration of one that rolls on a plane.
TEST(Terrain, BallRollsDownTheValley) {
  SimulationSetup setup = make_classic_scene("terrain:10");
  Simulator sim = setup.make_simulator();
  run(sim, 1000);
  const auto seen = observe_classic_scene("terrain:10", sim.time(), sim.q(), sim.v());
  ASSERT_EQ(seen.size(), 1U);
  // Steps are of first order, a t (t + h) / 2; seams move the ball by less than a tenth of that difference.
  const double way = seen[0].theory * (1 + sim.options().dt / sim.time());
  EXPECT_NEAR(seen[0].measured, way, 1e-4 * way);
}

TEST(Terrain, HeightFieldsAreOnTheWorld) {
  ModelBuilder builder("moving");
  const int body = builder.add_body("body", kWorld, joint(JointKind::kFree, "free"), sphere_inertial(1, 1));
  builder.add_shape(
      surface_shape(body, ShapeKind::kHeightField, height_field(1, 2, [](double, double) { return 0.0; })));
  const Model model = builder.make_model();
  EXPECT_THROW(CollisionWorld{model}, Error);
}

}  // namespace
}  // namespace delassus::testing
