#include "generate/shorter_sums.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

#include "generate/schedule.hpp"

namespace delassus::generation {
namespace {

using Index = Tape::Index;

/// Cycles until a result can be used, of processors of these years.
int latency(TapeOp op) {
  switch (op) {
    case TapeOp::kConstant:
    case TapeOp::kInput:
    case TapeOp::kNegate:
    case TapeOp::kLess:
      return 0;
    case TapeOp::kDivide:
      return 13;
    case TapeOp::kSquareRoot:
      return 19;
    case TapeOp::kSine:
    case TapeOp::kCosine:
      return 50;
    case TapeOp::kSumLanes:
    case TapeOp::kLargestLane:
      return 14;
    case TapeOp::kSelect:
    case TapeOp::kKeepLanes:
      return 1;
    case TapeOp::kGather:
    case TapeOp::kLane:
      return 3;
    default:
      return 4;
  }
}

bool is_sum(TapeOp op) { return op == TapeOp::kAdd || op == TapeOp::kSubtract; }

class SumShortener {
 public:
  explicit SumShortener(const Program& program)
      : from_(program.tape), schedule_(program), out_(program), copy_(from_.size(), -1), inner_(from_.size(), 0) {
    out_.tape = Tape(from_.rounds_to_float());
    find_inner();
  }

  Program run() {
    for (Index k = 0; k < from_.size(); ++k) {
      if (inner_[k] == 0) copy_[k] = copied(k);
    }
    for (ProgramInput& input : out_.inputs) input.node = copy_[input.node];
    for (ProgramOutput& output : out_.outputs) output.node = copy_of(output.node);
    for (Stage& stage : out_.stages) move(stage.checks);
    return std::move(out_);
  }

 private:
  /// Sums that only another sum of the same stage reads.
  void find_inner() {
    for (Index k = 0; k < from_.size(); ++k) {
      const Tape::Node& node = from_.node(k);
      if (!is_sum(node.op) || schedule_.stage[k] < 0) continue;
      for (const Index term : {node.a, node.b}) {
        const bool is_alone = schedule_.uses[term] == 1 && schedule_.stage[term] == schedule_.stage[k] &&
                              from_.has_lanes(term) == from_.has_lanes(k);
        if (is_sum(from_.node(term).op) && is_alone) inner_[term] = 1;
      }
    }
  }

  /// What explains a check may read inner sums.
  Index copy_of(Index k) {
    if (copy_[k] < 0) copy_[k] = sum(k);
    return copy_[k];
  }

  void move(std::vector<Check>& checks) {
    for (Check& check : checks) {
      check.mask = copy_of(check.mask);
      move(check.first);
    }
  }

  Index copied(Index k) {
    Tape& to = out_.tape;
    const Tape::Node& node = from_.node(k);
    const int stage = schedule_.stage[k];
    switch (node.op) {
      case TapeOp::kConstant:
        return to.constant(from_.numbers(k));
      case TapeOp::kInput:
        return to.input();
      case TapeOp::kAdd:
      case TapeOp::kSubtract:
        if (stage >= 0) return sum(k);
        break;
      default:
        break;
    }
    Tape::Node made = node;
    Index* const operands[] = {&made.a, &made.b, &made.c, &made.d};
    for (int i = 0; i < Tape::operands(node.op); ++i) *operands[i] = copy_of(*operands[i]);
    const Index copy = to.record(made);
    note(copy, stage, made);
    return copy;
  }

  /// When a node of the new tape is there, and in which stage that time counts.
  struct Arrival {
    int stage = -1, time = 0;
  };
  int time_of(Index k, int stage) const {
    const auto at = static_cast<std::size_t>(k);
    return at < arrivals_.size() && arrivals_[at].stage == stage ? arrivals_[at].time : 0;
  }
  void note(Index k, int stage, const Tape::Node& node) {
    if (static_cast<std::size_t>(k) >= arrivals_.size()) arrivals_.resize(static_cast<std::size_t>(out_.tape.size()));
    int time = 0;
    for (int i = 0; i < Tape::operands(node.op); ++i) time = std::max(time, time_of(Tape::operand(node, i), stage));
    arrivals_[static_cast<std::size_t>(k)] = {stage, time + latency(node.op)};
  }

  struct Term {
    int time;
    int order;  // of the terms: what is alike stays as the kernels have it
    Index node;
    bool minus;
    bool operator<(const Term& other) const { return std::tie(time, order) > std::tie(other.time, other.order); }
  };

  void collect(Index k, bool minus, int stage, std::vector<Term>& terms) {
    const Tape::Node& node = from_.node(k);
    const auto take = [&](Index operand, bool sign) {
      if (inner_[operand] != 0) return collect(operand, sign, stage, terms);
      const Index copy = copy_of(operand);
      terms.push_back({time_of(copy, stage), static_cast<int>(terms.size()), copy, sign});
    };
    take(node.a, minus);
    take(node.b, minus != (node.op == TapeOp::kSubtract));
  }

  Index sum(Index k) {
    const int stage = schedule_.stage[k];
    std::vector<Term> terms;
    collect(k, false, stage, terms);
    std::priority_queue<Term> queue(terms.begin(), terms.end());
    int order = static_cast<int>(terms.size());
    while (queue.size() > 1) {
      const Term a = queue.top();
      queue.pop();
      const Term b = queue.top();
      queue.pop();
      queue.push(of_two(a, b, stage, order++));
    }
    const Term& all = queue.top();
    return all.minus ? out_.tape.record({TapeOp::kNegate, all.node}) : all.node;
  }

  Term of_two(const Term& a, const Term& b, int stage, int order) {
    // a + b, a - b, b - a or -(a + b)
    const bool subtracts = a.minus != b.minus;
    const Tape::Node node{subtracts ? TapeOp::kSubtract : TapeOp::kAdd, subtracts && a.minus ? b.node : a.node,
                          subtracts && a.minus ? a.node : b.node};
    const Index made = out_.tape.record(node);
    note(made, stage, node);
    return {time_of(made, stage), order, made, a.minus && b.minus};
  }

  const Tape& from_;
  Schedule schedule_;
  Program out_;
  std::vector<Index> copy_;
  std::vector<char> inner_;
  std::vector<Arrival> arrivals_;
};

}  // namespace

Program with_shorter_sums(const Program& program) { return SumShortener(program).run(); }

}  // namespace delassus::generation
