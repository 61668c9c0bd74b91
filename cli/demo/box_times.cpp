#include "cli/demo/box_times.hpp"

#include "cli/demo/box_controller.hpp"
#include "delassus/control/operational_space.hpp"

namespace delassus::cli {
namespace {

constexpr int kPostures = 64;

/// Along the motion of all joints from the posture to the end of the run.
std::vector<std::vector<double>> postures_between(const std::vector<double>& from, const std::vector<double>& to) {
  std::vector<std::vector<double>> out(kPostures, from);
  for (int p = 0; p < kPostures; ++p) {
    for (std::size_t k = 0; k < from.size(); ++k) out[p][k] += (to[k] - from[k]) * p / kPostures;
  }
  return out;
}

}  // namespace

double measure_inertia_us(const BoxSetup& setup, const std::vector<double>& end_posture, const Effort& effort) {
  const Model robot(setup.robot);
  TaskLevel hands;
  hands.name = "hands";
  for (int k = 0; k < kHands; ++k) {
    hands.tasks.push_back(make_pose_task(std::string(kHandNames[k]), palms_of(robot)[k], Pose<double>::identity()));
  }
  OperationalSpace<double> space(robot, std::span(&hands, 1));
  const std::vector<std::vector<double>> postures = postures_between(setup.posture, end_posture);
  const std::vector<double> still(static_cast<std::size_t>(robot.nv()));
  const int rows = space.rows(0);
  std::vector<double> inertia(static_cast<std::size_t>(rows * rows));
  int at = 0;
  TimedCall call("inertia of both palms", [&](std::int64_t calls) {
    for (; calls > 0; --calls) {
      (void)space.update(postures[at++ % kPostures], still);
      (void)space.inertia(0, MatrixView<double>(inertia.data(), rows, rows));
    }
  });
  call.calibrate(effort);
  for (int round = 0; round < effort.rounds; ++round) call.sample(effort);
  return call.median_us();
}

}  // namespace delassus::cli
