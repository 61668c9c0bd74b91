#include "gpu_robots.hpp"

#include "delassus/kinematics/coordinate_layout.hpp"
#include "delassus/scenes/load_named.hpp"
#include "support/random_system.hpp"

namespace delassus::gpu {
namespace {

GpuRobot of_scene(const std::string& name) {
  const Scene scene = load_named(name);
  return {scene.model, scene.q, scene.constraints};
}

/// Contacts on frames, in axes of their own, every third without friction, and every fourth a pin.
std::vector<Constraint> points_on(const Model& model, std::uint64_t seed, int count) {
  samples::Random random(seed, 5);
  std::vector<Constraint> out = make_joint_friction(model, 1);
  for (int k = 0; k < count; ++k) {
    int frame = 0;
    while (model.frame(frame).link == kWorld) frame = random.integer(1, static_cast<int>(model.frames().size()) - 1);
    const Attachment at{frame, random.pose(0.2)};
    const std::string name = "point" + std::to_string(k);
    if (k % 4 == 3) {
      // One way round and the other.
      out.emplace_back(k % 8 == 3 ? make_ball(name, at, Attachment{}) : make_ball(name, Attachment{}, at));
    } else {
      PointContact contact{.name = name, .a = at, .axes = contact_axes(random.direction())};
      contact.set = {.kind = SetKind::kFrictionCone, .mu = 0.2 * k};
      if (k % 3 == 2) contact.kind = ContactKind::kFrictionless, contact.set = {.kind = SetKind::kNonNegative};
      out.emplace_back(contact);
    }
  }
  return out;
}

GpuRobot random_robot(std::uint64_t seed, samples::Base base, int links) {
  const Model model = samples::random_model(seed, {.links = links, .base = base});
  return {model, samples::random_state(model, seed).q, points_on(model, seed, 7)};
}

}  // namespace

const std::vector<std::string>& gpu_robot_names() {
  static const std::vector<std::string> kNames{"go2", "g1", "cassie", "four_bar", "hand", "chain", "fixed", "floating"};
  return kNames;
}

GpuRobot make_gpu_robot(const std::string& name) {
  if (name == "go2" || name == "g1" || name == "cassie") {
    GpuRobot robot = of_scene(name + "-standing");
    for (Constraint& c : robot.constraints) {
      if (auto* contact = std::get_if<PointContact>(&c)) contact->set = {.kind = SetKind::kFrictionCone, .mu = 0.7};
    }
    // A lower and an upper limit of each joint.
    if (name == "cassie") {
      for (const Constraint& c : make_joint_limits(robot.model)) robot.constraints.push_back(c);
    }
    return robot;
  }
  if (name == "four_bar") {
    const Scene scene = load_named(name);
    return {scene.model, scene.q, scene.constraints};
  }
  if (name == "chain") {
    const samples::System chain = samples::straight_chain_with_end_contact(12);
    return {chain.model, chain.state.q, chain.constraints};
  }
  if (name == "hand") {
    const Scene hand = load_named("shadow_like");
    return {hand.model, hand.q, points_on(hand.model, 3, 9)};
  }
  return name == "fixed" ? random_robot(11, samples::Base::kFixed, 9) : random_robot(4, samples::Base::kFloating, 12);
}

}  // namespace delassus::gpu
