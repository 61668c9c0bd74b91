// Free joints on the world: the unknown is the acceleration of the link itself, and its inertia is inverted as a whole.
#pragma once

#include "dynamics/link_step.hpp"
#include "operators/condensed/placed.hpp"

namespace delassus::condensed {

/// The inverse of L D Lᵀ, by that of L.
template <class T>
Sym<T, 6> inverse_of(const Ldlt<T, 6>& H) {
  Sym<T, 6> L = H.factor, W;  // L becomes its inverse, row by row; its diagonal stays D⁻¹
  DELASSUS_UNROLL
  for (int r = 1; r < 6; ++r) {
    DELASSUS_UNROLL
    for (int c = 0; c < r; ++c) {
      T sum = -H.factor(r, c);
      DELASSUS_UNROLL
      for (int k = c + 1; k < r; ++k) sum -= H.factor(r, k) * L(k, c);
      L(r, c) = sum;
    }
  }
  DELASSUS_UNROLL
  for (int r = 0; r < 6; ++r) {
    DELASSUS_UNROLL
    for (int c = 0; c < r + 1; ++c) {
      T sum = c == r ? L(r, r) : L(r, r) * L(r, c);
      DELASSUS_UNROLL
      for (int k = r + 1; k < 6; ++k) sum += L(k, k) * L(k, r) * L(k, c);
      W(r, c) = sum;
    }
  }
  return W;
}

/// The inertia of a free link goes to `yield`, and floors of its pivots to `free_pivots`.
template <class T>
void place_free(const ModelOf<T>& model, int i, int index, const Kinematics<T>& kin, CondensedConfiguration<T>& c) {
  ArticulatedInertia<T> H = articulated(link_inertia(model, kin, i));
  LinkExchange<T>::add_whole(model, i, c.art.H[i], H);
  c.yield[index] = packed(H);
  for (int k = 0; k < 6; ++k) c.free_pivots[6 * index + k] = pivot_floor_of<T>(model, model.link(i).v + k);
}

/// Numbers of neighbours side by side in the lanes of X, or one number.
template <class X, class F>
DELASSUS_INLINE X neighbours(F&& number) {
  if constexpr (std::same_as<X, std::remove_cvref_t<decltype(number(0))>>) {
    return number(0);
  } else {
    return X(typename X::Vector{number(0), number(1), number(2), number(3)});
  }
}
template <class X, class F>
DELASSUS_INLINE void set_neighbours(const X& x, F&& number) {
  if constexpr (std::same_as<X, std::remove_cvref_t<decltype(number(0))>>) {
    number(0) = x;
  } else {
    for (int l = 0; l < X::kWidth; ++l) number(l) = x[l];
  }
}

/// Inertias of free links, from this one on as many as X has lanes, become their inverses. Returns the margin of the pivots.
template <class X, class T>
X invert_free(int first, CondensedConfiguration<T>& c) {
  const auto pivot = [&](int k) { return [&c, first, k](int l) -> T& { return c.free_pivots[6 * (first + l) + k]; }; };
  const auto entry = [&](int k) { return [&c, first, k](int l) -> T& { return c.yield[first + l].a[k]; }; };
  Sym<X, 6> H;
  Vec<X, 6> floor;
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<X, 6>::kSize; ++k) H.a[k] = neighbours<X>(entry(k));
  DELASSUS_UNROLL
  for (int k = 0; k < 6; ++k) floor[k] = neighbours<X>(pivot(k));
  X margin;
  const Ldlt<X, 6> factor = factor_ldlt(H, floor, margin);
  DELASSUS_UNROLL
  for (int k = 0; k < 6; ++k) set_neighbours(factor.factor(k, k), pivot(k));
  const Sym<X, 6> inverse = inverse_of(factor);
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<X, 6>::kSize; ++k) set_neighbours(inverse.a[k], entry(k));
  return margin;
}

/// Each is a chain of divisions: side by side where the scalar has lanes.
template <class T>
void invert_free_links(const CondensedPlan& plan, CondensedConfiguration<T>& c, Status& status) {
  const auto note = [&](int index, const T& margin) {
    if (all_lanes(T(0) < margin)) return;
    note_margin(static_cast<int>(std::find(plan.free_of.begin(), plan.free_of.end(), index) - plan.free_of.begin()),
                margin, status);
  };
  int at = 0;
  if constexpr (Laned<T>) {
    for (; at + 4 <= plan.num_free; at += 4) {
      const auto margin = invert_free<Pack<T, 4>>(at, c);
      for (int l = 0; l < 4; ++l) note(at + l, margin[l]);
    }
  }
  for (; at < plan.num_free; ++at) note(at, invert_free<T>(at, c));
}

}  // namespace delassus::condensed
