// The tables that a kernel is compiled with (src/gpu/plan.hpp fills them), and where the numbers of a lane stand.
//
// A robot is a list of elements: a scalar degree of freedom each, or the free base. A joint of several degrees of freedom is as many
// elements at one origin, of which the last carries the link. The elements of the trunk, which are in every lane, come first, and
// parents before children. Points where rows act are slots; each belongs to an element and holds up to three rows in each lane.
#pragma once

namespace delassus::gpu {

enum class Kind : int { kFree, kHinge, kSlideX, kSlideY, kSlideZ, kScrew, kBallX, kBallY, kBallZ };

/// Of an element, for each lane: rotation by rows, translation, mass, its moment, its inertia (xx xy xz yy yz zz), armature, pitch.
namespace element {
inline constexpr int kRotation = 0, kTranslation = 9, kMass = 12, kMoment = 13, kInertia = 16, kArmature = 22,
                     kPitch = 23;
inline constexpr int kNumbers = 24;
inline constexpr int kCoordinate = 0, kDof = 1;  // first entry of q, entry of v
inline constexpr int kIndices = 2;
}  // namespace element

/// Of a slot: the point on its link, what velocity a unit impulse gives it, its coefficient of friction (-1: it is held) and three axes, which
/// floors that are level do without.
namespace slot {
inline constexpr int kPoint = 0, kMobility = 3, kFriction = 4, kAxes = 5;
inline constexpr int kNumbers = 14, kLevelNumbers = 5;
inline constexpr int kIndices = 3;  // the rows, -1: none
}  // namespace slot

/// Of a loop closure within a limb, after the slots: its two points, and which of them the constraint names first.
namespace loop {
inline constexpr int kPoint = 0, kSign = 6;
inline constexpr int kNumbers = 7;
inline constexpr int kIndices = 1;  // the first row, -1: none
}  // namespace loop

/// Of a row at a single degree of freedom, after the loops: its sign, one over its mobility, the bounds of its force, and its row.
namespace joint_row {
inline constexpr int kSign = 0, kStiffness = 1, kLow = 2, kHigh = 3;
inline constexpr int kNumbers = 4, kIndices = 1;
}  // namespace joint_row

/// After all of these: the armatures of the base, which few have (kBaseArmature).
inline constexpr int kBaseNumbers = 6;

constexpr bool turns(Kind kind) { return kind == Kind::kHinge || kind == Kind::kScrew || kind >= Kind::kBallX; }
constexpr bool slides(Kind kind) { return kind >= Kind::kSlideX && kind <= Kind::kScrew; }
/// Elements of a joint after the first of a ball stand where that one does.
constexpr bool has_placement(Kind kind) { return kind != Kind::kBallY && kind != Kind::kBallZ; }

}  // namespace delassus::gpu
