// A leg with a closed loop, as walking robots have them: both motors sit at the hip, and a rod drives the knee. The
// tree is cut at the rod's far end, where a hinge of five rows closes it again. Two of the five count in a planar
// loop; nothing needs to know that.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "delassus/constraints/describe.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/simulation/integrator.hpp"
#include "delassus/solvers/constrained_inverse_dynamics.hpp"
#include "delassus/solvers/doctor.hpp"

namespace {

using namespace delassus;

constexpr double kThigh = 0.3, kCrank = 0.08, kGravity = 9.81;

Model make_leg() {
  const Vec3<double> y{{0, 1, 0}}, z{{0, 0, 1}}, down{{0, 0, -kThigh}}, ear{{-kCrank, 0, 0}};
  const auto bar = [](double mass, const Vec3<double>& end) {
    return box_inertial(mass, {{0.02, 0.02, 0.02}}, 0.5 * end);
  };
  const Pose<double> below = translation(0, 0, -kThigh), behind = translation(-kCrank, 0, 0);
  ModelBuilder builder("leg");
  // The body moves up and down only.
  const int body = builder.add_body("body", kWorld, prismatic("height", z), box_inertial(10, {{0.1, 0.1, 0.1}}));
  const int thigh = builder.add_body("thigh", body, revolute("hip", y), bar(1, down));
  const int shank = builder.add_body("shank", thigh, revolute("knee", y, below), bar(0.5, down));
  const int crank = builder.add_body("crank", body, revolute("motor", y), bar(0.2, ear));
  const int rod = builder.add_body("rod", crank, revolute("pin", y, behind), bar(0.1, down));
  builder.add_frame("rod_end", rod, below);
  builder.add_frame("shank_ear", shank, behind);
  builder.add_frame("foot", shank, below);
  return builder.make_model();
}

/// The inertia that the last row shows while the others hold: all are solved for together, damped so little that it
/// is not seen. Redundant rows do not matter.
double mass_at_last_row(const Model& model, const std::vector<Constraint>& constraints, const std::vector<double>& q) {
  State<double> state(model, constraints);
  CondensedDelassus<double> op(model);
  std::vector<double> x(state.num_rows()), still(model.nv());
  x.back() = 1;
  const bool good =
      state.update(q, still).ok() && op.factor(state).ok() && op.update_damping(1e-9).ok() && op.solve(x, x).ok();
  return good ? x.back() : 0;
}

}  // namespace

int main() {
  const Model leg = make_leg();
  LoopClosure hinge = make_weld("rod", attach(leg, "rod_end"), attach(leg, "shank_ear"));
  hinge.free_angular = 0b010;  // about y
  const PointContact foot{.name = "foot", .a = attach(leg, "foot"), .kind = ContactKind::kFrictionless};
  const std::vector<Constraint> loop{hinge}, all{hinge, foot};

  // A posture that is roughly right, as files and sensors have it. Assembly moves what is light.
  std::vector<double> q{0.55, 0.5, -1.1, -0.4, 0.2}, v(leg.nv());
  Assembler<double> assembler(leg, loop);
  Status status = assembler.assemble(q);
  std::printf("assembled: %s; the rod was off by %.0f mm, now by %.0e m\n", describe(status, leg, loop).c_str(),
              1e3 * assembler.report().before.linear, assembler.report().after.linear);
  const ConstraintReport report = diagnose(leg, loop, q);
  std::printf("the loop: %zu rows of rank %d leave %d of %d degrees of freedom\n", report.rows.size(), report.rank,
              report.mobility(), leg.nv());
  const double without = mass_at_last_row(leg, {foot}, q), with = mass_at_last_row(leg, all, q);
  std::printf("the foot shows %.3f kg upwards without the rod, %.3f kg with it\n", without, with);

  // What the motors do while the leg stands. The knee has none, nor has the pin, nor the height: constraint forces
  // have to do it.
  State<double> state(leg, all);
  ConstrainedInverseDynamics<double> inverse(leg, Actuation(leg, std::array<std::string, 2>{"hip", "motor"}));
  std::vector<double> tau(leg.nv()), force(state.num_rows());
  if (status.ok()) status = state.update(q, v);
  if (status.ok()) status = inverse.solve(state, v, tau, force);
  std::printf("standing: %.2f Nm at the hip, %.2f Nm at the crank, %.2f N on the foot\n", tau[1], tau[3], force[5]);

  // By hand: shank and crank turn alike, so the crank's motor carries what turns the shank about the knee.
  const auto x = [&](const char* frame) { return frame_pose(leg, state.kinematics(), leg.find_frame(frame)).p[0]; };
  const double shank = x("foot") - x("shank"), ear = x("rod") - x("body"), weight = kGravity * leg.mass();
  const double by_hand = weight * shank - kGravity * (0.5 * shank / 2 + 0.2 * ear / 2 + 0.1 * ear);

  // And in motion: with nine tenths of these torques the leg sinks, and the loop stays closed.
  Integrator plant(leg, all, {.dt = 1e-3});
  for (double& t : tau) t *= 0.9;
  const double height = q[0], motor = tau[3] / 0.9;
  double opened = 0;
  for (int k = 0; k < 300 && status.ok(); ++k) {
    status = plant.step(q, v, tau);
    if (status.ok()) status = state.update(q, v);
    state.position(force);
    for (int r = 0; r < 5; ++r) opened = std::max(opened, std::abs(force[r]));
  }
  std::printf("sinks by %.0f mm in 0.3 s; the loop opens by %.0e m at most\n", 1e3 * (height - q[0]), opened);
  const bool stands = std::abs(motor - by_hand) < 1e-9 * weight;
  return status.ok() && stands && report.rank == 2 && with > without && without > 0 && opened < 1e-9 ? 0 : 1;
}
