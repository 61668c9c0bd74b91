#include "dynamics/reference_plan.hpp"

namespace delassus {
namespace {

/// Whether a coordinate of the joint is a displacement, which no length of the model bounds.
bool can_travel(JointKind kind) {
  return kind == JointKind::kPrismatic || kind == JointKind::kCylindrical || kind == JointKind::kPlanar ||
         kind == JointKind::kFree;
}

template <class F>
ReferencePlan make_plan(const Model& model, int hops, F&& has_one_parent) {
  ReferencePlan plan;
  std::vector<int> distance(model.num_links());
  for (int i = 0; i < model.num_links(); ++i) {
    const int parent = model.link(i).parent;
    const bool shares =
        parent != kWorld && distance[parent] < hops && !can_travel(model.link(i).kind) && has_one_parent(i);
    distance[i] = shares ? distance[parent] + 1 : 0;
    plan.shares_parent.push_back(shares);
  }
  return plan;
}

}  // namespace

ReferencePlan make_reference_plan(const Model& model, int hops) {
  return make_plan(model, hops, [](int) { return true; });
}

ReferencePlan make_reference_plan(const FoldedModel& model, int hops) {
  return make_plan(model, hops, [&](int i) { return model.fold().ways_of(i).empty(); });
}

}  // namespace delassus
