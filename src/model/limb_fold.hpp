// Which limbs of a robot lie side by side: the choice that a LimbModel is built from.
#pragma once

#include <vector>

#include "model/limb_model.hpp"

namespace delassus {

/// For each kind of joint a slot, or none.
struct SlotByKind {
  std::array<std::int32_t, kNumJointKinds> slots;
  SlotByKind() { slots.fill(-1); }
  std::int32_t& operator[](JointKind kind) { return slots[static_cast<std::size_t>(kind)]; }
};

/// Subtrees side by side: a tree whose links have one link of the robot, or none, in each lane. Parents come first.
struct LaneTree {
  struct Slot {
    std::int32_t parent;  // slot, or -1
    JointKind kind;
    LimbSource link{-1, -1, -1, -1};
    SlotByKind first_child{}, last_child{};
    std::int32_t next = -1;  // child of the same parent, of the same kind
  };
  std::vector<Slot> slots;
  std::int32_t lanes = 0;                // in use
  std::int32_t deepest_parent = kWorld;  // of those that its limbs hang on, all on one way to the world
};

/// A choice of the trunk, and what hangs on it.
struct Fold {
  std::vector<bool> trunk;  // per link
  std::vector<LaneTree> trees;

  int links() const;
};

/// The smallest of several folds, in a time that grows with the number of links.
Fold choose_fold(const Model& model);

}  // namespace delassus
