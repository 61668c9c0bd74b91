#include "delassus/simulation/simulation_setup.hpp"

#include <algorithm>

namespace delassus {

SimulationSetup::SimulationSetup(Model m) : model(std::move(m)), q(model.neutral()) {
  v.resize(static_cast<std::size_t>(model.nv()));
  forces = v;
}

Simulator SimulationSetup::make_simulator() const {
  Simulator out(model, constraints, options);
  out.set_state(q, v);
  out.set_actuators(actuators);
  std::ranges::copy(forces, out.forces().begin());
  return out;
}

double lift_onto_ground(SimulationSetup& setup) {
  CollisionWorld world(setup.model, setup.options.collision);
  Kinematics<double> kin(setup.model);
  update_kinematics<double>(setup.model, setup.q, kin);
  world.update(kin);
  double height = 0;
  for (const WorldContact& c : world.contacts()) {
    const CollisionWorld::Shape& below = world.shapes()[static_cast<std::size_t>(c.shape_b)];
    const bool floor = below.kind == ShapeKind::kPlane && below.link == kWorld && c.normal[2] > 0;
    if (floor) height = std::max(height, -c.gap / c.normal[2]);
  }
  for (const Link& link : setup.model.links()) {
    if (link.kind != JointKind::kFree) continue;
    const Vec3<double> up = transposed_times(link.placement.R, Vec3<double>{{0, 0, height}});
    for (int k = 0; k < 3; ++k) setup.q[static_cast<std::size_t>(link.q + k)] += up[k];
  }
  return height;
}

}  // namespace delassus
