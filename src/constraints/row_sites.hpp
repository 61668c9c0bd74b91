// Where rows act: the rows of all constraints sorted by the link or the joint that they act on. Structure only.
//
// Algorithms that carry rows through the tree do it link by link, whichever constraints the rows belong to. A row of a
// constraint on several links is at several sites, and its entries of Λ⁻¹ are sums over them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "delassus/constraints/rows.hpp"
#include "delassus/math/boxed.hpp"
#include "delassus/math/view.hpp"

namespace delassus {

class RowSites {
 public:
  /// The rows on one link, or on one joint. A joint has the number of the link that it moves.
  struct Site {
    std::int32_t link;
    bool joint;
    std::int32_t first, end;  // among the elements
  };
  /// A row at a site.
  struct Element {
    std::int32_t row;
    std::int32_t first, end;  // among the pieces, at least one
  };
  /// On a link: a block and a row of it. On a joint: a JointEntry and a degree of freedom of the joint.
  struct Piece {
    std::int32_t source, index;
  };

  /// Sites by link, a link before its joint; in each the rows in ascending order, every row once.
  const std::vector<Site>& sites() const { return sites_; }
  const std::vector<Element>& elements() const { return elements_; }
  const Piece& piece(int k) const { return pieces_[static_cast<std::size_t>(k)]; }

  /// Allocates only where it needs more memory than ever before.
  void plan(const Model& model, const RowStructure& rows);

  std::size_t bytes() const { return heap_bytes(keys_, sites_, elements_, pieces_); }

 private:
  struct Key {
    std::int32_t link;
    bool joint;
    std::int32_t row, source, index;
  };

  void add_block(int source, const RowBlock& block);
  void add_entry(const Model& model, int source, int row, int v);
  void sort();

  std::vector<Key> keys_;
  std::vector<Site> sites_;
  std::vector<Element> elements_;
  std::vector<Piece> pieces_;
};

/// Adds what two different elements contribute to the lower triangle of Λ⁻¹ together. A row that meets itself at another
/// site does so twice, once in each order.
template <class T>
DELASSUS_INLINE void add_pair(LowerView<T> lower, int r, int s, const T& x) {
  if (r == s) {
    lower(r, r) += x + x;
  } else {
    lower(std::max(r, s), std::min(r, s)) += x;
  }
}

}  // namespace delassus
