#include "delassus/dynamics/reference_plan.hpp"

namespace delassus {

ReferencePlan make_reference_plan(const Model& model, int hops) {
  ReferencePlan plan;
  std::vector<int> distance(model.num_links());
  for (int i = 0; i < model.num_links(); ++i) {
    const int parent = model.link(i).parent;
    const bool shares = parent != kWorld && distance[parent] < hops;
    distance[i] = shares ? distance[parent] + 1 : 0;
    plan.reference.push_back(shares ? plan.reference[parent] : i);
    plan.shares_parent.push_back(shares);
  }
  return plan;
}

}  // namespace delassus
