// Steps of random mechanisms with loops, limits, damping and contacts, judged by dense matrices in long double that share no code with them, from the states
// before and after alone: velocities that the constraints were stated for, forces in their sets, energies and work; and the same bits after save and restore.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "delassus/operators/oracle.hpp"
#include "delassus/simulation/simulation_setup.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

using Real = long double;
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

/// A tree with a ball on each body, limits around its configuration, damping and springs, and up to two closed loops; it moves, and what floats is above the ground.
SimulationSetup random_setup(std::uint64_t seed) {
  samples::Random random(seed, 7);
  samples::ModelOptions options = samples::random_options(seed);
  options.links = std::clamp(options.links, 3, 12);
  ModelDescription description = samples::random_model(seed, options).description();
  const samples::State state = samples::random_state(Model(description), seed);
  const Model bare(description);
  for (std::size_t b = 0; b < description.bodies.size(); ++b) {
    for (JointDescription& joint : description.bodies[b].joints) {
      const Link& link = bare.link(bare.find_joint(joint.name));
      const bool rates = joint.kind == JointKind::kRevolute || joint.kind == JointKind::kPrismatic;
      if (rates && random.chance(0.5)) {
        DofProperties& dof = joint.dofs[0];
        const double at = state.q[static_cast<std::size_t>(link.q)];
        dof.lower = at - random.uniform(0, 0.02);
        dof.upper = at + random.uniform(0, 0.02);
        dof.damping = random.uniform(0, 0.3);
        dof.stiffness = random.uniform(0, 5);
        dof.spring_reference = at;
      }
    }
    ShapeDescription ball;
    ball.body = static_cast<int>(b);
    ball.kind = ShapeKind::kSphere;
    ball.size = {{0.05, 0, 0}};
    ball.friction = {{random.uniform(0.2, 1), 0, 0}};
    description.shapes.push_back(ball);
  }
  SimulationSetup out{Model(description)};
  out.q = state.q;
  out.v = state.v;
  out.options.collision.self = false;
  out.options.start_penetration = 0.1;  // balls of other trees
  for (const Constraint& c : samples::random_constraints(out.model, seed, 4)) {
    const auto* loop = std::get_if<LoopClosure>(&c);
    if (loop != nullptr && out.constraints.size() < 2)
      out.constraints.emplace_back(samples::closed(out.model, out.q, *loop));
  }
  lift_onto_ground(out);
  leave_out_ground_above(out);
  return out;
}

Vector as_vector(const std::vector<double>& x) {
  Vector out(static_cast<Eigen::Index>(x.size()));
  for (std::size_t k = 0; k < x.size(); ++k) out(static_cast<Eigen::Index>(k)) = x[k];
  return out;
}
std::vector<Real> as_reals(const std::vector<double>& x) { return {x.begin(), x.end()}; }
Matrix as_matrix(const oracle::Matrix<Real>& x) {
  return Eigen::Map<const Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(x.data(), x.rows(),
                                                                                                x.cols());
}

/// Velocities after a step in the axes of its start: those of free joints have turned with their bodies since, at the centre of mass if nothing hangs on them.
Vector turned_back(const Model& model, const std::vector<double>& v, double h) {
  using Vector3 = Eigen::Matrix<Real, 3, 1>;
  Vector out = as_vector(v);
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    if (link.kind != JointKind::kFree) continue;
    const bool alone = std::ranges::none_of(model.links(), [i](const Link& other) { return other.parent == i; });
    Vector3 com = Vector3::Zero();
    for (int k = 0; k < 3 && alone; ++k) com(k) = link.inertia.moment[k] / link.inertia.mass;
    const Vector3 w = out.segment<3>(link.v);
    const Vector3 centre = out.segment<3>(link.v + 3) + w.cross(com);
    if (w.norm() > 0)
      out.segment<3>(link.v + 3) = Eigen::AngleAxis<Real>(h * w.norm(), w.normalized()) * centre - w.cross(com);
  }
  return out;
}

