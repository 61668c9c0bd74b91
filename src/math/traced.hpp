// Traced: a number of which only the node on the tape is known (math/tape.hpp). Kernels that run on it write down what they compute.
// Base is the number that the code will compute with: tolerances, and what few digits ask for, follow from it.
#pragma once

#include <concepts>
#include <type_traits>

#include "delassus/math/scalars.hpp"
#include "math/tape.hpp"

namespace delassus {

/// A comparison of traced numbers.
struct TracedMask {
  Tape::Index node;
};

template <class B>
struct Traced {
  Tape::Index node;

  Traced() : node(Tape::kZero) {}
  Traced(double x) : node(Tape::current().constant(x)) {}  // NOLINT: a number like any other
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

template <class B>
Traced<B> select(TracedMask mask, Traced<B> a, Traced<B> b) {
  return Traced<B>::record(TapeOp::kSelect, Traced<B>::at(mask.node), a, b);
}
template <class B>
Traced<B> sqrt(Traced<B> x) {
  return Traced<B>::record(TapeOp::kSquareRoot, x, x);
}
template <class B>
void sincos(Traced<B> x, Traced<B>& s, Traced<B>& c) {
  s = Traced<B>::record(TapeOp::kSine, x, x);
  c = Traced<B>::record(TapeOp::kCosine, x, x);
}
inline bool all_lanes(TracedMask mask) { return Tape::current().ask(mask.node); }

template <class B>
struct BaseOf<Traced<B>> {
  using type = B;
};

}  // namespace delassus
