// The generated scenes: sizes, constraints that hold where the scene is, contacts on surfaces, and Λ⁻¹ of the oracle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "delassus/constraints/lower.hpp"
#include "delassus/math/error.hpp"
#include "delassus/operators/explicit_operator.hpp"
#include "delassus/operators/oracle.hpp"
#include "scenes/boxes.hpp"
#include "scenes/generated.hpp"
#include "scenes/mechanisms.hpp"
#include "support/compare.hpp"

namespace delassus {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

struct Size {
  const char* name;
  int nv, rows;
};

/// nv and rows as the papers have them.
constexpr Size kSizes[] = {
    {"chain:7", 7, 6},          {"stem:3x2", 37, 24},        {"stem:10x4", 72, 48},    {"stem:30x7", 134, 84},
    {"stem:1x10", 147, 120},    {"k2chain:12", 144, 72},     {"k2loops:12", 144, 36},  {"allwelded:48", 48, 288},
    {"hand", 24, 15},           {"handed-one", 60, 15},      {"handed", 84, 30},       {"handed-feet", 84, 42},
    {"asimo-hf", 40, 24},       {"asimo-hfh", 40, 30},       {"asimo-ftf", 40, 36},    {"asimo-arms", 46, 24},
    {"asimo-legs", 46, 24},     {"asimo-hands", 60, 24},     {"asimo-limbs", 70, 48},  {"asimo-onefoot", 34, 18},
    {"humanoid", 24, 12},       {"humanoid:60", 60, 12},     {"swimmer:3", 5, 18},     {"swimmer:300", 302, 1800},
    {"box-stack:30", 180, 360}, {"box-pyramid:4", 180, 864}, {"expander:8x7", 62, 36}, {"expander:20x6", 126, 90},
};

TEST(GeneratedScenes, HaveTheirSizesAndConstraintsThatHold) {
  for (const Size& size : kSizes) {
    const ConstrainedModel s = make_generated_scene(size.name);
    EXPECT_EQ(s.model.nv(), size.nv) << size.name;
    EXPECT_EQ(s.num_rows(), size.rows) << size.name;
    for (const Constraint& c : s.constraints) EXPECT_NO_THROW(require_valid(s.model, c)) << size.name;
    Kinematics<double> kin(s.model);
    ConstraintRows<double> rows;
    update_kinematics<double>(s.model, s.q, kin);
    lower_structure<double>(s.model, s.constraints, rows);
    std::vector<double> position(static_cast<std::size_t>(size.rows));
    constraint_positions<double>(s.model, kin, s.constraints, rows, position);
    // Loops were closed at this configuration: what is left is rounding along some hundred links of 0.2 m.
    for (const double x : position) EXPECT_LT(std::abs(x), 1e-12) << size.name;
  }
}

TEST(GeneratedScenes, EveryFamilyHasAWorkingDefault) {
  for (const GeneratedScene& scene : generated_scenes()) {
    EXPECT_TRUE(is_generated_scene(scene.name));
    EXPECT_GT(make_generated_scene(scene.name).num_rows(), 0) << scene.name;
    EXPECT_FALSE(scene.description.empty());
  }
}

TEST(GeneratedScenes, SayWhatIsWrongWithAName) {
  EXPECT_THAT([] { (void)make_generated_scene("stemm:1x1"); }, ThrowsMessage<Error>(HasSubstr("did you mean 'stem'?")));
  for (const char* name :
       {"stem:1", "stem:x", "stem:0x1", "stem:1x2x3", "stem:1x-2", "stem:", "stem:1x999999999999", "stem:5000x5000"}) {
    EXPECT_THAT([&] { (void)make_generated_scene(name); },
                ThrowsMessage<Error>(HasSubstr("write stem:STEMxBRANCHES with numbers")))
        << name;
  }
  EXPECT_THAT([] { (void)make_generated_scene("asimo-hf:3"); }, ThrowsMessage<Error>(HasSubstr("nothing follows")));
  EXPECT_THAT([] { (void)make_generated_scene("expander:7x3"); }, ThrowsMessage<Error>(HasSubstr("must be even")));
}

TEST(GeneratedScenes, EveryTipOfAnExpanderHasThreeNeighbours) {
  const ConstrainedModel s = make_expander_scene({20, 3});
  std::map<int, std::set<int>> neighbours;
  for (const Constraint& c : s.constraints) {
    const auto& loop = std::get<LoopClosure>(c);
    neighbours[loop.first.frame].insert(loop.second.frame);
    neighbours[loop.second.frame].insert(loop.first.frame);
  }
  EXPECT_EQ(neighbours.size(), 20u);
  for (const auto& [tip, others] : neighbours) EXPECT_EQ(others.size(), 3u) << s.model.frame(tip).name;
}

TEST(GeneratedScenes, BoxesRestOnTheirCorners) {
  const ConstrainedModel s = make_box_pyramid_scene();
  ASSERT_EQ(s.constraints.size(), 288u);
  int floor = 0;
  for (const Constraint& c : s.constraints) {
    const auto& contact = std::get<PointContact>(c);
    floor += contact.b == 0;
    const Vec3<double>& p = contact.a.offset.p;
    // On the lower face of the upper box.
    EXPECT_NEAR(p[2], -0.25, 1e-15);
    EXPECT_LE(std::max(std::abs(p[0]), std::abs(p[1])), 0.25 + 1e-15);
    EXPECT_EQ(contact.set.mu, 0.7);
  }
  EXPECT_EQ(floor, 64);
}

TEST(GeneratedScenes, DelassusMatricesAreThoseOfTheOracle) {
  for (const char* name : {"stem:3x2", "k2loops:4", "allwelded:8", "asimo-onefoot", "swimmer:5", "box-pyramid:2",
                           "expander:6x4", "hand"}) {
    const ConstrainedModel s = make_generated_scene(name);
    Kinematics<double> kin(s.model);
    ConstraintRows<double> rows;
    update_kinematics<double>(s.model, s.q, kin);
    lower_structure<double>(s.model, s.constraints, rows);
    ASSERT_TRUE(lower_values<double>(s.model, kin, s.constraints, rows).ok());
    DenseDelassus<double> op(s.model, rows);
    ASSERT_TRUE(op.factor({s.model, kin, rows}).ok()) << name;
    std::vector<double> got(static_cast<std::size_t>(rows.num_rows() * rows.num_rows()));
    op.dense(MatrixOut<double>(got.data(), rows.num_rows(), rows.num_rows()));
    const auto want =
        oracle::delassus_matrix<long double>(s.model, s.constraints, testing::converted<long double>(s.q));
    // Rounding of a Cholesky factor of M, whose condition is below 1e6 in these mechanisms.
    EXPECT_LT(testing::relative_difference(got, want.entries()), 1e-10) << name;
  }
}

}  // namespace
}  // namespace delassus
