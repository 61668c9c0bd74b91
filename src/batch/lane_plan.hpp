// What steps in lanes are made from: everything about a mechanism that is the same for all environments, as plain numbers.
//
// A step in lanes is the step of the Simulator (docs/simulation.md) for robots on planes: joints of all kinds, springs, damping, dry friction, limits, motors
// with and without a limit of force, and contacts at candidate points. What it does not know (loops, bodies that touch each other, ...) the full
// simulator steps: for a whole batch, if `reason` says so; else for single environments and steps.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "collision/candidate_points.hpp"
#include "delassus/simulation/simulator.hpp"

namespace delassus {

/// One degree of freedom.
struct LaneDof {
  int q = -1;  // its coordinate; -1 if its velocity is not the rate of one
  double armature = 0, damping = 0, stiffness = 0, rest = 0;
  double friction = 0;  // N or N m; zero: none
  double lower = 0, upper = 0;
  bool limited = false;
  double mobility = 1;  // what velocity a unit impulse gives, in the neutral posture
};

struct LaneDrive {
  ActuatorKind kind = ActuatorKind::kMotor;
  int q = 0, v = 0;
  double kp = 0, kd = 0, limit = 0;
};

/// A segment with a radius, around a shape, in the axes of its link.
struct LaneCapsule {
  int link = 0;
  Vec3<double> a{}, b{}, centre{};
  double radius = 0;
  double reach = 0;  // of the ball around it
};

struct LanePlan {
  LanePlan(const Model& model, std::span<const Constraint> scene, const SimulationOptions& options,
           const std::vector<Actuator>& actuators, const CollisionWorld& world);

  /// Why nothing of this can be stepped in lanes, in words; empty if it can.
  std::string reason;

  Model model;
  SimulationOptions options;
  std::vector<LaneDof> dofs;
  std::vector<LaneDrive> drives;
  CandidatePoints points;
  std::vector<double> mobility;               // of each slot, in the neutral posture
  std::vector<double> friction;               // of each candidate shape with each plane
  std::vector<CollisionWorld::Shape> moving;  // shapes of bodies that move
  std::vector<LaneCapsule> capsules;          // around each of them
  std::vector<std::pair<int, int>> pairs;     // of those that can touch

  int num_slots() const { return points.num_slots * static_cast<int>(points.planes.size()); }

 private:
  void take_joints(std::span<const Constraint> scene);
  void take_drives(const std::vector<Actuator>& actuators);
  void take_shapes(const CollisionWorld& world);
  void find_mobilities();
  void refuse(const std::string& why) {
    if (reason.empty()) reason = why;
  }
};

}  // namespace delassus
