// The project's own robots: they load without a warning, have the sizes that they should, and are sound.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "delassus/io/load.hpp"
#include "delassus/kinematics/frames.hpp"
#include "support/embedded_robots.hpp"
#include "support/random_system.hpp"
#include "unit/io/corpus.hpp"

namespace delassus {
namespace {

struct Robot {
  const char* name;
  int nq, nv;
  int links;    // that move
  double mass;  // kilograms, to three decimals
  int constraints, rows;
  std::vector<std::string> contacts;  // frames to touch the surroundings with
};

const std::vector<Robot> kRobots{
    {"anymal_like", 19, 18, 13, 30.475, 0, 0, {"LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"}},
    {"atlas", 37, 36, 31, 175.118, 0, 0, {"l_foot_1", "l_foot_4", "r_foot_1", "r_foot_4", "l_palm", "r_palm"}},
    {"cassie", 35, 32, 23, 33.312, 4, 12, {"left-toe", "left-heel", "right-toe", "right-heel"}},
    {"delta", 34, 27, 10, 3.001, 6, 18, {"tool"}},
    {"four_bar", 3, 3, 3, 2.142, 1, 3, {"coupler"}},
    {"g1", 36, 35, 30, 33.341, 0, 0, {"left_foot_1", "left_foot_4", "right_foot_1", "right_foot_4"}},
    {"go2", 19, 18, 13, 16.087, 0, 0, {"FL_foot", "FR_foot", "RL_foot", "RR_foot"}},
    {"icub_like", 39, 38, 33, 28.890, 0, 0, {"l_foot_1", "l_foot_4", "r_foot_1", "r_foot_4", "l_palm", "r_palm"}},
    {"panda", 9, 9, 9, 17.452, 1, 1, {"left_fingertip", "right_fingertip"}},
    {"porter", 24, 24, 24, 70.000, 0, 0, {"left_palm", "right_palm", "left_sole", "right_sole"}},
    {"shadow_like", 24, 24, 24, 3.794, 0, 0, {"rh_fftip", "rh_mftip", "rh_rftip", "rh_lftip", "rh_thtip"}},
    {"solo_like", 19, 18, 13, 2.500, 0, 0, {"FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"}},
    {"stewart", 37, 30, 13, 19.226, 6, 18, {"top"}},
    {"talos_like", 51, 50, 45, 94.003, 6, 6, {"left_foot_1", "left_foot_4", "right_foot_1", "right_foot_4"}},
};

class EmbeddedRobots : public ::testing::TestWithParam<Robot> {
 protected:
  const Scene scene_ = testing::embedded_robot(GetParam().name);
  const Model& model_ = scene_.model;
};

TEST_P(EmbeddedRobots, HasTheSizesOfTheMechanism) {
  EXPECT_EQ(model_.description().name, GetParam().name);
  EXPECT_EQ(model_.nq(), GetParam().nq);
  EXPECT_EQ(model_.nv(), GetParam().nv);
  EXPECT_EQ(model_.num_links(), GetParam().links);
  EXPECT_NEAR(model_.mass(), GetParam().mass, 0.0005);  // the last decimal above
  EXPECT_EQ(static_cast<int>(scene_.constraints.size()), GetParam().constraints);
  int rows = 0;
  for (const Constraint& constraint : scene_.constraints) rows += row_count(constraint);
  EXPECT_EQ(rows, GetParam().rows);
}

TEST_P(EmbeddedRobots, AllOfTheFileIsRead) {
  EXPECT_TRUE(scene_.report.warnings.empty());
  EXPECT_TRUE(scene_.report.ignored.empty()) << scene_.report.ignored.front().what;
}

TEST_P(EmbeddedRobots, HasShapesAndFramesForContacts) {
  EXPECT_FALSE(model_.description().shapes.empty());
  for (const std::string& frame : GetParam().contacts) EXPECT_TRUE(model_.has_frame(frame)) << frame;
}

TEST_P(EmbeddedRobots, InertiaIsPositiveDefinite) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const std::vector<double> q = seed == 0 ? scene_.q : samples::random_state(model_, seed).q;
    const std::vector<double> M = testing::inertia_matrix(model_, q);
    const Eigen::LLT<Eigen::MatrixXd> cholesky(Eigen::Map<const Eigen::MatrixXd>(M.data(), model_.nv(), model_.nv()));
    EXPECT_EQ(cholesky.info(), Eigen::Success) << "seed " << seed;
  }
}

double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

