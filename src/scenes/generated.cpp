#include "scenes/generated.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "delassus/math/error.hpp"
#include "model/wording.hpp"
#include "scenes/boxes.hpp"
#include "scenes/mechanisms.hpp"

namespace delassus {
namespace {

using Parameters = std::array<int, 2>;

// Most figures of the paper do not survive in its text: how many joints were added to each limb is ours.
constexpr int kExtraJoints = 3;

ConstrainedModel make_humanoid_of(int links) {
  TwoArmedOptions options;
  const int standard = options.trunk_links + 2 * (options.arm_links + options.leg_links);
  if (links < standard) throw Error("the humanoid has " + std::to_string(standard) + " links or more");
  options.trunk_links += links - standard;
  return make_two_armed_scene(options);
}

struct Family {
  GeneratedScene scene;
  /// The largest parameter, or product of both. More is a slip of the hand, and would fill the memory before anybody could
  /// stop it.
  int most;
  ConstrainedModel (*make)(const Parameters&);
};

constexpr AsimoPoints kHandsFeet = AsimoPoints::kHandsFeet;

const std::array kFamilies{
    Family{{"chain", "LINKS", "10", "fixed serial chain, its tip welded"},
           100'000,
           [](const Parameters& p) { return make_chain_scene({p[0]}); }},
    Family{{"stem", "STEMxBRANCHES", "3x2", "floating stem with branches of 7 links at either end, tips welded"},
           10'000,
           [](const Parameters& p) {
             return make_stem_scene({p[0], p[1]});
           }},
    Family{{"k2chain", "K", "5", "fixed chain of K² links, every K-th welded"},
           300,
           [](const Parameters& p) { return make_k2_chain_scene(p[0]); }},
    Family{{"k2loops", "K", "5", "fixed chain of K² links, every K-th pinned to the one K before it"},
           300,
           [](const Parameters& p) { return make_k2_loops_scene(p[0]); }},
    Family{{"allwelded", "LINKS", "12", "fixed chain with every link welded"},
           10'000,
           [](const Parameters& p) { return make_all_welded_scene(p[0]); }},
    Family{{"hand", "", "", "generic five-fingered hand of 24 joints, fingertips pinned"},
           1,
           [](const Parameters&) { return make_hand_scene(); }},
    Family{{"handed", "", "", "generic humanoid with two five-fingered hands, fingertips pinned"},
           1,
           [](const Parameters&) { return make_handed_scene({}, false); }},
    Family{{"handed-one", "", "", "generic humanoid with one five-fingered hand, fingertips pinned"},
           1,
           [](const Parameters&) {
             return make_handed_scene({true, false}, false);
           }},
    Family{{"handed-feet", "", "", "generic humanoid with two hands, fingertips pinned and soles welded"},
           1,
           [](const Parameters&) { return make_handed_scene({}, true); }},
    Family{{"asimo-hf", "", "", "ASIMO-like tree of 35 bodies: hands and feet"},
           1,
           [](const Parameters&) { return make_asimo_scene({}, kHandsFeet); }},
    Family{{"asimo-hfh", "", "", "ASIMO-like tree: hands, feet and head"},
           1,
           [](const Parameters&) { return make_asimo_scene({}, AsimoPoints::kHandsFeetHead); }},
    Family{{"asimo-ftf", "", "", "ASIMO-like tree: forefingers, thumbs and feet"},
           1,
           [](const Parameters&) { return make_asimo_scene({}, AsimoPoints::kForefingersThumbsFeet); }},
    Family{{"asimo-arms", "", "", "ASIMO-like tree with three more joints in each arm: hands and feet"},
           1,
           [](const Parameters&) { return make_asimo_scene({.extra_arm_joints = kExtraJoints}, kHandsFeet); }},
    Family{{"asimo-legs", "", "", "ASIMO-like tree with three more joints in each leg: hands and feet"},
           1,
           [](const Parameters&) { return make_asimo_scene({.extra_leg_joints = kExtraJoints}, kHandsFeet); }},
    Family{{"asimo-hands", "", "", "ASIMO-like tree with hands of four fingers and 12 joints: hands and feet"},
           1,
           [](const Parameters&) { return make_asimo_scene({.four_fingers = true}, kHandsFeet); }},
    Family{{"asimo-limbs", "", "", "ASIMO-like tree with two more arms and legs: all hands and feet"},
           1,
           [](const Parameters&) { return make_asimo_scene({.limb_pairs = 2}, kHandsFeet); }},
    Family{{"asimo-onefoot", "", "", "ASIMO-like tree on its left foot, fixed to the world: hands and right foot"},
           1,
           [](const Parameters&) { return make_asimo_scene({.on_left_foot = true}, kHandsFeet); }},
    Family{{"humanoid", "LINKS", "24", "two-armed humanoid on a fixed pelvis, both hands; further links in the trunk"},
           100'000,
           [](const Parameters& p) { return make_humanoid_of(p[0]); }},
    Family{{"swimmer", "LINKS", "3", "planar swimmer, two points of each link on the ground"},
           100'000,
           [](const Parameters& p) { return make_swimmer_scene(p[0]); }},
    Family{{"box-stack", "BOXES", "5", "free boxes on top of each other"},
           3'000,
           [](const Parameters& p) { return make_box_stack_scene(p[0]); }},
    Family{{"box-pyramid", "SIDE", "3", "free boxes in square layers, each on four"},
           30,
           [](const Parameters& p) { return make_box_pyramid_scene({.side = p[0]}); }},
    Family{{"expander", "LIMBSxJOINTS", "8x7", "star whose tips are pinned to each other along an expander-like graph"},
           10'000,
           [](const Parameters& p) {
             return make_expander_scene({p[0], p[1]});
           }},
};

const std::array<GeneratedScene, kFamilies.size()> kScenes = [] {
  std::array<GeneratedScene, kFamilies.size()> out;
  std::ranges::transform(kFamilies, out.begin(), &Family::scene);
  return out;
}();

std::string_view family_of(std::string_view name) { return name.substr(0, name.find(':')); }

const Family* find_family(std::string_view name) {
  const auto found = std::ranges::find(kFamilies, family_of(name), [](const Family& f) { return f.scene.name; });
  return found == kFamilies.end() ? nullptr : &*found;
}

[[noreturn]] void fail(const Family& family, std::string_view name) {
  const GeneratedScene& scene = family.scene;
  if (scene.parameters.empty()) throw Error(in_quotes(name) + ": nothing follows the name " + in_quotes(scene.name));
  throw Error(in_quotes(name) + ": write " + std::string(scene.name) + ":" + std::string(scene.parameters) +
              " with numbers from 1, their product at most " + std::to_string(family.most) + ", such as " +
              std::string(scene.name) + ":" + std::string(scene.defaults));
}

/// As many numbers as the family has parameters, with an x between them.
Parameters parse_parameters(const Family& family, std::string_view name) {
  const GeneratedScene& scene = family.scene;
  const std::size_t colon = name.find(':');
  std::string_view text = colon == std::string_view::npos ? scene.defaults : name.substr(colon + 1);
  Parameters out{};
  if (scene.parameters.empty()) {
    if (colon != std::string_view::npos) fail(family, name);
    return out;
  }
  std::int64_t product = 1;
  const std::size_t count = scene.parameters.find('x') == std::string_view::npos ? 1 : 2;
  for (std::size_t k = 0; k < count; ++k) {
    if (k > 0) {
      if (!text.starts_with('x')) fail(family, name);
      text.remove_prefix(1);
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out[k]);
    if (error != std::errc() || out[k] < 1 || (product *= out[k]) > family.most) fail(family, name);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  if (!text.empty()) fail(family, name);
  return out;
}

}  // namespace

std::span<const GeneratedScene> generated_scenes() { return kScenes; }

bool is_generated_scene(std::string_view name) { return find_family(name) != nullptr; }

ConstrainedModel make_generated_scene(std::string_view name) {
  const Family* family = find_family(name);
  if (!family) {
    ClosestName closest(family_of(name));
    for (const GeneratedScene& scene : kScenes) closest.consider(scene.name);
    throw Error("there is no generated scene " + in_quotes(name) + closest.hint());
  }
  return family->make(parse_parameters(*family, name));
}

}  // namespace delassus
