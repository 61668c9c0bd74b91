#include "scenes/settling.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <variant>

#include "delassus/kinematics/frames.hpp"
#include "delassus/solvers/assembly.hpp"
#include "scenes/recipe_parts.hpp"
#include "simulation/step_constraints.hpp"

namespace delassus {
namespace {

/// Nothing moves any more: so many joules, for so many seconds.
constexpr double kStill = 1e-9, kLongEnough = 0.2;
constexpr double kMostTime = 30;

SimulationOptions make_options() {
  SimulationOptions options;
  options.tolerance = 1e-8;
  options.dt = 2e-3;
  options.collision.ground_friction = Vec3<double>::zero();  // that of the shapes counts
  options.collision.capacity = 2048;
  return options;
}

PointContact make_contact(const Model& model, const Kinematics<double>& kin, const CollisionWorld& world,
                          const WorldContact& found) {
  const auto frame_of = [&](int shape) {
    return model.body_frame(world.shapes()[static_cast<std::size_t>(shape)].body);
  };
  const ContactMaterial material = world.material(found.shape_a, found.shape_b);
  PointContact contact;
  const int a = frame_of(found.shape_a);
  contact.a = {a, {Mat3<double>::identity(), inverse(frame_pose(model, kin, a)) * found.position}};
  contact.b = frame_of(found.shape_b);
  contact.axes = contact_axes(found.normal);
  contact.gap = found.gap;
  contact.kind = contact_kind(material);
  contact.set = force_set(material);
  return contact;
}

/// A step leaves loops open by what their rows give way; they are closed, as in the file that they come from.
bool close_loops(Scene& scene) {
  const std::vector<Constraint> loops = make_equalities(scene.constraints);
  return loops.empty() || Assembler<double>(scene.model, loops).assemble(scene.q).ok();
}

}  // namespace

bool settle(Scene& scene, const Beginning& beginning, SettledRun& run) {
  Simulator simulator(scene.model, scene.constraints, make_options());
  const std::vector<double> at_rest(static_cast<std::size_t>(scene.model.nv()));
  simulator.set_state(scene.q, beginning.v.empty() ? at_rest : beginning.v);
  if (!beginning.actuators.empty()) simulator.set_actuators(beginning.actuators);
  double still_since = 0;
  while (simulator.time() - still_since < kLongEnough) {
    if (!simulator.step().ok()) return false;
    if (simulator.kinetic_energy() > kStill) still_since = simulator.time();
    if (simulator.time() > kMostTime) return false;
  }
  scene.q = simulator.q();
  scene.v = at_rest;
  run = {simulator.time(), simulator.kinetic_energy(), simulator.report().penetration, simulator.steps(),
         simulator.inexact_steps()};
  return close_loops(scene);
}

Scene repeat_until(int contacts, std::uint64_t first, std::optional<Scene> (*fall)(std::uint64_t, SettledRun&),
                   SettledRun& run) {
  constexpr std::uint64_t kMostTries = 1000;
  for (std::uint64_t seed = first; seed < first + kMostTries; ++seed) {
    std::optional<Scene> scene = fall(seed, run);
    if (!scene) continue;
    std::vector<Constraint> found = make_touching_contacts(*scene);
    if (static_cast<int>(found.size()) != contacts) continue;
    run.seed = seed;
    add_constraints(*scene, std::move(found));
    return *std::move(scene);
  }
  throw Error("no fall ended with " + std::to_string(contacts) + " contacts");
}

std::vector<Constraint> make_touching_contacts(const Scene& scene) {
  const Model& model = scene.model;
  Kinematics<double> kin(model);
  update_kinematics<double>(model, scene.q, kin);
  CollisionOptions options = make_options().collision;
  options.margin = kContactMargin;
  CollisionWorld world(model, options);
  if (!world.update(kin)) throw Error("model '" + model.description().name + "' has too many contacts");
  std::vector<Constraint> out;
  std::map<std::string, int> count;  // of contacts per pair of bodies
  for (const WorldContact& found : world.contacts()) {
    PointContact contact = make_contact(model, kin, world, found);
    contact.name = model.frame(contact.a.frame).name;
    if (contact.b != 0) contact.name += " on " + model.frame(contact.b).name;
    const int number = ++count[contact.name];
    contact.name.append(1, '/').append(std::to_string(number));
    out.emplace_back(std::move(contact));
  }
  return out;
}

}  // namespace delassus
