// The planner chooses what the counts say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "delassus/delassus.hpp"
#include "delassus/io/scene_recipes.hpp"

namespace delassus {
namespace {

std::int64_t operations(Algorithm algorithm, const Scene& s) {
  return count_algorithm(algorithm, CountedFrames::kWorldAxes, s.model, s.constraints, s.q).total.total();
}

class Planner : public ::testing::TestWithParam<const char*> {};

TEST_P(Planner, ChoosesTheFewestOperationsAndSaysSo) {
  const Scene scene = make_scene(GetParam());
  const ExplicitPlan plan = plan_explicit(scene.model, scene.constraints);
  ASSERT_EQ(plan.candidates.size(), kAlgorithms.size());
  std::int64_t best = operations(plan.choice, scene);
  for (const ExplicitPlan::Candidate& c : plan.candidates) {
    const std::int64_t counted = operations(c.algorithm, scene);
    EXPECT_LE(best, counted) << name_of(c.algorithm);
    // What was not counted needs at least what it was ruled out for.
    if (c.exact) {
      EXPECT_EQ(c.operations, counted) << name_of(c.algorithm);
    } else {
      EXPECT_LE(c.operations, counted) << name_of(c.algorithm);
      EXPECT_GE(c.operations, 4 * best) << name_of(c.algorithm);
    }
  }
  EXPECT_THAT(plan.explain(), ::testing::StartsWith(std::string(name_of(plan.choice)) + ": "));
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

}  // namespace
}  // namespace delassus
