// Dual<T>: a value and its derivative along one direction (forward-mode differentiation).
#pragma once

#include "delassus/math/scalar.hpp"

namespace delassus {

template <class T>
struct Dual {
  T value;
  T derivative;

  Dual() = default;
  DELASSUS_INLINE Dual(double x) : value(x), derivative(0) {}
  DELASSUS_INLINE Dual(T x, T dx) : value(x), derivative(dx) {}

  DELASSUS_INLINE friend Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.derivative + b.derivative}; }
  DELASSUS_INLINE friend Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.derivative - b.derivative}; }
  DELASSUS_INLINE friend Dual operator*(Dual a, Dual b) {
    return {a.value * b.value, a.derivative * b.value + a.value * b.derivative};
  }
  DELASSUS_INLINE friend Dual operator/(Dual a, Dual b) {
    const T quotient = a.value / b.value;
    return {quotient, (a.derivative - quotient * b.derivative) / b.value};
  }
  DELASSUS_INLINE friend Dual operator-(Dual a) { return {-a.value, -a.derivative}; }
  DELASSUS_INLINE Dual& operator+=(Dual b) { return *this = *this + b; }
  DELASSUS_INLINE Dual& operator-=(Dual b) { return *this = *this - b; }
  DELASSUS_INLINE Dual& operator*=(Dual b) { return *this = *this * b; }
  DELASSUS_INLINE Dual& operator/=(Dual b) { return *this = *this / b; }
  DELASSUS_INLINE friend auto operator<(Dual a, Dual b) { return a.value < b.value; }
};

template <class Mask, class T>
DELASSUS_INLINE Dual<T> select(Mask mask, Dual<T> a, Dual<T> b) {
  return {select(mask, a.value, b.value), select(mask, a.derivative, b.derivative)};
}

template <class T>
DELASSUS_INLINE Dual<T> sqrt(Dual<T> x) {
  const T root = sqrt(x.value);
  return {root, x.derivative / (T(2) * root)};
}

template <class T>
struct BaseOf<Dual<T>> {
  using type = Base<T>;
};

}  // namespace delassus
