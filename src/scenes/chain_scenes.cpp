#include "scenes/mechanisms.hpp"

#include <numeric>

#include "delassus/constraints/constrained_model.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/math/error.hpp"
#include "model/splitmix.hpp"
#include "scenes/limb_builder.hpp"

namespace delassus {
namespace {

ConstrainedModel welded(const ModelDescription& description, const std::vector<std::string>& frames) {
  ConstrainedModel out = make_in_general_configuration(description);
  out.constraints = make_welds_to_world(out.model, out.q, frames);
  return out;
}

std::string link_name(int k) { return "link" + std::to_string(k); }

/// Pins a point of `first` to that of `second` that lies there in this configuration.
Constraint pinned(const Model& model, const Kinematics<double>& kin, const std::string& first,
                  const std::string& second, const Vec3<double>& point = {{0, 0, 0}}) {
  const Attachment a = attach(model, first, point);
  const int b = model.find_frame(second);
  const Vec3<double> there = inverse(frame_pose(model, kin, b)) * (frame_pose(model, kin, a.frame) * point);
  return make_ball(first + " on " + second, a, {b, {Mat3<double>::identity(), there}});
}

/// A perfect matching of 0 ... n - 1 without neighbours in the ring: by shuffling until there are none.
std::vector<int> make_matching(int n) {
  constexpr std::uint64_t kSeed = 22;
  SplitMix random(kSeed);
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (bool found = false; !found;) {
    for (int i = n - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    found = true;
    for (int i = 0; i < n; i += 2) {
      const int step = (order[i] - order[i + 1] + n) % n;
      if (step == 1 || step == n - 1) found = false;
    }
  }
  return order;
}

}  // namespace

ConstrainedModel make_stem_scene(const StemOptions& options) {
  std::vector<std::string> tips;
  for (const char* end : {"rear", "front"}) {
    for (int k = 1; k <= options.branches; ++k) tips.push_back(end + std::to_string(k) + "_tip");
  }
  return welded(make_stem(options), tips);
}

ConstrainedModel make_k2_chain_scene(int k) {
  require_at_least("k", k, 1);
  std::vector<std::string> stations;
  for (int i = 1; i <= k; ++i) stations.push_back(link_name(i * k));
  return welded(make_chain({k * k}), stations);
}

ConstrainedModel make_k2_loops_scene(int k) {
  require_at_least("k", k, 1);
  ConstrainedModel out = make_in_general_configuration(make_chain({k * k}));
  Kinematics<double> kin(out.model);
  update_kinematics<double>(out.model, out.q, kin);
  // Not at the link's origin, which its own joint does not move.
  const Vec3<double> beside{{0.05, 0, 0.1}};
  for (int i = 1; i <= k; ++i) {
    const std::string before = i == 1 ? "world" : link_name((i - 1) * k);
    out.constraints.push_back(pinned(out.model, kin, link_name(i * k), before, beside));
  }
  return out;
}

ConstrainedModel make_all_welded_scene(int links) {
  require_at_least("links", links, 1);
  std::vector<std::string> all;
  for (int k = 1; k <= links; ++k) all.push_back(link_name(k));
  return welded(make_chain({links}), all);
}

ConstrainedModel make_chain_scene(const ChainOptions& options) { return welded(make_chain(options), {"link_tip"}); }

ConstrainedModel make_expander_scene(const StarOptions& options) {
  require_at_least("limbs", options.limbs, 6);
  if (options.limbs % 2 != 0) throw Error("argument 'limbs' must be even: the tips are matched in pairs");
  ConstrainedModel out = make_in_general_configuration(make_star(options));
  Kinematics<double> kin(out.model);
  update_kinematics<double>(out.model, out.q, kin);
  const auto tip = [](int limb) { return "limb" + std::to_string(limb + 1) + "_tip"; };
  const auto add = [&](int a, int b) { out.constraints.push_back(pinned(out.model, kin, tip(a), tip(b))); };
  for (int k = 0; k < options.limbs; ++k) add(k, (k + 1) % options.limbs);
  const std::vector<int> pairs = make_matching(options.limbs);
  for (std::size_t k = 0; k < pairs.size(); k += 2) add(pairs[k], pairs[k + 1]);
  return out;
}

ConstrainedModel make_swimmer_scene(int links) {
  ConstrainedModel out{Model(make_swimmer(links))};
  // A wave: three links to its length, so that a long swimmer does not curl up.
  constexpr double kBend[] = {0.4, -0.2, -0.2};
  for (int k = 1; k < links; ++k) out.q[static_cast<std::size_t>(k + 2)] = kBend[k % 3];
  out.constraints = make_ground_contacts(out.model, out.q, {});
  return out;
}

}  // namespace delassus
