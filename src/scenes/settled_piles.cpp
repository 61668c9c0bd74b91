// Boxes that were let go a little above each other, and robots that fell on them.
#include <algorithm>
#include <cmath>

#include "delassus/model/builder.hpp"
#include "model/splitmix.hpp"
#include "scenes/boxes.hpp"
#include "scenes/recipe_parts.hpp"
#include "scenes/settling.hpp"

namespace delassus {
namespace {

constexpr int kBoxes = 30;
const BoxOptions kBox;

// --------------------------------------------------------------------------------------------- boxes

/// Boxes of one layer above those of the next lower one, and how far each is beside its place at most: metres.
constexpr double kDrop = 1e-3, kBeside = 1e-3;

/// Lets boxes go that are placed on each other: each a little higher than the one below, and a little beside its place.
Scene drop(const ModelDescription& description, SettledRun& run) {
  constexpr std::uint64_t kSeed = 30;
  constexpr std::size_t kCoordinates = 7;
  Scene scene{Model(description)};
  SplitMix random(kSeed);
  for (std::size_t k = 0; k < description.bodies.size(); ++k) {
    double* place = scene.q.data() + kCoordinates * k;
    const double height = description.bodies[k].joints.front().placement.p[2];
    for (int axis = 0; axis < 2; ++axis) place[axis] += random.uniform(-kBeside, kBeside);
    place[2] += kDrop * std::round(height / (2 * kBox.half_extents[2]) + 0.5);
  }
  if (!settle(scene, {}, run)) throw Error("model '" + description.name + "' does not stand still");
  add_constraints(scene, make_touching_contacts(scene));
  return scene;
}

// ------------------------------------------------------------------------------ robots and a pyramid

/// Of the pyramid that robots fell on, twelve boxes lie side by side and carry one of them, one carries another, and some stand alone,
/// on four contacts each: as many as make up the number that the paper gives. The others were thrown up and are in the air. How the
/// contacts come about is ours.
constexpr int kSlabColumns = 3, kSlabRows = 4;
constexpr int kCarrying = kSlabColumns * kSlabRows + 1, kContactsOfABox = 4;
constexpr double kSpacing = 0.52, kWide = 1.1;
constexpr Vec3<double> kPedestal{{2.5, 0, 0}}, kFloor{{0, -3, 0}};
constexpr std::uint64_t kFirstFall = 26;
constexpr int kContacts = 108;

Pose<double> on_floor(double x, double y) { return translation(x, y, kBox.half_extents[2]); }

/// Somewhere above the slab, turned in some way: one box to a cell of a lattice, so that no two touch.
Pose<double> in_the_air(int k, SplitMix& random) {
  constexpr int kPerLayer = 6;
  const int column = k % 3 - 1, row = k / 3 % 2, layer = k / kPerLayer;
  Quaternion<double> turn;
  for (double& c : turn.a) c = random.uniform(-1, 1);
  return {rotation_of(turn), {{column * kWide, (row - 0.5) * kWide, 3 + kWide * layer}}};
}

ModelDescription make_scattered_boxes(int count, int alone) {
  constexpr std::uint64_t kSeed = 31;
  SplitMix random(kSeed);
  ModelDescription out;
  out.name = "pyramid-robots";
  const auto add = [&](const Pose<double>& place) {
    add_free_box(out, "box" + std::to_string(out.bodies.size() + 1), place, kBox);
  };
  for (int row = 0; row < kSlabRows; ++row) {
    for (int column = 0; column < kSlabColumns; ++column) {
      add(on_floor((column - 0.5 * (kSlabColumns - 1)) * kSpacing, (row - 0.5 * (kSlabRows - 1)) * kSpacing));
    }
  }
  add(on_floor(kPedestal[0], kPedestal[1]));
  for (int k = 0; k < alone; ++k) add(on_floor(kPedestal[0] + kWide, kWide * (k + 1)));
  for (int k = 0; static_cast<int>(out.bodies.size()) < count; ++k) add(in_the_air(k, random));
  return out;
}

constexpr const char* kRobots[] = {"a_", "b_", "c_"};

Scene make_boxes_and_robots(int boxes, int alone) {
  const ModelDescription robot = make_upright_g1().model.description();
  ModelDescription description = make_scattered_boxes(boxes, alone);
  for (const char* prefix : kRobots) append_model(description, robot, "world", Pose<double>::identity(), prefix);
  return Scene(Model(std::move(description)));
}

/// Where the coordinates of a robot begin, and its velocities.
const Link& root_of(const Scene& scene, const std::string& prefix, const Scene& robot) {
  return scene.model.link(scene.model.find_joint(prefix + robot.model.joint_name(0)));
}

void place_robot(Scene& scene, const std::string& prefix, const Scene& robot, const Vec3<double>& shift) {
  double* q = scene.q.data() + root_of(scene, prefix, robot).q;
  std::ranges::copy(robot.q, q);
  for (int k = 0; k < 3; ++k) q[k] += shift[k];
}

/// The same with the boxes that nobody touches.
Scene with_other_boxes(const Scene& fallen, int alone) {
  constexpr std::ptrdiff_t kCoordinates = 7;
  Scene scene = make_boxes_and_robots(kBoxes, alone);
  const auto robots = std::ranges::copy_n(fallen.q.begin(), kCarrying * kCoordinates, scene.q.begin()).in;
  std::ranges::copy(robots, fallen.q.end(), scene.q.begin() + kBoxes * kCoordinates);
  return scene;
}

/// The first robot falls on the slab and the second one on the floor, the third one stands.
std::optional<Scene> let_robots_fall(std::uint64_t seed, SettledRun& run) {
  constexpr double kHold = 1000, kDamp = 40;  // as the standing G1
  Scene scene = make_boxes_and_robots(kCarrying, 0);
  const Vec3<double> up{{0, 0, 2 * kBox.half_extents[2]}};
  const Vec3<double> places[] = {up, kFloor, kPedestal + up};
  Beginning beginning;
  beginning.v.resize(scene.v.size());
  for (std::size_t r = 0; r < std::size(kRobots); ++r) {
    Scene robot = make_upright_g1();
    const Topple topple = draw_topple(2 * seed + r);
    const bool falls = r < 2;
    if (falls) spread_arms(robot, "", topple);
    rest_on_ground(robot);
    place_robot(scene, kRobots[r], robot, places[r]);
    if (falls) std::ranges::copy(topple.v, beginning.v.begin() + root_of(scene, kRobots[r], robot).v);
  }
  beginning.actuators = make_position_actuators(scene.model, kHold, kDamp);
  std::erase_if(beginning.actuators, [](const Actuator& a) { return !a.joint.starts_with(kRobots[2]); });
  if (!settle(scene, beginning, run)) return {};
  const int missing = kContacts - static_cast<int>(make_touching_contacts(scene).size());
  if (missing < 0 || missing % kContactsOfABox != 0 || missing / kContactsOfABox > kBoxes - kCarrying) return {};
  return with_other_boxes(scene, missing / kContactsOfABox);
}

}  // namespace

Scene settle_boxes(SettledRun& run) { return drop(make_box_stack(kBoxes), run); }
Scene settle_pyramid(SettledRun& run) { return drop(make_box_pyramid(), run); }

Scene settle_pyramid_robots(SettledRun& run) { return repeat_until(kContacts, kFirstFall, let_robots_fall, run); }

}  // namespace delassus
