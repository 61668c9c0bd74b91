// <worldbody> and <body>: the tree, and what hangs on it.
#include <algorithm>

#include <fmt/format.h>

#include "io/mjcf_document.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

/// What makes bodies or moves them, so that leaving it out would make another robot.
constexpr std::string_view kUnsupported[] = {"frame", "composite", "flexcomp", "replicate", "attach"};

struct Open {
  MjcfNode node;
  int parent;
  int inherited_class;
};

class BodyReader {
 public:
  BodyReader(const MjcfContext& context, std::vector<MjcfBody>& bodies) : context_(context), bodies_(bodies) {}

  void run() {
    bodies_.emplace_back();
    bodies_[0].name = "world";
    bodies_[0].node = context_.source.top();
    for (const MjcfNode& node : context_.source.children(context_.source.top())) {
      if (node.tag() != "worldbody") continue;
      const XmlElement element(*node.file, node.node, "worldbody");
      element.ignore_attributes_but({});
      read_contents({node, 0, 0}, 0, "worldbody");
    }
    std::reverse(open_.begin(), open_.end());
    while (!open_.empty()) {
      const Open current = open_.back();
      open_.pop_back();
      const std::size_t mark = open_.size();
      read_body(current);
      std::reverse(open_.begin() + static_cast<std::ptrdiff_t>(mark), open_.end());
    }
  }

 private:
  MjcfBody& body(int i) { return bodies_[static_cast<std::size_t>(i)]; }

  void read_body(Open current) {
    const int index = static_cast<int>(bodies_.size());
    const std::string label = mjcf_label(current.node, "");
    const MjcfElement element(current.node, label);
    element.own().ignore_attributes_but({"name", "childclass", "pos", "quat", "axisangle", "euler", "xyaxes", "zaxis"});
    if (element.has("childclass")) {
      current.inherited_class = context_.defaults.find(element.own(), element.own().text("childclass"));
    }
    bodies_.emplace_back();
    body(index).name = element.text_or("name", "");
    body(index).parent = current.parent;
    body(index).pose = element.pose(context_.settings);
    body(index).node = current.node;
    read_contents(current, index, label);
    require_joints_fit(index, label);
    moves_.push_back(moves_[static_cast<std::size_t>(current.parent)] || !body(index).joints.empty());
    if (moves_.back()) require_no_ground(index, label);
  }

  void read_contents(const Open& current, int index, const std::string& label) {
    for (const MjcfNode& child : context_.source.children(current.node)) {
      const std::string_view tag = child.tag();
      if (tag == "body") {
        open_.push_back({child, index, current.inherited_class});
      } else if (tag == "geom") {
        body(index).geoms.push_back(read_mjcf_geom(context_, child, current.inherited_class, label));
      } else if (tag == "site") {
        read_site(child, index, current.inherited_class, label);
      } else if (index > 0 && (tag == "joint" || tag == "freejoint")) {
        body(index).joints.push_back(read_mjcf_joint(context_, child, current.inherited_class, label));
      } else if (index > 0 && tag == "inertial") {
        if (body(index).inertial) child.fail(label, "has a second <inertial>; remove one");
        body(index).inertial = read_mjcf_inertial(context_, child, label);
      } else {
        refuse_or_ignore(child, index, label);
      }
    }
  }

  static void refuse_or_ignore(const MjcfNode& child, int index, const std::string& label) {
    const std::string_view tag = child.tag();
    if (index == 0 && (tag == "joint" || tag == "freejoint" || tag == "inertial")) {
      child.fail(label, fmt::format("<{}> stands in the world, which has none; put it into a <body>", tag));
    }
    if (std::find(std::begin(kUnsupported), std::end(kUnsupported), tag) != std::end(kUnsupported)) {
      child.fail(label, fmt::format("<{}> is not supported; let MuJoCo save the compiled model", tag));
    }
    ClosestName closest(tag);
    for (const std::string_view known : {"body", "joint", "freejoint", "inertial", "geom", "site"})
      closest.consider(known);
    XmlElement(*child.file, child.node, label).ignore(closest.hint());
  }

  void read_site(const MjcfNode& node, int index, int inherited_class, const std::string& owner) {
    const std::string label = mjcf_label(node, owner);
    const MjcfElement element(node, label, context_.defaults, inherited_class, "site");
    element.own().ignore_all_but({"name", "class", "pos", "quat", "axisangle", "euler", "xyaxes", "zaxis"}, {});
    body(index).sites.push_back({element.text_or("name", ""), element.pose(context_.settings), node});
  }

  void require_joints_fit(int index, const std::string& label) {
    int freedoms = 0;
    bool after_ball = false;
    for (const MjcfJoint& joint : body(index).joints) {
      const JointKind kind = joint.joint.kind;
      if (kind == JointKind::kFree) require_free_joint_fits(joint, index, label);
      freedoms += sizes_of(kind).nv;
      if (freedoms > 6) joint.node.fail(label, "has more than six degrees of freedom; remove a joint");
      if (after_ball && kind != JointKind::kPrismatic) {
        joint.node.fail(label, "turns again after a ball joint, which turns all ways; remove one of the joints");
      }
      after_ball = after_ball || kind == JointKind::kSpherical;
    }
  }

  void require_free_joint_fits(const MjcfJoint& joint, int index, const std::string& label) {
    if (body(index).parent != 0) joint.node.fail(label, "a free joint is for bodies that hang on the world; remove it");
    if (body(index).joints.size() > 1) joint.node.fail(label, "has other joints beside a free one; remove them");
  }

  /// Planes and height fields reach down without end.
  void require_no_ground(int index, const std::string& label) {
    for (const MjcfGeom& geom : body(index).geoms) {
      if (!geom.is_read) continue;
      if (geom.shape.kind == ShapeKind::kPlane)
        geom.node.fail(mjcf_label(geom.node, label), "is a plane on a body that moves; make it a thin box");
      if (geom.shape.kind == ShapeKind::kHeightField)
        geom.node.fail(mjcf_label(geom.node, label),
                       "is a height field on a body that moves; put it into the world, or make it a mesh");
    }
  }

  const MjcfContext& context_;
  std::vector<MjcfBody>& bodies_;
  std::vector<Open> open_;
  std::vector<bool> moves_{false};  // by body
};

}  // namespace

std::string mjcf_label(const MjcfNode& node, const std::string& body) {
  const std::string_view name = node.node.attribute("name").value();
  const std::string tag = printable(node.tag());
  if (!name.empty()) return tag + " " + in_quotes(name);
  return body.empty() ? tag + " without name" : tag + " of " + body;
}

void read_mjcf_bodies(const MjcfContext& context, std::vector<MjcfBody>& bodies) { BodyReader(context, bodies).run(); }

}  // namespace delassus::io
