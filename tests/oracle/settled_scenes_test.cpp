// Scenes that came about by running: that they are at rest, by laws that have nothing to do with the simulator, and that runs repeat.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "delassus/io/load.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/simulation/simulator.hpp"
#include "scenes/recipes.hpp"

namespace delassus {
namespace {

SimulationOptions options_with(double dt) {
  SimulationOptions options;
  options.dt = dt;
  options.tolerance = 1e-8;
  options.collision.ground_friction = Vec3<double>::zero();  // that of the shapes
  return options;
}

std::vector<double> zeros(int size) { return std::vector<double>(static_cast<std::size_t>(size)); }

double fastest(const Simulator& simulator) {
  double out = 0;
  for (const double x : simulator.v()) out = std::max(out, std::abs(x));
  return out;
}

/// By how much the forces of the ground miss the weight, as a part of it; and their moment about the centre of mass, as metres
/// by which they are off it.
struct Balance {
  double force, lever;
};

Balance balance_of(const Simulator& simulator) {
  const Model& model = simulator.model();
  Kinematics<double> kin(model);
  update_kinematics<double>(model, simulator.q(), kin);
  Vec3<double> centre = Vec3<double>::zero(), force = Vec3<double>::zero(), moment = Vec3<double>::zero();
  for (int i = 0; i < model.num_links(); ++i)
    centre = centre + kin.inertia[i].mass * kin.pose[i].p + kin.inertia[i].moment;
  centre = (1 / model.mass()) * centre;
  for (const ContactState& c : simulator.contacts()) {
    if (c.body_b != kWorld) continue;
    force = force + c.force;
    moment = moment + cross(c.position - centre, c.force) + c.moment;
  }
  const double weight = norm(model.mass() * model.gravity());
  return {norm(force + model.mass() * model.gravity()) / weight, norm(moment) / weight};
}

/// One step from rest, with motors that lock every joint where something stands.
Balance step_from_rest(const Scene& scene, bool stands, double& speed) {
  Simulator simulator(scene.model, scene.constraints, options_with(1e-3));
  simulator.set_state(scene.q, zeros(scene.model.nv()));
  if (stands) simulator.set_actuators(make_position_actuators(scene.model, 1e9, 1e6));
  const StepStatus status = simulator.step();
  EXPECT_TRUE(status.ok()) << simulator.describe(status);
  EXPECT_FALSE(simulator.report().inexact);
  EXPECT_LT(simulator.report().penetration, 1e-6);
  speed = fastest(simulator);
  return balance_of(simulator);
}

TEST(SettledScenes, AreAtRestAndCarriedByTheirContacts) {
  for (const SceneRecipe& recipe : scene_recipes()) {
    if (!recipe.runs || recipe.name == "pyramid-robots" || recipe.name == "g1-maximal") continue;
    const Scene scene = load_embedded_scene(recipe.name);
    double speed = 0;
    const Balance balance = step_from_rest(scene, recipe.name.find("standing") != std::string_view::npos, speed);
    // A step of free fall has 1e-2 m/s; runs end with less than 1e-9 J, which is 5e-5 m/s of one kilogram.
    EXPECT_LT(speed, 2e-4) << recipe.name;
    // Accelerations that such speeds come from within a step, beside gravity.
    EXPECT_LT(balance.force, 1e-3) << recipe.name;
    EXPECT_LT(balance.lever, 1e-4) << recipe.name;
  }
}

void expect_same(const Scene& a, const Scene& b, double tolerance) {
  ASSERT_EQ(a.constraints.size(), b.constraints.size());
  for (std::size_t k = 0; k < a.constraints.size(); ++k) {
    EXPECT_EQ(name_of(a.constraints[k]), name_of(b.constraints[k]));
    EXPECT_EQ(set_of(a.constraints[k]), set_of(b.constraints[k]));
  }
  ASSERT_EQ(a.q.size(), b.q.size());
  for (std::size_t k = 0; k < a.q.size(); ++k) EXPECT_NEAR(a.q[k], b.q[k], tolerance) << "coordinate " << k;
}

TEST(SettledScenes, PilesAreWhatTheirRecipesMake) {
  for (const char* name : {"boxes", "pyramid"}) {
    SettledRun run;
    // Boxes stay where they are let go, but for what they slip while they land; processors that round differently make that another
    // part of a micrometre.
    expect_same(run_recipe(name, &run), load_embedded_scene(name), 1e-6);
    EXPECT_EQ(run.inexact_steps, 0) << name;
  }
}

TEST(SettledScenes, FallsRepeatBitForBitAndEndAtRest) {
  SettledRun run, again;
  const Scene first = run_recipe("go2-fallen", &run), second = run_recipe("go2-fallen", &again);
  EXPECT_EQ(run, again);
  EXPECT_EQ(first.q, second.q);
  EXPECT_EQ(first.constraints, second.constraints);
  EXPECT_LT(run.kinetic_energy, 1e-9);
  EXPECT_LT(run.penetration, 1e-6);
  EXPECT_EQ(first.constraints.size(), 9u);
}

/// Five seconds after it came to rest, a robot without motors neither moves
/// nor sinks in; all that slows it down are contacts, limits, and the damping of its file.
TEST(SettledScenes, G1FallsAndRests) {
  const Scene start = load_embedded_scene("g1-standing");
  Simulator simulator(start.model, {}, options_with(2e-3));
  std::vector<double> v = zeros(start.model.nv());
  v[0] = 0.3;  // radians per second: pushed over
  simulator.set_state(start.q, v);
  const StepStatus status = simulator.advance(4000);
  ASSERT_TRUE(status.ok()) << simulator.describe(status);
  EXPECT_LT(simulator.q()[2], 0.5 * start.q[2]) << "lies";
  EXPECT_LT(simulator.kinetic_energy(), 1e-6);
  EXPECT_LT(simulator.report().penetration, 1e-3);
}

double largest_drift(const std::vector<double>& a, const std::vector<double>& b) {
  double out = 0;
  for (std::size_t k = 0; k < a.size(); ++k) out = std::max(out, std::abs(a[k] - b[k]));
  return out;
}

Model with_heavy_top(const Model& model, double factor) {
  ModelDescription description = model.description();
  Inertial& top = description.bodies.back().inertial;
  top.mass *= factor;
  for (double& x : top.inertia.a) x *= factor;
  return Model(description);
}

void expect_stands(const Model& model, const Scene& scene, double seconds) {
  constexpr double kStep = 5e-3;
  Simulator simulator(model, {}, options_with(kStep));
  simulator.set_state(scene.q, zeros(model.nv()));
  const StepStatus status = simulator.advance(static_cast<int>(std::lround(seconds / kStep)));
  ASSERT_TRUE(status.ok()) << simulator.describe(status);
  EXPECT_EQ(simulator.inexact_steps(), 0);
  // Asked for is a millimetre in 20 s; the tolerance of a step, 1e-8 m/s, would allow 0.2 micrometres, were all errors one way.
  EXPECT_LT(largest_drift(simulator.q(), scene.q), 1e-6);
}

TEST(SettledScenes, PilesStand) {
  for (const char* name : {"boxes", "pyramid"}) {
    const Scene scene = load_embedded_scene(name);
    expect_stands(scene.model, scene, 2);
    expect_stands(with_heavy_top(scene.model, 1000), scene, 2);
  }
}

TEST(LongSettledScenes, PilesStandForTwentySeconds) {
  for (const char* name : {"boxes", "pyramid"}) {
    const Scene scene = load_embedded_scene(name);
    expect_stands(scene.model, scene, 20);
    expect_stands(with_heavy_top(scene.model, 1000), scene, 20);
  }
}

}  // namespace
}  // namespace delassus
