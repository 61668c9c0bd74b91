// The humanoids of the papers, as topologies with general axes and inertias. Same arguments, same bits.
#pragma once

#include "delassus/model/description.hpp"

namespace delassus {

/// The two-armed mechanism of Fig. 2 of Chang and Khatib, "Efficient recursive algorithm for the operational space inertia
/// matrix of branching mechanisms": 24 links with joints of one degree of freedom. The paper gives the sum; how many links each
/// part has is ours. The pelvis is fixed to the world; frames left_arm_tip and right_arm_tip are the operational points.
struct TwoArmedOptions {
  int trunk_links = 2;
  int arm_links = 7;  // of each arm
  int leg_links = 4;  // of each leg
};
ModelDescription make_two_armed(const TwoArmedOptions& options);

/// The tree of 35 bodies like ASIMO's of Fig. 4 of Wensing, Featherstone and Orin, "A Reduced-Order Recursive Algorithm for
/// the Computation of the Operational-Space Inertia Matrix" (EFPA), and the changes made to it there. The torso floats; the waist's joint moves the pelvis, which carries the
/// legs: with the torso as base, 56 % of the entries of M are zero, and 73 % with two more arms and legs, as the paper says.
/// Hands are the last links of the arms (left_arm7), feet those of the legs (left_leg6), the head is head3. Fingers are
/// left_thumb1 and left_forefinger1, or left_finger1_1 to left_finger4_3. Further pairs are called left_arm_b, left_leg_b.
struct AsimoOptions {
  int extra_arm_joints = 0;   // in each arm
  int extra_leg_joints = 0;   // in each leg
  int extra_hand_joints = 0;  // in each finger
  bool four_fingers = false;  // hands with four fingers of three joints instead of thumb and forefinger
  int limb_pairs = 1;         // pairs of arms, and of legs
  bool on_left_foot = false;  // the left foot is fixed to the world, and the tree starts there
};
ModelDescription make_asimo(const AsimoOptions& options);

/// A floating humanoid of 30 joints with two hands of 24: 84 degrees of freedom, as Atlas with two Shadow hands has them
/// (Fig. 6 of the PV-OSIMr paper). Each hand has two joints in the wrist, four in forefinger, middle and ring finger, five
/// in little finger and thumb. Frames at the tips: left_thumb_tip, left_forefinger_tip, ...; left_leg_tip is a sole.
struct HandedOptions {
  bool left_hand = true, right_hand = true;
};
ModelDescription make_handed_humanoid(const HandedOptions& options);

/// One such hand by itself on a fixed wrist.
ModelDescription make_hand();

}  // namespace delassus
