// The numbers of a plan: of links and of points, lane by lane.
#pragma once

#include <span>

#include "gpu/plan.hpp"

namespace delassus::gpu {

/// A constraint as rows at a point of a link against what does not move.
struct PointRows {
  int link;
  Vec3<double> point;  // in the link's frame
  Mat3<double> axes;   // rows are those of the constraint
  int rows;
  bool level;  // axes are those of contacts on a level floor: z, x, y
};

/// Throws an Error that names a constraint which is none.
PointRows point_rows(const Model& model, const Constraint& constraint);

/// Fills numbers and indices of a plan whose elements and slots are there.
void fill_numbers(const Model& model, std::span<const Constraint> constraints, Plan& plan);

}  // namespace delassus::gpu
