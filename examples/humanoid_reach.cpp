// A humanoid reaches for something that is farther away than its arms are long. The hands come first, then the centre of mass, which
// goes down above the feet, then the torso, which stays upright for as long as the hands allow. What is left goes to the posture.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "delassus/delassus.hpp"

namespace {

using namespace delassus;

constexpr double kStep = 1e-3, kReach = 2, kEnd = 3;             // s
const Vec3<double> kPalm{{0.1, 0, 0}};                           // m, from the wrist
const Vec3<double> kForward{{0.3, 0, 0}}, kDown{{0, 0, -0.05}};  // m

double length(const Vec3<double>& x) { return std::sqrt(dot(x, x)); }

CubicPath straight(const Vec3<double>& from, const Vec3<double>& way) {
  const Mat3<double> R = Mat3<double>::identity();
  return {{R, from}, {R, from + way}, 0, kReach};
}

}  // namespace

int main() {
  const Scene g1 = load_named("g1-standing");
  const Model& model = g1.model;
  const std::vector<std::string> names{"left_ankle_roll_link", "right_ankle_roll_link"};
  const std::vector<Constraint> feet = make_welds_to_world(model, g1.q, names);
  const Attachment left = attach(model, "left_wrist_yaw_link", kPalm),
                   right = attach(model, "right_wrist_yaw_link", kPalm);
  const Attachment torso = attach(model, "torso_link");
  Kinematics<double> kin(model);
  update_kinematics(model, g1.q, kin);
  const auto pose_of = [&](const Attachment& place) { return frame_pose(model, kin, place.frame) * place.offset; };
  const Mat3<double> upright = pose_of(torso).R;
  const std::array paths{straight(pose_of(left).p, kForward), straight(pose_of(right).p, kForward),
                         straight(centre_of_mass(model, kin), kDown)};

  // The torso gives way early, where its inertia is three times that of its softest row, so that elbows are not flung straight.
  const SingularityOptions yielding{.threshold = 0.3, .best_effort = true};
  const std::vector<TaskLevel> levels{
      {"hands",
       {make_position_task("left", left, pose_of(left).p), make_position_task("right", right, pose_of(right).p)}},
      {"balance", {make_centre_of_mass_task("centre", centre_of_mass(model, kin))}},
      {"torso", {make_orientation_task("torso", torso, upright)}, {}, yielding}};
  OperationalController<double> controller(model, levels, feet);
  const std::array tasks{controller.find_task("left"), controller.find_task("right"), controller.find_task("centre")};
  Integrator plant(model, feet, {.kind = IntegratorKind::kSemiImplicitEuler, .dt = kStep});
  std::vector<double> q = g1.q, v(model.nv()), tau(model.nv());
  double hands = 0, centre = 0, bent = 0, bent_on_the_way = 0, torque = 0;
  ControlStatus status = controller.set_posture(q);
  for (int k = 0; k * kStep < kEnd && status.ok(); ++k) {
    for (int i = 0; i < 3 && status.ok(); ++i) status = controller.set_target(tasks[i], paths[i].at(k * kStep));
    if (status.ok()) status = controller.compute(q, v, tau);
    if (status.ok()) status = plant.step(q, v, tau);
    update_kinematics(model, q, kin);
    const auto off = [&](int i, const Vec3<double>& p) { return length(p - paths[i].at((k + 1) * kStep).pose.p); };
    hands = std::max({hands, off(0, pose_of(left).p), off(1, pose_of(right).p)});
    centre = std::max(centre, off(2, centre_of_mass(model, kin)));
    bent = length(rotation_log(pose_of(torso).R * transposed(upright)));
    if (k * kStep < kReach / 2) bent_on_the_way = std::max(bent_on_the_way, bent);
    for (const double x : tau) torque = std::max(torque, std::abs(x));
  }
  std::printf("status: %s; torques up to %.1f Nm\n",
              describe(status, model, controller.space().tasks().constraints()).c_str(), torque);
  std::printf("1 hands:  within %.2f mm of their paths\n", 1e3 * hands);
  std::printf("2 centre: within %.2f mm of its path\n", 1e3 * centre);
  std::printf("3 torso:  %.3f rad while the arms are long enough, %.2f rad at the end\n", bent_on_the_way, bent);
  // Steps of 1 ms leave some tenths of a millimetre.
  const bool good = status.ok() && hands < 3e-4 && centre < 3e-4 && bent_on_the_way < 0.01 && bent > 0.2 && torque < 60;
  return good ? 0 : 1;
}
