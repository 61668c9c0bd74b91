// The constraints that a URDF states: mimic joints, loops, couplings.
#include <algorithm>

#include <fmt/format.h>

#include "delassus/math/error.hpp"
#include "io/urdf_assembly.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

/// The most joints that the paths of all couplings may pass: a hostile file could make their number
/// quadratic.
constexpr int kMaxCoupledJoints = 10'000'000;

class ConstraintMaker {
 public:
  ConstraintMaker(XmlFile& file, const UrdfDocument& document, const UrdfTree& tree, const UrdfAssembly& assembly,
                  const Model& model)
      : file_(file), document_(document), tree_(tree), assembly_(assembly), model_(model) {}

  std::vector<Constraint> make() {
    for (const UrdfJoint& joint : document_.joints) {
      if (joint.mimic) add(mimic(joint, *joint.mimic), joint.line);
    }
    for (const UrdfLoop& loop : document_.loops) add(closure(loop), loop.line);
    for (const UrdfCoupling& coupling : document_.couplings) add(gear(coupling), coupling.line);
    return std::move(constraints_);
  }

 private:
  void add(Constraint constraint, int line) {
    try {
      require_valid(model_, constraint);
    } catch (const Error& error) {
      throw Error(fmt::format("{}:{}: {}", file_.name(), line, error.what()));
    }
    constraints_.push_back(std::move(constraint));
  }

  JointCoupling mimic(const UrdfJoint& joint, const UrdfMimic& mimic) {
    const std::string label = "joint " + in_quotes(joint.joint.name);
    const int target = find_urdf_joint(file_, document_, tree_, mimic.joint, mimic.line, label);
    const UrdfJoint& leader = document_.joints[at(target)];
    if (&leader == &joint) file_.fail(mimic.line, label, "mimics itself; name another joint");
    if (!leader.fixed && sizes_of(leader.joint.kind).nv != 1) {
      file_.fail(mimic.line, label,
                 fmt::format("mimics joint {}, which has more than one degree of freedom; name another joint",
                             in_quotes(mimic.joint)));
    }
    JointCoupling out;
    out.name = joint.joint.name;
    out.offset = mimic.offset;
    out.terms.push_back({model_.find_joint(joint.joint.name), 0, 1});
    if (leader.fixed) {
      file_.report().warn(label, mimic.line, "mimics a fixed joint, which holds it at its offset");
    } else {
      out.terms.push_back({model_.find_joint(leader.joint.name), 0, -mimic.multiplier});
    }
    return out;
  }

  LoopClosure closure(const UrdfLoop& loop) const {
    const std::string label = "loop " + in_quotes(loop.name);
    const int first = find_urdf_link(file_, document_, tree_, loop.predecessor, loop.line, label);
    const int second = find_urdf_link(file_, document_, tree_, loop.successor, loop.line, label);
    LoopClosure out;
    out.name = loop.name;
    out.first = {model_.body_frame(assembly_.body_of_link[at(first)]), loop.predecessor_offset};
    out.second = {model_.body_frame(assembly_.body_of_link[at(second)]), loop.successor_offset};
    out.free_linear = loop.free_linear;
    out.free_angular = loop.free_angular;
    return out;
  }

  JointCoupling gear(const UrdfCoupling& coupling) {
    const std::string label = "coupling " + in_quotes(coupling.name);
    int predecessor = find_urdf_link(file_, document_, tree_, coupling.predecessor, coupling.line, label);
    int successor = find_urdf_link(file_, document_, tree_, coupling.successor, coupling.line, label);
    JointCoupling out;
    out.name = coupling.name;
    // Climb from the deeper of the two until they meet at their nearest common ancestor.
    while (predecessor != successor) {
      const bool first = tree_.depth[at(predecessor)] >= tree_.depth[at(successor)];
      int& link = first ? predecessor : successor;
      const int above = tree_.parent_joint[at(link)];
      add_term(coupling, document_.joints[at(above)], first ? coupling.ratio : -1, out);
      link = tree_.parent_link[at(above)];
    }
    if (out.terms.empty()) {
      file_.fail(coupling.line, label, "no moving joint stands between its two links; name links that move");
    }
    // From the root to the leaves, which is the order of the model's joints.
    std::sort(out.terms.begin(), out.terms.end(), [](const auto& a, const auto& b) { return a.link < b.link; });
    return out;
  }

  void add_term(const UrdfCoupling& coupling, const UrdfJoint& joint, double weight, JointCoupling& out) {
    const auto fail = [&](const std::string& message) {
      file_.fail(coupling.line, "coupling " + in_quotes(coupling.name), message);
    };
    if (++coupled_joints_ > kMaxCoupledJoints) fail("the couplings of this file pass too many joints");
    if (joint.fixed) return;
    if (sizes_of(joint.joint.kind).nv != 1) {
      fail("joint " + in_quotes(joint.joint.name) +
           " on its way has more than one degree of freedom; name links behind it");
    }
    out.terms.push_back({model_.find_joint(joint.joint.name), 0, weight});
  }

  XmlFile& file_;
  const UrdfDocument& document_;
  const UrdfTree& tree_;
  const UrdfAssembly& assembly_;
  const Model& model_;
  std::vector<Constraint> constraints_;
  int coupled_joints_ = 0;
};

}  // namespace

std::vector<Constraint> urdf_constraints(XmlFile& file, const UrdfDocument& document, const UrdfTree& tree,
                                         const UrdfAssembly& assembly, const Model& model) {
  return ConstraintMaker(file, document, tree, assembly, model).make();
}

}  // namespace delassus::io
