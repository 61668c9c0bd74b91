#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "delassus/constraints/constrained_model.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/simulation/integrator.hpp"
#include "support/embedded_robots.hpp"

namespace delassus {
namespace {

using testing::embedded_robot;
using Code = Status::Code;
using Kind = IntegratorKind;
using Vector = std::vector<double>;
using Constraints = std::vector<Constraint>;

struct Sample {
  Vector q, v;
};

const Vec3<double> kAcross{{0, 1, 0}};

/// Rods of 1 kg and 0.5 m that hang on each other.
Model hanging_rods(int rods) {
  ModelBuilder builder("rods");
  const Inertial rod = box_inertial(1, {{0.02, 0.02, 0.25}}, {{0, 0, -0.25}});
  for (int k = 0; k < rods; ++k) {
    const std::string name = "rod" + std::to_string(k);
    builder.add_body(name, k - 1, revolute(name, kAcross, translation(0, 0, k == 0 ? 0 : -0.5)), rod);
  }
  return builder.make_model();
}

/// A body that tumbles as it falls: q ⊕ v is no sum.
Model tumbling_box() {
  ModelBuilder builder("box");
  builder.add_body("box", -1, joint(JointKind::kFree, "free"), box_inertial(1, {{0.1, 0.2, 0.3}}, {{0.05, 0, 0.02}}));
  return builder.make_model();
}

/// The state after some time, from the neutral configuration and without forces of the joints.
Sample moved(const Model& model, const Vector& v, Kind kind, double time, int steps) {
  Integrator integrator(model, {}, {.kind = kind, .dt = time / steps});
  Sample s{model.neutral(), v};
  const Vector tau(static_cast<std::size_t>(model.nv()));
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(integrator.step(s.q, s.v, tau).ok());
  return s;
}

double distance(const Model& model, const Sample& a, const Sample& b) {
  Vector turn(a.v.size());
  difference(model, a.q, b.q, turn);
  double most = 0;
  for (std::size_t k = 0; k < turn.size(); ++k) most = std::max({most, std::abs(turn[k]), std::abs(a.v[k] - b.v[k])});
  return most;
}

/// The order that halving the steps twice shows.
double order(const Model& model, const Vector& v, Kind kind, int steps) {
  constexpr double kTime = 0.5;
  const Sample coarse = moved(model, v, kind, kTime, steps), middle = moved(model, v, kind, kTime, 2 * steps),
               fine = moved(model, v, kind, kTime, 4 * steps);
  return std::log2(distance(model, coarse, middle) / distance(model, middle, fine));
}

// Steps of 10 ms for the fourth order and of 2.5 ms for the first: the next term of the error is some hundredths of the leading
// one.
TEST(Integrators, HaveTheirOrders) {
  const Model pendulum = hanging_rods(1), twice = hanging_rods(2), box = tumbling_box();
  const Vector tumble{1, 2, -3, 0.5, 0, 1};
  EXPECT_NEAR(order(pendulum, {5}, Kind::kSemiImplicitEuler, 200), 1, 0.1);
  EXPECT_NEAR(order(twice, {3, -5}, Kind::kSemiImplicitEuler, 200), 1, 0.1);
  EXPECT_NEAR(order(box, tumble, Kind::kSemiImplicitEuler, 200), 1, 0.1);
  EXPECT_NEAR(order(pendulum, {5}, Kind::kRungeKutta4, 50), 4, 0.1);
  EXPECT_NEAR(order(twice, {3, -5}, Kind::kRungeKutta4, 50), 4, 0.1);
  EXPECT_NEAR(order(box, tumble, Kind::kRungeKutta4, 50), 4, 0.1);
}

// θ'' = -k sin θ with k = m g l / I, in long double and by a method of this test.
TEST(Integrators, PendulumFollowsItsEquation) {
  const long double k = 9.81L * 0.25L / (0.25L * 0.25L + (0.02L * 0.02L + 0.25L * 0.25L) / 3);
  long double angle = 0, speed = 5;
  constexpr int kSteps = 20000;
  const long double h = 1.0L / kSteps;
  for (int i = 0; i < kSteps; ++i) {  // leapfrog: h² k / 24 = 3e-9 of the phase in each radian
    angle += h / 2 * speed;
    speed -= h * k * std::sin(angle);
    angle += h / 2 * speed;
  }
  for (const Kind kind : {Kind::kRungeKutta4, Kind::kEnergyPreserving}) {
    const Sample s = moved(hanging_rods(1), {5}, kind, 1, 1000);
    EXPECT_NEAR(s.q[0], static_cast<double>(angle), 1e-7);
    EXPECT_NEAR(s.v[0], static_cast<double>(speed), 1e-6);
  }
}

// A force cos t on 1 kg, without gravity: x = 1 - cos t. Stages have to ask for the forces at their own times.
TEST(Integrators, AskForForcesAtTheirTimes) {
  ModelBuilder builder("slider");
  builder.gravity({{0, 0, 0}}).add_body("mass", -1, prismatic("x", {{1, 0, 0}}), sphere_inertial(1, 0.1));
  const Model model = builder.make_model();
  const JointForces forces = [](double t, auto, auto, VectorView<double> tau) { tau[0] = std::cos(t); };
  for (const Kind kind : {Kind::kRungeKutta4, Kind::kEnergyPreserving}) {
    Integrator integrator(model, {}, {.kind = kind, .dt = 0.01});
    Vector q{0}, v{0};
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(integrator.step(0.01 * k, q, v, forces).ok());
    EXPECT_NEAR(q[0], 1 - std::cos(1.0), 1e-10);  // h⁴ / 100
    EXPECT_NEAR(v[0], std::sin(1.0), 1e-10);
  }
}

// -------------------------------------------------------------------------------------------------- closed loops

/// What a run saw.
struct History {
  double peak = 0;     // kinetic energy
  double drift = 0;    // largest |E - E(0)|
  double opening = 0;  // largest position of a row
  Status status;
};

void limp(double, VectorView<const double>, VectorView<const double>, VectorView<double> tau) {
  for (int k = 0; k < tau.size(); ++k) tau[k] = 0;
}
double no_more(const Model&, const Vector&) { return 0; }

/// From the state nearest to s that agrees with the constraints. `more` is energy that is not of weights and motion.
History run(const Model& model, const Constraints& constraints, Sample s, const IntegratorOptions& options, double time,
            const JointForces& forces = limp, double (*more)(const Model&, const Vector&) = no_more) {
  History out;
  Assembler<double> assembler(model, constraints);
  EXPECT_TRUE(assembler.assemble(s.q).ok());
  EXPECT_TRUE(assembler.project_velocity(s.q, s.v).ok());
  Integrator integrator(model, constraints, options);
  State<double> state(model, constraints);
  Vector phi(static_cast<std::size_t>(state.num_rows()));
  double begin = 0;
  const int steps = static_cast<int>(std::lround(time / options.dt));
  for (int k = 0; k <= steps && out.status.ok(); ++k) {
    EXPECT_TRUE(state.update(s.q, s.v).ok());
    const double kinetic = kinetic_energy(model, state.kinematics(), state.velocities());
    const double energy = kinetic + potential_energy(model, state.kinematics()) + more(model, s.q);
    EXPECT_TRUE(std::isfinite(energy));
    if (k == 0) begin = energy;
    state.position(phi);
    out.peak = std::max(out.peak, kinetic);
    out.drift = std::max(out.drift, std::abs(energy - begin));
    for (const double x : phi) out.opening = std::max(out.opening, std::abs(x));
    const Sample before = s;
    out.status = integrator.step(k * options.dt, s.q, s.v, forces);
    EXPECT_TRUE(out.status.ok() || (s.q == before.q && s.v == before.v)) << "a step that fails leaves the state";
  }
  ::testing::Test::RecordProperty("parts_per_million_of_energy", std::to_string(1e6 * out.drift / out.peak));
  return out;
}

/// Cassie hung up by its pelvis: two legs with two loops each.
struct HungCassie : Scene {
  HungCassie() : Scene(embedded_robot("cassie")) {
    constraints = make_equalities(constraints);
    for (Constraint& c : make_welds_to_world(model, q, std::vector<std::string>{"cassie-pelvis"})) {
      constraints.push_back(std::move(c));
    }
  }
};

Scene spinning_four_bar() {
  Scene scene = embedded_robot("four_bar");
  scene.v[0] = 5;
  return scene;
}

// The target is 1e-3 of the peak of the kinetic energy and 1e-6 m. Energy is kept to the rounding of its terms, 1e-16 of 1e2 J
// at each of 1e4 steps; loops to the tolerance of the assembler, 2.2e-13 m.
void expect_kept(const History& r) {
  EXPECT_TRUE(r.status.ok());
  EXPECT_GT(r.peak, 1);
  EXPECT_LT(r.drift, 1e-10 * r.peak);
  EXPECT_LT(r.opening, 3e-13);
}

TEST(Integrators, FourBarKeepsEnergyAndLoops) {
  const Scene scene = spinning_four_bar();
  expect_kept(run(scene.model, scene.constraints, {scene.q, scene.v}, {}, 10));
}

TEST(Integrators, CassieKeepsEnergyAndLoops) {
  const HungCassie scene;
  expect_kept(run(scene.model, scene.constraints, {scene.q, scene.v}, {}, 10));
}

// Without the projection onto the energy, shorter parts where it changes are enough for the target.
TEST(Integrators, ShorterPartsAloneKeepTheTarget) {
  const HungCassie scene;
  const IntegratorOptions options{.kind = Kind::kRungeKutta4, .energy_error = 1e-6};
  const History r = run(scene.model, scene.constraints, {scene.q, scene.v}, options, 3);
  EXPECT_TRUE(r.status.ok());
  EXPECT_LT(r.drift, 1e-4 * r.peak);
  EXPECT_GT(r.drift, 1e-9 * r.peak);  // nothing imposes it
}

/// Leaf springs of shins and heels, as the robot has them.
void add_springs(const Model& model, VectorView<const double> q, VectorView<double> tau) {
  for (const Link& link : model.links()) {
    const DofProperties& dof = model.dofs()[link.v];
    if (dof.stiffness > 0) tau[link.v] -= dof.stiffness * (q[link.q] - dof.spring_reference);
  }
}
double spring_energy(const Model& model, const Vector& q) {
  Vector tau(static_cast<std::size_t>(model.nv()));
  add_springs(model, q, tau);
  double twice = 0;
  for (int k = 0; k < model.nv(); ++k) {
    if (model.dofs()[k].stiffness > 0) twice += tau[k] * tau[k] / model.dofs()[k].stiffness;
  }
  return twice / 2;
}

// The integrator knows of springs by their work alone, which is Simpson's rule over each step.
TEST(Integrators, WorkOfSpringsIsTheirEnergy) {
  const HungCassie scene;
  const JointForces forces = [&](double t, auto q, auto v, auto tau) {
    limp(t, q, v, tau);
    add_springs(scene.model, q, tau);
  };
  const History r = run(scene.model, scene.constraints, {scene.q, scene.v}, {}, 2, forces, spring_energy);
  EXPECT_TRUE(r.status.ok());
  EXPECT_LT(r.drift, 1e-3 * r.peak);
  EXPECT_LT(r.opening, 3e-13);
}

// Without projections the pull alone keeps the loop.
TEST(Integrators, BaumgartePullsInsteadOfProjections) {
  const Scene scene = spinning_four_bar();
  IntegratorOptions options{.kind = Kind::kRungeKutta4, .project = false};
  const History loose = run(scene.model, scene.constraints, {scene.q, scene.v}, options, 2);
  options.pull = {.stiffness = 1e4, .damping = 2e2};
  const History pulled = run(scene.model, scene.constraints, {scene.q, scene.v}, options, 2);
  EXPECT_TRUE(loose.status.ok() && pulled.status.ok());
  EXPECT_GT(loose.opening, 1e-10);
  EXPECT_LT(pulled.opening, 0.1 * loose.opening);
}

// ------------------------------------------------------------------------------------- dead centres, and failures

/// A four-bar with equal cranks: when it lies flat it may go on as a parallelogram or crossed, and J has lost a row.
struct Parallelogram {
  Parallelogram() : model(make_model()) {
    constraints = {make_ball("loop", attach(model, "coupler", {{1, 0, 0}}), attach(model, "rocker", {{0.5, 0, 0}}))};
  }
  static Model make_model() {
    ModelBuilder builder("parallelogram");
    const Inertial arm = box_inertial(1, {{0.25, 0.02, 0.02}}, {{0.25, 0, 0}});
    const int crank = builder.add_body("crank", -1, revolute("crank", kAcross), arm);
    builder.add_body("coupler", crank, revolute("coupler", kAcross, translation(0.5, 0, 0)),
                     box_inertial(1, {{0.5, 0.02, 0.02}}, {{0.5, 0, 0}}));
    builder.add_body("rocker", -1, revolute("rocker", kAcross, translation(1, 0, 0)), arm);
    return builder.make_model();
  }
  History swing(Kind kind, double speed) const {
    return run(model, constraints, {{0, 0, 0}, {speed, -speed, speed}}, {.kind = kind}, 3);
  }

