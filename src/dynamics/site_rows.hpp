// The values of rows at their sites, in the frames that the sweeps compute in.
#pragma once

#include "constraints/row_sites.hpp"
#include "dynamics/joint_frames.hpp"

namespace delassus {

/// K: a row on a link as a wrench, the sum over the blocks of its constraint on that link.
template <class T, class F>
DELASSUS_INLINE Force<T> link_row(const F& frames, const ConstraintRows<T>& rows, const RowSites& sites,
                                  const RowSites::Element& element) {
  const RowSites::Piece& first = sites.piece(element.first);
  Force<T> K = placed_row(frames, rows, first.source, first.index);
  for (int k = element.first + 1; k < element.end; ++k) {
    K += placed_row(frames, rows, sites.piece(k).source, sites.piece(k).index);
  }
  return K;
}

/// 𝒦: a row on a joint with N degrees of freedom.
template <int N, class T>
DELASSUS_INLINE Vec<T, N> joint_row(const ConstraintRows<T>& rows, const RowSites& sites,
                                    const RowSites::Element& element) {
  Vec<T, N> weights = Vec<T, N>::zero();
  const RowSites::Piece& first = sites.piece(element.first);
  weights[first.index] = rows.weights[first.source];
  for (int k = element.first + 1; k < element.end; ++k) {
    weights[sites.piece(k).index] += rows.weights[sites.piece(k).source];
  }
  return weights;
}

}  // namespace delassus
