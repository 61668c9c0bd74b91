// The embedded robots against the published files that their figures come from: the same M, the same limits,
// the same loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "support/embedded_robots.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

namespace fs = std::filesystem;

struct Source {
  const char* robot;
  const char* file;
  const char* free_joint;         // ours
  const char* source_free_joint;  // what the source calls it; the other joints have the same names
};

// icub_like is not among them: its figures are the project's own.
const std::vector<Source> kSources{
    {"anymal_like", "example-robot-data/anymal_b/anymal.urdf", "__root__", "__root__"},
    {"atlas", "drake_models/atlas/atlas_minimal_contact.urdf", "__root__", "__root__"},
    {"cassie", "menagerie/agility_cassie/cassie.xml", "pelvis-free", "cassie-pelvis_joint0"},
    {"delta", "authored/delta.xml", "platform_free", "platform_free"},
    {"four_bar", "authored/four_bar.xml", "", ""},
    {"g1", "unitree_ros/g1/g1_29dof_rev_1_0.urdf", "__root__", "__root__"},
    {"go2", "unitree_ros/go2/go2_description.urdf", "__root__", "__root__"},
    {"panda", "menagerie/franka_emika_panda/panda.xml", "", ""},
    {"shadow_like", "menagerie/shadow_hand/right_hand.xml", "", ""},
    {"solo_like", "example-robot-data/solo/solo12.urdf", "__root__", "__root__"},
    {"stewart", "authored/stewart.xml", "platform_free", "platform_free"},
    {"talos_like", "menagerie/pal_talos/talos.xml", "root", "reference"},
};

class EmbeddedRobotSources : public ::testing::TestWithParam<Source> {
 protected:
  void SetUp() override {
    const fs::path robots{DELASSUS_TEST_ROBOTS_DIR};
    if (!fs::is_directory(robots)) GTEST_SKIP() << "the robot files are not here; set DELASSUS_ROBOTS to their folder";
    UrdfOptions options;
    options.base = UrdfOptions::Base::kFloating;
    source_ = std::make_unique<Scene>(load((robots / GetParam().file).string(), options));
    ASSERT_EQ(ours_.model.num_links(), source_->model.num_links());
    for (int i = 0; i < ours_.model.num_links(); ++i) match(i);
  }

  /// Which coordinates and degrees of freedom of the source are those of our link.
  void match(int link) {
    const std::string& name = ours_.model.joint_name(link);
    const Model& source = source_->model;
    const int other = source.find_joint(name == GetParam().free_joint ? GetParam().source_free_joint : name);
    ASSERT_EQ(ours_.model.joint(link).kind, source.joint(other).kind) << name;
    const JointSizes sizes = sizes_of(source.joint(other).kind);
    for (int i = 0; i < sizes.nq; ++i) q_.push_back(static_cast<std::size_t>(source.link(other).q + i));
    for (int i = 0; i < sizes.nv; ++i) v_.push_back(static_cast<std::size_t>(source.link(other).v + i));
  }

  std::vector<double> source_configuration(const std::vector<double>& q) const {
    std::vector<double> result(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) result[q_[i]] = q[i];
    return result;
  }

  const Scene ours_ = testing::embedded_robot(GetParam().robot);
  std::unique_ptr<Scene> source_;
  std::vector<std::size_t> q_, v_;  // of the source, in our order
};

/// Figures are taken over digit by digit, or merged in double precision: this leaves room for nothing but rounding.
constexpr double kSameInertia = 1e-9;

TEST_P(EmbeddedRobotSources, InertiaMatrixIsTheSame) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const std::vector<double> q = samples::random_state(ours_.model, seed).q;
    const std::vector<double> M = testing::inertia_matrix(ours_.model, q);
    const std::vector<double> theirs = testing::inertia_matrix(source_->model, source_configuration(q));
    const std::size_t n = v_.size();
    double worst = 0;  // in units in which the diagonal is one, so that light fingers count as heavy legs do
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const double unit = std::sqrt(M[i * n + i] * M[j * n + j]);
        worst = std::max(worst, std::abs(M[i * n + j] - theirs[v_[i] * n + v_[j]]) / unit);
      }
    }
    EXPECT_LE(worst, kSameInertia) << "seed " << seed;
  }
}

TEST_P(EmbeddedRobotSources, JointsHaveTheSameProperties) {
  for (std::size_t i = 0; i < v_.size(); ++i) {
    EXPECT_EQ(ours_.model.dofs()[i], source_->model.dofs()[v_[i]]) << "degree of freedom " << i;
  }
}

TEST_P(EmbeddedRobotSources, ConstraintsAreTheSame) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const std::vector<double> q = samples::random_state(ours_.model, seed).q;
    const std::vector<double> positions = testing::positions_of_constraints(ours_, q);
    const std::vector<double> theirs = testing::positions_of_constraints(*source_, source_configuration(q));
    ASSERT_EQ(positions.size(), theirs.size());
    // Metres or radians, after some ten poses.
    for (std::size_t i = 0; i < positions.size(); ++i) EXPECT_NEAR(positions[i], theirs[i], 1e-13) << "row " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, EmbeddedRobotSources, ::testing::ValuesIn(kSources),
                         [](const auto& test) { return std::string(test.param.robot); });

}  // namespace
}  // namespace delassus
