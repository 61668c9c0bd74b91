// Which node of a tape is computed where, and what has to be kept for later.
#pragma once

#include <vector>

#include "delassus/math/counted.hpp"
#include "generate/program.hpp"

namespace delassus::generation {

struct Schedule {
  explicit Schedule(const Program& program);

  /// Nodes that a stage computes, operands first. Inputs that are kept for a later stage are among them, masks and constants are not.
  std::vector<std::vector<Tape::Index>> nodes;
  /// Of each node: its stage, and -1 where it is not needed (but perhaps by what explains a check).
  std::vector<int> stage;
  /// Whether it lies in memory as four numbers: its lanes differ, or go in vectors.
  std::vector<char> wide;
  /// Place in the state, of what a later stage needs; else -1. Those of four numbers come first, and each kind is numbered by itself.
  std::vector<int> slot;
  int lane_slots = 0, num_slots = 0;  // of four numbers; numbers in all
  /// How often it is an operand or an output.
  std::vector<int> uses;
  std::vector<OperationCount> counts;  // of each stage; what vectors do counts once
};

/// f(k) for the nodes that a node reads. Of a mask, those that it compares.
template <class F>
void for_each_operand(const Tape& tape, Tape::Index k, F&& f) {
  const Tape::Node& node = tape.node(k);
  for (int i = 0; i < Tape::operands(node.op); ++i) {
    const Tape::Index operand = Tape::operand(node, i);
    if (tape.node(operand).op == TapeOp::kLess) {
      f(tape.node(operand).a);
      f(tape.node(operand).b);
    } else {
      f(operand);
    }
  }
}

}  // namespace delassus::generation
