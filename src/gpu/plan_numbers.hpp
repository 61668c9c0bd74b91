// The numbers of a plan: of links and of points, lane by lane.
#pragma once

#include <span>
#include <variant>

#include "gpu/plan.hpp"

namespace delassus::gpu {

/// A constraint as rows at a point of a link against what does not move.
struct PointRows {
  int link;
  Vec3<double> point;  // in the link's frame
  Mat3<double> axes;   // rows are those of the constraint
  int rows;
  bool level;       // axes are those of contacts on a level floor: z, x, y
  double friction;  // -1: held
};

/// A ball in world axes between two links that move.
struct LoopRows {
  int first, second;  // links
  Vec3<double> point_on_first, point_on_second;
};

/// A single degree of freedom; the row is its rate, or less it.
struct JointRow {
  int link, dof;
  double sign;
  double low, high;  // of the force
};

using Rows = std::variant<PointRows, LoopRows, JointRow>;

/// Throws an Error that says why a constraint cannot run on the GPU.
[[noreturn]] void refuse(const Constraint& c, const std::string& why);

/// Throws an Error that names a constraint which is none of these.
Rows rows_of(const Model& model, const Constraint& constraint);

/// Why contact forces cannot be solved for on the GPU; empty if they can.
std::string contact_fault(const Model& model, std::span<const Constraint> constraints);

/// Fills numbers and indices of a plan whose elements and slots are there.
void fill_numbers(const Model& model, std::span<const Constraint> constraints, Plan& plan);

}  // namespace delassus::gpu
