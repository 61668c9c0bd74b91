// The posture of a setup: joints within their limits, loops closed.
#include <algorithm>
#include <cmath>

#include "delassus/constraints/describe.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/simulation/simulation_setup.hpp"
#include "delassus/solvers/assembly.hpp"
#include "simulation/step_constraints.hpp"

namespace delassus {
namespace {

/// Radians or metres that a joint may be left beyond its limit.
constexpr double kNear = 1e-9;
/// Limits and loops take turns, as projections onto two sets. Each limit is passed by this much more than was missing: so the turns come to an end where
/// there is a posture inside of all limits.
constexpr double kBeyond = 0.5;
constexpr int kMostTurns = 200;

/// Moves joints into their limits, by a share of what was missing more than to their edge.
void enter_limits(const Model& model, std::span<const JointLimit> limits, double beyond, std::vector<double>& q) {
  for (const JointLimit& limit : limits) {
    const double excess = -room_to(limit, model, q), inwards = limit.upper ? -1.0 : 1.0;
    if (excess > 0)
      q[static_cast<std::size_t>(model.link(limit.link).q + limit.dof)] += inwards * (1 + beyond) * excess;
  }
}

double largest_opening(const Model& model, std::span<const Constraint> loops, std::span<const double> q) {
  Kinematics<double> kin(model);
  update_kinematics<double>(model, q, kin);
  ConstraintRows<double> rows;
  lower_structure<double>(model, loops, rows);
  std::vector<double> position(static_cast<std::size_t>(rows.num_rows()));
  return worst_opening(model, kin, loops, rows, position).value;
}

/// Joints whose coordinates differ.
std::vector<std::string> moved_joints(const Model& model, const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<std::string> out;
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    bool moved = false;
    for (int k = link.q; k < link.q + sizes_of(link.kind).nq; ++k) {
      const auto at = static_cast<std::size_t>(k);
      moved = moved || std::abs(a[at] - b[at]) > kNear;
    }
    if (moved) out.push_back(model.joint_name(i));
  }
  return out;
}

/// A posture near q in which limits and loops hold, and velocities along the loops.
void bring_onto(const Model& model, std::span<const JointLimit> limits, std::span<const Constraint> loops,
                std::vector<double>& q, std::vector<double>& v) {
  Assembler<double> assembler(model, loops);
  Violation beyond;
  for (int turn = 0; turn < kMostTurns; ++turn) {
    const Status closed = assembler.assemble(q);
    if (!closed.ok()) throw Error("the start cannot be assembled: " + describe(closed, model, loops));
    beyond = worst_limit(model, limits, q);
    if (beyond.value <= kNear) {
      const Status along = assembler.project_velocity(q, v);
      if (along.ok()) return;
      throw Error("the velocities at the start: " + describe(along, model, loops));
    }
    enter_limits(model, limits, kBeyond, q);
  }
  throw Error("no start was found in which loops are closed and the limit '" +
              limits[static_cast<std::size_t>(beyond.index)].name + "' holds; start from another posture");
}

}  // namespace

std::vector<std::string> SimulationSetup::assemble() {
  std::vector<Constraint> loops;
  std::ranges::copy_if(constraints, std::back_inserter(loops), holds_position);
  const std::vector<JointLimit> limits = make_limits(model, constraints, options.joint_limits);
  const double allowed = options.start_violation;
  if (worst_limit(model, limits, q).value <= allowed && largest_opening(model, loops, q) <= allowed) return {};
  std::vector<double> next_q = q, next_v = v;
  if (loops.empty()) {
    enter_limits(model, limits, 0, next_q);
  } else {
    bring_onto(model, limits, loops, next_q, next_v);
  }
  std::vector<std::string> moved = moved_joints(model, q, next_q);
  q = std::move(next_q);
  v = std::move(next_v);
  return moved;
}

}  // namespace delassus
