#include <algorithm>
#include <tuple>

#include "operators/efpa.hpp"

namespace delassus {

void EfpaPlan::build(const Model& model, int lanes) {
  number_groups(model, lanes);
  fill_lanes(lanes);
  find_meetings(model);
  drop_idle_links(model);
}

/// One step per link; drop_idle_links takes out those that nothing crosses. Counts go towards the root, then numbers come back out.
void EfpaPlan::number_groups(const Model& model, int lanes) {
  steps.assign(model.num_links(), Step{});
  for (const RowSites::Site& site : sites.sites()) {
    Step& step = steps[site.link];
    const std::int32_t groups = (site.end - site.first + lanes - 1) / lanes;
    step.end += groups;
    if (site.joint) {
      step.joint_first = groups;  // their number until all are known
    } else {
      step.own_end = groups;
    }
  }
  for (int i = model.num_links() - 1; i >= 0; --i) {
    if (const int parent = model.link(i).parent; parent != kWorld) steps[parent].end += steps[i].end;
  }
  std::int32_t roots = 0;
  for (int i = 0; i < model.num_links(); ++i) {
    Step& step = steps[i];
    const int parent = model.link(i).parent;
    // F is not set yet: meanwhile it counts what a link has given to its children.
    std::int32_t& next = parent == kWorld ? roots : steps[parent].F;
    step.link = i;
    step.first = next;
    next += step.end;
    step.end += step.first;
    step.own_end += step.first;
    step.joint_first = step.end - step.joint_first;
    step.F = step.own_end;
  }
  count.assign(roots, 0);
}

void EfpaPlan::fill_lanes(int lanes) {
  element.resize(count.size() * lanes);
  row.resize(count.size() * lanes);
  for (const RowSites::Site& site : sites.sites()) {
    const std::int32_t first = site.joint ? steps[site.link].joint_first : steps[site.link].first;
    const std::int32_t elements = site.end - site.first;
    for (std::int32_t g = 0; g * lanes < elements; ++g) {
      count[first + g] = std::min(lanes, elements - g * lanes);
      for (std::int32_t k = 0; k < lanes; ++k) {
        const std::int32_t e = site.first + std::min(g * lanes + k, elements - 1);
        element[(first + g) * lanes + k] = e;
        row[(first + g) * lanes + k] = sites.elements()[e].row;
      }
    }
  }
}

/// Two groups meet on a link if both act on it, or if they come from different children, or if one acts on the joint of
/// the child that the other comes from: there they have met on the joint before, but not on what moves it.
void EfpaPlan::find_meetings(const Model& model) {
  meetings.clear();
  for (const Step& step : steps) {
    for (std::int32_t g = step.first; g < step.own_end; ++g)
      meetings.push_back({step.link, g, g + 1, step.first, g + 1});
    const std::int32_t parent = model.link(step.link).parent;
    if (parent == kWorld || step.first == step.end) continue;
    const std::int32_t before = steps[parent].first;
    if (before < step.first) meetings.push_back({parent, step.first, step.end, before, step.first});
    for (std::int32_t g = step.joint_first; g < step.end; ++g)
      meetings.push_back({parent, g, g + 1, step.first, g + 1});
  }
  std::sort(meetings.begin(), meetings.end(),
            [](const Meeting& x, const Meeting& y) { return std::tie(x.link, x.a, x.b) < std::tie(y.link, y.a, y.b); });
}

void EfpaPlan::drop_idle_links(const Model& model) {
  std::erase_if(steps, [](const Step& step) { return step.first == step.end; });
  F_size = kept_size = 0;
  std::int32_t next = 0;
  for (Step& step : steps) {
    step.F = F_size;
    F_size += (step.end - step.first) * model.link(step.link).nv;
    step.first_meeting = next;
    while (next < static_cast<std::int32_t>(meetings.size()) && meetings[next].link == step.link) ++next;
    step.end_meeting = next;
    step.kept = kept_size;
    if (step.first_meeting < step.end_meeting) kept_size += step.joint_first - step.first;
  }
}

}  // namespace delassus
