// The project's own robots, and those of others where their files are, in MuJoCo and here at random states: masses, M,
// bias forces, accelerations, poses, the Jacobians and Λ⁻¹ of points, equalities and contacts on a floor.
#include <filesystem>

#include "delassus/io/load.hpp"
#include "support/mujoco_agreement.hpp"

namespace delassus::testing {
namespace {

/// Rounding, times the condition of M: up to about 1e6 where light links hang on heavy ones. Where a body has several
/// geoms, MuJoCo finds its principal axes to about nine digits.
constexpr double kAgreement = 1e-9;

const std::vector<ReferenceOptions> kScenes{{1, 2, false, 1}, {2, 1, false, 3}, {3, 1, false, 4}, {4, 1, false, 6},
                                            {5, 1, true, 1},  {6, 1, true, 3},  {7, 1, true, 4},  {8, 1, true, 6}};

/// Romeo's fingers have no mass, and are held by mimic joints alone. iCub's head is a point mass on three axes that nearly
/// meet: M has eigenvalues down to 1e-12, and inverses agree to few digits.
bool is_singular(const std::string& path) { return path.ends_with("romeo.urdf") || path.ends_with("icub.urdf"); }

/// A root without mass cannot float.
UrdfOptions::Base base_of(const std::string& path) {
  if (!path.ends_with(".urdf")) return UrdfOptions::Base::kFixed;
  const Scene scene = load_urdf(path);
  const Inertial& root = scene.model.description().bodies.front().inertial;
  return root.mass > 0 ? UrdfOptions::Base::kFloating : UrdfOptions::Base::kFixed;
}

TEST(Mujoco, EmbeddedRobots) {
  const TemporaryFolder folder;
  for (const EmbeddedFile& robot : embedded_files("robots")) {
    const std::string name = std::string(robot.name).append(robot.extension);
    const std::string path = folder.write(name, std::string(robot.text));
    for (const ReferenceOptions& scene : kScenes) {
      expect_agreement(path, base_of(path), scene, kAgreement,
                       {"M", "bias", "qacc", "points_J", "points_Linv", "floor_J"});
    }
  }
}

TEST(Mujoco, RobotsOfOthers) {
  const std::filesystem::path robots{DELASSUS_TEST_ROBOTS_DIR};
  if (!std::filesystem::is_directory(robots)) GTEST_SKIP() << "no robot files here (see CONTRIBUTING.md)";
  int compared = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(robots)) {
    const std::string path = entry.path().string();
    const bool mjcf = path.ends_with(".xml") && read_bytes(path).find("<mujoco ") != std::string::npos;
    if (!mjcf && !path.ends_with(".urdf")) continue;
    if (is_singular(path)) continue;
    const ReferenceOptions scene = kScenes[static_cast<std::size_t>(compared++) % kScenes.size()];
    expect_agreement(path, base_of(path), scene, kAgreement, {"M", "bias", "qacc", "points_Linv"});
  }
  EXPECT_GT(compared, 70);
}

}  // namespace
}  // namespace delassus::testing
