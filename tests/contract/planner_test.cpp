// The planner chooses what counts and costs say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "delassus/delassus.hpp"
#include "scenes/recipes.hpp"

namespace delassus {
namespace {

using ::testing::HasSubstr;

OperatorPlan plan_for(const Scene& s, const Workload& w) { return plan_operator(s.model, s.constraints, w); }

std::int64_t operations(Algorithm algorithm, const Scene& s, const Workload& w) {
  return count_operator(algorithm, s.model, s.constraints, s.q, w).total(w);
}

/// The choice takes least, counts are those of each operator, and what was not counted takes at least what it was ruled out for.
void expect_counts_agree(const Scene& scene, const OperatorPlan& plan, std::span<const Algorithm> counted) {
  const double best = plan.candidates.front().time_us;
  EXPECT_EQ(plan.candidates.front().algorithm, plan.choice);
  EXPECT_TRUE(plan.candidates.front().exact);
  EXPECT_GT(best, 0);
  for (const OperatorPlan::Candidate& c : plan.candidates) {
    EXPECT_LE(best, c.time_us) << name_of(c.algorithm);
    EXPECT_DOUBLE_EQ(c.time_us, c.times.total(plan.workload)) << name_of(c.algorithm);
    if (std::ranges::find(counted, c.algorithm) == counted.end()) continue;
    if (c.algorithm == Algorithm::kLimbs) continue;  // counts lanes, where others count numbers
    const std::int64_t count = operations(c.algorithm, scene, plan.workload);
    if (c.exact) {
      EXPECT_EQ(c.operations, count) << name_of(c.algorithm);
    } else {
      EXPECT_LE(c.operations, count) << name_of(c.algorithm);
      EXPECT_GE(c.time_us, 4 * best) << name_of(c.algorithm);
    }
  }
}

class Planner : public ::testing::TestWithParam<const char*> {};

TEST_P(Planner, TakesTheLeastTimeForTheMatrix) {
  const Scene scene = make_scene(GetParam());
  const OperatorPlan plan = plan_for(scene, kMatrixAlone);
  const bool lanes = std::ranges::find(plan.candidates, Algorithm::kLimbs, &OperatorPlan::Candidate::algorithm) !=
                     plan.candidates.end();
  ASSERT_EQ(plan.candidates.size(), kDirectAlgorithms.size() - (lanes ? 0 : 1));
  expect_counts_agree(scene, plan, kDirectAlgorithms);
  EXPECT_THAT(plan.explain(), ::testing::StartsWith(std::string(name_of(plan.choice)) + ": "));
}

/// What is carried and what stays make up all that feel something.
TEST_P(Planner, CondensationLeavesNoLinkOut) {
  const Scene scene = make_scene(GetParam());
  const Condensation c = plan_for(scene, kOneProduct).condensation;
  EXPECT_EQ(c.live, c.nodes + c.carried);
  EXPECT_LE(c.live, c.links);
  EXPECT_LE(c.carried_rows, c.rows);
  EXPECT_GE(c.carried_rows, c.groups);
  const auto sum = [&](auto member) {
    return std::accumulate(c.jointwise.begin(), c.jointwise.end(), 0,
                           [&](int s, const Condensation::Chain& chain) { return s + chain.*member; });
  };
  EXPECT_EQ(sum(&Condensation::Chain::links), c.nodes);
}

INSTANTIATE_TEST_SUITE_P(Cases, Planner,
                         ::testing::Values("stem:1x1", "stem:10x2", "stem:20x7", "k2chain:2", "k2chain:5", "k2chain:10",
                                           "k2loops:3", "k2loops:8", "allwelded:4", "allwelded:16", "allwelded:32",
                                           "atlas-feet", "atlas-feet-points", "atlas-feet-hands", "shadow-tips",
                                           "atlas-hand", "atlas-hands", "atlas-hands-feet", "asimo-hf", "asimo-hfh",
                                           "asimo-ftf", "asimo-arms", "asimo-legs", "asimo-hands", "asimo-limbs",
                                           "asimo-onefoot", "humanoid:24", "humanoid:96", "go2-standing",
                                           "go2-fallen-friction", "g1-fallen", "cassie-standing", "chain:1",
                                           "shadow-ball"));

constexpr std::array kWorkloads{kOneProduct, kHundredProducts, kThirtyIterations};

/// The scenes of the matrix-free paper's Table I, but for the large ones.
class PlannerOnTable1 : public ::testing::TestWithParam<const char*> {};

TEST_P(PlannerOnTable1, TakesTheLeastTime) {
  const Scene scene = make_scene(GetParam());
  for (const Workload& w : kWorkloads) expect_counts_agree(scene, plan_for(scene, w), kDirectAlgorithms);
}

INSTANTIATE_TEST_SUITE_P(Scenes, PlannerOnTable1,
                         ::testing::Values("go2-standing", "go2-standing-friction", "go2-fallen", "go2-fallen-friction",
                                           "cassie-standing", "cassie-standing-friction", "g1-standing",
                                           "g1-standing-friction", "g1-fallen", "g1-fallen-friction", "g1-maximal"));

class PlannerOnLargeScenes : public ::testing::TestWithParam<const char*> {};

/// Hundreds of rows: the dense algorithm would take minutes, and Cholesky for a damping m³/3 with each of the others.
TEST_P(PlannerOnLargeScenes, TakesTheLeastTime) {
  const Scene scene = make_scene(GetParam());
  const std::span<const Algorithm> sparse = std::span(kDirectAlgorithms).subspan(1);
  ASSERT_EQ(kDirectAlgorithms.front(), Algorithm::kDense);
  expect_counts_agree(scene, plan_for(scene, kOneProduct), sparse);
  expect_counts_agree(scene, plan_for(scene, kHundredProducts), sparse);
  constexpr std::array kMatrixFree{Algorithm::kLcaba, Algorithm::kCondensed};
  expect_counts_agree(scene, plan_for(scene, kThirtyIterations), kMatrixFree);
}

INSTANTIATE_TEST_SUITE_P(Scenes, PlannerOnLargeScenes,
                         ::testing::Values("boxes", "pyramid", "pyramid-robots", "swimmer:100"));

TEST(PlannerWorkload, SolvesNeedADamping) {
  EXPECT_EQ(Workload{}.all_dampings(), 0);
  EXPECT_EQ(Workload{.solves = 3}.all_dampings(), 1);
  const Scene scene = make_scene("go2-standing");
  const Workload solves{.solves = 3}, damped{.dampings = 1, .solves = 3};
  EXPECT_EQ(plan_for(scene, solves).candidates.front().operations,
            plan_for(scene, damped).candidates.front().operations);
}

TEST(PlannerWorkload, TotalsAddUp) {
  const Scene scene = make_scene("cassie-standing");
  const Workload w{.products = 7, .dampings = 3, .solves = 5, .matrix = true};
  for (const Algorithm a : kDirectAlgorithms) {
    const OperatorCount c = count_operator(a, scene.model, scene.constraints, scene.q, w);
    EXPECT_EQ(c.total(w), c.factor + c.matrix + 7 * c.product + c.damping + 2 * c.redamping + 5 * c.solve);
    EXPECT_LE(c.redamping, c.damping) << name_of(a);
    EXPECT_GT(c.product, 0) << name_of(a);
    EXPECT_GT(c.solve, 0) << name_of(a);
  }
}

TEST(PlannerAmong, ChoosesOfThoseOnly) {
  const Scene scene = make_scene("go2-standing");
  const OperatorPlan plan = plan_operator(scene.model, scene.constraints, kOneProduct, kExplicitAlgorithms);
  EXPECT_EQ(plan.candidates.size(), kExplicitAlgorithms.size());
  EXPECT_NE(std::ranges::find(kExplicitAlgorithms, plan.choice), kExplicitAlgorithms.end());
  EXPECT_THROW(plan_operator(scene.model, scene.constraints, kOneProduct, {}), Error);
}

std::string with_commas(std::int64_t x) {
  std::string digits = std::to_string(x);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(at, ",");
  return digits;
}

TEST(PlannerExplains, WithTheCountsOfEveryCall) {
  const Scene scene = make_scene("g1-standing");
  const OperatorPlan plan = plan_for(scene, kThirtyIterations);
  const std::string text = plan.explain();
  EXPECT_THAT(text, HasSubstr("for 4 dampings and 30 solves"));
  EXPECT_THAT(text, HasSubstr("predicted to take"));
  for (const OperatorPlan::Candidate& c : plan.candidates) {
    EXPECT_THAT(text, HasSubstr(name_of(c.algorithm)));
    EXPECT_THAT(text, HasSubstr(with_commas(c.operations)));
    if (!c.exact) continue;
    for (const std::int64_t n : {c.calls.factor, c.calls.damping, c.calls.redamping, c.calls.solve}) {
      EXPECT_THAT(text, HasSubstr(with_commas(n)));
    }
  }
}

using Reason = Condensation::Reason;

bool has(const Condensation& c, Reason reason) {
  return std::ranges::find(c.jointwise, reason, &Condensation::Chain::reason) != c.jointwise.end();
}

/// Each foot of the quadruped is one point at the end of three joints.
TEST(PlannerExplains, WhatIsCarried) {
  const OperatorPlan plan = plan_for(make_scene("go2-standing"), kOneProduct);
  const Condensation& c = plan.condensation;
  EXPECT_EQ(c.live, 13);
  EXPECT_EQ(c.carried, 12);
  EXPECT_EQ(c.groups, 4);
  EXPECT_EQ(c.carried_rows, 12);
  ASSERT_EQ(c.jointwise.size(), 1U);
  EXPECT_EQ(c.jointwise[0].reason, Reason::kBranches);
  EXPECT_THAT(plan.explain(),
              HasSubstr("13 of 13 links feel constraints: 12 are carried in 4 groups with 12 of 12 rows, "
                        "1 node stays joint by joint"));
}

TEST(PlannerExplains, WhyChainsStayJointByJoint) {
  // Friction on every joint of the legs.
  EXPECT_TRUE(has(plan_for(make_scene("go2-standing-friction"), kOneProduct).condensation, Reason::kJointRows));
  // Four points under each foot are twelve rows on six joints.
  const OperatorPlan g1 = plan_for(make_scene("g1-standing"), kOneProduct);
  EXPECT_TRUE(has(g1.condensation, Reason::kManyRows));
  EXPECT_THAT(g1.explain(), HasSubstr("more than six rows at the tip"));
  // Welds of six rows, one link after the other.
  const Condensation welded = plan_for(make_scene("allwelded:4"), kOneProduct).condensation;
  EXPECT_TRUE(has(welded, Reason::kMeeting));
  EXPECT_TRUE(has(welded, Reason::kRedundantRows));
}

/// Four legs in lanes pay; along one chain, or where limbs touch each other, there are none. The two legs of the humanoid do not pay for
/// a hundred products.
TEST(PlannerTakes, LanesWhereTheyPay) {
  EXPECT_EQ(plan_for(make_scene("go2-standing"), kOneProduct).choice, Algorithm::kLimbs);
  EXPECT_EQ(plan_for(make_scene("go2-standing"), kThirtyIterations).choice, Algorithm::kLimbs);
  EXPECT_NE(plan_for(make_scene("g1-standing"), kHundredProducts).choice, Algorithm::kLimbs);
  const OperatorPlan fallen = plan_for(make_scene("g1-fallen"), kOneProduct);
  // The same sweeps with other nodes: which is faster is a matter of some percent.
  EXPECT_TRUE(fallen.choice == Algorithm::kCondensed || fallen.choice == Algorithm::kLcaba) << fallen.explain();
  for (const OperatorPlan::Candidate& c : fallen.candidates) EXPECT_NE(c.algorithm, Algorithm::kLimbs);
  const std::string text = plan_for(make_scene("go2-standing"), kOneProduct).explain();
  EXPECT_THAT(text, HasSubstr("limbs of the robot lie side by side in lanes"));
}

/// A matrix of 24 rows pays long before the hundredth product: one with it takes a fifth of a sweep, though it has as many operations.
TEST(PlannerTakes, AMatrixForManyProducts) {
  const auto computes_matrix = [](const OperatorPlan& plan) {
    return std::ranges::find(kExplicitAlgorithms, plan.choice) != kExplicitAlgorithms.end();
  };
  const Scene g1 = make_scene("g1-standing");
  const OperatorPlan many = plan_for(g1, kHundredProducts);
  EXPECT_TRUE(computes_matrix(many)) << many.explain();
  EXPECT_TRUE(computes_matrix(plan_for(g1, {.products = 1000})));
  EXPECT_FALSE(computes_matrix(plan_for(g1, kOneProduct)));
  // 360 rows are too many for that.
  EXPECT_FALSE(computes_matrix(plan_for(make_scene("boxes"), {.products = 1000})));
}

/// What has fewer operations and is not chosen is named.
TEST(PlannerExplains, WhyNotTheFewestOperations) {
  constexpr std::array kTwo{Algorithm::kKkt, Algorithm::kEfpa};
  const Scene g1 = make_scene("g1-standing");
  const OperatorPlan plan = plan_operator(g1.model, g1.constraints, kHundredProducts, kTwo);
  ASSERT_EQ(plan.choice, Algorithm::kEfpa);
  const std::int64_t fewer = plan.candidates.back().operations;
  ASSERT_LT(fewer, plan.candidates.front().operations);
  EXPECT_THAT(plan.explain(), HasSubstr("kkt needs fewer operations, " + with_commas(fewer)));
}

TEST(Algorithms, NamesRoundTrip) {
  for (const Algorithm a : kAllAlgorithms) EXPECT_EQ(find_algorithm(name_of(a)), a);
  for (const Algorithm a : kExplicitAlgorithms) EXPECT_EQ(find_algorithm(name_of(a)), a);
  EXPECT_EQ(find_algorithm("auto"), std::nullopt);
}

/// Which is made for constraints that are known and stay: by compile(), and by no name.
TEST(Algorithms, GeneratedCodeIsNotChosenByName) {
  EXPECT_EQ(name_of(Algorithm::kGenerated), "generated");
  EXPECT_EQ(find_algorithm("generated"), std::nullopt);
  const Scene s = make_scene("go2-standing");
  constexpr std::array kAmong{Algorithm::kLtl, Algorithm::kGenerated};
  EXPECT_THROW(plan_operator(s.model, s.constraints, kHundredProducts, kAmong), Error);
  SimulationOptions options;
  options.algorithm = Algorithm::kGenerated;
  EXPECT_THROW(Simulator(s.model, {}, options), Error);
}

TEST(Algorithms, OnlyExplicitOnesAreCountedInFrames) {
  const Scene s = make_scene("go2-standing");
  for (const Algorithm a : {Algorithm::kKkt, Algorithm::kLcaba, Algorithm::kCondensed}) {
    EXPECT_THROW(count_algorithm(a, CountedFrames::kWorldAxes, s.model, s.constraints, s.q), Error);
  }
}

}  // namespace
}  // namespace delassus
