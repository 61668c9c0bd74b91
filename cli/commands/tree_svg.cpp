#include "cli/commands/tree_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "cli/commands/constraint_bodies.hpp"
#include "cli/commands/summary.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace {

// Sizes in pixels. A character of the font is about that wide; too wide is better than too narrow.
constexpr double kCharacter = 7.2, kRow = 46, kBoxHeight = 24, kGap = 96, kMargin = 24, kHead = 56;

/// Text between tags: names may hold anything.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

double text_width(std::string_view text) {
  const std::string shown = printable(text);
  const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  return kCharacter * static_cast<double>(std::count_if(shown.begin(), shown.end(), is_start));
}

struct Box {
  double x = 0, y = 0, width = 0;  // left edge, middle, width
  double right() const { return x + width; }
};

/// Boxes of the world (first) and the bodies: columns by depth, leaves one below the other, parents beside the middle of
/// their children.
class Layout {
 public:
  explicit Layout(const ModelDescription& d) : boxes_(d.bodies.size() + 1), depth_(boxes_.size()) {
    for (std::size_t b = 0; b < d.bodies.size(); ++b) {
      depth_[b + 1] = depth_[parent(d, b)] + 1;
      boxes_[b + 1].width = text_width(d.bodies[b].name) + 16;
    }
    boxes_[0].width = text_width("world") + 16;
    set_columns();
    set_rows(d);
  }

  const Box& box(int body) const { return boxes_[static_cast<std::size_t>(body + 1)]; }
  double width() const { return width_; }  // up to the right edge of the last column
  double height() const { return kHead + kRow * rows_ + kMargin; }

 private:
  static std::size_t parent(const ModelDescription& d, std::size_t body) {
    return static_cast<std::size_t>(d.bodies[body].parent + 1);
  }

  void set_columns() {
    std::vector<double> widest(static_cast<std::size_t>(*std::max_element(depth_.begin(), depth_.end())) + 1);
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      double& column = widest[static_cast<std::size_t>(depth_[i])];
      column = std::max(column, boxes_[i].width);
    }
    std::vector<double> left(widest.size());
    double x = kMargin;
    for (std::size_t c = 0; c < widest.size(); ++c) left[c] = std::exchange(x, x + widest[c] + kGap);
    for (std::size_t i = 0; i < boxes_.size(); ++i) boxes_[i].x = left[static_cast<std::size_t>(depth_[i])];
    width_ = x - kGap;
  }

  /// Leaves in the order of a walk through the tree. Bodies stand after their parents, so one pass in either direction
  /// takes the place of a recursion.
  void set_rows(const ModelDescription& d) {
    const std::size_t n = boxes_.size();
    std::vector<int> leaves(n, 0), first(n, 0), next(n, 0);
    std::vector<bool> has_children(n, false);
    for (std::size_t i = n; i-- > 1;) {
      leaves[i] += has_children[i] ? 0 : 1;
      leaves[parent(d, i - 1)] += leaves[i];
      has_children[parent(d, i - 1)] = true;
    }
    leaves[0] = std::max(leaves[0], 1);
    for (std::size_t i = 1; i < n; ++i) {
      const std::size_t p = parent(d, i - 1);
      first[i] = first[p] + next[p];
      next[p] += leaves[i];
    }
    for (std::size_t i = 0; i < n; ++i) boxes_[i].y = kHead + kRow * (first[i] + 0.5 * leaves[i]);
    rows_ = leaves[0];
  }

  std::vector<Box> boxes_;
  std::vector<int> depth_;
  double width_ = 0;
  int rows_ = 1;
};

std::string draw_box(const Box& box, std::string_view name, const char* style) {
  return fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"5\"/>\n"
      "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
      style, box.x, box.y - kBoxHeight / 2, box.width, kBoxHeight, box.x + 8, box.y + 4, escaped(name));
}

/// From the parent's right edge to the child's left one, with what joins them at the child's end.
std::string draw_joint(const Box& parent, const Box& child, const BodyDescription& body) {
  std::string kinds;
  for (const JointDescription& j : body.joints) kinds += (kinds.empty() ? "" : ", ") + std::string(name_of(j.kind));
  return fmt::format(
      "<path class=\"{}\" d=\"M{:.1f},{:.1f} C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}\"/>\n"
      "<text class=\"small\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
      body.joints.empty() ? "fixed" : "joint", parent.right(), parent.y, parent.right() + kGap / 3, parent.y,
      child.x - kGap * 2 / 3, child.y, child.x, child.y, child.x - 4, child.y - 5, kinds.empty() ? "fixed" : kinds);
}

/// Part of the drawing, and how far it reaches to the right.
struct Piece {
  std::string text;
  double right = 0;
};

