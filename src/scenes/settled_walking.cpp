// Robots on their feet and on the ground: Table I of Sathya, Montaut, de Mont-Marin and Carpentier, "Matrix-Free Delassus
// Operations", has the numbers of contacts and rows. Postures come from standing and falling; seeds of pushes were chosen, one after the
// other, until as many points touch as in that table.
#include "delassus/constraints/constrained_model.hpp"
#include "delassus/io/load.hpp"
#include "delassus/math/error.hpp"
#include "model/splitmix.hpp"
#include "scenes/recipe_parts.hpp"
#include "scenes/settling.hpp"

namespace delassus {
namespace {

/// Of motors that hold a posture, N m per radian and N m s per radian: stiff enough that what stands stays above its feet.
struct Gains {
  double kp, kd;
};
constexpr Gains kGo2Gains{200, 10}, kG1Gains{1000, 40}, kCassieGains{1000, 60};

/// Falls: the first seed of their pushes, and points that touch in the end.
struct Fall {
  std::uint64_t first;
  int contacts;
};
constexpr Fall kGo2Fall{13, 9}, kGo2OtherFall{8, 10}, kG1Fall{19, 23}, kG1OtherFall{0, 24};

Scene stand(Scene scene, const Gains& gains, SettledRun& run) {
  rest_on_ground(scene);
  if (!settle(scene, {{}, make_position_actuators(scene.model, gains.kp, gains.kd)}, run)) {
    throw Error("robot '" + scene.model.description().name + "' does not stand still");
  }
  add_constraints(scene, make_touching_contacts(scene));
  return scene;
}

Scene make_go2() {
  Scene scene = load_embedded_robot("go2");
  set_joints(scene, {"FL", "FR", "RL", "RR"}, "_thigh_joint", 0.9);
  set_joints(scene, {"FL", "FR", "RL", "RR"}, "_calf_joint", -1.8);
  return scene;
}

/// Limp, with a push without a pattern.
std::optional<Scene> let_go2_fall(std::uint64_t seed, SettledRun& run) {
  constexpr double kTurn = 2, kSpeed = 0.7, kJoints = 4;  // radians and metres per second
  Scene scene = make_go2();
  rest_on_ground(scene);
  SplitMix random(seed);
  Beginning push;
  push.v.resize(scene.v.size());
  for (std::size_t k = 0; k < push.v.size(); ++k) {
    push.v[k] = (k < 3 ? kTurn : k < 6 ? kSpeed : kJoints) * random.uniform(-1, 1);
  }
  if (!settle(scene, push, run)) return {};
  return scene;
}

std::optional<Scene> let_g1_fall(std::uint64_t seed, SettledRun& run) {
  const Topple topple = draw_topple(seed);
  Scene scene = make_upright_g1();
  spread_arms(scene, "", topple);
  rest_on_ground(scene);
  Beginning push;
  push.v.resize(scene.v.size());
  std::ranges::copy(topple.v, push.v.begin());
  if (!settle(scene, push, run)) return {};
  return scene;
}

}  // namespace

Scene make_upright_g1() {
  Scene scene = load_embedded_robot("g1");
  set_joints(scene, {"left", "right"}, "_hip_pitch_joint", -0.3);
  set_joints(scene, {"left", "right"}, "_knee_joint", 0.6);
  set_joints(scene, {"left", "right"}, "_ankle_pitch_joint", -0.3);
  return scene;
}

Topple draw_topple(std::uint64_t seed) {
  constexpr double kTurn = 0.3, kSpeed = 0.2, kBackwards = 0.6;  // radians and metres per second
  SplitMix random(seed);
  Topple out{random.uniform(0.6, 1.5), random.uniform(0.3, 1.5), {}};
  for (std::size_t k = 0; k < std::size(out.v); ++k) out.v[k] = (k < 3 ? kTurn : kSpeed) * random.uniform(-1, 1);
  out.v[3] = -kBackwards;
  return out;
}

void spread_arms(Scene& scene, const std::string& prefix, const Topple& topple) {
  set_joint(scene, prefix + "left_shoulder_roll_joint", topple.shoulder);
  set_joint(scene, prefix + "right_shoulder_roll_joint", -topple.shoulder);
  set_joints(scene, {prefix + "left", prefix + "right"}, "_elbow_joint", topple.elbow);
}

Scene settle_go2_standing(SettledRun& run) { return stand(make_go2(), kGo2Gains, run); }
Scene settle_go2_fallen(SettledRun& run) { return repeat_until(kGo2Fall.contacts, kGo2Fall.first, let_go2_fall, run); }
Scene settle_go2_fallen_again(SettledRun& run) {
  return repeat_until(kGo2OtherFall.contacts, kGo2OtherFall.first, let_go2_fall, run);
}

/// From the file's own pose, in which its loops are closed.
Scene settle_cassie(SettledRun& run) {
  Scene scene = load_embedded_robot("cassie");
  const std::vector<Keyframe>& keys = scene.model.description().keyframes;
  if (keys.empty()) throw Error("robot 'cassie' has no keyframe to stand in");
  scene.q = keys.front().q;
  return stand(std::move(scene), kCassieGains, run);
}

Scene settle_g1_standing(SettledRun& run) { return stand(make_upright_g1(), kG1Gains, run); }
Scene settle_g1_fallen(SettledRun& run) { return repeat_until(kG1Fall.contacts, kG1Fall.first, let_g1_fall, run); }
Scene settle_g1_fallen_again(SettledRun& run) {
  return repeat_until(kG1OtherFall.contacts, kG1OtherFall.first, let_g1_fall, run);
}

/// The bodies of the standing G1 without their joints: 29 closures of five rows, then the contacts of the feet.
Scene settle_g1_maximal(SettledRun& run) {
  const Scene standing = settle_g1_standing(run);
  Scene scene = scene_of(make_maximal(standing.model, standing.q));
  add_constraints(scene, standing.constraints);
  return scene;
}

}  // namespace delassus
