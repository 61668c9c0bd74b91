// What the recipes of scenes/ are put together from.
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>

#include "delassus/constraints/constrained_model.hpp"
#include "delassus/io/scene.hpp"

namespace delassus {

/// How close a point of a shape is to the ground to be in contact, metres.
inline constexpr double kContactMargin = 1e-3;
/// Bound of a joint's dry friction where the robot's file gives none, N m.
inline constexpr double kJointFriction = 0.2;

Scene scene_of(ConstrainedModel mechanism);

void set_joint(Scene& scene, std::string_view joint, double angle);
/// The same angle for left_<joint> and right_<joint>, or whatever the two prefixes are.
void set_joints(Scene& scene, std::initializer_list<std::string_view> prefixes, std::string_view joint, double angle);

void add_constraints(Scene& scene, std::vector<Constraint> constraints);
/// Moves the free joint of the root up or down until the lowest point of a shape touches z = 0.
void rest_on_ground(Scene& scene);
/// A friction row for every degree of freedom but those of free joints.
void add_joint_friction(Scene& scene);

// The recipes, by what they are about.
Scene make_atlas_feet();
Scene make_atlas_feet_points();
Scene make_atlas_feet_hands();
Scene make_atlas_hand();
Scene make_atlas_hands();
Scene make_atlas_hands_feet();
Scene make_shadow_tips();
Scene make_shadow_ball();

}  // namespace delassus
