#include "io/urdf_tree.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/wording.hpp"

namespace delassus::io {
namespace {

/// How many names a message lists.
constexpr std::size_t kMaxListed = 8;

/// No recursion anywhere: a chain of a million links must not exhaust the stack.
class TreeMaker {
 public:
  TreeMaker(const XmlFile& file, const UrdfDocument& document) : file_(file), document_(document) {}

  UrdfTree make() {
    index_names();
    connect();
    require_one_root();
    visit();
    return std::move(tree_);
  }

 private:
  const UrdfLink& link(int i) const { return document_.links[at(i)]; }
  const UrdfJoint& joint(int i) const { return document_.joints[at(i)]; }
  int num_links() const { return static_cast<int>(document_.links.size()); }
  int num_joints() const { return static_cast<int>(document_.joints.size()); }
  std::string link_label(int i) const { return "link " + in_quotes(link(i).name); }
  std::string joint_label(int i) const { return "joint " + in_quotes(joint(i).joint.name); }

  void index_names() {
    for (int i = 0; i < num_links(); ++i) {
      const auto [first, added] = tree_.links.emplace(link(i).name, i);
      if (!added) fail_twice(link(i).line, link_label(i), link(first->second).line);
    }
    for (int i = 0; i < num_joints(); ++i) {
      const auto [first, added] = tree_.joints.emplace(joint(i).joint.name, i);
      if (!added) fail_twice(joint(i).line, joint_label(i), joint(first->second).line);
    }
  }

  [[noreturn]] void fail_twice(int line, const std::string& label, int first_line) const {
    file_.fail(line, label, fmt::format("its name is taken in line {} already; rename one of them", first_line));
  }

  void connect() {
    tree_.parent_joint.assign(document_.links.size(), -1);
    for (int i = 0; i < num_joints(); ++i) {
      const std::string label = joint_label(i);
      const int parent = find_urdf_link(file_, document_, tree_, joint(i).parent, joint(i).line, label);
      const int child = find_urdf_link(file_, document_, tree_, joint(i).child, joint(i).line, label);
      if (parent == child)
        file_.fail(joint(i).line, label, "joins " + link_label(child) + " to itself; name another parent");
      if (const int other = tree_.parent_joint[at(child)]; other >= 0) {
        file_.fail(
            joint(i).line, label,
            fmt::format("{} is the child of {} in line {} already; a link has one parent, and a <loop> closes loops",
                        link_label(child), joint_label(other), joint(other).line));
      }
      tree_.parent_joint[at(child)] = i;
      tree_.parent_link.push_back(parent);
      tree_.child_link.push_back(child);
    }
  }

  void require_one_root() {
    std::vector<int> roots;
    for (int i = 0; i < num_links(); ++i) {
      if (tree_.parent_joint[at(i)] < 0) roots.push_back(i);
    }
    if (roots.empty()) fail_cycle(0);
    if (roots.size() > 1) {
      file_.fail(link(roots[1]).line, "robot",
                 fmt::format("has {} links without a parent joint ({}), but a URDF has one root; join them",
                             roots.size(), listed(roots)));
    }
    tree_.order.push_back(roots[0]);
  }

  std::string listed(const std::vector<int>& links) const {
    std::string out;
    for (std::size_t i = 0; i < std::min(links.size(), kMaxListed); ++i) {
      out += (i > 0 ? ", " : "") + in_quotes(link(links[i]).name);
    }
    return links.size() > kMaxListed ? out + ", ..." : out;
  }

  /// Throws. Upwards of a link that no root carries there must be a cycle.
  [[noreturn]] void fail_cycle(int start) const {
    std::vector<bool> seen(document_.links.size(), false);
    const auto above = [&](int i) { return tree_.parent_link[at(tree_.parent_joint[at(i)])]; };
    int i = start;
    for (; !seen[at(i)]; i = above(i)) seen[at(i)] = true;
    std::vector<int> cycle{i};
    for (int k = above(i); k != i && cycle.size() <= kMaxListed; k = above(k)) cycle.push_back(k);
    const int closing = tree_.parent_joint[at(i)];
    file_.fail(joint(closing).line, joint_label(closing),
               "closes a cycle through the links " + listed(cycle) + "; a URDF is a tree, and a <loop> closes loops");
  }

  void visit() {
    // The joints below each link, in the order of the file, all in one array.
    std::vector<int> first(document_.links.size() + 1, 0);
    for (const int parent : tree_.parent_link) ++first[at(parent) + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<int> joints_below(document_.joints.size());
    std::vector<int> next = first;
    for (int i = 0; i < num_joints(); ++i) joints_below[at(next[at(tree_.parent_link[at(i)])]++)] = i;

    tree_.depth.assign(document_.links.size(), -1);
    std::vector<int> open{tree_.order.front()};
    tree_.order.clear();
    while (!open.empty()) {
      const int i = open.back();
      open.pop_back();
      tree_.order.push_back(i);
      const int above = tree_.parent_joint[at(i)];
      tree_.depth[at(i)] = above < 0 ? 0 : tree_.depth[at(tree_.parent_link[at(above)])] + 1;
      for (int k = first[at(i) + 1] - 1; k >= first[at(i)]; --k)
        open.push_back(tree_.child_link[at(joints_below[at(k)])]);
    }
    if (tree_.order.size() == document_.links.size()) return;
    fail_cycle(static_cast<int>(std::find(tree_.depth.begin(), tree_.depth.end(), -1) - tree_.depth.begin()));
  }

  const XmlFile& file_;
  const UrdfDocument& document_;
  UrdfTree tree_;
};

}  // namespace

UrdfTree make_urdf_tree(const XmlFile& file, const UrdfDocument& document) { return TreeMaker(file, document).make(); }

int find_urdf_link(const XmlFile& file, const UrdfDocument& document, const UrdfTree& tree, std::string_view name,
                   int line, std::string_view element) {
  if (const auto found = tree.links.find(name); found != tree.links.end()) return found->second;
  ClosestName closest(name);
  for (const UrdfLink& link : document.links) closest.consider(link.name);
  file.fail(line, element, "there is no link " + in_quotes(name) + closest.hint());
}

int find_urdf_joint(const XmlFile& file, const UrdfDocument& document, const UrdfTree& tree, std::string_view name,
                    int line, std::string_view element) {
  if (const auto found = tree.joints.find(name); found != tree.joints.end()) return found->second;
  ClosestName closest(name);
  for (const UrdfJoint& joint : document.joints) closest.consider(joint.joint.name);
  file.fail(line, element, "there is no joint " + in_quotes(name) + closest.hint());
}

}  // namespace delassus::io
