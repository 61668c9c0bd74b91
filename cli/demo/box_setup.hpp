// Porter puts a box on the floor: what is there, and what it is asked to do. The experiment of section 4 of Chang and Khatib,
// "Efficient recursive algorithm for the operational space inertia matrix of branching mechanisms", with a robot of our own.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "delassus/model/model.hpp"

namespace delassus::cli {

inline constexpr int kHands = 2;
/// Frames of the robot at its operational points, which hold the box: left, right.
inline constexpr std::array<std::string_view, kHands> kPalms{"left_palm", "right_palm"};
inline constexpr std::array<std::string_view, kHands> kHandNames{"left", "right"};

struct BoxSetup {
  ModelDescription robot;
  std::vector<double> posture;             // of the robot, to begin with and to be kept
  Vec3<double> half_extents;               // of the box, metres
  Inertial box;                            // in its frame, which stands in its middle
  Pose<double> start, end;                 // of the box in the world
  std::array<Pose<double>, kHands> palms;  // in the frame of the box
  double moving = 2, settling = 1;         // seconds

  double duration() const { return moving + settling; }
};

/// The box hangs between the palms of porter's keyframe "holding"; at the end it is on the floor, 5 cm farther from the feet.
BoxSetup make_box_setup(double moving_seconds);

/// A mass, with its inertia, `factor` times as large.
Inertial with_mass_factor(Inertial inertial, double factor);
/// Every mass made wrong by that share: too small, so that what is carried sags, but for the right arm and leg, which are too
/// heavy, so that both sides differ.
ModelDescription with_mass_error(ModelDescription description, double error);

/// How far the lowest corner of the box is above the floor.
double height_above_floor(const Vec3<double>& half_extents, const Pose<double>& box);

}  // namespace delassus::cli
