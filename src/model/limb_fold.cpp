#include "model/limb_fold.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace delassus {
namespace {

/// Trees that a limb is tried beside, the latest ones. Robots have fewer; with a bound, a scene of a million bodies stays linear.
constexpr int kMostTrials = 64;

class FoldChoice {
 public:
  explicit FoldChoice(const Model& model)
      : model_(model), children_(model.num_links()), size_(model.num_links(), 1), branches_(model.num_links()) {
    for (int i = model.num_links() - 1; i >= 0; --i) {
      branches_[i] = branches_[i] || children_[i].size() > 1;
      sort_by_size(children_[i]);
      const int parent = link(i).parent;
      if (parent == kWorld) continue;
      children_[parent].push_back(i);
      size_[parent] += size_[i];
      branches_[parent] = branches_[parent] || branches_[i];
    }
    number_from_the_roots();
  }

  Fold run() const {
    Fold best = fold(branches_);
    for (std::vector<bool>& trunk : std::vector{first_branchings(), std::vector<bool>(branches_.size(), false)}) {
      Fold other = fold(std::move(trunk));
      if (other.links() < best.links()) best = std::move(other);
    }
    return best;
  }

 private:
  /// Open trees whose limbs may lie beside each other by the root of what they hang on and the kind of their first joint.
  using OpenTrees = std::map<std::pair<int, JointKind>, std::vector<int>>;

  const Link& link(int i) const { return model_.link(i); }
  void sort_by_size(std::vector<int>& tops) const {
    std::stable_sort(tops.begin(), tops.end(), [this](int a, int b) { return size_[a] > size_[b]; });
  }

  /// Each subtree has successive numbers, its top the first of them.
  void number_from_the_roots() {
    number_.resize(children_.size());
    root_.resize(children_.size());
    std::vector<int> next(children_.size());  // number of the next child's subtree
    int next_root = 0;
    for (int i = 0; i < model_.num_links(); ++i) {
      const int parent = link(i).parent;
      int& first = parent == kWorld ? next_root : next[parent];
      root_[i] = parent == kWorld ? i : root_[parent];
      number_[i] = first;
      next[i] = first + 1;
      first += size_[i];
    }
  }
  bool is_above(int ancestor, int i) const {
    return number_[ancestor] <= number_[i] && number_[i] < number_[ancestor] + size_[ancestor];
  }

  /// Each root down to the first link where its tree branches.
  std::vector<bool> first_branchings() const {
    std::vector<bool> trunk(branches_.size(), false);
    for (int i = 0; i < model_.num_links(); ++i) {
      const int parent = link(i).parent;
      trunk[i] = branches_[i] && (parent == kWorld || (trunk[parent] && children_[parent].size() == 1));
    }
    return trunk;
  }

  Fold fold(std::vector<bool> trunk) const {
    Fold out{std::move(trunk), {}};
    std::vector<int> limbs;
    for (int i = 0; i < model_.num_links(); ++i) {
      const int parent = link(i).parent;
      if (!out.trunk[i] && (parent == kWorld || out.trunk[parent])) limbs.push_back(i);
    }
    sort_by_size(limbs);
    OpenTrees open;
    for (const int limb : limbs) {
      const int parent = link(limb).parent;
      add_limb(limb, out.trees, open[{parent == kWorld ? kWorld : root_[parent], link(limb).kind}]);
    }
    return out;
  }

  /// Beside others where that adds fewest links, if no more than half of its own; else it begins a tree.
  void add_limb(int limb, std::vector<LaneTree>& trees, std::vector<int>& open) const {
    auto best = open.end();
    int fewest = size_[limb] / 2 + 1;
    for (auto t = open.end() - std::min<std::ptrdiff_t>(kMostTrials, std::ssize(open)); t != open.end() && fewest > 0;
         ++t) {
      if (!can_share_trunk(trees[*t], limb)) continue;
      const int added = added_links(limb, trees[*t]);
      if (added < fewest) fewest = added, best = t;
    }
    if (best == open.end()) {
      best = open.insert(best, static_cast<int>(trees.size()));
      trees.emplace_back().slots.push_back({-1, link(limb).kind});
    }
    superpose(limb, trees[*best]);
    if (trees[*best].lanes == kLimbLanes) open.erase(best);
  }

  /// Whether what the limbs of a tree hang on and what this one hangs on lie on one way to the world: so the fold has one parent
  /// for all lanes, the deepest.
  bool can_share_trunk(const LaneTree& tree, int limb) const {
    const int parent = link(limb).parent, other = tree.deepest_parent;
    return other == parent || is_above(other, parent) || is_above(parent, other);
  }

  /// For each child of link i the child of the slot that it can share, or -1: the first of its kind that no other one took.
  template <class F>
  void match_children(int i, int slot, const LaneTree& tree, F&& f) const {
    SlotByKind next = tree.slots[slot].first_child;
    for (const int child : children_[i]) {
      const int place = next[link(child).kind];
      if (place >= 0) next[link(child).kind] = tree.slots[place].next;
      f(child, place);
    }
  }

  int added_links(int limb, const LaneTree& tree) const {
    int added = 0;
    std::vector<std::pair<int, int>> open{{0, limb}};  // slot, link
    while (!open.empty()) {
      const auto [slot, i] = open.back();
      open.pop_back();
      match_children(i, slot, tree, [&](int child, int place) {
        if (place < 0) {
          added += size_[child];
        } else {
          open.emplace_back(place, child);
        }
      });
    }
    return added;
  }

  /// Puts a subtree into the next lane of a tree.
  void superpose(int limb, LaneTree& tree) const {
    const int lane = tree.lanes++;
    const int parent = link(limb).parent;
    if (lane == 0 || (parent != kWorld && is_above(tree.deepest_parent, parent))) tree.deepest_parent = parent;
    std::vector<std::pair<int, int>> open{{0, limb}};  // slot, link
    while (!open.empty()) {
      const auto [slot, i] = open.back();
      open.pop_back();
      tree.slots[slot].link[lane] = i;
      match_children(i, slot, tree, [&, above = slot](int child, int place) {
        open.emplace_back(place < 0 ? add_slot(link(child).kind, above, tree) : place, child);
      });
    }
  }
  static int add_slot(JointKind kind, int parent, LaneTree& tree) {
    const int slot = static_cast<int>(tree.slots.size());
    tree.slots.push_back({parent, kind});
    LaneTree::Slot& above = tree.slots[parent];
    int& last = above.last_child[kind];
    (last < 0 ? above.first_child[kind] : tree.slots[last].next) = slot;
    last = slot;
    return slot;
  }

  const Model& model_;
  std::vector<std::vector<int>> children_;  // the largest subtree first
  std::vector<int> size_;                   // of subtrees
  std::vector<bool> branches_;              // whether a subtree does
  std::vector<int> number_, root_;          // in an order in which subtrees are together; the link at the world
};

}  // namespace

int Fold::links() const {
  auto sum = static_cast<int>(std::count(trunk.begin(), trunk.end(), true));
  for (const LaneTree& tree : trees) sum += static_cast<int>(tree.slots.size());
  return sum;
}

Fold choose_fold(const Model& model) { return FoldChoice(model).run(); }

}  // namespace delassus
