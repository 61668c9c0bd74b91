// Real robots: all of them load, and the values are those that MuJoCo reads from the same files.
#include <gtest/gtest.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "delassus/io/urdf.hpp"
#include "unit/io/corpus.hpp"

namespace delassus {
namespace {

namespace fs = std::filesystem;

class UrdfRobots : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::is_directory(robots_)) GTEST_SKIP() << "the robot files are not here; set DELASSUS_ROBOTS to their folder";
  }
  const fs::path robots_{DELASSUS_TEST_ROBOTS_DIR};
};

TEST_F(UrdfRobots, AllLoad) {
  const std::vector<fs::path> files = io_test::files_with(robots_, ".urdf");
  ASSERT_FALSE(files.empty());
  for (const fs::path& path : files) {
    SCOPED_TRACE(path.string());
    EXPECT_NO_THROW({
      const Scene scene = load_urdf(path.string());
      EXPECT_GT(scene.model.nv(), 0);
      EXPECT_GT(scene.model.mass(), 0);
    });
  }
}

/// The values to compare with are printed with 15 digits.
constexpr double kPrinted = 1e-12;
/// MuJoCo turns an inertia to its principal axes, with a tolerance of about this size.
constexpr double kPrincipalAxes = 1e-6;

void compare_body(const BodyDescription& body, const nlohmann::json& expected) {
  SCOPED_TRACE(body.name);
  EXPECT_EQ(body.name, expected["name"].get<std::string>());
  EXPECT_NEAR(body.inertial.mass, expected["mass"], 1e-12 * body.inertial.mass);
  if (body.inertial.mass == 0) return;
  // xx, yy, zz, xy, xz, yz about the centre of mass, in the body's axes.
  const int row[]{0, 1, 2, 0, 0, 1}, column[]{0, 1, 2, 1, 2, 2};
  const double size = body.inertial.inertia(0, 0) + body.inertial.inertia(1, 1) + body.inertial.inertia(2, 2);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(body.inertial.com[i], expected["com"][i], 1e-12);
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(body.inertial.inertia(row[i], column[i]), expected["inertia"][i], kPrincipalAxes * size) << i;
  }
}

void compare_joint(const Model& model, int link, const nlohmann::json& expected, const nlohmann::json& oracle) {
  SCOPED_TRACE(model.joint_name(link));
  EXPECT_EQ(model.joint_name(link), expected["name"]);
  EXPECT_EQ(model.joint(link).kind == JointKind::kFree, expected["type"] == "free");
  const auto v = static_cast<std::size_t>(model.link(link).v);
  EXPECT_EQ(static_cast<int>(v), expected["v"].get<int>());
  EXPECT_EQ(model.link(link).q, expected["q"].get<int>());
  // A continuous joint has no range here, even if the file has one.
  if (expected.contains("range") && std::isfinite(model.dofs()[v].lower)) {
    EXPECT_NEAR(model.dofs()[v].lower, expected["range"][0].get<double>(), kPrinted);
    EXPECT_NEAR(model.dofs()[v].upper, expected["range"][1].get<double>(), kPrinted);
  }
  EXPECT_EQ(model.dofs()[v].damping, oracle["dof_damping"][v].get<double>());
  EXPECT_EQ(model.dofs()[v].friction_loss, oracle["dof_frictionloss"][v].get<double>());
}

/// A planar joint is one link here, and three joints there: the joints after it are compared by name.
std::vector<nlohmann::json> joints_with_names_of(const Model& model, const nlohmann::json& oracle) {
  std::vector<nlohmann::json> found;
  for (const nlohmann::json& joint : oracle["joints"]) {
    if (model.has_joint(joint["name"].get<std::string>())) found.push_back(joint);
  }
  return found;
}

TEST_F(UrdfRobots, ValuesAreThoseOfMujoco) {
  int compared = 0;
  for (const fs::path& path : io_test::files_with(robots_ / "oracle", ".json")) {
    if (path.stem().string().find("_urdf") == std::string::npos) continue;
    SCOPED_TRACE(path.filename().string());
    const nlohmann::json oracle = nlohmann::json::parse(io_test::read_file(path));
    const bool floats = oracle["how"].get<std::string>().find("__root__") != std::string::npos;
    UrdfOptions options;
    if (floats) options.base = UrdfOptions::Base::kFloating;
    const Scene scene = load_urdf((robots_ / oracle["model"].get<std::string>()).string(), options);
    EXPECT_EQ(scene.model.nq(), oracle["nq"].get<int>());
    EXPECT_EQ(scene.model.nv(), oracle["nv"].get<int>());

    // There, a root that carries a floating joint was renamed to world and is no body.
    const std::vector<BodyDescription>& bodies = scene.model.description().bodies;
    const std::size_t skipped = bodies.size() - oracle["bodies"].size();
    ASSERT_LE(skipped, 1U);
    for (std::size_t i = 0; i < oracle["bodies"].size(); ++i) compare_body(bodies[i + skipped], oracle["bodies"][i]);

    const std::vector<nlohmann::json> joints = joints_with_names_of(scene.model, oracle);
    std::size_t next = 0;
    for (int i = 0; i < scene.model.num_links(); ++i) {
      if (scene.model.joint(i).kind == JointKind::kPlanar) continue;
      ASSERT_LT(next, joints.size());
      compare_joint(scene.model, i, joints[next++], oracle);
    }
    EXPECT_EQ(next, joints.size());
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

TEST_F(UrdfRobots, LoopsAndCouplingsOfPublishedFiles) {
  const Scene four_bar = load_urdf((robots_ / "generalized_rbda" / "four_bar.urdf").string());
  ASSERT_EQ(four_bar.constraints.size(), 1U);
  EXPECT_EQ(std::get<LoopClosure>(four_bar.constraints[0]).free_angular, 4);
  EXPECT_EQ(row_count(four_bar.constraints[0]), 5);

  const Scene cheetah = load_urdf((robots_ / "generalized_rbda" / "mini_cheetah.urdf").string());
  ASSERT_EQ(cheetah.constraints.size(), 12U);
  for (const Constraint& constraint : cheetah.constraints) {
    const auto& gear = std::get<JointCoupling>(constraint);
    ASSERT_EQ(gear.terms.size(), 2U) << gear.name;
    EXPECT_EQ(gear.terms[1].weight, -1) << gear.name;
    EXPECT_GT(gear.terms[0].weight, 5) << gear.name;
  }
}

}  // namespace
}  // namespace delassus
