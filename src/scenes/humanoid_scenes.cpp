#include "scenes/mechanisms.hpp"

#include <iterator>

namespace delassus {
namespace {

using Names = std::vector<std::string>;

constexpr const char* kSides[] = {"left_", "right_"};

void add(ConstrainedModel& scene, std::vector<Constraint> constraints) {
  std::move(constraints.begin(), constraints.end(), std::back_inserter(scene.constraints));
}

/// All frames whose name ends so, in the order of the model: the limbs differ between the variants, the ends do not.
Names frames_ending(const Model& model, std::string_view end) {
  Names out;
  for (const Frame& frame : model.frames()) {
    if (frame.name.ends_with(end)) out.push_back(frame.name);
  }
  return out;
}

void append(Names& names, Names more) { std::move(more.begin(), more.end(), std::back_inserter(names)); }

/// Frames at the ends of all limbs of a kind, such as left_arm_tip and right_arm_b_tip.
Names limb_tips(const Model& model, const std::string& limb) {
  Names out = frames_ending(model, limb + "_tip");
  for (char pair = 'b'; pair <= 'z'; ++pair) append(out, frames_ending(model, limb + "_" + pair + "_tip"));
  return out;
}

Names feet_of(const Model& model, bool on_left_foot) {
  Names feet = limb_tips(model, "leg");
  if (on_left_foot) std::erase(feet, "left_leg_tip");
  return feet;
}

Names finger_tips(const std::string& side) {
  Names out;
  for (const char* finger : {"thumb", "forefinger", "middle", "ring", "little"}) out.push_back(side + finger + "_tip");
  return out;
}

}  // namespace

ConstrainedModel make_two_armed_scene(const TwoArmedOptions& options) {
  ConstrainedModel out = make_in_general_configuration(make_two_armed(options));
  add(out, make_welds_to_world(out.model, out.q, Names{"left_arm_tip", "right_arm_tip"}));
  return out;
}

ConstrainedModel make_asimo_scene(const AsimoOptions& options, AsimoPoints points) {
  ConstrainedModel out = make_in_general_configuration(make_asimo(options));
  Names names;
  if (points == AsimoPoints::kForefingersThumbsFeet) {
    append(names, frames_ending(out.model, options.four_fingers ? "finger1_tip" : "forefinger_tip"));
    append(names, frames_ending(out.model, options.four_fingers ? "finger4_tip" : "thumb_tip"));
  } else {
    append(names, limb_tips(out.model, "arm"));
  }
  append(names, feet_of(out.model, options.on_left_foot));
  if (points == AsimoPoints::kHandsFeetHead) names.emplace_back("head_tip");
  add(out, make_welds_to_world(out.model, out.q, names));
  return out;
}

ConstrainedModel make_handed_scene(const HandedOptions& options, bool feet) {
  ConstrainedModel out = make_in_general_configuration(make_handed_humanoid(options));
  for (int side = 0; side < 2; ++side) {
    if (side == 0 ? options.left_hand : options.right_hand) {
      add(out, make_pins_to_world(out.model, out.q, finger_tips(kSides[side])));
    }
  }
  if (feet) add(out, make_welds_to_world(out.model, out.q, Names{"left_leg_tip", "right_leg_tip"}));
  return out;
}

ConstrainedModel make_hand_scene() {
  ConstrainedModel out = make_in_general_configuration(make_hand());
  add(out, make_pins_to_world(out.model, out.q, finger_tips("")));
  return out;
}

}  // namespace delassus