/// Impulses of all rows, from what a simulation shows of the step.
Vector impulses(const Simulator& sim, const SimulationState& after, Eigen::Index rows) {
  std::vector<double> out = after.joints;
  const double h = sim.options().dt;
  std::size_t contact = 0;
  for (std::size_t c = 0; c < sim.constraints().size(); ++c) {
    const Constraint& constraint = sim.constraints()[c];
    if (const auto* limit = std::get_if<JointLimit>(&constraint)) {
      // Those of the model, in its order; of each degree of freedom that has them the lower one first.
      const std::vector<Constraint> all = make_joint_limits(sim.model());
      const auto at = std::ranges::find_if(all, [&](const Constraint& other) {
        const auto& o = std::get<JointLimit>(other);
        return o.link == limit->link && o.dof == limit->dof && o.upper == limit->upper;
      });
      out.push_back(after.limits[static_cast<std::size_t>(at - all.begin())]);
    } else if (const auto* point = std::get_if<PointContact>(&constraint)) {
      const Vec3<double> force = point->axes * sim.contacts()[contact++].force;
      for (int k = 0; k < row_count(constraint); ++k) out.push_back(h * force[k]);
    }
  }
  EXPECT_EQ(static_cast<Eigen::Index>(out.size()), rows);
  return as_vector(out);
}

struct Judged {
  Matrix J;
  Vector lambda, velocity, bias;  // of rows, at the end of the step
};

Judged judge(const Simulator& sim, const SimulationState& before, const SimulationState& after) {
  const std::vector<Constraint> constraints(sim.constraints().begin(), sim.constraints().end());
  const std::vector<Real> q = as_reals(before.q);
  Judged out;
  out.J = as_matrix(oracle::constraint_jacobian<Real>(sim.model(), constraints, q));
  out.lambda = impulses(sim, after, out.J.rows());
  out.velocity = out.J * turned_back(sim.model(), after.v, sim.options().dt);
  const std::vector<Real> position = oracle::constraint_position<Real>(sim.model(), constraints, q);
  out.bias = Vector::Zero(out.J.rows());
  Eigen::Index row = 0;
  for (const Constraint& c : constraints) {
    const bool pushes = set_of(c).kind != SetKind::kEquality;
    for (int k = 0; k < row_count(c); ++k, ++row) {
      const Real p = position[static_cast<std::size_t>(row)], taken_back = std::clamp<Real>(p / 0.02L, -1, 1);
      if (!pushes) out.bias(row) = taken_back;
      if (pushes && (k == 0 || std::holds_alternative<JointLimit>(c)))
        out.bias(row) = p > 0 ? p / static_cast<Real>(sim.options().dt) : taken_back;
    }
  }
  return out;
}

/// How far the end of the step is from what was stated, and forces in their sets.
Real check_laws(const Simulator& sim, const Judged& j) {
  Real most = 0;
  Eigen::Index row = 0;
  for (const Constraint& c : sim.constraints()) {
    const SetKind kind = set_of(c).kind;
    const Vector v = j.velocity.segment(row, row_count(c)) + j.bias.segment(row, row_count(c));
    const Vector f = j.lambda.segment(row, row_count(c));
    row += row_count(c);
    if (kind == SetKind::kEquality) {
      most = std::max(most, v.cwiseAbs().maxCoeff());
      continue;
    }
    most = std::max(most, -v(0));
    // Forces went through world axes and back: roundings of their size.
    const Real slack = 1e-9L * (1 + f.norm());
    EXPECT_GE(f(0), -slack);
    // What pushes touches: no force where there is room left, beyond what solvers leave.
    EXPECT_LE(f(0) * v(0), 1e-6L * (1 + f.norm())) << name_of(c);
    if (kind != SetKind::kFrictionCone) continue;
    const Real mu = set_of(c).mu, slip = v.tail(2).norm();
    EXPECT_LE(f.tail(2).norm(), mu * f(0) + slack);
    // Friction takes all that it can from what slides.
    EXPECT_LE(f.tail(2).dot(v.tail(2)) + mu * f(0) * slip, 1e-6L * (1 + f.norm()) * (1 + slip));
  }
  return most;
}

Real kinetic(const Model& model, const SimulationState& state) {
  const Vector v = as_vector(state.v);
  return v.dot(as_matrix(oracle::inertia_matrix<Real>(model, as_reals(state.q))) * v) / 2;
}

