// Constrained accelerations of whole robots, by all three forms, against a dense solve in long double that shares no code with
// them: every embedded robot and scene, and the files of others that have equalities.
#include <gtest/gtest.h>

#include <filesystem>

#include "delassus/io/load.hpp"
#include "delassus/operators/kkt.hpp"
#include "delassus/scenes/load_named.hpp"
#include "delassus/solvers/constrained_aba.hpp"
#include "delassus/solvers/constrained_dynamics.hpp"
#include "support/constrained_case.hpp"

namespace delassus::testing {
namespace {

/// Both equations, whatever the rank; of what rows were asked for and of the forces in play.
constexpr double kResidual = 1e-10;
/// Rows that make the dense algebra of a test take seconds.
constexpr int kMostRows = 150;

template <class Solver>
void expect_motion(const ConstrainedCase& c, const std::vector<double>& target, const ConstrainedReference& want) {
  State<double> state(c.model, c.constraints);
  ASSERT_TRUE(state.update(c.q, c.v).ok());
  Solver solver(c.model);
  ASSERT_TRUE(solver.factor(state).ok());
  std::vector<double> motion(c.model.nv()), lambda(c.m());
  const Status status = solver.solve(state, c.tau, target, motion, lambda);
  EXPECT_TRUE(status.ok()) << static_cast<int>(status.code);
  const KktResiduals residual(c, target, motion, lambda);
  EXPECT_LT(residual.forces, kResidual);
  EXPECT_LT(residual.rows, kResidual);
  // From the rows to the joints goes 1 / σ of the stiffest direction that is not rigid.
  EXPECT_LT(relative_difference(motion, want.motion.entries()), std::max(1e-9, kResidual / c.gap));
}

void expect_motions(const Scene& scene, const samples::State& state) {
  const ConstrainedCase c(scene.model, scene.constraints, state);
  const std::vector<double> target = c.feasible_target(3);
  const ConstrainedReference want(c, target);
  expect_motion<ConstrainedDynamics<double>>(c, target, want);
  expect_motion<ConstrainedDynamics<double, KktDelassus<double>>>(c, target, want);
  expect_motion<ConstrainedAba<double>>(c, target, want);
}

/// As the scene stands, in motion; and anywhere.
void expect_scene(const Scene& scene) {
  samples::State here = samples::random_state(scene.model, 1);
  const samples::State anywhere = here;
  here.q = scene.q;
  expect_motions(scene, here);
  expect_motions(scene, anywhere);
}

int rows_of(const Scene& scene) {
  int rows = 0;
  for (const Constraint& c : scene.constraints) rows += row_count(c);
  return rows;
}

TEST(ConstrainedDynamics, EmbeddedRobotsAndScenes) {
  int compared = 0;
  for (const char* folder : {"robots", "scenes"}) {
    for (const EmbeddedFile& file : embedded_files(folder)) {
      const Scene scene = load_named(std::string(file.name));
      if (rows_of(scene) == 0 || rows_of(scene) > kMostRows) continue;
      SCOPED_TRACE(std::string(file.name));
      expect_scene(scene);
      ++compared;
    }
  }
  EXPECT_GT(compared, 20);
}

TEST(ConstrainedDynamics, EqualityRobotsOfOthers) {
  const std::filesystem::path robots{DELASSUS_TEST_ROBOTS_DIR};
  if (!std::filesystem::is_directory(robots)) GTEST_SKIP() << "no robot files here (see CONTRIBUTING.md)";
  int compared = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(robots)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".xml") || path.find("/oracle/") != std::string::npos) continue;
    std::optional<Scene> scene;
    try {
      scene = load_named(path);
    } catch (const Error&) {
      continue;  // no model: parts that others include
    }
    if (rows_of(*scene) == 0 || rows_of(*scene) > kMostRows) continue;
    SCOPED_TRACE(path);
    expect_scene(*scene);
    ++compared;
  }
  EXPECT_GT(compared, 5);
}

}  // namespace
}  // namespace delassus::testing