Piece draw_arc(const Box& a, const Box& b, const std::string& label) {
  const double x = std::max(a.right(), b.right()) + 20 + 0.25 * std::abs(a.y - b.y);
  const double middle = (a.right() + 6 * x + b.right()) / 8;  // of the curve, where it is furthest out
  return {fmt::format("<path class=\"constraint\" d=\"M{:.1f},{:.1f} C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}\"/>\n"
                      "<text class=\"small\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                      a.right(), a.y, x, a.y, x, b.y, b.right(), b.y, middle + 3, (a.y + b.y) / 2, label),
          middle + 3 + text_width(label)};
}

/// What holds a body, below its box; if it holds it to the ground, with the three short lines that draughtsmen mark that by.
Piece draw_hold(const Box& box, const std::string& label, bool to_ground) {
  const double x = box.x + 14, y = box.y + kBoxHeight / 2;
  Piece out;
  if (to_ground) {
    out.text = fmt::format("<path class=\"ground\" d=\"M{:.1f},{:.1f} v5 M{:.1f},{:.1f} h16 M{:.1f},{:.1f} h8\"/>\n", x,
                           y, x - 8, y + 5, x - 4, y + 8);
  }
  out.text += fmt::format("<text class=\"small\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + 12, y + 9, label);
  out.right = x + 12 + text_width(label);
  return out;
}

/// Kinds of constraints and how many there are of each.
using Tally = std::map<std::string_view, int>;

/// "4 contacts, 1 loop"
std::string to_text(const Tally& kinds) {
  std::string out;
  for (const auto& [kind, count] : kinds) {
    const std::string noun = kind == "friction"         ? "friction row"
                             : kind == "centre_of_mass" ? "centre-of-mass constraint"
                             : kind == "custom"         ? "custom constraint"
                                                        : std::string(kind);
    out += (out.empty() ? "" : ", ") + counted(count, noun);
  }
  return out;
}

bool holds_to_ground(const Tally& kinds) {
  return kinds.contains("contact") || kinds.contains("loop") || kinds.contains("distance") || kinds.contains("custom");
}

Piece draw_constraints(const Scene& scene, const Layout& layout) {
  // By the bodies that they join, so that four contact points make one arc.
  std::map<std::vector<int>, Tally> groups;
  for (const Constraint& c : scene.constraints) ++groups[moved_bodies(scene.model, c)][kind_of(c)];
  Piece out;
  const auto add = [&](const Piece& piece) {
    out.text += piece.text;
    out.right = std::max(out.right, piece.right);
  };
  for (const auto& [bodies, kinds] : groups) {
    if (bodies.empty()) continue;  // of the whole model: the head says how many there are
    if (bodies.size() == 1) add(draw_hold(layout.box(bodies[0]), to_text(kinds), holds_to_ground(kinds)));
    for (std::size_t k = 1; k < bodies.size(); ++k) {
      add(draw_arc(layout.box(bodies[k - 1]), layout.box(bodies[k]), to_text(kinds)));
    }
  }
  return out;
}

constexpr const char* kStyle = R"(<style>
text { font: 12px monospace; fill: #222; }
text.small { font-size: 9px; fill: #555; }
rect.body { fill: #eef3fa; stroke: #4a6fa5; }
rect.world { fill: #e8e4da; stroke: #7a6f55; }
path { fill: none; stroke: #4a6fa5; }
path.fixed { stroke-dasharray: 1 3; }
path.constraint { stroke: #b5482a; stroke-dasharray: 6 4; }
path.ground { stroke: #b5482a; stroke-width: 1.5; }
</style>
)";

std::string head_text(const Scene& scene) {
  Tally kinds;
  for (const Constraint& c : scene.constraints) ++kinds[kind_of(c)];
  return kinds.empty() ? "no constraints" : to_text(kinds);
}

}  // namespace

std::string tree_svg(const Scene& scene) {
  const ModelDescription& d = scene.model.description();
  const Layout layout(d);
  const std::string title = one_line_summary(scene), constraints = head_text(scene);
  const Piece drawn = draw_constraints(scene, layout);
  const double width =
      kMargin + std::max({layout.width(), drawn.right, kMargin + text_width(title), kMargin + text_width(constraints)});
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\">\n"
      "<title>{2}</title>\n{3}<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<text x=\"{4:.1f}\" y=\"22\">{2}</text>\n<text x=\"{4:.1f}\" y=\"40\">{5}</text>\n",
      width, layout.height(), escaped(title), kStyle, kMargin, escaped(constraints));
  for (std::size_t b = 0; b < d.bodies.size(); ++b) {
    out += draw_joint(layout.box(d.bodies[b].parent), layout.box(static_cast<int>(b)), d.bodies[b]);
  }
  out += draw_box(layout.box(kWorld), "world", "world");
  for (std::size_t b = 0; b < d.bodies.size(); ++b) {
    out += draw_box(layout.box(static_cast<int>(b)), d.bodies[b].name, "body");
  }
  return out + drawn.text + "</svg>\n";
}

}  // namespace delassus::cli
