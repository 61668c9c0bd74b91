#include "cli/commands/constraint_bodies.hpp"

#include <algorithm>

namespace delassus::cli {
namespace {

class Collector {
 public:
  explicit Collector(const Model& model) : model_(model) {}

  void operator()(const PointContact& c) { frame(c.a.frame), frame(c.b); }
  void operator()(const LoopClosure& c) { frame(c.first.frame), frame(c.second.frame); }
  void operator()(const Distance& c) { frame(c.first.frame), frame(c.second.frame); }
  void operator()(const JointLimit& c) { link(c.link); }
  void operator()(const JointFriction& c) { link(c.link); }
  void operator()(const JointCoupling& c) {
    for (const JointCoupling::Term& term : c.terms) link(term.link);
  }
  void operator()(const JointPolynomial& c) {
    link(c.link);
    if (c.other_link >= 0) link(c.other_link);
  }
  void operator()(const CentreOfMass&) {}
  void operator()(const CustomRows& c) {
    for (const CustomRows::BodyTerm& term : c.bodies) frame(term.frame);
    for (const CustomRows::DofTerm& term : c.dofs) dof(term.v);
  }

  std::vector<int> bodies() {
    std::sort(bodies_.begin(), bodies_.end());
    bodies_.erase(std::unique(bodies_.begin(), bodies_.end()), bodies_.end());
    return bodies_;
  }

 private:
  void frame(int f) {
    const int body = model_.frame(f).body;
    if (body != kWorld) bodies_.push_back(body);
  }
  void link(int l) {
    const std::vector<BodyDescription>& all = model_.description().bodies;
    const auto moves = [&](const BodyDescription& b) {
      return std::any_of(b.joints.begin(), b.joints.end(),
                         [&](const JointDescription& j) { return j.name == model_.joint_name(l); });
    };
    bodies_.push_back(static_cast<int>(std::find_if(all.begin(), all.end(), moves) - all.begin()));
  }
  void dof(int v) {
    for (int l = 0; l < model_.num_links(); ++l) {
      if (model_.link(l).v <= v && v < model_.link(l).v + model_.link(l).nv) link(l);
    }
  }

  const Model& model_;
  std::vector<int> bodies_;
};

}  // namespace

std::vector<int> moved_bodies(const Model& model, const Constraint& constraint) {
  Collector collector(model);
  std::visit(collector, constraint);
  return collector.bodies();
}

}  // namespace delassus::cli
