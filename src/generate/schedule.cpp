#include "generate/schedule.hpp"

namespace delassus::generation {
namespace {

using Marks = std::vector<char>;

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
    const bool is_late = program.delay.to == static_cast<int>(s);
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
      counts.additions += 2;
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

}  // namespace

Schedule::Schedule(const Program& program)
    : nodes(program.stages.size()),
      stage(program.tape.size(), -1),
      slot(program.tape.size(), -1),
      uses(program.tape.size(), 0),
      counts(program.stages.size()) {
  const Tape& tape = program.tape;
  Marks roots(tape.size(), 0), early(tape.size(), 0);
  for_each_root(program, [&](Tape::Index k, int s) {
    roots[k] = 1;
    ++uses[k];
    if (s == program.delay.from) early[k] = 1;
    for (const int other : program.delay.unless) {
      if (s == other) early[k] = 1;
    }
  });
  const Marks needed = reached(tape, std::move(roots)), soon = reached(tape, std::move(early));
  const std::vector<Inputs> depends = dependencies(program);

  Marks kept(tape.size(), 0);
  for (Tape::Index k = 0; k < tape.size(); ++k) {
    if (needed[k] == 0 || tape.is_constant(k) || tape.node(k).op == TapeOp::kLess) continue;
    int s = stage_of(program, depends[k]);
    if (s == program.delay.from && soon[k] == 0 && tape.node(k).op != TapeOp::kInput) s = program.delay.to;
    stage[k] = s;
    for_each_operand(tape, k, [&](Tape::Index operand) {
      ++uses[operand];
      if (stage[operand] >= 0 && stage[operand] != s) kept[operand] = 1;
    });
    count_operation(tape, k, counts[s]);
  }
  for_each_root(program, [&](Tape::Index k, int s) {
    if (stage[k] >= 0 && stage[k] != s) kept[k] = 1;
  });
  for (Tape::Index k = 0; k < tape.size(); ++k) {
    if (stage[k] < 0) continue;
    if (kept[k] != 0 || tape.node(k).op != TapeOp::kInput) nodes[stage[k]].push_back(k);
  }
  for (const bool lanes : {true, false}) {
    for (Tape::Index k = 0; k < tape.size(); ++k) {
      if (stage[k] < 0 || kept[k] == 0 || tape.has_lanes(k) != lanes) continue;
      slot[k] = num_slots;
      num_slots += lanes ? Tape::kLanes : 1;
    }
  }
}

}  // namespace delassus::generation
