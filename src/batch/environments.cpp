#include "batch/environments.hpp"

#include <algorithm>

namespace delassus {

BatchEnvironments::BatchEnvironments(const Model& model, int n, std::span<const Actuator> actuators, int slots)
    : size(n),
      q(n, model.nq()),
      v(n, model.nv()),
      control(n, static_cast<int>(actuators.size())),
      target_velocity(n, static_cast<int>(actuators.size())),
      forces(n, model.nv()),
      efforts(n, static_cast<int>(actuators.size())),
      contact_force(n, 3 * static_cast<int>(model.description().bodies.size())),
      touching(n, static_cast<int>(model.description().bodies.size())),
      start_time(static_cast<std::size_t>(n)),
      steps(static_cast<std::size_t>(n)),
      inexact_steps(static_cast<std::size_t>(n)),
      checked(static_cast<std::size_t>(n)),
      last(static_cast<std::size_t>(n)),
      slot_impulse(n, 3 * slots),
      slot_tick(n, slots, ~0U),
      joint_impulse(n, 3 * model.nv()),
      tick(static_cast<std::size_t>(n)),
      full(static_cast<std::size_t>(n)) {
  const std::vector<double> neutral = model.neutral();
  for (int e = 0; e < n; ++e) std::ranges::copy(neutral, q.row(e));
  for (const Actuator& a : actuators) actuator_v.push_back(model.link(model.find_joint(a.joint)).v + a.dof);
}

void BatchEnvironments::forget_impulses(int e) {
  ++tick[static_cast<std::size_t>(e)];
  std::ranges::fill(joint_impulse.of(e), 0.0);
  full[static_cast<std::size_t>(e)].forget();
}

}  // namespace delassus
