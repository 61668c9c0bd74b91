// Counted: a double that counts what is done with it, so that a kernel's cost is a number and not an opinion.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "delassus/math/scalar.hpp"

namespace delassus {

struct OperationCount {
  std::int64_t additions = 0;  // and subtractions
  std::int64_t multiplications = 0;
  std::int64_t divisions = 0;
  std::int64_t square_roots = 0;
  std::int64_t trigonometric = 0;  // a sincos is two

  /// Operations without the trigonometric calls, as the papers count.
  std::int64_t total() const { return additions + multiplications + divisions + square_roots; }
  bool operator==(const OperationCount&) const = default;
  friend OperationCount operator-(const OperationCount& a, const OperationCount& b) {
    return {a.additions - b.additions, a.multiplications - b.multiplications, a.divisions - b.divisions,
            a.square_roots - b.square_roots, a.trigonometric - b.trigonometric};
  }
};

/// Sign changes, comparisons and selections are free, as in the papers' tables. Operations that count are calls: expanded in
/// place, in kernels that are unrolled, they take minutes to compile.
struct Counted {
  double value;

  Counted() = default;
  Counted(double x) : value(x) {}

  /// The running count of this thread.
  static OperationCount& count() {
    thread_local OperationCount operations;
    return operations;
  }

  /// Whether sums with 0 and products with 0, 1 and -1 are free on this thread, as they are where code is generated from
  /// formulas. What is exactly 0 or 1 in general position is so by structure.
  static bool& folds() {
    thread_local bool on = false;
    return on;
  }

  [[gnu::noinline]] friend Counted operator+(Counted a, Counted b) {
    if (!folds() || (a.value != 0 && b.value != 0)) ++count().additions;
    return {a.value + b.value};
  }
  [[gnu::noinline]] friend Counted operator-(Counted a, Counted b) {
    if (!folds() || (a.value != 0 && b.value != 0)) ++count().additions;
    return {a.value - b.value};
  }
  [[gnu::noinline]] friend Counted operator*(Counted a, Counted b) {
    if (!folds() || !(a.is_trivial_factor() || b.is_trivial_factor())) ++count().multiplications;
    return {a.value * b.value};
  }
  [[gnu::noinline]] friend Counted operator/(Counted a, Counted b) {
    return ++count().divisions, Counted(a.value / b.value);
  }
  friend Counted operator-(Counted a) { return Counted(-a.value); }
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }
  Counted& operator*=(Counted b) { return *this = *this * b; }
  Counted& operator/=(Counted b) { return *this = *this / b; }
  friend bool operator<(Counted a, Counted b) { return a.value < b.value; }

 private:
  bool is_trivial_factor() const { return value == 0 || value == 1 || value == -1; }
};

inline Counted select(bool mask, Counted a, Counted b) { return mask ? a : b; }
inline Counted sqrt(Counted x) { return ++Counted::count().square_roots, Counted(std::sqrt(x.value)); }
inline void sincos(Counted x, Counted& s, Counted& c) {
  Counted::count().trigonometric += 2;
  s = Counted(std::sin(x.value));
  c = Counted(std::cos(x.value));
}

/// Counts the operations that `work` does on this thread.
template <class Work>
OperationCount count_operations(Work&& work) {
  const OperationCount before = Counted::count();
  Counted::count() = OperationCount{};
  work();
  const OperationCount counted = Counted::count();
  Counted::count() = before;
  return counted;
}

/// What the stages of an algorithm cost: it marks where each ends, and who counts asks for the marks.
class Stages {
 public:
  struct Mark {
    const char* name;
    OperationCount operations;
  };

  static void begin() { of_thread() = Stages{}; }
  static std::vector<Mark> end() { return std::move(of_thread().marks_); }
  static void mark(const char* name) {
    Stages& s = of_thread();
    s.marks_.push_back({name, Counted::count() - s.before_});
    s.before_ = Counted::count();
  }

 private:
  static Stages& of_thread() {
    thread_local Stages stages;
    return stages;
  }
  OperationCount before_;
  std::vector<Mark> marks_;
};

/// Ends a stage. Other scalars do not count.
template <class T>
DELASSUS_INLINE void end_stage(const char* name) {
  if constexpr (std::same_as<T, Counted>) Stages::mark(name);
}

template <>
struct BaseOf<Counted> {
  using type = double;
};

}  // namespace delassus
