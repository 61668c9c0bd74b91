#include "operators/chang_khatib.hpp"

#include "dynamics/row_response.hpp"
#include "math/instantiate.hpp"

namespace delassus {
namespace {

using Node = ChangKhatibPlan::Node;

int common_ancestor(const Model& model, int i, int j) {
  while (i != j) {
    int& later = i > j ? i : j;
    later = model.link(later).parent;
  }
  return i;
}

/// The recursion of the paper's Table 1, which meets the same Ω again and again, as a list in which each stands once.
class Recursion {
 public:
  Recursion(const Model& model, std::vector<std::int32_t>& memo, std::vector<std::int32_t>& path,
            std::vector<Node>& nodes)
      : model_(model), memo_(memo), path_(path), nodes_(nodes) {
    const auto n = static_cast<std::size_t>(model.num_links());
    memo_.assign(2 * n * n, kNone);
    nodes_.clear();
  }

  /// Ω_ii, eq. (24), after that of the parent.
  void add_own(int i) {
    const int parent = model_.link(i).parent;
    memo(i, i) = add({Node::Kind::kOwn, i, parent == kWorld ? kNone : own(parent), 6});
  }
  bool has_own(int i) { return memo(i, i) != kNone; }
  std::int32_t own(int i) { return memo(i, i); }
  /// Ω_ih for an ancestor h of i, the second case of step 4: (ʰL)ᵀ Ω_π(i)h.
  std::int32_t below(int i, int h) { return reach(i, h, h, {Node::Kind::kOut, i, own(h), 6}); }
  /// Ω_ji for links on different branches of h; the last case, Ω_iπ(j) ʰL, transposed.
  std::int32_t across(int j, int i, int h) { return reach(j, i, h, {Node::Kind::kTurnOut, j, below(i, h), 6}); }
  /// How joint i moves link j behind it.
  std::int32_t behind(int j, int i) {
    const int pushed = model_.num_links() + i, nv = model_.link(i).nv;
    if (memo(i, pushed) == kNone) memo(i, pushed) = add({Node::Kind::kJoint, i, kNone, nv});
    return reach(j, pushed, i, {Node::Kind::kOut, j, memo(i, pushed), nv});
  }

 private:
  static constexpr std::int32_t kNone = -1;

  std::int32_t& memo(int moving, int pushed) {
    return memo_[static_cast<std::size_t>(moving) * 2 * model_.num_links() + pushed];
  }
  std::int32_t add(const Node& node) {
    nodes_.push_back(node);
    return static_cast<std::int32_t>(nodes_.size()) - 1;
  }
  /// From h, or from where the recursion has been before, out to link i. `next` is the first node behind h.
  std::int32_t reach(int i, int pushed, int h, Node next) {
    path_.clear();
    int k = i;
    for (; k != h && memo(k, pushed) == kNone; k = model_.link(k).parent) path_.push_back(k);
    if (k != h) next = {Node::Kind::kOut, k, memo(k, pushed), next.columns};
    for (; !path_.empty(); path_.pop_back()) {
      next.link = path_.back();
      next.source = memo(next.link, pushed) = add(next);
      next.kind = Node::Kind::kOut;
    }
    return next.source;
  }

  const Model& model_;
  std::vector<std::int32_t>&memo_, &path_;
  std::vector<Node>& nodes_;
};

}  // namespace

template <class T, class F>
void ChangKhatib<T, F>::plan(const Model& model, const RowStructure& rows) {
  rows_.plan(model, rows);
  find_nodes(model);
  omega_.resize(plan_.nodes.size());
}

template <class T, class F>
void ChangKhatib<T, F>::find_nodes(const Model& model) {
  path_.reserve(model.num_links());
  Recursion recursion(model, memo_, path_, plan_.nodes);
  plan_.blocks.clear();
  plan_.joint_blocks.clear();
  const auto& anchors = rows_.anchors();
  for (std::int32_t a = 0; a < static_cast<std::int32_t>(anchors.size()); ++a) {
    const int i = anchors[a].link;
    path_.clear();
    for (int k = i; k != kWorld && !recursion.has_own(k); k = model.link(k).parent) path_.push_back(k);
    for (; !path_.empty(); path_.pop_back()) recursion.add_own(path_.back());
    plan_.blocks.push_back({a, a, recursion.own(i)});
    for (std::int32_t b = 0; b < a; ++b) {
      const int j = anchors[b].link, h = common_ancestor(model, i, j);
      if (h == kWorld) continue;
      plan_.blocks.push_back(h == j ? ChangKhatibPlan::Block{a, b, recursion.below(i, h)}
                                    : ChangKhatibPlan::Block{b, a, recursion.across(j, i, h)});
    }
    for (const std::int32_t site : rows_.joint_sites()) {
      const int joint = rows_.joint_of(site);
      if (common_ancestor(model, joint, i) == joint)
        plan_.joint_blocks.push_back({site, a, recursion.behind(i, joint)});
    }
  }
}

template <class T, class F>
void ChangKhatib<T, F>::place(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows) {
  place_frames(model, kin, art_.frames);
  place_rows(rows, art_.frames);
}

template <class T, class F>
Status ChangKhatib<T, F>::compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows,
                                  LowerView<T> lower) {
  if (const Status status = articulate_placed(model, kin, art_); !status.ok()) return status;
  end_stage<T>("articulation");
  rows_.load(model, art_, rows);
  for (std::size_t k = 0; k < plan_.nodes.size(); ++k) omega_[k] = response_of(model, plan_.nodes[k]);
  end_stage<T>("responses of links");
  for (const auto& [a, b, node] : plan_.blocks) rows_.add_block(a, b, omega_[node], lower);
  for (const std::int32_t site : rows_.joint_sites()) rows_.add_on_joint(model, site, lower);
  for (const auto& [site, b, node] : plan_.joint_blocks) {
    rows_.add_through_joint(model, site, b, omega_[node], lower);
  }
  end_stage<T>("pairs");
  return {};
}

template <class T, class F>
LinkResponse<T> ChangKhatib<T, F>::response_of(const Model& model, const Node& node) const {
  const LinkResponse<T>& source = omega_[node.source < 0 ? 0 : node.source];
  if (node.kind == Node::Kind::kOwn) return own_response(model, art_, node.link, source);
  if (node.kind == Node::Kind::kJoint) return joint_response(model, art_, node.link);
  LinkResponse<T> omega = node.kind == Node::Kind::kTurnOut ? transposed(source) : source;
  propagate(model, art_, node.link, node.columns, omega);
  return omega;
}

template <class T, class F>
void ChangKhatib<T, F>::respond(const Model& model, const ConstraintRows<T>& rows, VectorView<const T> x,
                                VectorView<T> acceleration) requires std::same_as<F, WorldFrames<T>> {
  // clang 14 instantiates this without asking what it requires.
  if constexpr (std::same_as<F, WorldFrames<T>>) row_response<T>(model, art_, rows, x, acceleration, sweep_);
}

#define DELASSUS_INSTANTIATE(T)                       \
  template class ChangKhatib<T>;                      \
  template class ExplicitDelassus<T, ChangKhatib<T>>; \
  static_assert(DelassusOperator<ChangKhatibDelassus<T>, T>);
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

#define DELASSUS_INSTANTIATE_LINK_FRAMES(T) template class ChangKhatib<T, LinkFrames<T>>;
DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR(DELASSUS_INSTANTIATE_LINK_FRAMES)

}  // namespace delassus
