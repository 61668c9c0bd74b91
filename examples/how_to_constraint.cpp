// A constraint that the library does not have, as rows of one's own (docs/how-to/new-constraint.md): the blade of a
// skate, which glides along and turns, and never moves sideways. No position belongs to it, so no kind of loop can
// say it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "delassus/constraints/describe.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/simulation/integrator.hpp"

namespace {

using namespace delassus;

// begin rows
/// One row: the velocity of the frame's origin along its own y. Six numbers on (angular velocity; velocity), both in
/// the axes of the frame, which the library turns with it.
Constraint make_blade(const Model& model, const char* frame) {
  return CustomRows{.name = "blade",
                    .rows = 1,
                    .bodies = {{model.find_frame(frame), {0, 0, 0, 0, 1, 0}}},
                    .dofs = {},
                    .position = {}};
}
// end rows

}  // namespace

int main() {
  ModelBuilder builder("sledge");
  builder.add_body("sledge", kWorld, joint(JointKind::kPlanar, "ice"), box_inertial(5, {{0.3, 0.1, 0.05}}));
  const Model model = builder.make_model();
  const std::array<Constraint, 1> blade{make_blade(model, "sledge")};

  // At 2 m/s along the blade, turning at 1 rad/s. Nothing pushes: speed and rate stay, and the sledge goes round a
  // circle of 2 m.
  const double pi = std::acos(-1.0), speed = 2, rate = 1;
  constexpr int kSteps = 2000;
  std::vector<double> q(3), v{speed, 0, rate}, still(3);  // x, y, angle
  Integrator integrator(model, blade, {.dt = 2 * pi / rate / kSteps});
  Kinematics<double> kin(model);
  Velocities<double> vel(model);
  double sideways = 0, farthest = 0;
  for (int k = 0; k < kSteps; ++k) {
    const Status status = integrator.step(q, v, still);
    if (!status.ok()) {
      std::printf("%s\n", describe(status, model, blade).c_str());
      return 1;
    }
    update_kinematics(model, q, kin);
    update_velocities(model, kin, v, vel);
    const int frame = model.find_frame("sledge");
    const Vec3<double> across = frame_pose(model, kin, frame).R * Vec3<double>{{0, 1, 0}};
    sideways = std::max(sideways, std::abs(dot(across, frame_velocity(model, kin, vel, frame).linear)));
    farthest = std::max(farthest, std::hypot(q[0], q[1]));
  }
  std::printf("never faster sideways than %.0e m/s; farthest point %.6f m, back at the start to %.0e m\n", sideways,
              farthest, std::hypot(q[0], q[1]));
  std::printf("speed %.9f m/s, force of the blade %.6f N\n", std::hypot(v[0], v[1]), integrator.lambda()[0]);
  // The circle has a diameter of 4 m, and takes m v ω. Runge-Kutta of fourth order with steps of 3 ms: far below a
  // micrometre.
  const bool round = std::abs(farthest - 2 * speed / rate) < 1e-5 && std::hypot(q[0], q[1]) < 1e-6;
  return round && sideways < 1e-12 && std::abs(integrator.lambda()[0] - 5 * speed * rate) < 1e-6 ? 0 : 1;
}
