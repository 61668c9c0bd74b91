// Mechanisms of the papers: chains, stems, stars and humanoids, as topologies with general axes and inertias, and with the
// constraints that they were studied with. Same arguments, same bits.
#pragma once

#include "delassus/constraints/constrained_model.hpp"

namespace delassus {

/// A serial chain of revolute joints: links link1, link2, ... and a frame link_tip at the end.
struct ChainOptions {
  int links = 10;
  bool floating = false;  // a body `base` with a free joint before link1
};
ModelDescription make_chain(const ChainOptions& options);

/// A stem with as many branches at either end: Fig. 3 of Sathya, Decré and Swevers, "PV-OSIMr: A Lowest Order Complexity
/// Algorithm for Computing the Delassus Matrix". A free body `base` carries the stem stem1, stem2, ...; branches rear1_1 ...
/// hang on the base, front1_1 ... on the stem's last link, each with a frame at its tip: rear1_tip, front1_tip.
struct StemOptions {
  int stem = 1;          // links between the two ends
  int branches = 1;      // on either end
  int branch_links = 7;  // of each branch
};
ModelDescription make_stem(const StemOptions& options);

/// Equal limbs around one free body: limb1_1 ... with frames limb1_tip, ...
struct StarOptions {
  int limbs = 8;
  int joints = 7;  // of each limb
};
ModelDescription make_star(const StarOptions& options);

/// A swimmer that moves in the plane z = 0: a planar joint under link1 and revolute ones between the links, nv = links + 2
/// (Fig. 2 of Sathya, Montaut, de Mont-Marin and Carpentier, "Matrix-Free Delassus Operations"). Each link is a capsule that lies on the plane.
ModelDescription make_swimmer(int links);

// Fig. 3 and 4 of Sathya, Decré and Swevers, "PV-OSIMr".

/// Every branch tip is welded: n = stem + 2 · branches · branch_links + 6 and 12 · branches rows.
ConstrainedModel make_stem_scene(const StemOptions& options);

/// A fixed chain of k² links with links k, 2k, ..., k² welded: 6k rows. The term m·d dominates.
ConstrainedModel make_k2_chain_scene(int k);

/// The same chain with a point of each of these links pinned to one of the link before it, and of the first to the
/// world: k loops of three rows, each over k links.
ConstrainedModel make_k2_loops_scene(int k);

/// A fixed chain with every link welded: 6 rows per link.
ConstrainedModel make_all_welded_scene(int links);

/// A chain whose last link is welded: 6 rows, whatever its length.
ConstrainedModel make_chain_scene(const ChainOptions& options);

/// A star whose tips are pinned to each other along an expander-like graph in which every tip has three edges: a ring and a
/// random perfect matching, which is an expander almost surely (Bollobás and Chung, "The diameter of a cycle plus a random
/// matching"). The number of limbs is even and at least 6; 3 · limbs / 2 loops of three rows.
ConstrainedModel make_expander_scene(const StarOptions& options);

/// Two points of every link lie on the ground: 6 rows per link.
ConstrainedModel make_swimmer_scene(int links);

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

// Humanoids with the operational points at which the papers looked: six rows each, a weld to where the point is, unless it
// says otherwise.

/// The tips of both arms: 12 rows (Chang and Khatib).
ConstrainedModel make_two_armed_scene(const TwoArmedOptions& options);

/// The operational spaces of Fig. 6 of Wensing, Featherstone and Orin.
enum class AsimoPoints {
  kHandsFeet,             // all hands and all feet that are not fixed
  kHandsFeetHead,         // and the head
  kForefingersThumbsFeet  // fingers instead of hands; with four fingers, the first and the last
};
ConstrainedModel make_asimo_scene(const AsimoOptions& options, AsimoPoints points);

/// The tips of the fingers pinned (three rows each), and the soles welded if `feet` (Fig. 6 of the PV-OSIMr paper).
ConstrainedModel make_handed_scene(const HandedOptions& options, bool feet);
/// The tips of one hand pinned: 15 rows on 24 degrees of freedom.
ConstrainedModel make_hand_scene();

}  // namespace delassus
