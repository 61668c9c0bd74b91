// Robots on their feet and on the ground: Table I of Sathya, Montaut, de Mont-Marin and Carpentier, "Matrix-Free Delassus
// Operations", has the numbers of contacts and rows.
#include "delassus/constraints/ground_contacts.hpp"
#include "delassus/constraints/maximal.hpp"
#include "delassus/io/load.hpp"
#include "delassus/math/error.hpp"
#include "io/recipe_parts.hpp"

namespace delassus::io {
namespace {

// Where limp robots came to rest that were dropped onto the ground, in a simulation by another engine: the root's position
// and quaternion, then the joints, at some digits. Contacts are found anew from the shapes. The two postures of Go2 are
// from two falls; those of G1 from one, with its right hand turned.
const std::vector<double> kGo2Fallen{0,        0,        0.124171, 0.184458, 0.058693, 0.934906, -0.297458,
                                     -0.51853, -0.31325, -0.8572,  0.70473,  -0.26485, -0.852,   0.74772,
                                     -0.47053, -0.89844, -0.72736, -0.49814, -0.83776};
const std::vector<double> kGo2FallenAgain{0,        0,        0.078985, 0.056232, 0.019825, 0.941466, -0.331794,
                                          -0.76125, -1.30415, -0.83776, -0.64762, -0.4091,  -1.06557, 0.85787,
                                          -0.47197, -0.96938, -0.87826, -0.41453, -1.14391};
const std::vector<double> kG1Fallen{0,        0,        0.075584, 0.098113, 0.700267, 0.079923, 0.702576, 0.04274,
                                    -0.45573, -0.17342, 0.1667,   -0.11516, 0.25697,  1.16973,  -1.22465, 0.73156,
                                    0.31314,  -0.04703, -0.11289, -0.19242, -0.43609, -0.00012, -0.51232, 1.23058,
                                    0.66488,  -1.03972, 0.69592,  -1.5708,  0.20049,  0.22448,  -0.57133, -0.16861,
                                    -1.0472,  0.28378,  -1.28852, -0.0437};
const std::vector<double> kG1FallenAgain{0,       0,        0.075832, 0.099765, 0.700034, 0.08158, 0.702385, 0.03983,
                                         -0.4564, -0.17652, 0.17367,  -0.11752, 0.25697,  1.17218, -1.21882, 0.72825,
                                         0.31812, -0.04715, -0.11276, -0.19451, -0.43603, 0.0016,  -0.516,   1.22479,
                                         0.66179, -1.03689, 0.69779,  -1.5708,  0.20045,  0.22859, -0.57712, -0.13543,
                                         -1.0472, 0.00469,  -1.23198, -0.0559};

void touch_ground(Scene& scene) {
  add_constraints(scene, make_ground_contacts(scene.model, scene.q, {}, kContactMargin));
}

Scene fallen(std::string_view robot, const std::vector<double>& q) {
  Scene scene = load_embedded_robot(robot);
  scene.q = q;
  touch_ground(scene);
  return scene;
}

}  // namespace

Scene make_go2_standing() {
  Scene scene = load_embedded_robot("go2");
  set_joints(scene, {"FL", "FR", "RL", "RR"}, "_thigh_joint", 0.9);
  set_joints(scene, {"FL", "FR", "RL", "RR"}, "_calf_joint", -1.8);
  rest_on_ground(scene);
  touch_ground(scene);
  return scene;
}

Scene make_go2_fallen() { return fallen("go2", kGo2Fallen); }

Scene make_go2_fallen_friction() {
  Scene scene = fallen("go2", kGo2FallenAgain);
  add_joint_friction(scene);
  return scene;
}

/// The file's own pose, in which its loops are closed.
Scene make_cassie() {
  Scene scene = load_embedded_robot("cassie");
  const std::vector<Keyframe>& keys = scene.model.description().keyframes;
  if (keys.empty()) throw Error("robot 'cassie' has no keyframe to stand in");
  scene.q = keys.front().q;
  rest_on_ground(scene);
  touch_ground(scene);
  return scene;
}

Scene make_g1_standing() {
  Scene scene = load_embedded_robot("g1");
  set_joints(scene, {"left", "right"}, "_hip_pitch_joint", -0.3);
  set_joints(scene, {"left", "right"}, "_knee_joint", 0.6);
  set_joints(scene, {"left", "right"}, "_ankle_pitch_joint", -0.3);
  rest_on_ground(scene);
  touch_ground(scene);
  return scene;
}

Scene make_g1_fallen() { return fallen("g1", kG1Fallen); }

Scene make_g1_fallen_friction() {
  Scene scene = fallen("g1", kG1FallenAgain);
  add_joint_friction(scene);
  return scene;
}

/// The bodies of the standing G1 without their joints: 29 closures of five rows, then the contacts of the feet.
Scene make_g1_maximal() {
  const Scene standing = make_g1_standing();
  Scene scene = scene_of(make_maximal(standing.model, standing.q));
  add_constraints(scene, standing.constraints);
  return scene;
}

}  // namespace delassus::io
