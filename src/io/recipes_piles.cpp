// Boxes, and robots among them.
#include "delassus/constraints/box_scenes.hpp"
#include "delassus/constraints/ground_contacts.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/model/compose.hpp"
#include "io/recipe_parts.hpp"
#include "model/splitmix.hpp"

namespace delassus::io {
namespace {

constexpr int kBoxes = 30;
const BoxOptions kBox;

// ------------------------------------------------------------------------------ robots and a pyramid

/// A slab of boxes that one robot lies on, a box that another stands on; the others were thrown up and are in the air.
constexpr int kSlabColumns = 3, kSlabRows = 4;
constexpr double kSpacing = 0.52;
constexpr Vec3<double> kPedestal{{2.5, 0, 0}};
/// Where the lying robot meets no gap between the boxes.
constexpr double kOnSlab[] = {0.2, -0.01};

Pose<double> on_floor(double x, double y) { return translation(x, y, kBox.half_extents[2]); }

/// Somewhere above the slab, turned in some way: one box to a cell of a lattice, so that no two touch.
Pose<double> in_the_air(int k, SplitMix& random) {
  constexpr int kPerLayer = 6;
  const int column = k % 3 - 1, row = k / 3 % 2, layer = k / kPerLayer;
  const double x = column * 1.1, y = (row - 0.5) * 1.1, z = 2 + 1.1 * layer;
  Quaternion<double> turn;
  for (double& c : turn.a) c = random.uniform(-1, 1);
  return {rotation_of(turn), {{x, y, z}}};
}

ModelDescription scattered_boxes() {
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
  for (int k = 0; static_cast<int>(out.bodies.size()) < kBoxes; ++k) add(in_the_air(k, random));
  return out;
}

/// Puts the coordinates of one robot where the joint of that name begins, moved by `shift`.
void place_robot(Scene& scene, const std::string& root, const std::vector<double>& q, const Vec3<double>& shift) {
  const auto first = static_cast<std::size_t>(scene.model.link(scene.model.find_joint(root)).q);
  std::copy(q.begin(), q.end(), scene.q.begin() + static_cast<std::ptrdiff_t>(first));
  for (int k = 0; k < 3; ++k) scene.q[first + static_cast<std::size_t>(k)] += shift[k];
}

/// Contacts of what is not a box with the tops of the boxes that stand on the floor.
std::vector<Constraint> contacts_with_boxes(const Scene& scene) {
  std::vector<Constraint> out;
  for (int b = 0; b <= kSlabColumns * kSlabRows; ++b) {
    Ground top;
    top.frame = scene.model.body_frame(b);
    top.pose = translation(0, 0, kBox.half_extents[2]);
    top.half_x = kBox.half_extents[0];
    top.half_y = kBox.half_extents[1];
    top.depth = kBox.half_extents[2];
    for (Constraint& c : make_ground_contacts(scene.model, scene.q, top, kContactMargin)) out.push_back(std::move(c));
  }
  return out;
}

}  // namespace

Scene make_boxes() { return scene_of(make_box_stack_scene(kBoxes, kBox)); }

Scene make_pyramid() { return scene_of(make_box_pyramid_scene()); }

Scene make_pyramid_robots() {
  const Scene lying = make_g1_fallen_friction(), standing = make_g1_standing();
  ModelDescription description = scattered_boxes();
  for (const char* prefix : {"a_", "b_", "c_"}) {
    append_model(description, lying.model.description(), "world", Pose<double>::identity(), prefix);
  }
  Scene scene{Model(std::move(description))};
  const double top = 2 * kBox.half_extents[2];
  const std::string root = lying.model.joint_name(0);
  place_robot(scene, "a_" + root, lying.q, {{kOnSlab[0], kOnSlab[1], top}});
  place_robot(scene, "b_" + root, lying.q, {{0, -3, 0}});
  place_robot(scene, "c_" + root, standing.q, {{kPedestal[0], kPedestal[1], top}});
  add_constraints(scene, make_ground_contacts(scene.model, scene.q, {}, kContactMargin));
  add_constraints(scene, contacts_with_boxes(scene));
  return scene;
}

}  // namespace delassus::io
