#include "delassus/delassus/elimination_order.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <random>
#include <tuple>

namespace delassus {
namespace {

/// A multiplier may go early, with one link still coupled to it, once this many unknowns per row of it have gone: what
/// they give way by then makes its pivot, and not the damping, which may be tiny.
constexpr int kUnknownsPerRow = 2;

class Eliminator {
 public:
  Eliminator(EliminationGraph graph, NodeOrder order, std::uint64_t seed)
      : nodes_(std::move(graph.nodes)), adjacent_(std::move(graph.adjacent)), order_(order), random_(seed) {
    const std::size_t n = nodes_.size();
    state_.resize(n);
    waits_for_.resize(n);
    result_.neighbours.resize(n);
    seen_.assign(n, -1);
    for (std::size_t k = 0; k < n; ++k) begin(static_cast<int>(k));
    for (std::size_t k = 0; k < n; ++k) offer(static_cast<int>(k));
  }

  Elimination run() {
    while (!queue_.empty()) {
      const Offer best = queue_.top();
      queue_.pop();
      State& state = state_[best.node];
      if (state.gone || best.version != state.version) continue;
      eliminate(best.node);
    }
    std::vector<std::int32_t> position(nodes_.size());
    for (std::size_t at = 0; at < result_.order.size(); ++at) position[result_.order[at]] = static_cast<int>(at);
    for (auto& list : result_.neighbours) {
      std::sort(list.begin(), list.end(), [&](int a, int b) { return position[a] < position[b]; });
    }
    return std::move(result_);
  }

 private:
  struct State {
    std::int32_t waiting = 0;  // links that have to go first
    std::int32_t depth = 0;
    std::int32_t crossed = 0;  // multipliers: unknowns that have gone while coupled to it
    std::int32_t version = 0;  // of its offer
    bool gone = false;
  };
  struct Offer {
    std::int64_t degree;
    std::int32_t height, last;  // ties: deeper first, then the larger index
    std::int32_t node, version;
    bool operator>(const Offer& b) const {
      return std::tie(degree, height, last) > std::tie(b.degree, b.height, b.last);
    }
  };

  void begin(int k) {
    const EliminationGraph::Node& node = nodes_[k];
    if (node.multiplier) {
      state_[k].waiting = static_cast<std::int32_t>(adjacent_[k].size());
      for (const int j : adjacent_[k]) waits_for_[j].push_back(k);
    } else if (node.parent >= 0) {
      ++state_[node.parent].waiting;
      state_[k].depth = state_[node.parent].depth + 1;
    }
  }

  /// Puts a node into the queue, or there again where its degree may have changed.
  void offer(int k) {
    State& state = state_[k];
    if (state.waiting > 0) return;
    if (order_ == NodeOrder::kRandom) {
      if (state.version == 0) queue_.push({static_cast<std::int64_t>(random_() >> 1), 0, 0, k, ++state.version});
      return;
    }
    compress(k);
    if (nodes_[k].multiplier) {
      queue_.push({goes_early(k) ? -1 : std::numeric_limits<std::int64_t>::max(), 0, k, k, ++state.version});
    } else if (order_ == NodeOrder::kTree) {
      queue_.push({0, 0, -k, k, ++state.version});
    } else {
      queue_.push({degree(k), -state.depth, -k, k, ++state.version});
    }
  }

  bool goes_early(int k) const {
    int links = 0;
    for (const int j : adjacent_[k]) links += nodes_[j].multiplier ? 0 : 1;
    return links == 0 || (links == 1 && state_[k].crossed >= kUnknownsPerRow * nodes_[k].dimension);
  }

  std::int64_t degree(int k) {
    std::int64_t sum = 0;
    bool with_parent = nodes_[k].parent >= 0;
    for (const int j : adjacent_[k]) {
      sum += nodes_[j].dimension;
      if (j == nodes_[k].parent) with_parent = false;
    }
    return with_parent ? sum + 6 : sum;
  }

  /// Drops what has gone and what is there twice.
  void compress(int k) {
    ++stamp_;
    seen_[k] = stamp_;
    std::erase_if(adjacent_[k], [&](int j) {
      const bool drop = state_[j].gone || seen_[j] == stamp_;
      seen_[j] = stamp_;
      return drop;
    });
  }

  void eliminate(int k) {
    compress(k);
    const std::vector<std::int32_t> coupled = adjacent_[k];
    state_[k].gone = true;
    const int parent = nodes_[k].parent;
    std::vector<std::int32_t> around = coupled;
    if (parent >= 0 && std::find(around.begin(), around.end(), parent) == around.end()) around.push_back(parent);
    std::int64_t dimension = 0;
    for (const int j : around) {
      dimension += nodes_[j].dimension;
      adjacent_[j].insert(adjacent_[j].end(), around.begin(), around.end());
      // Few links are coupled to a link, but all links of a robot may be to a multiplier, which can wait.
      if (!nodes_[j].multiplier) compress(j);
    }
    result_.cost += nodes_[k].width * static_cast<double>(dimension) * static_cast<double>(dimension);
    result_.order.push_back(k);
    result_.neighbours[k] = coupled;
    release(k, coupled, parent);
    for (const int j : around) offer(j);
  }

  /// Those that waited for a node no longer do.
  void release(int k, const std::vector<std::int32_t>& coupled, int parent) {
    if (parent >= 0) --state_[parent].waiting;
    if (nodes_[k].multiplier) return;
    for (const int j : coupled) {
      if (nodes_[j].multiplier) state_[j].crossed += nodes_[k].width;
    }
    for (const int e : waits_for_[k]) --state_[e].waiting;
  }

  std::vector<EliminationGraph::Node> nodes_;
  std::vector<std::vector<std::int32_t>> adjacent_;
  std::vector<std::vector<std::int32_t>> waits_for_;  // per link, multipliers
  NodeOrder order_;
  std::mt19937_64 random_;
  std::vector<State> state_;
  std::vector<std::int64_t> seen_;
  std::int64_t stamp_ = 0;
  std::priority_queue<Offer, std::vector<Offer>, std::greater<>> queue_;
  Elimination result_;
};

}  // namespace

Elimination make_elimination(EliminationGraph graph, NodeOrder order, std::uint64_t seed) {
  return Eliminator(std::move(graph), order, seed).run();
}

}  // namespace delassus
