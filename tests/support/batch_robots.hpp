// Robots for batches of environments, and what tests ask of a batch.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "delassus/batch/batch_simulator.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/scenes/load_named.hpp"
#include "support/random_system.hpp"

namespace delassus::testing {

/// A robot of the scenes with position actuators, on its feet, steps of 2 ms.
inline SimulationSetup standing(const std::string& scene_name, double kp, double kd, double tolerance = 1e-8) {
  const Scene scene = load_named(scene_name);
  SimulationSetup setup(scene.model);
  setup.q = scene.q;
  setup.actuators = make_position_actuators(scene.model, kp, kd);
  setup.options.dt = 2e-3;
  setup.options.tolerance = tolerance;
  lift_onto_ground(setup);
  return setup;
}

/// Half a metre of robot: a free trunk that carries the shape, and a pendulum on top that carries none.
inline ModelDescription describe_carrier(ShapeDescription shape) {
  ModelBuilder builder("carrier");
  const int trunk =
      builder.add_body("trunk", kWorld, joint(JointKind::kFree, "float"), box_inertial(2, {{0.15, 0.12, 0.1}}));
  builder.add_body("head", trunk, revolute("neck", {{0, 1, 0}}, translation(0, 0, 0.2)),
                   box_inertial(0.5, {{0.03, 0.03, 0.1}}, {{0, 0, 0.1}}));
  shape.body = trunk;
  builder.add_shape(std::move(shape));
  return builder.description();
}

inline ShapeDescription box_shape(double x, double y, double z, double mu = 0.8) {
  ShapeDescription shape;
  shape.kind = ShapeKind::kBox;
  shape.size = {{x, y, z}};
  shape.friction = {{mu, 0, 0}};
  return shape;
}

/// The carrier at a height, its neck held; friction of the ground is that of the shape.
inline SimulationSetup carrier(const ShapeDescription& shape, double height) {
  SimulationSetup setup{Model(describe_carrier(shape))};
  setup.q[2] = height;
  setup.options.dt = 2e-3;
  setup.options.tolerance = 1e-8;
  setup.options.collision.ground_friction = {{0, 0, 0}};
  setup.actuators = {{"neck", 0, ActuatorKind::kPosition, 20, 1, 5}};
  return setup;
}

/// Targets that depend on the number of an environment alone.
inline void set_random_targets(BatchSimulator& batch, int row, int number, double spread) {
  samples::Random random(static_cast<std::uint64_t>(number), 5);
  for (int k = 0; k < batch.control().components(); ++k) batch.control()(row, k) += random.uniform(-spread, spread);
}

inline std::vector<double> row_of(const BatchView<const double>& view, int e) {
  std::vector<double> out;
  for (int k = 0; k < view.components(); ++k) out.push_back(view(e, k));
  return out;
}

/// All numbers of motion of an environment.
inline std::vector<double> motion_of(const BatchSimulator& batch, int e) {
  std::vector<double> out = row_of(batch.q(), e);
  for (const auto& view : {batch.v(), batch.efforts(), batch.contact_force()})
    for (const double x : row_of(view, e)) out.push_back(x);
  return out;
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = a.size() == b.size() ? 0 : HUGE_VAL;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    const double off = std::abs(a[k] - b[k]);
    worst = off <= worst ? worst : off;  // NaN: kept
  }
  return worst;
}

}  // namespace delassus::testing
