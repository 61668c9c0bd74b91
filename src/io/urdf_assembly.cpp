#include "io/urdf_assembly.hpp"

#include <fmt/format.h>

#include "delassus/math/error.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

bool is_massless(const Inertial& inertial) { return inertial.mass == 0 && inertial.inertia == Sym3<double>::zero(); }

void require_world_is_root(const XmlFile& file, const UrdfDocument& document, const UrdfTree& tree) {
  const auto world = tree.links.find(kUrdfWorld);
  if (world == tree.links.end() || world->second == tree.root()) return;
  file.fail(document.links[at(world->second)].line, "link 'world'",
            "its name is that of the ground, which only the root can have; rename it");
}

/// The root that is the ground itself makes no body.
void assemble_world(XmlFile& file, const UrdfLink& link, const UrdfOptions& options, UrdfAssembly& out) {
  const std::string label = "link " + in_quotes(link.name);
  if (options.base == UrdfOptions::Base::kFloating) {
    file.fail(link.line, label,
              "the root is named 'world' and cannot float; load it with a fixed base, or rename the link");
  }
  if (!is_massless(link.inertial)) {
    file.report().warn(label, link.line, "is the ground, so its mass has no effect; rename the link if it is a body");
  }
  for (ShapeDescription shape : link.shapes) {
    shape.body = kWorld;
    out.description.shapes.push_back(std::move(shape));
  }
}

void add_floating_base(XmlFile& file, const UrdfDocument& document, const UrdfTree& tree, const UrdfOptions& options,
                       BodyDescription& body) {
  const std::string& name = options.floating_joint_name;
  if (const auto taken = tree.joints.find(name); taken != tree.joints.end()) {
    file.fail(document.joints[at(taken->second)].line, "joint " + in_quotes(name),
              "its name is that of the floating base; rename it, or choose another floating_joint_name");
  }
  JointDescription joint;
  joint.name = name;
  joint.kind = JointKind::kFree;
  body.joints.push_back(std::move(joint));
  if (!is_massless(body.inertial)) return;
  for (std::size_t i = 0; i < document.joints.size(); ++i) {
    const UrdfJoint& own = document.joints[i];
    if (tree.parent_link[i] != tree.root() || own.fixed || own.joint.kind != JointKind::kFree) continue;
    file.report().warn("joint " + in_quotes(own.joint.name), own.line,
                       "floats on a root without mass that floats itself; load it with a fixed base");
  }
}

}  // namespace

UrdfAssembly assemble_urdf(XmlFile& file, const UrdfDocument& document, const UrdfTree& tree,
                           const UrdfOptions& options) {
  require_world_is_root(file, document, tree);
  UrdfAssembly out;
  out.description.name = document.name;
  out.description.bodies.reserve(document.links.size());
  out.body_of_link.assign(document.links.size(), kWorld);
  for (const int i : tree.order) {
    const UrdfLink& link = document.links[at(i)];
    if (link.name == kUrdfWorld) {
      assemble_world(file, link, options, out);
      continue;
    }
    BodyDescription body;
    body.name = link.name;
    body.inertial = link.inertial;
    if (const int above = tree.parent_joint[at(i)]; above >= 0) {
      const UrdfJoint& joint = document.joints[at(above)];
      body.parent = out.body_of_link[at(tree.parent_link[at(above)])];
      if (joint.fixed) {
        body.placement = joint.joint.placement;
      } else {
        body.joints.push_back(joint.joint);
      }
    } else if (options.base == UrdfOptions::Base::kFloating) {
      add_floating_base(file, document, tree, options, body);
    }
    out.body_of_link[at(i)] = static_cast<int>(out.description.bodies.size());
    for (ShapeDescription shape : link.shapes) {
      shape.body = out.body_of_link[at(i)];
      out.description.shapes.push_back(std::move(shape));
    }
    out.description.bodies.push_back(std::move(body));
  }
  return out;
}

}  // namespace delassus::io
