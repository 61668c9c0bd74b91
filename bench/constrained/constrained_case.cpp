#include "bench/constrained/constrained_case.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "cli/shell/delassus_matrix.hpp"
#include "delassus/io/load.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/operators/oracle.hpp"
#include "delassus/solvers/assembly.hpp"
#include "model/splitmix.hpp"

namespace delassus::cli {
namespace {

constexpr std::string_view kTalosCorners =
    "left_foot_1 left_foot_2 left_foot_3 left_foot_4 right_foot_1 right_foot_2 right_foot_3 right_foot_4";
constexpr std::string_view kIcubCorners = "l_foot_1 l_foot_2 l_foot_3 l_foot_4 r_foot_1 r_foot_2 r_foot_3 r_foot_4";

constexpr std::array kSets{
    HeldSet{"solo_like", "feet", "FL_FOOT FR_FOOT HL_FOOT HR_FOOT", false},
    HeldSet{"anymal_like", "feet", "LF_FOOT RF_FOOT LH_FOOT RH_FOOT", false},
    HeldSet{"icub_like", "feet welded", "l_foot r_foot", true},
    HeldSet{"icub_like", "corners of soles", kIcubCorners, false},
    HeldSet{"talos_like", "feet welded", "leg_left_6_link leg_right_6_link", true},
    HeldSet{"talos_like", "corners of soles", kTalosCorners, false},
};

std::vector<double> random_vector(int size, double bound, std::uint64_t seed) {
  SplitMix random(seed);
  std::vector<double> out(size);
  for (double& x : out) x = random.uniform(-bound, bound);
  return out;
}

/// Held where it is in a posture without any symmetry. A robot's own couplings are left out: the paper's have none.
Scene make_held(const HeldSet& set) {
  Scene scene = load_embedded_robot(set.robot);
  scene.constraints.clear();
  constexpr double kBent = 0.4;
  integrate(scene.model, scene.q, random_vector(scene.model.nv(), kBent, 1), scene.q);
  Kinematics<double> kin(scene.model);
  update_kinematics<double>(scene.model, scene.q, kin);
  std::istringstream frames{std::string(set.where)};
  for (std::string name; frames >> name;) {
    const Attachment here = attach(scene.model, name);
    if (set.welded) {
      scene.constraints.emplace_back(make_weld(name, here, {0, frame_pose<double>(scene.model, kin, here.frame)}));
    } else {
      scene.constraints.emplace_back(PointContact{.name = name, .a = here});
    }
  }
  return scene;
}

using Exact = oracle::Matrix<long double>;

Exact column(const std::vector<double>& x) {
  return {static_cast<int>(x.size()), 1, std::vector<long double>(x.begin(), x.end())};
}

double most(const Exact& x) {
  long double size = 0;
  for (const long double e : x.entries()) size = std::max(size, std::abs(e));
  return static_cast<double>(size);
}

}  // namespace

std::span<const HeldSet> held_sets() { return kSets; }

ConstrainedBench::ConstrainedBench(const HeldSet& set)
    : scene(std::string(set.robot) + ", " + std::string(set.name), make_held(set)) {
  const Model& model = scene.model;
  Assembler<double> assembler(model, scene.constraints);
  for (std::size_t k = 0; k < v.size(); ++k) {
    v[k] = random_vector(model.nv(), 1, 2 + k);
    require_ok(assembler.project_velocity(scene.q[k], v[k]), model, scene.constraints);
  }
  constexpr double kTorquePerMass = 0.1;  // Nm/kg
  tau = random_vector(model.nv(), kTorquePerMass * model.mass(), 4);
  std::fill_n(tau.begin(), model.link(0).nv, 0);
}

EquationResiduals residuals_of(const ConstrainedBench& bench, const Solution& solution) {
  const Model& model = bench.scene.model;
  const std::vector<Constraint>& constraints = bench.scene.constraints;
  const Exact q = column(bench.scene.q[0]), v = column(bench.v[0]);
  const Exact M = oracle::inertia_matrix<long double>(model, q.entries());
  const Exact J = oracle::constraint_jacobian<long double>(model, constraints, q.entries());
  const std::vector<long double> bias = oracle::bias_forces<long double>(model, q.entries(), v.entries());
  const std::vector<long double> drift =
      oracle::constraint_drift<long double>(model, constraints, q.entries(), v.entries());
  const Exact h(model.nv(), 1, bias), target = -1.0L * Exact(bench.scene.rows, 1, drift);
  const Exact given = column(bench.tau) - h;
  const Exact qdd = column(solution.qdd), inertial = M * qdd;
  const Exact force = oracle::transposed(J) * column(solution.lambda);
  const Exact free_rows = J * oracle::solve_positive(M, given);
  return {most(inertial - given - force) / std::max({most(inertial), most(h), most(column(bench.tau)), most(force)}),
          most(J * qdd - target) / std::max(most(target), most(free_rows))};
}

}  // namespace delassus::cli