TEST_P(EmbeddedRobots, LoopsAreClosed) {
  // The file's own configuration closes them by construction: what is left is the rounding of some ten poses
  // of about a metre. Keyframes have 12 decimals, and some ten of them act on each loop over half a metre.
  EXPECT_LE(largest(testing::positions_of_constraints(scene_, scene_.q)), 1e-14);
  for (const Keyframe& keyframe : model_.description().keyframes) {
    EXPECT_LE(largest(testing::positions_of_constraints(scene_, keyframe.q)), 3e-12) << keyframe.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, EmbeddedRobots, ::testing::ValuesIn(kRobots),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(EmbeddedFiles, AreTheseRobots) {
  std::string names;
  for (const Robot& robot : kRobots) names.append(names.empty() ? "" : ", ").append(robot.name);
  EXPECT_EQ(embedded_robot_names(), names);
  const EmbeddedFile* cassie = find_embedded("robots", "cassie");
  ASSERT_NE(cassie, nullptr);
  EXPECT_EQ(cassie->extension, ".xml");
  EXPECT_EQ(cassie->text, io_test::read_file(std::string(DELASSUS_SOURCE_DIR) + "/robots/cassie.xml"));
  EXPECT_EQ(find_embedded("scenes", "cassie"), nullptr);
}

TEST(EmbeddedFiles, AnUnknownRobotIsAnErrorThatNamesTheKnownOnes) {
  const std::string message = io_test::error_of([] { load_embedded_robot("casie", {}); });
  EXPECT_TRUE(io_test::contains(message, "'casie'"));
  EXPECT_TRUE(io_test::contains(message, "cassie, delta"));
}

/// Height of a frame over the ground.
double height(const Model& model, const std::vector<double>& q, const std::string& frame) {
  Kinematics<double> kin(model);
  update_kinematics(model, q, kin);
  return frame_pose(model, kin, model.find_frame(frame)).p[2];
}

TEST(EmbeddedFiles, CassieStandsAtHome) {
  const Scene scene = testing::embedded_robot("cassie");
  ASSERT_EQ(scene.model.description().keyframes.size(), 1U);
  const Keyframe& home = scene.model.description().keyframes[0];
  // The pelvis's height was published for springs under load: half a millimetre.
  for (const char* point : {"left-toe", "left-heel", "right-toe", "right-heel"}) {
    EXPECT_NEAR(height(scene.model, home.q, point), 0, 5e-4) << point;
  }
}

TEST(EmbeddedFiles, SolesAreLevel) {
  const struct {
    const char *robot, *left, *right;
  } kSoles[]{{"atlas", "l_foot_", "r_foot_"},
             {"g1", "left_foot_", "right_foot_"},
             {"icub_like", "l_foot_", "r_foot_"},
             {"talos_like", "left_foot_", "right_foot_"}};
  for (const auto& [robot, left, right] : kSoles) {
    const Scene scene = testing::embedded_robot(robot);
    const double sole = height(scene.model, scene.q, std::string(left) + "1");
    for (const char* corner : {"1", "2", "3", "4"}) {
      // Rounding of some poses; G1's hips are at angles with four to six digits, which the other joints undo.
      EXPECT_NEAR(height(scene.model, scene.q, std::string(left) + corner), sole, 1e-5) << robot << corner;
      EXPECT_NEAR(height(scene.model, scene.q, std::string(right) + corner), sole, 1e-5) << robot << corner;
    }
  }
}

/// Mass and moment of mass of all links, in the world.
struct MassMoment {
  double mass = 0;
  Vec3<double> moment{{0, 0, 0}};
};
MassMoment mass_moment(const Model& model, const std::vector<double>& q, const std::string& side) {
  Kinematics<double> kin(model);
  update_kinematics(model, q, kin);
  MassMoment out;
  for (const BodyDescription& body : model.description().bodies) {
    if (!body.name.starts_with(side)) continue;
    out.mass += body.inertial.mass;
    out.moment += body.inertial.mass * (frame_pose(model, kin, model.find_frame(body.name)) * body.inertial.com);
  }
  return out;
}

TEST(EmbeddedFiles, PorterIsSymmetricAndStandsOnTheGround) {
  const Scene scene = testing::embedded_robot("porter");
  const Model& model = scene.model;
  EXPECT_EQ(model.depth(), 9);  // two of the trunk, seven of an arm
  // Sums of some ten figures of about a metre and ten kilograms: rounding.
  for (const char* sole : {"left_sole", "right_sole"}) EXPECT_NEAR(height(model, scene.q, sole), 0, 1e-15) << sole;
  ASSERT_EQ(model.description().keyframes.size(), 1U);
  const std::vector<double>& holding = model.description().keyframes[0].q;
  const MassMoment left = mass_moment(model, holding, "left_"), right = mass_moment(model, holding, "right_");
  EXPECT_NEAR(left.mass, 0.05 * 70 + 0.161 * 70, 1e-13);  // an arm and a leg in Winter's table
  EXPECT_NEAR(left.mass, right.mass, 1e-13);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(left.moment[k], (k == 1 ? -1 : 1) * right.moment[k], 1e-13) << k;
  EXPECT_NEAR(height(model, holding, "left_palm"), height(model, holding, "right_palm"), 1e-15);
}

}  // namespace
}  // namespace delassus
