// What an elimination does with the panel of a node: its couplings to all nodes that are still there, side by side, one row for
// each of its own components. Line numbers are those of algorithm 4 in Sathya, Montaut, de Mont-Marin, Carpentier, "Matrix-Free
// Delassus Operations"; see docs/algorithms/lcaba.md.
#pragma once

#include <span>
#include <vector>

#include "dynamics/joint_step.hpp"
#include "math/chunks.hpp"

namespace delassus {

/// The entries of a list that a range of a plan names.
template <class V, class Range>
auto part(const std::vector<V>& list, const Range& range) {
  return std::span<const V>(list).subspan(range.first, range.count);
}

template <class X, class T>
DELASSUS_INLINE Force<X> load_column(const T* panel, int stride) {
  Force<X> K;
  DELASSUS_UNROLL
  for (int c = 0; c < 3; ++c) {
    K.moment[c] = load<X>(panel + c * stride);
    K.force[c] = load<X>(panel + (c + 3) * stride);
  }
  return K;
}

/// What the joint feels of its link's couplings: felt = Sᵀ panel.
template <int N, bool kRotation, class T>
void feel(const Motion<T>* S, const T* panel, int columns, T* felt) {
  for_each_chunk<T>(columns, [&]<class X>(std::type_identity<X>, int at) {
    const Force<X> K = load_column<X>(panel + at, columns);
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) store(felt + k * columns + at, subspace_power<kRotation>(S[k], K));
  });
}

/// hat = D⁻¹ felt.
template <int N, class T>
void divide_felt(const Ldlt<T, N>& D, const T* felt, int columns, T* hat) {
  for_each_chunk<T>(columns, [&]<class X>(std::type_identity<X>, int at) {
    Vec<X, N> h;
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) h[k] = load<X>(felt + k * columns + at);
    D.solve(h);
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) store(hat + k * columns + at, h[k]);
  });
}

/// Line 23: the couplings of a link become its parent's, P panel with P = 1 - Û Sᵀ, about the parent's origin.
template <int N, class T>
void cross_panel(const Vec3<T>& offset, int columns, const typename ArticulatedInertia<T>::Column* U_hat_columns,
                 const T* felt, T* panel) {
  Force<T> U_hat[N];
  for (int k = 0; k < N; ++k) U_hat[k] = U_hat_columns[k];
  for_each_chunk<T>(columns, [&]<class X>(std::type_identity<X>, int at) {
    Force<X> K = load_column<X>(panel + at, columns);
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) K -= scaled(U_hat[k], load<X>(felt + k * columns + at));
    K = shifted(K, offset);
    DELASSUS_UNROLL
    for (int c = 0; c < 3; ++c) {
      store(panel + c * columns + at, K.moment[c]);
      store(panel + (c + 3) * columns + at, K.force[c]);
    }
  });
}

template <class Plan, class T>
void move_panel(const Plan& plan, const typename Plan::Node& node, std::vector<T>& panels) {
  const T* panel = &panels[node.panel];
  for (const auto& move : part(plan.moves, node.moves)) {
    for (int i = 0; i < 6; ++i) {
      const T* from = panel + i * node.columns + move.column;
      T* to = &panels[move.to];
      if (move.transposed) {
        for (int c = 0; c < move.count; ++c) to[c * move.stride + i] += from[c];
      } else {
        for (int c = 0; c < move.count; ++c) to[i * move.stride + c] += from[c];
      }
    }
  }
}

/// Line 30: a link coupled to its own parent leaves X + Xᵀ there.
template <class T>
void add_both(const T* X, int stride, ArticulatedInertia<T>& H) {
  const auto at = [&](int r, int c) { return X[r * stride + c]; };
  Sym3<T> A, M;
  Mat3<T> B;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < r + 1; ++c) {
      A(r, c) = at(r, c) + at(c, r);
      M(r, c) = at(r + 3, c + 3) + at(c + 3, r + 3);
    }
    for (int c = 0; c < 3; ++c) B(r, c) = at(r, c + 3) + at(c + 3, r);
  }
  H += ArticulatedInertia<T>{A, B, M};
}

/// Line 27: couplings of two neighbours lose feltᵀ hat.
template <int N, class Plan, class T>
void update_panels(const Plan& plan, const typename Plan::Node& node, const T* felt, const T* hat,
                   std::vector<T>& panels) {
  for (const auto& u : part(plan.updates, node.updates)) {
    for_each_chunk<T>(u.count, [&]<class X>(std::type_identity<X>, int at) {
      X h[N];
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) h[k] = load<X>(hat + k * node.columns + u.column + at);
      for (int r = 0; r < u.rows; ++r) {
        T* to = &panels[u.to + r * u.stride + at];
        X sum = load<X>(to);
        DELASSUS_UNROLL
        for (int k = 0; k < N; ++k) sum -= felt[k * node.columns + u.row + r] * h[k];
        store(to, sum);
      }
    });
  }
}

}  // namespace delassus
