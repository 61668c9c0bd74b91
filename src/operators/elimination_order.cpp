#include "operators/elimination_order.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "delassus/math/boxed.hpp"

namespace delassus {
namespace {

/// A multiplier may go early, with one link still coupled to it, once this many unknowns per row of it have gone: what
/// they give way by then makes its pivot, and not the damping, which may be tiny.
constexpr int kUnknownsPerRow = 2;

template <class V>
std::int32_t length(const V& list) {
  return static_cast<std::int32_t>(list.size());
}

}  // namespace

void EliminationGraph::clear() {
  nodes.clear();
  couplings.clear();
}

std::size_t EliminationGraph::bytes() const { return heap_bytes(nodes, couplings); }
std::size_t Elimination::bytes() const { return heap_bytes(order, first, end, neighbours); }
std::size_t Eliminator::bytes() const {
  return heap_bytes(state_, pool_, around_, position_, first_waiting_, waiting_, seen_, queue_);
}

void Eliminator::reserve(int nodes, int couplings, int eliminated) {
  const std::size_t n = nodes + 1;
  state_.reserve(n);
  seen_.reserve(n);
  position_.reserve(n);
  around_.reserve(n);
  first_waiting_.reserve(n);
  waiting_.reserve(couplings);
  // A list that outgrows its place gets twice as much elsewhere: all of them together never more than four times the last.
  pool_.reserve(2 * n + 2 * couplings + 8 * static_cast<std::size_t>(eliminated));
  queue_.reserve(n + 2 * static_cast<std::size_t>(eliminated));
}

void Eliminator::run(const EliminationGraph& graph, NodeOrder order, std::uint64_t seed, Elimination& out) {
  nodes_ = graph.nodes;
  order_ = order;
  if (order == NodeOrder::kRandom) random_.seed(seed);
  const int n = length(graph.nodes);
  out.order.clear();
  out.neighbours.clear();
  out.first.assign(n, 0);
  out.end.assign(n, 0);
  out.cost = 0;
  begin(graph);
  for (int k = 0; k < n; ++k) offer(k);
  while (!queue_.empty()) {
    const Offer best = pop();
    if (!state_[best.node].gone && best.version == state_[best.node].version) eliminate(best.node, out);
  }
  position_.resize(n);
  for (int at = 0; at < n; ++at) position_[out.order[at]] = at;
  for (int k = 0; k < n; ++k) {
    std::sort(out.neighbours.begin() + out.first[k], out.neighbours.begin() + out.end[k],
              [&](int a, int b) { return position_[a] < position_[b]; });
  }
}

/// Adjacent nodes from the couplings, in one pool with room for two more each: most nodes gain their parent and little else.
void Eliminator::begin(const EliminationGraph& graph) {
  const int n = length(graph.nodes);
  state_.assign(n, State{});
  seen_.assign(n, -1);
  stamp_ = 0;
  queue_.clear();
  first_waiting_.assign(n + 1, 0);
  for (const auto& c : graph.couplings) {
    ++state_[c.a].room;
    ++state_[c.b].room;
    if (nodes_[c.b].multiplier) {
      ++state_[c.b].waiting;
      ++first_waiting_[c.a + 1];
    }
  }
  std::int32_t size = 0;
  for (int k = 0; k < n; ++k) {
    first_waiting_[k + 1] += first_waiting_[k];
    state_[k].first = size;
    size += state_[k].room += 2;
    const int parent = nodes_[k].parent;
    if (parent < 0) continue;
    ++state_[parent].waiting;
    state_[k].depth = state_[parent].depth + 1;
  }
  pool_.resize(size);
  waiting_.resize(first_waiting_[n]);
  for (const auto& c : graph.couplings) {
    pool_[state_[c.a].first + state_[c.a].count++] = c.b;
    pool_[state_[c.b].first + state_[c.b].count++] = c.a;
    if (nodes_[c.b].multiplier) waiting_[first_waiting_[c.a]++] = c.b;
  }
  // Filling moved each beginning to its end, which is the beginning of the next.
  for (int k = n; k > 0; --k) first_waiting_[k] = first_waiting_[k - 1];
  first_waiting_[0] = 0;
  for (int k = 0; k < n; ++k) compress(k);
}

bool Eliminator::goes_later(const Offer& a, const Offer& b) {
  return std::tie(a.degree, a.height, a.level, a.last) > std::tie(b.degree, b.height, b.level, b.last);
}

void Eliminator::push(const Offer& offer) {
  queue_.push_back(offer);
  std::push_heap(queue_.begin(), queue_.end(), goes_later);
}

Eliminator::Offer Eliminator::pop() {
  std::pop_heap(queue_.begin(), queue_.end(), goes_later);
  const Offer best = queue_.back();
  queue_.pop_back();
  return best;
}

/// Puts a node into the queue, or there again where its degree may have changed.
void Eliminator::offer(int k) {
  State& state = state_[k];
  if (state.waiting > 0) return;
  if (order_ == NodeOrder::kRandom) {
    if (state.version == 0) push({static_cast<std::int64_t>(random_() >> 1), 0, 0, 0, k, ++state.version});
    return;
  }
  if (nodes_[k].multiplier) {
    compress(k);
    push({goes_early(k) ? -1 : std::numeric_limits<std::int64_t>::max(), 0, 0, k, k, ++state.version});
  } else if (order_ == NodeOrder::kTree) {
    push({0, 0, 0, -k, k, ++state.version});
  } else {
    push({degree(k), -state.depth, state.level, -k, k, ++state.version});
  }
}

bool Eliminator::goes_early(int k) const {
  int links = 0;
  for (const int j : adjacent(k)) links += nodes_[j].multiplier ? 0 : 1;
  return links == 0 || (links == 1 && state_[k].crossed >= kUnknownsPerRow * nodes_[k].dimension);
}

std::int64_t Eliminator::degree(int k) const {
  std::int64_t sum = 0;
  bool with_parent = nodes_[k].parent >= 0;
  for (const int j : adjacent(k)) {
    if (state_[j].gone) continue;
    sum += nodes_[j].dimension;
    if (j == nodes_[k].parent) with_parent = false;
  }
  return with_parent ? sum + 6 : sum;
}

/// Drops what has gone and what is there twice, and leaves a stamp on what stays.
void Eliminator::compress(int k) {
  seen_[k] = ++stamp_;
  State& state = state_[k];
  std::int32_t* const list = pool_.data() + state.first;
  int kept = 0;
  for (int at = 0; at < state.count; ++at) {
    const int j = list[at];
    if (state_[j].gone || seen_[j] == stamp_) continue;
    seen_[j] = stamp_;
    list[kept++] = j;
  }
  state.count = kept;
}

/// Couples a node to others, those that it is not coupled to yet. All links of a robot may be coupled to one multiplier: that
/// drops what is there twice only when it is offered.
void Eliminator::join(int k, std::span<const std::int32_t> nodes) {
  const bool once = !nodes_[k].multiplier;
  if (once) compress(k);
  State& state = state_[k];
  const int most = state.count + length(nodes);
  if (most > state.room) {
    const std::int32_t first = length(pool_);
    state.room = 2 * most;
    pool_.resize(pool_.size() + state.room);
    std::copy_n(pool_.begin() + state.first, state.count, pool_.begin() + first);
    state.first = first;
  }
  for (const int j : nodes) {
    if (j == k || (once && seen_[j] == stamp_)) continue;
    pool_[state.first + state.count++] = j;
  }
}

void Eliminator::eliminate(int k, Elimination& out) {
  compress(k);
  out.order.push_back(k);
  out.first[k] = length(out.neighbours);
  const auto coupled = adjacent(k);
  out.neighbours.insert(out.neighbours.end(), coupled.begin(), coupled.end());
  out.end[k] = length(out.neighbours);
  around_.assign(coupled.begin(), coupled.end());
  state_[k].gone = true;
  const int parent = nodes_[k].parent;
  if (parent >= 0 && seen_[parent] != stamp_) around_.push_back(parent);
  std::int64_t dimension = 0;
  for (const int j : around_) {
    dimension += nodes_[j].dimension;
    state_[j].level = std::max(state_[j].level, state_[k].level + 1);
    if (around_.size() > 1) join(j, around_);
  }
  out.cost += nodes_[k].width * static_cast<double>(dimension) * static_cast<double>(dimension);
  release(k, out.neighbours_of(k));
  for (const int j : around_) offer(j);
}

/// Those that waited for a node no longer do.
void Eliminator::release(int k, std::span<const std::int32_t> coupled) {
  if (nodes_[k].parent >= 0) --state_[nodes_[k].parent].waiting;
  if (nodes_[k].multiplier) return;
  for (const int j : coupled) {
    if (nodes_[j].multiplier) state_[j].crossed += nodes_[k].width;
  }
  for (int w = first_waiting_[k]; w < first_waiting_[k + 1]; ++w) --state_[waiting_[w]].waiting;
}

}  // namespace delassus
