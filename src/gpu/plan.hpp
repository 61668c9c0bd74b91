// A robot with its constraints as a kernel sees it: tables that are compiled in, and numbers for each lane that are not.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/model/model.hpp"
#include "gpu/kernel/structure.hpp"

namespace delassus::gpu {

/// Lanes that an environment has at most: those of a fold (model/limb_model.hpp).
inline constexpr int kMostLanes = 4;
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

using LaneList = std::array<std::int32_t, kMostLanes>;

/// A scalar degree of freedom, or the free base; kernel/structure.hpp says what these are.
struct Element {
  Kind kind;
  int parent;      // element, or -1: the world; of those that lanes hang on the one that `ways` does not override
  bool top;        // hangs on the trunk with limbs in the lanes
  bool massive;    // the last of its joint: carries the link
  LaneList link;   // of the robot, -1: none in this lane
  int coordinate;  // within the joint
  int dof;
};

/// Lanes (a bit each) of a top element, and the element that they hang on.
struct ElementWay {
  int parent;
  int lanes;
};

/// A contact or a pin: constraint and first row, or -1, in each lane.
struct PointSlot {
  LaneList constraint{-1, -1, -1, -1};
  LaneList row{-1, -1, -1, -1};
};

/// A ball between two links of one limb: its ends, the first of them with the smaller number, and where their ways inwards meet (-1: the world).
struct LoopSlot {
  int a, b, meet;
  std::vector<int> side;  // of each element: 1 or 2 where the joint is on the way from a or b to there, else 0
  LaneList constraint{-1, -1, -1, -1};
  LaneList row{-1, -1, -1, -1};
};

/// A limit or dry friction of one joint.
struct JointRowSlot {
  int element;
  LaneList constraint{-1, -1, -1, -1};
  LaneList row{-1, -1, -1, -1};
};

struct Plan {
  int lanes = 1;  // threads for an environment
  int trunk = 0;  // elements in all lanes
  int coordinates = 0, dofs = 0, rows = 0;
  std::vector<Element> elements;
  std::vector<int> last_element;              // of each link of the robot
  std::vector<std::vector<ElementWay>> ways;  // of an element
  std::vector<LoopSlot> loops;
  std::vector<JointRowSlot> joint_rows;       // by element
  std::vector<std::vector<PointSlot>> slots;  // of an element
  bool level = true;                          // all axes of rows are those of a level floor
  bool full_points = true;                    // all points have three rows
  int base_coordinate = -1, base_dof = -1;
  bool base_armature = false;

  std::string contact_fault;  // why contact forces cannot be solved for; empty if they can

  std::vector<double> numbers;  // [which][lane], as kernel/structure.hpp says
  std::vector<std::int32_t> indices;

  int num_slots() const;
};

/// Throws an Error that names what kernels cannot do.
Plan make_plan(const Model& model, std::span<const Constraint> constraints);

/// The tables as a C++ struct of this name.
std::string structure_text(const Plan& plan, const std::string& name);

}  // namespace delassus::gpu