/// ½ λᵀJ (v_free + v⁺), by the dense matrix.
Real solve_gain(const Simulator& sim, const SimulationState& before, const Judged& j) {
  const Model& model = sim.model();
  Matrix M = as_matrix(oracle::inertia_matrix<Real>(model, as_reals(before.q)));
  const Real h = sim.options().dt;
  for (int k = 0; k < model.nv(); ++k) {
    const DofProperties& dof = model.dofs()[static_cast<std::size_t>(k)];
    M(k, k) += h * dof.damping + h * h * dof.stiffness;
  }
  const Vector push = j.J.transpose() * j.lambda;
  return j.lambda.dot(j.velocity) - push.dot(M.ldlt().solve(push)) / 2;
}

/// Constraints that pushed or pulled, by kind: what a campaign has seen.
struct Seen {
  int steps = 0, loops = 0, limits = 0, contacts = 0;
  void note(const Simulator& sim, const Judged& j) {
    Eigen::Index row = 0;
    for (const Constraint& c : sim.constraints()) {
      const bool acts = j.lambda(row) != 0;
      row += row_count(c);
      loops += acts && std::holds_alternative<LoopClosure>(c);
      limits += acts && std::holds_alternative<JointLimit>(c);
      contacts += acts && std::holds_alternative<PointContact>(c);
    }
  }
};

void check_step(Simulator& sim, const SimulationState& before, const SimulationState& after, Seen& seen) {
  const StepEnergy& energy = sim.report().energy;
  const Real K = kinetic(sim.model(), after);
  EXPECT_NEAR(static_cast<double>(K), energy.kinetic, 1e-10 * (1 + energy.kinetic));
  if (sim.report().rows == 0) return;
  const Judged j = judge(sim, before, after);
  seen.note(sim, j);
  const auto missed = static_cast<double>(check_laws(sim, j));
  // The report says what is so, to the rounding of velocities.
  EXPECT_NEAR(missed, sim.report().certificate.dual, 1e-7);
  EXPECT_LE(missed, sim.options().acceptable);
  const Vector mean = j.J * (as_vector(before.v) + turned_back(sim.model(), after.v, sim.options().dt)) / 2;
  const double work = static_cast<double>(j.lambda.dot(mean)), scale = 1 + energy.kinetic + std::abs(work);
  EXPECT_NEAR(work, energy.loops + energy.limits + energy.contacts, 1e-8 * scale);
  EXPECT_NEAR(static_cast<double>(solve_gain(sim, before, j)), energy.solve, 1e-7 * scale);
}

/// Steps until one is refused.
void run_random(std::uint64_t seed, int steps, Seen& seen) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  SimulationSetup setup = random_setup(seed);
  setup.options.tolerance = 1e-8;
  Simulator sim = setup.make_simulator();
  for (int k = 0; k < steps; ++k) {
    const SimulationState before = sim.save();
    const StepStatus status = sim.step();
    if (!status.ok()) {
      EXPECT_EQ(sim.save(), before) << sim.describe(status);
      EXPECT_FALSE(sim.describe(status).empty());
      return;
    }
    const SimulationState after = sim.save();
    check_step(sim, before, after, seen);
    ++seen.steps;
    sim.restore(before);
    EXPECT_TRUE(sim.step().ok());
    EXPECT_EQ(sim.save(), after);
    if (::testing::Test::HasFailure()) return;
  }
}

void run_many(std::uint64_t first, int systems, int steps) {
  Seen seen;
  for (int k = 0; k < systems && !::testing::Test::HasFailure(); ++k) {
    run_random(first + static_cast<std::uint64_t>(k), steps, seen);
  }
  // Random loops and limits may contradict each other, and refused steps are right then; but few are.
  EXPECT_GT(seen.steps, systems * steps * 8 / 10);
  EXPECT_GT(seen.loops, systems);
  EXPECT_GT(seen.limits, systems);
  EXPECT_GT(seen.contacts, systems / 2);
}

TEST(RandomSimulations, StepsAreWhatTheySay) { run_many(1, 25, 8); }
TEST(LongRandomSimulations, StepsAreWhatTheySay) { run_many(1000, 1000, 30); }

}  // namespace
}  // namespace delassus
