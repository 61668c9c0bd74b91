#include "generate/schedule.hpp"

#include <algorithm>
#include <limits>

namespace delassus::generation {
namespace {

using Marks = std::vector<char>;

constexpr int kNone = std::numeric_limits<int>::max();

/// Nodes that `roots` are made of.
Marks reached(const Tape& tape, Marks roots) {
  for (Tape::Index k = tape.size() - 1; k >= 0; --k) {
    if (roots[k] != 0) for_each_operand(tape, k, [&](Tape::Index operand) { roots[operand] = 1; });
  }
  return roots;
}

/// What stages leave: outputs, and what their checks compare.
template <class F>
void for_each_root(const Program& program, F&& f) {
  const Tape& tape = program.tape;
  const auto take = [&](Tape::Index k, int stage) {
    if (tape.node(k).op == TapeOp::kLess) {
      for_each_operand(tape, k, [&](Tape::Index operand) { f(operand, stage); });
    } else {
      f(k, stage);
    }
  };
  for (const ProgramOutput& output : program.outputs) take(output.node, output.stage);
  for (std::size_t s = 0; s < program.stages.size(); ++s) {
    for (const Check& check : program.stages[s].checks) take(check.mask, static_cast<int>(s));
  }
}

/// By the stage that a delay is from, or one of those that it is not for.
Marks needed_soon(const Program& program, const Program::Delay& delay) {
  Marks early(program.tape.size(), 0);
  for_each_root(program, [&](Tape::Index k, int s) {
    const bool is_soon =
        s == delay.from || std::find(delay.unless.begin(), delay.unless.end(), s) != delay.unless.end();
    if (is_soon) early[k] = 1;
  });
  return reached(program.tape, std::move(early));
}

std::vector<Inputs> dependencies(const Program& program) {
  std::vector<Inputs> depends(program.tape.size(), 0);
  for (const ProgramInput& input : program.inputs) depends[input.node] = input.comes_with;
  for (Tape::Index k = 0; k < program.tape.size(); ++k) {
    for_each_operand(program.tape, k, [&](Tape::Index operand) { depends[k] |= depends[operand]; });
  }
  return depends;
}

/// The first that knows all inputs.
int stage_of(const Program& program, Inputs depends) {
  for (std::size_t s = 0; s < program.stages.size(); ++s) {
    const bool is_late = std::any_of(program.delays.begin(), program.delays.end(),
                                     [&](const Program::Delay& delay) { return delay.to == static_cast<int>(s); });
    if (!is_late && (depends & ~program.stages[s].knows) == 0) return static_cast<int>(s);
  }
  throw Error("internal error: a node depends on inputs that no stage knows");
}

void count_operation(const Tape& tape, Tape::Index k, OperationCount& counts) {
  switch (tape.node(k).op) {
    case TapeOp::kAdd:
    case TapeOp::kSubtract:
      ++counts.additions;
      break;
    case TapeOp::kMultiply:
      ++counts.multiplications;
      break;
    case TapeOp::kDivide:
      ++counts.divisions;
      break;
    case TapeOp::kSumLanes:
      counts.additions += 2;  // a third where numbers are added one by one
      break;
    case TapeOp::kSquareRoot:
      ++counts.square_roots;
      break;
    case TapeOp::kSine:
    case TapeOp::kCosine:
      ++counts.trigonometric;
      break;
    default:
      break;
  }
}

/// In vectors all that has lanes, in loops only what differs from lane to lane.
std::vector<char> wide_nodes(const Program& program) {
  const Tape& tape = program.tape;
  std::vector<char> wide(tape.size(), 0);
  for (Tape::Index k = 0; k < tape.size(); ++k) {
    const Tape::Node& node = tape.node(k);
    if (program.lanes == Program::Lanes::kVectors || tape.is_constant(k)) {
      wide[k] = tape.has_lanes(k) ? 1 : 0;
      continue;
    }
    switch (node.op) {
      case TapeOp::kLane:
      case TapeOp::kSumLanes:
      case TapeOp::kLargestLane:
        break;
      case TapeOp::kGather:
        wide[k] = node.a == node.b && node.b == node.c && node.c == node.d ? 0 : 1;
        break;
      case TapeOp::kKeepLanes:
        wide[k] = 1;
        break;
      default:
        for (int i = 0; i < Tape::operands(node.op); ++i) wide[k] |= wide[Tape::operand(node, i)];
    }
  }
  return wide;
}

}  // namespace

Schedule::Schedule(const Program& program)
    : nodes(program.stages.size()),
      stage(program.tape.size(), -1),
      wide(wide_nodes(program)),
      slot(program.tape.size(), -1),
      uses(program.tape.size(), 0),
      counts(program.stages.size()) {
  const Tape& tape = program.tape;
  Marks roots(tape.size(), 0);
  for_each_root(program, [&](Tape::Index k, int) {
    roots[k] = 1;
    ++uses[k];
  });
  const Marks needed = reached(tape, std::move(roots));
  std::vector<Marks> soon;
  for (const Program::Delay& delay : program.delays) soon.push_back(needed_soon(program, delay));
  const std::vector<Inputs> depends = dependencies(program);

  std::vector<int> reader(tape.size(), kNone);  // the first other stage that reads it
  const auto read_by = [&](Tape::Index k, int s) {
    if (stage[k] >= 0 && stage[k] != s) reader[k] = std::min(reader[k], s);
  };
  for (Tape::Index k = 0; k < tape.size(); ++k) {
    if (needed[k] == 0 || tape.is_constant(k) || tape.node(k).op == TapeOp::kLess) continue;
    int s = stage_of(program, depends[k]);
    for (std::size_t d = 0; d < soon.size() && tape.node(k).op != TapeOp::kInput; ++d) {
      if (s == program.delays[d].from && soon[d][k] == 0) s = program.delays[d].to;
    }
    stage[k] = s;
    for_each_operand(tape, k, [&](Tape::Index operand) {
      ++uses[operand];
      read_by(operand, s);
    });
    const bool loops = wide[k] != 0 && program.lanes == Program::Lanes::kLoops;
    for (int lane = 0; lane < (loops ? Tape::kLanes : 1); ++lane) count_operation(tape, k, counts[s]);
  }
  for_each_root(program, read_by);
  for (Tape::Index k = 0; k < tape.size(); ++k) {
    if (stage[k] < 0) continue;
    if (reader[k] != kNone || tape.node(k).op != TapeOp::kInput) nodes[stage[k]].push_back(k);
  }
  int count[2] = {0, 0};
  // What is read from the last delay on lies behind the rest: an instruction of a Cortex-M reaches 256 numbers, which so are those of products and solves.
  const int late = program.delays.empty() ? 0 : program.delays.back().to;
  for (const bool is_late : {false, true}) {
    for (Tape::Index k = 0; k < tape.size(); ++k) {
      if (reader[k] != kNone && (reader[k] >= late) == is_late) slot[k] = count[static_cast<int>(wide[k])]++;
    }
  }
  lane_slots = count[1];
  num_slots = Tape::kLanes * count[1] + count[0];
}

}  // namespace delassus::generation
