#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <utility>

#include "gpu/plan.hpp"

namespace delassus::gpu {
namespace {

/// Tables of a struct, one line each.
class Tables {
 public:
  void constant(const char* type, const char* name, int value) {
    text += fmt::format("  static constexpr {} {} = {};\n", type, name, value);
  }
  void list(const char* type, const char* name, std::vector<int> values) {
    if (values.empty()) values.push_back(0);  // an array has one entry at least
    text += fmt::format("  static constexpr {} {}[] = {{{}}};\n", type, name, fmt::join(values, ", "));
  }
  void kinds(const std::vector<Element>& elements) {
    std::vector<std::string> values;
    for (const Element& e : elements) values.push_back(fmt::format("Kind({})", static_cast<int>(e.kind)));
    text += fmt::format("  static constexpr Kind kKind[] = {{{}}};\n", fmt::join(values, ", "));
  }
  std::string text;
};

/// Which element, and which way of one, is the first that hands anything to its parent. Elements hand on from the last to the first.
struct FirstGivers {
  std::vector<int> element, way;
  std::vector<int> leaf;

  explicit FirstGivers(const Plan& plan) : element(plan.elements.size()), leaf(plan.elements.size(), 1) {
    std::vector<std::vector<int>> ways(plan.elements.size());
    const auto is_first = [&](int parent) { return parent >= 0 ? std::exchange(leaf[at(parent)], 0) : 0; };
    for (int i = static_cast<int>(plan.elements.size()) - 1; i >= 0; --i) {
      if (!plan.elements[at(i)].top) element[at(i)] = is_first(plan.elements[at(i)].parent);
      for (const ElementWay& w : plan.ways[at(i)]) ways[at(i)].push_back(is_first(w.parent));
    }
    for (const auto& list : ways) way.insert(way.end(), list.begin(), list.end());
  }
};

/// Two ways, one for each half of the lanes: then one exchange serves both.
bool is_halved(const std::vector<ElementWay>& ways, int lanes) {
  if (ways.size() != 2) return false;
  const int low = (1 << lanes / 2) - 1, high = low << lanes / 2;
  return (ways[0].lanes == low && ways[1].lanes == high) || (ways[0].lanes == high && ways[1].lanes == low);
}

template <class List>
std::vector<int> firsts(const std::vector<List>& lists) {
  std::vector<int> out{0};
  for (const List& list : lists) out.push_back(out.back() + static_cast<int>(list.size()));
  return out;
}

void put_ways(const Plan& plan, const FirstGivers& givers, Tables& out) {
  std::vector<int> halves, parents, lanes;
  for (const auto& ways : plan.ways) {
    halves.push_back(is_halved(ways, plan.lanes) ? 1 : 0);
    for (const ElementWay& w : ways) parents.push_back(w.parent), lanes.push_back(w.lanes);
  }
  out.list("bool", "kHalves", halves);
  out.list("int", "kFirstWay", firsts(plan.ways));
  out.list("int", "kWayParent", parents);
  out.list("int", "kWayLanes", lanes);
  out.list("bool", "kWayFirst", givers.way);
}

/// Of each element; rows of joints are sorted by element.
std::vector<int> first_joint_rows(const Plan& plan) {
  std::vector<int> out(plan.elements.size() + 1);
  for (const JointRowSlot& r : plan.joint_rows) ++out[at(r.element) + 1];
  std::partial_sum(out.begin(), out.end(), out.begin());
  return out;
}

void put_loops(const Plan& plan, Tables& out) {
  std::vector<int> a, b, meets, sides;
  for (const LoopSlot& l : plan.loops) {
    a.push_back(l.a), b.push_back(l.b), meets.push_back(l.meet);
    sides.insert(sides.end(), l.side.begin(), l.side.end());
  }
  out.list("int", "kLoopA", a);
  out.list("int", "kLoopB", b);
  out.list("int", "kLoopMeet", meets);
  out.list("int", "kLoopSide", sides);
  out.list("int", "kFirstJointRow", first_joint_rows(plan));
}

}  // namespace

std::string structure_text(const Plan& plan, const std::string& name) {
  Tables out;
  out.text = fmt::format("struct {} {{\n", name);
  out.constant("int", "kLanes", plan.lanes);
  out.constant("int", "kElements", static_cast<int>(plan.elements.size()));
  out.constant("int", "kTrunk", plan.trunk);
  out.constant("int", "kSlots", plan.num_slots());
  out.constant("int", "kLoops", static_cast<int>(plan.loops.size()));
  out.constant("int", "kJointRows", static_cast<int>(plan.joint_rows.size()));
  out.constant("int", "kDofs", plan.dofs);
  out.constant("int", "kRows", plan.rows);
  out.constant("int", "kBaseCoordinate", plan.base_coordinate);
  out.constant("int", "kBaseDof", plan.base_dof);
  out.constant("bool", "kLevel", plan.level ? 1 : 0);
  out.constant("bool", "kFullPoints", plan.full_points ? 1 : 0);
  out.constant("bool", "kBaseArmature", plan.base_armature ? 1 : 0);
  const FirstGivers givers(plan);
  std::vector<int> parents, tops, massive, leaves;
  for (std::size_t i = 0; i < plan.elements.size(); ++i) {
    const Element& e = plan.elements[i];
    parents.push_back(e.parent), tops.push_back(e.top), massive.push_back(e.massive), leaves.push_back(givers.leaf[i]);
  }
  out.kinds(plan.elements);
  out.list("int", "kParent", parents);
  out.list("bool", "kTop", tops);
  out.list("bool", "kMassive", massive);
  out.list("bool", "kLeaf", leaves);
  out.list("bool", "kFirst", givers.element);
  out.list("int", "kFirstSlot", firsts(plan.slots));
  put_ways(plan, givers, out);
  put_loops(plan, out);
  out.text += "};\n";
  return out.text;
}

}  // namespace delassus::gpu
