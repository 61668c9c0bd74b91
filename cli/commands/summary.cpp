#include "cli/commands/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/wording.hpp"

namespace delassus::cli {
namespace {

std::string range_text(const DofProperties& d) {
  if (std::isinf(d.lower) && std::isinf(d.upper)) return "";
  return fmt::format(" [{:.4g}, {:.4g}]", d.lower, d.upper);
}

std::string joint_text(const JointDescription& j) {
  std::string text = fmt::format("{} {}", name_of(j.kind), in_quotes(j.name));
  if (sizes_of(j.kind).nv == 1) text += range_text(j.dofs[0]);
  return text;
}

std::string body_text(const BodyDescription& body) {
  std::string text = printable(body.name);
  text += body.joints.empty() ? "  (fixed)" : "  ";
  for (std::size_t k = 0; k < body.joints.size(); ++k) text += (k ? ", " : "") + joint_text(body.joints[k]);
  if (body.inertial.mass > 0) text += fmt::format("  {:.4g} kg", body.inertial.mass);
  return text;
}

/// Children of each body; the world's come last.
std::vector<std::vector<int>> children_of(const ModelDescription& d) {
  const int n = static_cast<int>(d.bodies.size());
  std::vector<std::vector<int>> children(n + 1);
  for (int b = 0; b < n; ++b) {
    const int parent = d.bodies[b].parent;
    children[parent == kWorld ? n : parent].push_back(b);
  }
  return children;
}

}  // namespace

std::string one_line_summary(const Scene& scene) {
  const Model& m = scene.model;
  const std::size_t bodies = m.description().bodies.size();
  return fmt::format("{}: {} {} on {}, nq {}, nv {}, depth {}, {:.6g} kg", printable(m.name()), bodies,
                     bodies == 1 ? "body" : "bodies", counted(m.num_links(), "link"), m.nq(), m.nv(), m.depth(),
                     m.mass());
}

std::string tree_text(const Model& model) {
  struct Item {
    int body;
    std::string indent;
    bool last;
  };
  const ModelDescription& d = model.description();
  const auto children = children_of(d);
  std::string text = "world\n";
  // A stack instead of recursion: a chain may be longer than the call stack.
  std::vector<Item> stack;
  const auto push = [&](const std::vector<int>& kids, const std::string& indent) {
    for (std::size_t k = kids.size(); k-- > 0;) stack.push_back({kids[k], indent, k + 1 == kids.size()});
  };
  push(children.back(), "");
  while (!stack.empty()) {
    const Item item = stack.back();
    stack.pop_back();
    text += item.indent + (item.last ? "└─ " : "├─ ") + body_text(d.bodies[item.body]) + "\n";
    push(children[item.body], item.indent + (item.last ? "   " : "│  "));
  }
  return text;
}

std::string constraints_text(const Scene& scene) {
  std::string text;
  for (std::size_t i = 0; i < scene.constraints.size(); ++i) {
    const Constraint& c = scene.constraints[i];
    const std::string name = name_of(c).empty() ? fmt::format("#{}", i) : in_quotes(name_of(c));
    text += fmt::format("  {} {}: {}\n", kind_of(c), name, counted(row_count(c), "row"));
  }
  return text;
}

}  // namespace delassus::cli
