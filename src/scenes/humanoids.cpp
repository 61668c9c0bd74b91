#include "scenes/mechanisms.hpp"

#include "delassus/math/error.hpp"
#include "scenes/limb_builder.hpp"

namespace delassus {
namespace {

// One seed each, so that mechanisms differ.
constexpr std::uint64_t kTwoArmedSeed = 11, kAsimoSeed = 12, kHandedSeed = 13, kHandSeed = 14;

constexpr Vec3<double> kUp{{0, 0, 1}}, kDown{{0, 0, -1}}, kForward{{1, 0, 0}};
constexpr const char* kSides[] = {"left_", "right_"};

/// +1 for left, which is where y points, -1 for right.
double side_sign(int side) { return side == 0 ? 1 : -1; }

/// Arms hang beside the chest, legs below the hip, fingers before the palm.
LimbShape arm_shape(double sign) { return {{{0, 0.2 * sign, 0.3}}, {{0, 0.6 * sign, -0.8}}, 0.12, 1}; }
LimbShape leg_shape(double sign) { return {{{0, 0.1 * sign, -0.05}}, kDown, 0.15, 2.5}; }
LimbShape finger_shape(int finger, int fingers) {
  return {{{0.03, 0.02 * (finger - 0.5 * (fingers - 1)), 0}}, kForward, 0.03, 0.03};
}
constexpr LimbShape kTrunkShape{{{0, 0, 0.1}}, kUp, 0.12, 4};
constexpr LimbShape kNeckShape{{{0, 0, 0.35}}, kUp, 0.08, 0.8};

// ------------------------------------------------------------------------------------------- asimo

constexpr int kAsimoArm = 7, kAsimoLeg = 6, kAsimoHead = 3;

class AsimoMaker {
 public:
  explicit AsimoMaker(const AsimoOptions& options) : options_(options) {}

  ModelDescription make() {
    options_.on_left_foot ? make_from_foot() : make_from_torso();
    return tree_.description();
  }

 private:
  void make_from_torso() {
    const int torso = tree_.add_base("torso", true, 15, 0.4);
    const int pelvis = tree_.add_link("pelvis", torso, kWaist);
    add_upper_body(torso);
    for (int pair = 0; pair < options_.limb_pairs; ++pair) {
      for (int side = 0; side < 2; ++side) add_leg(pelvis, side, pair);
    }
  }

  /// The same joints, passed from the left foot upwards: pelvis and torso take the places of the base's children.
  void make_from_foot() {
    const int foot = tree_.add_base("left_foot", false, 1.5, 0.2);
    const LimbShape upwards{{{0, 0, 0.1}}, kUp, 0.15, 2.5};
    const int thigh = tree_.add_limb("left_leg", foot, leg_joints() - 1, upwards);
    const int pelvis = tree_.add_link("pelvis", thigh, upwards);
    LimbShape waist = kWaist;
    waist.direction = kUp;
    waist.mass = 15;
    const int torso = tree_.add_link("torso", pelvis, waist);
    add_upper_body(torso);
    for (int pair = 0; pair < options_.limb_pairs; ++pair) {
      for (int side = 0; side < 2; ++side) {
        if (pair > 0 || side > 0) add_leg(pelvis, side, pair);
      }
    }
  }

  void add_upper_body(int torso) {
    tree_.add_limb("head", torso, kAsimoHead, kNeckShape);
    for (int pair = 0; pair < options_.limb_pairs; ++pair) {
      for (int side = 0; side < 2; ++side) add_arm(torso, side, pair);
    }
  }

  void add_arm(int torso, int side, int pair) {
    LimbShape shape = arm_shape(side_sign(side));
    shape.mount[2] -= 0.1 * pair;
    const int hand = tree_.add_limb(limb_name("arm", side, pair), torso, kAsimoArm + options_.extra_arm_joints, shape);
    if (options_.four_fingers) {
      for (int k = 0; k < 4; ++k) add_finger("finger" + std::to_string(k + 1) + "_", hand, side, pair, k, 4, 3);
    } else {
      add_finger("thumb", hand, side, pair, 0, 2, 1);
      add_finger("forefinger", hand, side, pair, 1, 2, 1);
    }
  }

  void add_finger(const std::string& name, int hand, int side, int pair, int k, int fingers, int joints) {
    const std::string prefix = std::string(kSides[side]) + (pair > 0 ? pair_letter(pair) + "_" : "") + name;
    tree_.add_limb(prefix, hand, joints + options_.extra_hand_joints, finger_shape(k, fingers));
  }

