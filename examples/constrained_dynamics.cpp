// A walking robot on its feet: how it would move limp, and which motors and contact forces hold it still.
#include <cstdio>

#include "delassus/delassus.hpp"

int main() {
  using namespace delassus;
  const Scene g1 = load_named("g1-standing");  // eight contact points: half of their rows are redundant
  const std::vector<double> still(g1.model.nv());
  State<double> state(g1.model, g1.constraints);
  ConstrainedDynamics<double> dynamics(g1.model);
  std::vector<double> target(state.num_rows()), force(state.num_rows()), acceleration(g1.model.nv());
  Status status = state.update(g1.q, still);
  if (status.ok()) status = dynamics.factor(state);
  state.target(target);  // rows keep their velocities
  if (status.ok()) status = dynamics.solve(state, still, target, acceleration, force);
  std::printf("limp: %s, %d steps\n", describe(status, g1.model, g1.constraints).c_str(), dynamics.report().iterations);

  ConstrainedInverseDynamics<double> inverse(g1.model, Actuation(g1.model));  // motors at all joints but the base
  std::vector<double> tau(g1.model.nv());
  std::fill(force.begin(), force.end(), 0.0);
  status = inverse.solve(state, still, tau, force);
  double carried = 0;
  for (int contact = 0; contact < 8; ++contact) carried += force[3 * contact];
  std::printf("still: %s, %.1f N on the feet, %.1f N of weight\n", describe(status, g1.model).c_str(), carried,
              9.81 * g1.model.mass());
  return status.ok() ? 0 : 1;
}
