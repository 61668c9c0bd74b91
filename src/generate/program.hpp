// What a tape is made into: functions (stages) of one file, what goes in and out of each, and which checks stand in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "delassus/math/error.hpp"
#include "math/tape.hpp"

namespace delassus::generation {

/// Inputs by what they come with: one bit each.
using Inputs = std::uint32_t;

/// A number that a function is given.
struct ProgramInput {
  Tape::Index node;
  Inputs comes_with;
  std::string place;  // in C: "q[3]"
};

/// A number that a function leaves; of a mask, whether it holds.
struct ProgramOutput {
  Tape::Index node;
  int stage;
  std::string place;
};

/// Where a mask does not hold, the first one of `first` that does not hold either says why; if all of them do, `status`, or nothing if that is ok.
struct Check {
  Tape::Index mask;
  Status status;
  std::vector<Check> first = {};
  int lane = -1;  // of the mask; -1: all lanes
};

struct Stage {
  std::string name;  // of the function: "update"
  Inputs knows;      // what it and the stages that it goes on from were given
  std::vector<Check> checks = {};
};

struct Program {
  explicit Program(bool is_float) : tape(is_float) {}

  Tape tape;
  /// What four lanes are in the text: vectors, or loops over them.
  enum class Lanes : std::uint8_t { kVectors, kLoops } lanes = Lanes::kVectors;
  std::vector<ProgramInput> inputs;
  std::vector<ProgramOutput> outputs;
  /// A node belongs to the first stage that knows all that it depends on.
  std::vector<Stage> stages;
  /// What `from` would compute and no stage of `unless` needs is computed in `to`. One after the other: what one has delayed another may.
  struct Delay {
    int from = -1, to = -1;
    std::vector<int> unless = {};
  };
  std::vector<Delay> delays = {};
};

}  // namespace delassus::generation
