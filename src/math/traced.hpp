// Traced: a number of which only the node on the tape is known (math/tape.hpp). Kernels that run on it write down what they compute.
// Base is the number that the code will compute with: tolerances, and what few digits ask for, follow from it.
#pragma once

#include <concepts>
#include <type_traits>

#include "delassus/math/pack.hpp"
#include "delassus/math/scalars.hpp"
#include "math/tape.hpp"

namespace delassus {

/// A comparison of traced numbers.
struct TracedMask {
  Tape::Index node;
};

template <class B, class Role>
struct Traced {
  Tape::Index node;

  Traced() : node(Tape::kZero) {}
  Traced(double x) : node(Tape::current().constant(x)) {}  // NOLINT: a number like any other
  /// Constants of the lanes of a fold.
  Traced(const Limbs& x) requires std::same_as<Role, LimbsOfOneRobot>  // NOLINT: a number like any other
      : node(Tape::current().constant(Tape::FourNumbers{x[0], x[1], x[2], x[3]})) {}
  static Traced at(Tape::Index node) {
    Traced x;
    x.node = node;
    return x;
  }
  static Traced input() { return at(Tape::current().input()); }

  friend Traced operator+(Traced a, Traced b) { return record(TapeOp::kAdd, a, b); }
  friend Traced operator-(Traced a, Traced b) { return record(TapeOp::kSubtract, a, b); }
  friend Traced operator*(Traced a, Traced b) { return record(TapeOp::kMultiply, a, b); }
  friend Traced operator/(Traced a, Traced b) { return record(TapeOp::kDivide, a, b); }
  friend Traced operator-(Traced a) { return record(TapeOp::kNegate, a, a); }
  Traced& operator+=(Traced b) { return *this = *this + b; }
  Traced& operator-=(Traced b) { return *this = *this - b; }
  Traced& operator*=(Traced b) { return *this = *this * b; }
  Traced& operator/=(Traced b) { return *this = *this / b; }
  friend TracedMask operator<(Traced a, Traced b) { return {record(TapeOp::kLess, a, b).node}; }

  /// Calls: expanded in place, in kernels that are unrolled, they take minutes to compile.
  [[gnu::noinline]] static Traced record(TapeOp op, Traced a, Traced b, Traced c = {}) {
    return at(Tape::current().record(op, a.node, Tape::operands(op) > 1 ? b.node : 0, c.node));
  }
};

template <class B, class Role>
Traced<B, Role> select(TracedMask mask, Traced<B, Role> a, Traced<B, Role> b) {
  return Traced<B, Role>::record(TapeOp::kSelect, Traced<B, Role>::at(mask.node), a, b);
}
template <class B, class Role>
Traced<B, Role> sqrt(Traced<B, Role> x) {
  return Traced<B, Role>::record(TapeOp::kSquareRoot, x, x);
}
template <class B, class Role>
void sincos(Traced<B, Role> x, Traced<B, Role>& s, Traced<B, Role>& c) {
  s = Traced<B, Role>::record(TapeOp::kSine, x, x);
  c = Traced<B, Role>::record(TapeOp::kCosine, x, x);
}
inline bool all_lanes(TracedMask mask) { return Tape::current().ask(mask.node); }

template <class B, class Role>
struct BaseOf<Traced<B, Role>> {
  using type = B;
};

// Lanes of a fold, in one node.
template <class B>
using TracedLimbs = Traced<B, LimbsOfOneRobot>;
template <class B>
inline constexpr bool kFolded<TracedLimbs<B>> = true;

template <class B>
TracedLimbs<B> sum_of_lanes(TracedLimbs<B> x) {
  return TracedLimbs<B>::at(Tape::current().sum_of_lanes(x.node));
}
template <class B>
TracedLimbs<B> largest_lane(TracedLimbs<B> x) {
  return TracedLimbs<B>::at(Tape::current().largest_lane(x.node));
}
template <class B>
TracedLimbs<B> keep_lanes(TracedLimbs<B> x, LaneSet lanes) {
  return TracedLimbs<B>::at(Tape::current().keep_lanes(x.node, lanes));
}

}  // namespace delassus
