#include "math/tape.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "delassus/math/error.hpp"

namespace delassus {
namespace {

thread_local Tape* current_tape = nullptr;

}  // namespace

Tape::Tape(bool rounds_to_float) : rounds_to_float_(rounds_to_float) { constant(0); }

Tape& Tape::current() {
  if (current_tape == nullptr) throw Error("a traced number was made on a thread that records nothing");
  return *current_tape;
}

Tape::Recording::Recording(Tape& tape) : before_(std::exchange(current_tape, &tape)) {}
Tape::Recording::~Recording() { current_tape = before_; }

int Tape::operands(TapeOp op) {
  switch (op) {
    case TapeOp::kConstant:
    case TapeOp::kInput:
      return 0;
    case TapeOp::kNegate:
    case TapeOp::kSquareRoot:
    case TapeOp::kSine:
    case TapeOp::kCosine:
    case TapeOp::kLane:
    case TapeOp::kSumLanes:
    case TapeOp::kLargestLane:
    case TapeOp::kKeepLanes:
      return 1;
    case TapeOp::kSelect:
      return 3;
    case TapeOp::kGather:
      return 4;
    default:
      return 2;
  }
}

std::size_t Tape::Hash::operator()(const Node& node) const {
  const auto mix = [](std::uint64_t h, std::uint64_t x) { return (h ^ x) * 0x9e3779b97f4a7c15U + (h >> 29U); };
  std::uint64_t h = static_cast<std::uint64_t>(node.op) + 1;
  for (const Index k : {node.a, node.b, node.c, node.d}) h = mix(h, static_cast<std::uint64_t>(k) + 0x51ed27U);
  return h ^ (h >> 32U);
}

Tape::Index Tape::keep(const Node& node) {
  const auto [at, is_new] = seen_.try_emplace(node, size());
  if (!is_new) return at->second;
  nodes_.push_back(node);
  bool lanes = node.op == TapeOp::kGather || node.op == TapeOp::kSumLanes || node.op == TapeOp::kLargestLane ||
               node.op == TapeOp::kKeepLanes;
  for (int k = 0; node.op != TapeOp::kLane && k < operands(node.op); ++k) lanes = lanes || has_lanes(operand(node, k));
  has_lanes_.push_back(lanes ? 1 : 0);
  return at->second;
}

Tape::Index Tape::constant(FourNumbers lanes) {
  std::array<std::uint64_t, kLanes> bits{};
  for (std::size_t l = 0; l < kLanes; ++l) {
    lanes[l] = rounded(lanes[l]);
    if (lanes[l] == 0) lanes[l] = 0;  // of either sign
    bits[l] = std::bit_cast<std::uint64_t>(lanes[l]);
  }
  const auto [at, is_new] = seen_constants_.try_emplace(bits, size());
  if (is_new) {
    nodes_.push_back({TapeOp::kConstant, static_cast<Index>(constants_.size())});
    has_lanes_.push_back(std::all_of(bits.begin(), bits.end(), [&](std::uint64_t b) { return b == bits[0]; }) ? 0 : 1);
    constants_.push_back(lanes);
  }
  return at->second;
}

Tape::Index Tape::input() {
  nodes_.push_back({TapeOp::kInput, num_inputs_++});
  has_lanes_.push_back(0);
  return size() - 1;
}

bool Tape::is(Index k, double value) const {
  if (!is_constant(k)) return false;
  const FourNumbers& lanes = numbers(k);
  return std::all_of(lanes.begin(), lanes.end(), [&](double x) { return x == value; });
}

template <class F>
Tape::Index Tape::fold(Index a, Index b, F&& f) {
  FourNumbers lanes;
  for (int l = 0; l < kLanes; ++l) lanes[static_cast<std::size_t>(l)] = f(value(a, l), value(b, l));
  return constant(lanes);
}

Tape::Index Tape::record(TapeOp op, Index a, Index b, Index c) {
  switch (op) {
    case TapeOp::kAdd:
      return add(a, b);
    case TapeOp::kSubtract:
      return subtract(a, b);
    case TapeOp::kMultiply:
      return multiply(a, b);
    case TapeOp::kDivide:
      return divide(a, b);
    case TapeOp::kNegate:
      return negate(a);
    case TapeOp::kSquareRoot:
      return is_constant(a) ? fold(a, a, [](double x, double) { return std::sqrt(x); }) : keep({op, a});
    case TapeOp::kSine:
      return is_constant(a) ? fold(a, a, [](double x, double) { return std::sin(x); }) : keep({op, a});
    case TapeOp::kCosine:
      return is_constant(a) ? fold(a, a, [](double x, double) { return std::cos(x); }) : keep({op, a});
    case TapeOp::kSelect:
      return select(a, b, c);
    default:
      return keep({op, a, b});
  }
}

Tape::Index Tape::record(const Node& n) {
  switch (n.op) {
    case TapeOp::kGather:
      return gather({n.a, n.b, n.c, n.d});
    case TapeOp::kLane:
      return lane(n.a, n.b);
    case TapeOp::kSumLanes:
      return sum_of_lanes(n.a);
    case TapeOp::kLargestLane:
      return largest_lane(n.a);
    case TapeOp::kKeepLanes:
      return keep_lanes(n.a, n.b);
    default:
      return record(n.op, n.a, n.b, n.c);
  }
}

Tape::Index Tape::add(Index a, Index b) {
  if (is_constant(a) && is_constant(b)) return fold(a, b, [](double x, double y) { return x + y; });
  if (is(a, 0)) return b;
  if (is(b, 0)) return a;
  if (node(b).op == TapeOp::kNegate) return subtract(a, node(b).a);
  if (node(a).op == TapeOp::kNegate) return subtract(b, node(a).a);
  return keep({TapeOp::kAdd, std::min(a, b), std::max(a, b)});
}

Tape::Index Tape::subtract(Index a, Index b) {
  if (is_constant(a) && is_constant(b)) return fold(a, b, [](double x, double y) { return x - y; });
  if (is(b, 0)) return a;
  if (is(a, 0)) return negate(b);
  if (node(b).op == TapeOp::kNegate) return add(a, node(b).a);
  if (node(a).op == TapeOp::kNegate) return negate(add(node(a).a, b));
  return keep({TapeOp::kSubtract, a, b});
}

Tape::Index Tape::multiply(Index a, Index b) {
  if (is_constant(a) && is_constant(b)) return fold(a, b, [](double x, double y) { return x * y; });
  if (is(a, 0) || is(b, 0)) return kZero;
  if (is(a, 1)) return b;
  if (is(b, 1)) return a;
  if (is(a, -1)) return negate(b);
  if (is(b, -1)) return negate(a);
  if (node(a).op == TapeOp::kNegate) return negate(multiply(node(a).a, b));
  if (node(b).op == TapeOp::kNegate) return negate(multiply(a, node(b).a));
  return keep({TapeOp::kMultiply, std::min(a, b), std::max(a, b)});
}

Tape::Index Tape::divide(Index a, Index b) {
  if (is_constant(a) && is_constant(b)) return fold(a, b, [](double x, double y) { return x / y; });
  if (is(a, 0) || is(b, 1)) return a;
  if (node(a).op == TapeOp::kNegate) return negate(divide(node(a).a, b));
  if (node(b).op == TapeOp::kNegate) return negate(divide(a, node(b).a));
  return keep({TapeOp::kDivide, a, b});
}

Tape::Index Tape::negate(Index a) {
  if (is_constant(a)) return fold(a, a, [](double x, double) { return -x; });
  if (node(a).op == TapeOp::kNegate) return node(a).a;
  if (node(a).op == TapeOp::kSubtract) return keep({TapeOp::kSubtract, node(a).b, node(a).a});
  return keep({TapeOp::kNegate, a});
}

Tape::Known Tape::known(Index mask) const {
  const Node less = node(mask);
  if (!is_constant(less.a) || !is_constant(less.b)) return Known::kNo;
  int holds = 0;
  for (int l = 0; l < kLanes; ++l) holds += value(less.a, l) < value(less.b, l) ? 1 : 0;
  return holds == kLanes ? Known::kHolds : holds == 0 ? Known::kFails : Known::kNo;
}

Tape::Index Tape::select(Index mask, Index a, Index b) {
  if (a == b) return a;
  if (const Known is = known(mask); is != Known::kNo) return is == Known::kHolds ? a : b;
  return keep({TapeOp::kSelect, mask, a, b});
}

bool Tape::ask(Index mask) {
  const Node less = node(mask);
  if (is_constant(less.a) && is_constant(less.b)) return known(mask) == Known::kHolds;
  if (std::find(checks_.begin(), checks_.end(), mask) == checks_.end()) checks_.push_back(mask);
  return std::find(denied_.begin(), denied_.end(), mask) == denied_.end();
}

void Tape::begin_checks(std::vector<Index> denied) {
  checks_.clear();
  denied_ = std::move(denied);
}

}  // namespace delassus
