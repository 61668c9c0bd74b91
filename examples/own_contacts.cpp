// Contacts from your own collision code: a crate falls onto a ramp and slides down. Each step finds which corners are
// close, makes a contact of each, and ADMM finds the impulses of Coulomb's law, with a certificate in physical units.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "delassus/constraints/describe.hpp"
#include "delassus/constraints/state.hpp"
#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/operators/condensed.hpp"
#include "delassus/solvers/admm.hpp"

namespace {

using namespace delassus;

constexpr double kStep = 1e-3, kEnd = 0.5, kAngle = 0.35, kMu = 0.2;  // s, rad
constexpr double kMass = 10, kGravity = 9.81;
const Vec3<double> kHalf{{0.3, 0.2, 0.1}};  // m, of the crate
const Vec3<double> kNormal{{std::sin(kAngle), 0, std::cos(kAngle)}},
    kDownhill{{std::cos(kAngle), 0, -std::sin(kAngle)}};

/// Your collision code: any that knows a point on a body, a normal and a gap. Here: corners against the ramp's plane.
std::vector<Constraint> find_contacts(const Model& model, const Pose<double>& crate) {
  std::vector<Constraint> contacts;
  for (int corner = 0; corner < 8; ++corner) {
    const auto side = [&](int axis) { return (corner >> axis) % 2 == 0 ? kHalf[axis] : -kHalf[axis]; };
    const Vec3<double> point{{side(0), side(1), side(2)}};
    const double gap = dot(kNormal, crate.R * point + crate.p);
    if (gap < 0.01)
      contacts.emplace_back(PointContact{.name = "corner " + std::to_string(corner),
                                         .a = attach(model, "crate", point),
                                         .axes = contact_axes(kNormal),
                                         .gap = gap,
                                         .set = {.kind = SetKind::kFrictionCone, .mu = kMu}});
  }
  return contacts;
}

}  // namespace

int main() {
  ModelBuilder builder("crate");
  builder.add_body("crate", kWorld, joint(JointKind::kFree, "base"), box_inertial(kMass, kHalf));
  const Model model = builder.make_model();
  const Vec3<double> start = (kHalf[2] + 0.002) * kNormal;  // two millimetres above the ramp, along it
  std::vector<double> q{start[0], start[1], start[2], 0, std::sin(kAngle / 2), 0, std::cos(kAngle / 2)};
  std::vector<double> v(6), still(6), change(6), free_velocity, impulse;

  State<double> state(model, {});
  ForwardDynamics<double> dynamics(model);
  CondensedDelassus<double> op(model);
  Admm solver;
  Status status = state.update(q, v);
  double worst = 0;
  for (int k = 0; k * kStep < kEnd && status.ok(); ++k) {
    const auto contacts = find_contacts(model, frame_pose(model, state.kinematics(), model.find_frame("crate")));
    status = aba(model, q, v, still, change, dynamics);  // without contacts
    for (int i = 0; i < 6; ++i) v[i] += kStep * change[i];
    state.set_constraints(contacts);
    if (status.ok()) status = state.update(q, v);
    if (status.ok()) status = op.factor(state);
    // Row velocities before the contacts act. A gap may close within the step, and no more: hence gap / dt on normal
    // rows.
    free_velocity = state.velocity();
    for (std::size_t c = 0; c < contacts.size(); ++c)
      free_velocity[3 * c] += std::get<PointContact>(contacts[c]).gap / kStep;
    impulse.resize(free_velocity.size());  // starts from the last ones
    ContactProblem problem{state.rows().spans, state.rows().sets, free_velocity};
    problem.time_step = kStep;
    if (status.ok()) status = solver.solve(op, problem, impulse);
    if (!status.ok()) {
      std::printf("step %d: %s\n", k, describe(status, model, contacts).c_str());
      return 1;
    }
    op.joint_response(impulse, change);
    for (int i = 0; i < 6; ++i) change[i] = kStep * (v[i] += change[i]);
    integrate(model, q, change, q);
    status = state.update(q, v);
    worst = std::max(worst, solver.certificate().velocity);
  }

  double normal = 0;
  for (std::size_t r = 0; r < impulse.size(); r += 3) normal += impulse[r] / kStep;
  const double speed = dot(kDownhill, frame_velocity(model, state.kinematics(), state.velocities(), 1).linear);
  std::printf("%zu contacts; each step obeys the law to %.0e m/s\n", impulse.size() / 3, worst);
  std::printf("%.2f N along the normal; the crate slides at %.4f m/s\n", normal, speed);
  // By hand: all normal impulses together stop what gravity does along the normal, at the landing and after it, and
  // friction is mu times as much, since the crate never sticks. That fixes the speed, however it lands.
  const double expected = kGravity * (std::sin(kAngle) - kMu * std::cos(kAngle)) * kEnd;
  const double load = kMass * kGravity * std::cos(kAngle);
  const bool good = status.ok() && std::abs(speed - expected) < 1e-6 && std::abs(normal - load) < 1e-6 * load;
  return good && worst < 1e-8 ? 0 : 1;
}
