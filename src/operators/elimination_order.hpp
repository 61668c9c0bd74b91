// In which order the links of a tree with loops are eliminated, and what each is coupled to when it goes.
//
// Unknowns are nodes: links (dimension six; eliminating one is eliminating its joint) and multipliers of constraints
// (dimension: their rows). A link goes after its children: a child's acceleration is its parent's and its joint's, so the
// parent has to be there. A multiplier goes after all links that it acts on. All else is free, as in any sparse
// factorization, and decides how many couplings come to be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "delassus/operators/condensed.hpp"

namespace delassus {

/// Links come before multipliers, and parents before their children.
struct EliminationGraph {
  struct Node {
    std::int32_t dimension;
    std::int32_t width;   // how many unknowns go: degrees of freedom of a joint, rows of a multiplier
    std::int32_t parent;  // node of the parent link; -1 for links on the world and for multipliers
    bool multiplier;
  };
  /// Two different nodes. That links are parent and child is no coupling, but there may be one as well. A multiplier is
  /// always the second.
  struct Coupling {
    std::int32_t a, b;
  };

  void clear();
  std::size_t bytes() const;

  std::vector<Node> nodes;
  std::vector<Coupling> couplings;  // some may be there twice
};

struct Elimination {
  std::vector<std::int32_t> order;       // nodes
  std::vector<std::int32_t> first, end;  // per node, among the neighbours
  std::vector<std::int32_t> neighbours;  // nodes, in the order in which they will go
  double cost = 0;                       // Σ width (Σ dimension of neighbours and parent)²

  /// What a node was coupled to when it went.
  std::span<const std::int32_t> neighbours_of(int node) const {
    return std::span(neighbours).subspan(first[node], end[node] - first[node]);
  }
  std::size_t bytes() const;
};

/// Finds orders, one after the other, in memory that it keeps: allocates only where it needs more than ever before.
class Eliminator {
 public:
  /// O(Σ neighbours²) for the orders that come up.
  void run(const EliminationGraph& graph, NodeOrder order, std::uint64_t seed, Elimination& out);
  /// Room for so many nodes with so many couplings at first, and so many when they go.
  void reserve(int nodes, int couplings, int eliminated);
  std::size_t bytes() const;

 private:
  struct State {
    std::int32_t waiting;  // links that have to go first
    std::int32_t depth;
    std::int32_t level;               // how many have to go before it, one after the other
    std::int32_t crossed;             // multipliers: unknowns that have gone while coupled to it
    std::int32_t version;             // of its offer
    std::int32_t first, count, room;  // adjacent nodes in the pool
    bool gone;
  };
  struct Offer {
    std::int64_t degree;
    std::int32_t height, level, last;  // ties: deeper first, then what waits for fewer, then the larger index
    std::int32_t node, version;
  };

  void begin(const EliminationGraph& graph);
  static bool goes_later(const Offer& a, const Offer& b);
  void offer(int k);
  void push(const Offer& offer);
  Offer pop();
  bool goes_early(int k) const;
  std::int64_t degree(int k) const;
  void compress(int k);
  void join(int k, std::span<const std::int32_t> nodes);
  void eliminate(int k, Elimination& out);
  void release(int k, std::span<const std::int32_t> coupled);
  std::span<std::int32_t> adjacent(int k) { return std::span(pool_).subspan(state_[k].first, state_[k].count); }
  std::span<const std::int32_t> adjacent(int k) const {
    return std::span(pool_).subspan(state_[k].first, state_[k].count);
  }

  std::span<const EliminationGraph::Node> nodes_;
  NodeOrder order_ = NodeOrder::kMinimumDegree;
  std::mt19937_64 random_;
  std::vector<State> state_;
  std::vector<std::int32_t> pool_, around_, position_;
  std::vector<std::int32_t> first_waiting_, waiting_;  // per link, multipliers that wait for it
  std::vector<std::int64_t> seen_;
  std::int64_t stamp_ = 0;
  std::vector<Offer> queue_;
};

}  // namespace delassus
