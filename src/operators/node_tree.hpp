// The tree of nodes that carriers leave behind, and Λ⁻¹ on it (docs/algorithms/pv-osimr.md).
//
//   symbol  here
//   KE      rows of a constraint as seen from a node's link: a share. Six by columns.
//   W       acceleration of the node's link for a unit force on each of these rows
//   Kup     rows of a node as seen from its parent's link
//   Ωseg    what the joints between a node and its parent give way by, in the node's coordinates
//   Ω⁰      the same with only the world fixed
//   C       what joints give way by between a node and rows on joints that cross together with it
#pragma once

#include <cstdint>
#include <vector>

#include "delassus/math/boxed.hpp"
#include "dynamics/row_products.hpp"

namespace delassus {

/// What to compute, as flat lists. A place is a column of the panels KE and W.
struct NodeTreePlan {
  /// Columns that stand next to each other at a node.
  struct Shares {
    std::int32_t place, count;
    std::int32_t above;    // where the same rows stand at the parent node, or -1 if nothing of them acts outside
    std::int32_t coupled;  // where the same rows stand in C, or -1
  };
  /// Tracks that end at a node, and columns of a node below, come to places of this one.
  struct Arrival {
    std::int32_t place, count;
    std::int32_t from;  // a column of K, or a place of the node below
  };
  /// Columns that have arrived on several ways are added into places of their own.
  struct Sum {
    std::int32_t into, from, count;
    bool adds;
  };
  /// Λ⁻¹(row, column) += left · right, six by six.
  struct Product {
    std::int32_t row, column, rows, columns;
    std::int32_t left, right;
  };
  struct NodeLists {
    CarrierPlan::Range tracks, carried, sums, shares;
    CarrierPlan::Range below;  // the nodes of `carried`, one for each
  };
  /// A run of joint rows beside a node, with its place in C.
  struct Coupled {
    std::int32_t segment, run, place;
  };

  std::size_t bytes() const {
    return heap_bytes(nodes, arrivals, below, sums, shares, coupled, products, left_couplings, right_couplings);
  }

  std::vector<NodeLists> nodes;  // as in the carrier plan, from the tips inwards
  std::vector<Arrival> arrivals;
  std::vector<std::int32_t> below;
  std::vector<Sum> sums;
  std::vector<Shares> shares;
  std::vector<Coupled> coupled;
  std::vector<Product> products;         // of KE and W
  std::vector<Product> left_couplings;   // of C and KE
  std::vector<Product> right_couplings;  // of KE and C
  std::int32_t columns = 0, coupled_columns = 0;
};

NodeTreePlan make_node_tree_plan(const CarrierPlan& carriers, const RowStructure& rows);

template <class T>
struct NodeTree {
  void resize(const NodeTreePlan& plan);
  std::size_t bytes() const { return heap_bytes(KE, W, C, segment, absolute); }

  std::vector<T> KE, W, C;
  std::vector<Mat<T, 6, 6>> segment, absolute;  // Ωseg and Ω⁰, per node
};

/// Adds to the lower triangle what constraints feel of each other through nodes.
template <class T>
void add_node_products(const CarrierPlan& carriers, const NodeTreePlan& plan, const RowCarriers<T>& rows,
                       NodeTree<T>& tree, LowerView<T> lower);

}  // namespace delassus
