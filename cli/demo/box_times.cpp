#include "cli/demo/box_times.hpp"

#include "cli/demo/box_controller.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/operators/explicit_operator.hpp"

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
  std::vector<Constraint> palms;
  for (const Attachment& palm : palms_of(robot)) palms.push_back(make_pose_task("", palm, Pose<double>::identity()));
  Kinematics<double> kin(robot);
  ConstraintRows<double> rows;
  lower_structure(robot, palms, rows);
  PvOsimrDelassus<double> op(robot, rows);
  const std::vector<std::vector<double>> postures = postures_between(setup.posture, end_posture);
  const int m = rows.num_rows();
  const std::size_t size = static_cast<std::size_t>(m) * static_cast<std::size_t>(m);
  std::vector<double> identity(size), inertia(size);
  for (int r = 0; r < m; ++r) identity[r * m + r] = 1;
  int at = 0;
  bool ok = true;
  TimedCall call("inertia of both palms", [&](std::int64_t calls) {
    for (; calls > 0; --calls) {
      update_kinematics<double>(robot, postures[at++ % kPostures], kin);
      ok = lower_values(robot, kin, palms, rows).ok() && op.factor({robot, kin, rows}).ok() &&
           op.update_damping(0.0).ok() &&
           op.solve_panel(MatrixView<const double>(identity.data(), m, m), MatrixView<double>(inertia.data(), m, m))
               .ok() &&
           ok;
    }
  });
  call.calibrate(effort);
  for (int round = 0; round < effort.rounds; ++round) call.sample(effort);
  if (!ok) throw Error("the inertia of both palms is singular along the motion");
  return call.median_us();
}

}  // namespace delassus::cli
