// Levels of tasks in short words, states for them, and what a posture asks for.
#pragma once

#include <optional>
#include <sstream>
#include <string>

#include "delassus/control/task.hpp"
#include "delassus/io/scene.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/solvers/assembly.hpp"
#include "delassus/solvers/constrained_inverse_dynamics.hpp"
#include "support/slope.hpp"
#include "support/task_oracle.hpp"

namespace delassus::testing {

inline constexpr TaskGains kTaskGains{40, 13};

inline Constraint make_task(const Model& model, const std::string& kind, const std::string& place, int seed) {
  samples::Random random(static_cast<std::uint64_t>(seed), 40 + kind.size() + place.size());
  const std::string name = kind + " " + place;
  const Pose<double> target = random.pose(0.5);
  if (kind == "com") return make_centre_of_mass_task(name, target.p);
  if (kind == "joint") return make_joint_task(name, model, place, target.p[0]);
  const Attachment frame{model.find_frame(place), random.pose(0.1)};
  if (kind == "point") return make_position_task(name, frame, target.p);
  if (kind == "turn") return make_orientation_task(name, frame, target.R);
  return make_pose_task(name, frame, target);
}

/// Levels from a text such as "pose hand, point foot | com | turn head | joint knee", with targets and places on the frames by seed.
inline std::vector<TaskLevel> make_levels(const Model& model, const std::string& text, int seed) {
  std::vector<TaskLevel> out;
  std::istringstream levels(text);
  for (std::string level; std::getline(levels, level, '|');) {
    out.push_back({"level " + std::to_string(out.size()), {}, kTaskGains});
    std::istringstream tasks(level);
    for (std::string task; std::getline(tasks, task, ',');) {
      std::istringstream words(task);
      std::string kind, place;
      words >> kind >> place;
      out.back().tasks.push_back(make_task(model, kind, place, seed));
    }
  }
  return out;
}

/// Where loops are open or closed: anywhere, or near the scene's own posture with its loops assembled. Rows of closed loops may depend on
/// each other where those of open ones do not.
enum class Loops : std::uint8_t { kOpen, kClosed };

inline std::vector<Constraint> loops_of(const Scene& scene) {
  std::vector<Constraint> out;
  for (const Constraint& c : scene.constraints) {
    if (std::holds_alternative<LoopClosure>(c)) out.push_back(c);
  }
  return out;
}

/// Whether they could be closed.
inline bool close_loops(const Scene& scene, std::vector<double>& q, int seed) {
  const std::vector<Constraint> loops = loops_of(scene);
  std::vector<double> step = random_vector(scene.model.nv(), seed, 12);
  for (double& x : step) x *= 0.3;
  integrate(scene.model, scene.q, step, q);
  return Assembler<double>(scene.model, loops).assemble(q).ok();
}

/// A random state in which what is held does not move: rows that depend on each other have velocities and drifts that do too.
inline std::optional<samples::State> state_under(const Scene& scene, int seed, Loops loops = Loops::kOpen) {
  samples::State s = samples::random_state(scene.model, static_cast<std::uint64_t>(seed));
  if (loops == Loops::kClosed && !close_loops(scene, s.q, seed)) return {};
  const auto q = converted<long double>(s.q);
  const Exact J = oracle::constraint_jacobian<long double>(scene.model, scene.constraints, q);
  TaskOracle free(oracle::inertia_matrix<long double>(scene.model, q), column_of(s.v));
  free.hold(J, Exact(J.rows(), 1));
  s.v.assign(free.motions.entries().begin(), free.motions.entries().end());
  return s;
}

/// What the posture asks for, with the default gains.
inline std::vector<double> posture_motion(const Model& model, const samples::State& s,
                                          const std::vector<double>& posture) {
  const Actuation motors(model);
  std::vector<double> nu(s.v.size());
  difference(model, s.q, posture, nu);
  for (const std::int32_t k : motors.passive()) nu[k] = 0;
  for (std::size_t k = 0; k < nu.size(); ++k) nu[k] = 25 * nu[k] - 10 * s.v[k];
  return nu;
}

}  // namespace delassus::testing