  Model model;
  Constraints constraints;
};

// Starts on one and turns over several.
TEST(Integrators, GoThroughDeadCentres) {
  const Parallelogram mechanism;
  for (const Kind kind : {Kind::kSemiImplicitEuler, Kind::kRungeKutta4, Kind::kEnergyPreserving}) {
    const History r = mechanism.swing(kind, 10);
    EXPECT_TRUE(r.status.ok());
    EXPECT_LT(r.opening, 3e-13);
    EXPECT_LT(r.drift, (kind == Kind::kSemiImplicitEuler ? 1e-2 : 1e-8) * r.peak);
  }
}

// Let go while it lies flat, it comes to rest flat on the other side, where rounding decides whether it can go on.
TEST(Integrators, StopWithAStatusWhereNothingSaysHowToGoOn) {
  const Parallelogram mechanism;
  const History r = mechanism.swing(Kind::kEnergyPreserving, 0);
  if (!r.status.ok()) {
    EXPECT_TRUE(r.status.code == Code::kInfeasible || r.status.code == Code::kNotConverged);
    EXPECT_GE(r.status.index, 0);
  }
  EXPECT_NEAR(r.peak, 9.81 * (0.25 + 0.5 + 0.25), 1e-3);  // it fell all the way
  EXPECT_LT(r.drift, 1e-9 * r.peak);
  EXPECT_LT(r.opening, 3e-13);
}

TEST(Integrators, ContradictionsAreAStatus) {
  const Model model = hanging_rods(2);
  const Attachment tip = attach(model, "rod1", {{0, 0, -0.5}});
  const Constraints both{make_ball("here", tip, Attachment{0, translation(0, 0, -0.9)}),
                         make_ball("there", tip, Attachment{0, translation(0, 0, -0.8)})};
  Integrator integrator(model, both, {.halvings = 2});
  Vector q{0.4, -0.8}, v{0, 0};
  EXPECT_EQ(integrator.step(q, v, Vector{0, 0}).code, Code::kInfeasible);
  EXPECT_EQ(q, (Vector{0.4, -0.8}));
}

TEST(Integrators, RefuseOptionsWithoutSense) {
  const Model model = hanging_rods(1);
  EXPECT_THROW(Integrator(model, {}, {.dt = 0}), Error);
  EXPECT_THROW(Integrator(model, {}, {.halvings = 31}), Error);
  const Constraints limit{JointLimit{.name = "stop", .link = 0}};
  EXPECT_THROW(Integrator(model, limit), Error);
  Integrator integrator(model, {});
  Vector q{0}, v{0, 0};
  EXPECT_EQ(integrator.step(q, v, Vector{0}).code, Status::Code::kBadArgument);
}

}  // namespace
}  // namespace delassus
