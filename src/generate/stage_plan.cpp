#include "generate/stage_plan.hpp"

#include <algorithm>

namespace delassus::generation {
namespace {

using Index = Tape::Index;

/// What runs through the lanes; gathering is done before.
bool is_of_limbs(const Program& program, const Schedule& schedule, Index k) {
  return program.lanes == Program::Lanes::kLoops && schedule.wide[k] != 0 && program.tape.node(k).op != TapeOp::kGather;
}

}  // namespace

StagePlan::StagePlan(const Program& program, const Schedule& schedule, int stage, int part_nodes)
    : part(program.tape.size(), -1),
      word(program.tape.size(), -1),
      program_(program),
      schedule_(schedule),
      stage_(stage),
      level_(program.tape.size(), 0) {
  for (const Index k : schedule.nodes[stage]) {
    const Tape::Node& node = program.tape.node(k);
    if (node.op == TapeOp::kSine || node.op == TapeOp::kCosine) angles[node.a].push_back(k);
  }
  find_held();
  find_levels();
  find_products();
  cut_into_parts(part_nodes);
  share_words();
}

bool StagePlan::is_known(Index k) const {
  const TapeOp op = program_.tape.node(k).op;
  if (op == TapeOp::kConstant || op == TapeOp::kInput) return true;
  return schedule_.slot[k] >= 0 && schedule_.stage[k] < stage_;
}

void StagePlan::find_held() {
  const Tape& tape = program_.tape;
  std::vector<char> seen(tape.size(), 0);
  const auto hold = [&](auto&& self, Index k) -> void {
    if (seen[k] != 0) return;
    seen[k] = 1;
    if (is_here(k)) {
      held_.insert(k);
    } else if (!is_known(k)) {
      for_each_operand(tape, k, [&](Index operand) { self(self, operand); });
    }
  };
  const auto visit = [&](auto&& self, const std::vector<Check>& list) -> void {
    for (const Check& check : list) {
      for_each_operand(tape, check.mask, [&](Index operand) { hold(hold, operand); });
      self(self, check.first);
    }
  };
  visit(visit, program_.stages[stage_].checks);
  for (const ProgramOutput& output : program_.outputs) {
    if (output.stage != stage_ || tape.node(output.node).op != TapeOp::kLess) continue;
    for_each_operand(tape, output.node, [&](Index operand) { hold(hold, operand); });
  }
}

void StagePlan::find_levels() {
  for (const Index k : schedule_.nodes[stage_]) {
    const bool of_limbs = is_of_limbs(program_, schedule_, k);
    for_each_operand(program_.tape, k, [&](Index operand) {
      if (!is_here(operand)) return;
      const int wait = !of_limbs && is_of_limbs(program_, schedule_, operand) ? 1 : 0;
      level_[k] = std::max(level_[k], level_[operand] + wait);
    });
  }
}

void StagePlan::find_products() {
  const Tape& tape = program_.tape;
  for (const Index k : schedule_.nodes[stage_]) {
    const Tape::Node& node = tape.node(k);
    if (node.op != TapeOp::kAdd && node.op != TapeOp::kSubtract) continue;
    for (const Index factor : {node.b, node.a}) {
      if (tape.node(factor).op != TapeOp::kMultiply || schedule_.uses[factor] != 1 || schedule_.slot[factor] >= 0 ||
          !is_here(factor) || held_.count(factor) != 0 || level_[factor] != level_[k] ||
          schedule_.wide[factor] != schedule_.wide[k])
        continue;
      products.insert(factor);
      break;
    }
  }
}

void StagePlan::cut_into_parts(int part_nodes) {
  std::map<std::pair<int, bool>, std::vector<Index>> segments;
  for (const Index k : schedule_.nodes[stage_]) {
    if (products.count(k) == 0) segments[{level_[k], is_of_limbs(program_, schedule_, k)}].push_back(k);
  }
  for (const auto& [key, nodes] : segments) {
    for (const Index k : nodes) {
      if (part[k] >= 0) continue;
      const bool begins = parts.empty() || parts.back().of_limbs != key.second || k == nodes.front() ||
                          static_cast<int>(parts.back().nodes.size()) >= part_nodes;
      if (begins) parts.push_back({{}, key.second});
      const auto put = [&](Index node) {
        part[node] = static_cast<int>(parts.size()) - 1;
        parts.back().nodes.push_back(node);
      };
      put(k);
      const auto twins = angles.find(program_.tape.node(k).a);
      const TapeOp op = program_.tape.node(k).op;
      if (twins == angles.end() || (op != TapeOp::kSine && op != TapeOp::kCosine)) continue;
      for (const Index twin : twins->second) {
        if (part[twin] < 0) put(twin);
      }
    }
  }
}

/// What a product stands for are its factors.
template <class F>
void StagePlan::for_each_read(Index k, F&& f) const {
  for_each_operand(program_.tape, k, [&](Index operand) {
    if (products.count(operand) != 0) {
      for_each_operand(program_.tape, operand, f);
    } else {
      f(operand);
    }
  });
}

/// Each word is used again when nobody reads it any more.
void StagePlan::share_words() {
  const int num_parts = static_cast<int>(parts.size());
  std::vector<int> last(program_.tape.size(), -1);
  const auto read = [&](Index k, int by) {
    // Gathered numbers lie in memory for the limbs of the same level.
    const bool lies = is_here(k) && schedule_.slot[k] < 0 && part[k] >= 0;
    if (lies && by > part[k]) last[k] = std::max(last[k], by);
  };
  for (const Part& p : parts) {
    for (const Index k : p.nodes) for_each_read(k, [&](Index operand) { read(operand, part[k]); });
  }
  for (const Index k : held_) read(k, num_parts);
  std::vector<std::vector<Index>> made(static_cast<std::size_t>(num_parts)),
      ends(static_cast<std::size_t>(num_parts) + 1);
  for (const Index k : schedule_.nodes[stage_]) {
    if (last[k] < 0) continue;
    made[part[k]].push_back(k);
    ends[last[k]].push_back(k);
  }
  int count[2] = {0, 0};
  for (const int wide : {1, 0}) {
    std::set<int> free;
    for (int p = 0; p < num_parts; ++p) {
      for (const Index k : made[p]) {
        if (schedule_.wide[k] != wide) continue;
        if (free.empty()) free.insert(count[wide]++);
        word[k] = *free.begin();
        free.erase(free.begin());
      }
      for (const Index k : ends[p]) {
        if (schedule_.wide[k] == wide) free.insert(word[k]);
      }
    }
  }
  lane_words = count[1];
  num_words = Tape::kLanes * count[1] + count[0];
}

}  // namespace delassus::generation
