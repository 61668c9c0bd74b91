// In which order the links of a tree with loops are eliminated, and what each is coupled to when it goes.
//
// Unknowns are nodes: links (dimension six; eliminating one is eliminating its joint) and multipliers of constraints
// (dimension: their rows). A link goes after its children: a child's acceleration is its parent's and its joint's, so the
// parent has to be there. A multiplier goes after all links that it acts on. All else is free, as in any sparse
// factorization, and decides how many couplings come to be.
#pragma once

#include <cstdint>
#include <vector>

namespace delassus {

enum class NodeOrder : std::uint8_t {
  kMinimumDegree,  // what is coupled to least, the deepest of those
  kTree,           // the last link first
  kRandom,         // any admissible order, for tests
};

/// Links come before multipliers, and parents before their children.
struct EliminationGraph {
  struct Node {
    std::int32_t dimension;
    std::int32_t width;   // how many unknowns go: degrees of freedom of a joint, rows of a multiplier
    std::int32_t parent;  // node of the parent link; -1 for links on the world and for multipliers
    bool multiplier;
  };
  std::vector<Node> nodes;
  std::vector<std::vector<std::int32_t>> adjacent;  // both ways; the parent only where a constraint couples to it
};

struct Elimination {
  std::vector<std::int32_t> order;                    // nodes
  std::vector<std::vector<std::int32_t>> neighbours;  // per node when it goes, in the order in which they will go
  double cost = 0;                                    // Σ width (Σ dimension of neighbours and parent)²
};

/// O(Σ neighbours²) for the orders that come up. Uses the graph up.
Elimination make_elimination(EliminationGraph graph, NodeOrder order = NodeOrder::kMinimumDegree,
                             std::uint64_t seed = 0);

}  // namespace delassus
