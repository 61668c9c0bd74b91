#include "cli/demo/box_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus::cli {
namespace {

GripNumbers grip_numbers(const BoxRun& run, int hand, double weight) {
  GripNumbers out;
  out.least_normal = std::numeric_limits<double>::max();
  for (const BoxSample& sample : run.samples) {
    const Grip& grip = sample.grips[hand];
    const double normal = normal_force(sample, hand);
    out.largest_normal = std::max(out.largest_normal, normal);
    out.least_normal = std::min(out.least_normal, normal);
    out.largest_moment = std::max(out.largest_moment, norm(grip.moment));
    const double tangential = std::hypot(grip.force[0], grip.force[2]);
    out.friction = std::max(out.friction, normal > 0 ? tangential / normal : std::numeric_limits<double>::infinity());
  }
  out.load_share = lifting_force(run.samples.back(), hand) / weight;
  return out;
}

}  // namespace

double position_error(const BoxSample& sample) { return norm(sample.box.p - sample.desired.p); }
double angle_error(const BoxSample& sample) { return norm(rotation_log(sample.box.R * transposed(sample.desired.R))); }
double normal_force(const BoxSample& sample, int hand) { return (hand == 0 ? -1 : 1) * sample.grips[hand].force[1]; }
double lifting_force(const BoxSample& sample, int hand) { return (sample.box.R * sample.grips[hand].force)[2]; }

BoxNumbers numbers_of(const BoxSetup& setup, const BoxRun& run) {
  BoxNumbers out;
  const double settled = setup.moving + setup.settling / 2;
  for (const BoxSample& sample : run.samples) {
    const double error = position_error(sample), angle = angle_error(sample);
    out.largest_error = std::max(out.largest_error, error);
    out.largest_angle = std::max(out.largest_angle, angle);
    if (sample.t >= settled) {
      out.settled_error = std::max(out.settled_error.value_or(0), error);
      out.settled_angle = std::max(out.settled_angle.value_or(0), angle);
    }
    for (std::size_t k = 0; k < sample.tau.size(); ++k) {
      if (std::abs(sample.tau[k]) <= out.largest_torque) continue;
      out.largest_torque = std::abs(sample.tau[k]);
      out.torque_dof = static_cast<int>(k);
    }
  }
  const BoxSample& end = run.samples.back();
  if (run.samples.size() > 1) out.end_speed = norm(end.box.p - run.samples.end()[-2].box.p) / kServoStep;
  out.end_height = height_above_floor(setup.half_extents, end.box);
  out.carried = (end.box.R * end.floor)[2];
  out.weight = setup.box.mass * norm(setup.robot.gravity);
  for (int hand = 0; hand < kHands; ++hand) {
    out.grips[hand] = grip_numbers(run, hand, out.weight);
    out.held += lifting_force(end, hand);
  }
  for (std::size_t k = 0; k < setup.posture.size(); ++k) {
    out.posture_change = std::max(out.posture_change, std::abs(end.q[k] - setup.posture[k]));
  }
  return out;
}

}  // namespace delassus::cli
