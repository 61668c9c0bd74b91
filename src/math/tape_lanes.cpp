// Nodes of four lanes. What is the same operation in every lane becomes one operation of gathered operands, so that what kernels do for
// each limb by itself, such as placing its contact, goes in lanes as well.
#include <algorithm>
#include <optional>
#include <utility>

#include "math/tape.hpp"

namespace delassus {
namespace {

constexpr auto kNothing = Tape::kAny;

std::size_t at(int lane) { return static_cast<std::size_t>(lane); }

bool is_of_two(TapeOp op) {
  return op == TapeOp::kAdd || op == TapeOp::kSubtract || op == TapeOp::kMultiply || op == TapeOp::kDivide;
}
bool is_of_one(TapeOp op) {
  return op == TapeOp::kNegate || op == TapeOp::kSquareRoot || op == TapeOp::kSine || op == TapeOp::kCosine;
}

/// What has to be in a lane so that f of it is this constant.
std::optional<double> source_of(TapeOp op, double value) {
  if (op == TapeOp::kNegate) return -value;
  if (op == TapeOp::kCosine) return value == 1 ? std::optional(0.0) : std::nullopt;
  if (op == TapeOp::kSquareRoot && value == 1) return 1.0;
  return value == 0 ? std::optional(0.0) : std::nullopt;
}

}  // namespace

/// If the lanes are those of one node, in their places, that node: with zeros where they are zero.
bool Tape::take_lanes_of_one(const Four& lanes, Index& out) {
  Index whole = kNothing;
  int kept = 0, free = 0;
  for (int l = 0; l < kLanes; ++l) {
    const Index k = lanes[at(l)];
    if (k == kNothing) {
      free |= 1 << l;
    } else if (node(k).op == TapeOp::kLane && node(k).b == l && (whole == kNothing || whole == node(k).a)) {
      whole = node(k).a;
      kept |= 1 << l;
    } else if (k != kZero) {
      return false;
    }
  }
  if (whole == kNothing) return false;
  out = keep_lanes(whole, (kept | free) == (1 << kLanes) - 1 ? kept | free : kept);
  return true;
}

Tape::Index Tape::gather(const Four& lanes) {
  const Node key{TapeOp::kGather, lanes[0], lanes[1], lanes[2], lanes[3]};
  if (const auto known = gathered_.find(key); known != gathered_.end()) return known->second;
  const Index made = gather_new(lanes);
  return gathered_[key] = made;
}

Tape::Index Tape::gather_new(const Four& lanes) {
  Four full = lanes;
  const auto first = std::find_if(lanes.begin(), lanes.end(), [&](Index k) { return k != kAny && !is_constant(k); });
  if (first == lanes.end()) {
    FourNumbers numbers{};
    for (int l = 0; l < kLanes; ++l) numbers[at(l)] = full[at(l)] == kAny ? 0 : value(full[at(l)]);
    return constant(numbers);
  }
  std::replace(full.begin(), full.end(), kAny, *first);
  if (std::all_of(full.begin(), full.end(), [&](Index k) { return k == *first; })) {
    const Node& n = node(*first);
    if (n.op == TapeOp::kLane && is_alike_in_lanes(n.a)) return n.a;
    return keep({TapeOp::kGather, full[0], full[1], full[2], full[3]});
  }
  if (Index whole = 0; take_lanes_of_one(lanes, whole)) return whole;
  if (const Index same = gather_same_operation(lanes); same != kAny) return same;
  return keep({TapeOp::kGather, full[0], full[1], full[2], full[3]});
}

/// The operation that lanes become, or none: any sum or product before what has one operand, as those are multiples of ±1.
std::optional<TapeOp> Tape::common_operation(const Four& lanes) const {
  std::optional<TapeOp> common;
  bool all_the_same = true;
  for (const Index k : lanes) {
    if (k == kAny || is_constant(k)) continue;
    const TapeOp op = node(k).op;
    if (!is_of_one(op) && !is_of_two(op)) {
      all_the_same = false;
      continue;
    }
    all_the_same = all_the_same && (!common || *common == op);
    if (!common || (is_of_two(op) && !is_of_two(*common))) common = op;
  }
  if (!common || is_of_two(*common) || all_the_same) return common;
  return *common == TapeOp::kNegate ? std::optional(TapeOp::kMultiply) : std::nullopt;
}

/// Operands of `op` by which this node is what `op` gives.
std::optional<std::pair<Tape::Index, Tape::Index>> Tape::operands_for(TapeOp op, Index k) {
  using Pair = std::pair<Index, Index>;
  // Lanes that may have any number have no 0 / 0, and no root of what is below zero.
  if (k == kAny) return Pair{op == TapeOp::kSquareRoot ? kZero : kAny, op == TapeOp::kDivide ? constant(1) : kAny};
  const Node n = node(k);
  if (is_of_one(op)) {
    if (n.op == op) return Pair{n.a, kAny};
    const auto source = is_constant(k) ? source_of(op, value(k)) : std::nullopt;
    return source ? std::optional(Pair{constant(*source), kAny}) : std::nullopt;
  }
  if (n.op == op) return Pair{n.a, n.b};
  if (op == TapeOp::kAdd || op == TapeOp::kSubtract) {
    if (n.op == TapeOp::kAdd || n.op == TapeOp::kSubtract) return Pair{n.a, negate(n.b)};
    return Pair{k, kZero};
  }
  if (k == kZero && op == TapeOp::kMultiply) return Pair{kZero, kAny};
  if (n.op != TapeOp::kNegate) return op == TapeOp::kMultiply ? Pair{constant(1), k} : Pair{k, constant(1)};
  const Node of = node(n.a);
  if (of.op == op) return is_constant(of.b) ? Pair{of.a, negate(of.b)} : Pair{negate(of.a), of.b};
  return op == TapeOp::kMultiply ? Pair{constant(-1), n.a} : Pair{k, constant(1)};
}

/// Of a sum or product either operand may stand first: constants do, and else what is like the first of the first lane.
void Tape::align(Four& a, Four& b) const {
  const auto likeness = [&](Index x, Index y) {
    if (x == kAny || y == kAny) return 1;
    if (x == y) return 4;
    const Node &m = node(x), &n = node(y);
    if (m.op != n.op) return 0;
    return m.op == TapeOp::kLane && m.a == n.a ? 4 : 2;
  };
  for (int l = 0; l < kLanes; ++l) {
    if (b[at(l)] != kAny && is_constant(b[at(l)])) std::swap(a[at(l)], b[at(l)]);
  }
  int first = 0;
  while (first < kLanes && (a[at(first)] == kAny || b[at(first)] == kAny)) ++first;
  for (int l = first + 1; l < kLanes; ++l) {
    const int straight = likeness(a[at(l)], a[at(first)]) + likeness(b[at(l)], b[at(first)]);
    if (likeness(b[at(l)], a[at(first)]) + likeness(a[at(l)], b[at(first)]) > straight) std::swap(a[at(l)], b[at(l)]);
  }
}

/// The operation of gathered operands, or kAny where lanes differ in it. Signs, and sums and products that a zero or a one has
/// made vanish, do not tell lanes apart.
Tape::Index Tape::gather_same_operation(const Four& lanes) {
  const std::optional<TapeOp> op = common_operation(lanes);
  if (!op) return kAny;
  Four a{}, b{};
  for (int l = 0; l < kLanes; ++l) {
    const auto operands = operands_for(*op, lanes[at(l)]);
    if (!operands) return kAny;
    a[at(l)] = operands->first, b[at(l)] = operands->second;
  }
  if (is_of_one(*op)) return record(*op, gather(a));
  if (*op == TapeOp::kAdd || *op == TapeOp::kMultiply) align(a, b);
  const Index left = gather(a);
  return record(*op, left, gather(b));
}

Tape::Index Tape::lane(Index a, int lane) {
  const Node n = node(a);
  if (n.op == TapeOp::kConstant) return constant(value(a, lane));
  if (!has_lanes(a)) return a;
  if (n.op == TapeOp::kGather) return operand(n, lane);
  if (is_alike_in_lanes(a)) return keep({TapeOp::kLane, a, 0});
  if (n.op == TapeOp::kKeepLanes) return (n.b >> lane & 1) != 0 ? this->lane(n.a, lane) : kZero;
  return keep({TapeOp::kLane, a, lane});
}

Tape::Index Tape::sum_of_lanes(Index a) {
  if (!is_constant(a)) return keep({TapeOp::kSumLanes, a});
  const FourNumbers& x = numbers(a);
  return constant((x[0] + x[2]) + (x[1] + x[3]));
}

Tape::Index Tape::largest_lane(Index a) {
  if (!is_constant(a)) return keep({TapeOp::kLargestLane, a});
  return constant(*std::max_element(numbers(a).begin(), numbers(a).end()));
}

Tape::Index Tape::keep_lanes(Index a, int set) {
  if (set == (1 << kLanes) - 1) return a;
  if (node(a).op == TapeOp::kKeepLanes) return keep_lanes(node(a).a, set & node(a).b);
  if (!is_constant(a)) return keep({TapeOp::kKeepLanes, a, set});
  FourNumbers kept{};
  for (int l = 0; l < kLanes; ++l) kept[at(l)] = (set >> l & 1) != 0 ? value(a, l) : 0;
  return constant(kept);
}

}  // namespace delassus