  void add_leg(int pelvis, int side, int pair) {
    LimbShape shape = leg_shape(side_sign(side));
    shape.mount[0] -= 0.2 * pair;
    tree_.add_limb(limb_name("leg", side, pair), pelvis, leg_joints(), shape);
  }

  int leg_joints() const { return kAsimoLeg + options_.extra_leg_joints; }

  static std::string pair_letter(int pair) { return std::string(1, static_cast<char>('a' + pair)); }
  /// left_arm, left_arm_b_, ...: link numbers follow.
  static std::string limb_name(const char* limb, int side, int pair) {
    return std::string(kSides[side]) + limb + (pair > 0 ? "_" + pair_letter(pair) + "_" : "");
  }

  static constexpr LimbShape kWaist{{{0, 0, -0.1}}, kDown, 0.15, 6};

  const AsimoOptions& options_;
  LimbBuilder tree_{"asimo", kAsimoSeed};
};

// ------------------------------------------------------------------------------------------- hands

struct Finger {
  const char* name;
  int joints;
};
constexpr Finger kFingers[] = {{"thumb", 5}, {"forefinger", 4}, {"middle", 4}, {"ring", 4}, {"little", 5}};
constexpr int kWristJoints = 2;

void add_five_fingered_hand(LimbBuilder& tree, const std::string& side, int forearm, const LimbShape& wrist) {
  const int palm = tree.add_limb(side + "wrist", forearm, kWristJoints, wrist);
  for (int k = 0; k < 5; ++k) tree.add_limb(side + kFingers[k].name, palm, kFingers[k].joints, finger_shape(k, 5));
}

}  // namespace

ModelDescription make_two_armed(const TwoArmedOptions& options) {
  require_at_least("trunk_links", options.trunk_links, 1);
  require_at_least("arm_links", options.arm_links, 1);
  require_at_least("leg_links", options.leg_links, 0);
  LimbBuilder tree("humanoid", kTwoArmedSeed);
  const int pelvis = tree.add_base("pelvis", false, 8, 0.2);
  const int chest = tree.add_limb("trunk", pelvis, options.trunk_links, kTrunkShape);
  for (int side = 0; side < 2; ++side) {
    tree.add_limb(std::string(kSides[side]) + "arm", chest, options.arm_links, arm_shape(side_sign(side)));
    tree.add_limb(std::string(kSides[side]) + "leg", pelvis, options.leg_links, leg_shape(side_sign(side)));
  }
  return tree.description();
}

ModelDescription make_asimo(const AsimoOptions& options) {
  require_at_least("extra_arm_joints", options.extra_arm_joints, 0);
  require_at_least("extra_leg_joints", options.extra_leg_joints, 0);
  require_at_least("extra_hand_joints", options.extra_hand_joints, 0);
  require_at_least("limb_pairs", options.limb_pairs, 1);
  if (options.limb_pairs > 26) throw Error("argument 'limb_pairs' is more than 26: pairs are named by letters");
  return AsimoMaker(options).make();
}

ModelDescription make_handed_humanoid(const HandedOptions& options) {
  LimbBuilder tree("handed", kHandedSeed);
  const int pelvis = tree.add_base("pelvis", true, 10, 0.3);
  const int chest = tree.add_limb("trunk", pelvis, 3, kTrunkShape);
  tree.add_limb("head", chest, 1, kNeckShape);
  for (int side = 0; side < 2; ++side) {
    const std::string name = kSides[side];
    LimbShape shape = arm_shape(side_sign(side));
    const int forearm = tree.add_limb(name + "arm", chest, 7, shape);
    tree.add_limb(name + "leg", pelvis, 6, leg_shape(side_sign(side)));
    shape.mount = shape.length * shape.direction;
    shape.mass = 0.3;
    shape.length = 0.04;
    if (side == 0 ? options.left_hand : options.right_hand) add_five_fingered_hand(tree, name, forearm, shape);
  }
  return tree.description();
}

ModelDescription make_hand() {
  LimbBuilder tree("hand", kHandSeed);
  const int forearm = tree.add_base("forearm", false, 1, 0.2);
  add_five_fingered_hand(tree, "", forearm, {{{0.1, 0, 0}}, kForward, 0.04, 0.3});
  return tree.description();
}

}  // namespace delassus
