// When refinement ends, with solves and products that leave given residuals.
#include "operators/refinement.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace delassus {
namespace {

/// Residuals of the first solve and of each step after it; how many steps were taken.
struct Refined {
  int steps = 0;
  double residual = 0, z = 0;
};
Refined refine_with(const std::vector<double>& residuals, const RefinementEnd<double>& end) {
  Refined out;
  const double remainder = 0;
  double step = 0;
  std::size_t next = 0;
  out.residual = refine<double>(
      static_cast<int>(residuals.size()) - 1, end, 1, &out.z, &remainder, &step,
      [&](const double*, double* x) {
        *x = 1;  // so that z counts the steps that it has taken over
        ++out.steps;
      },
      [&](const double*) { return residuals[next++]; });
  return out;
}

TEST(Refinement, EndsAtRounding) {
  const Refined got = refine_with({1e-6, 1e-12, 1e-17, 1e-17}, {.rounding = 1e-14, .enough = 1e-9});
  EXPECT_EQ(got.steps, 2);
  EXPECT_EQ(got.residual, 1e-17);
}

/// A solve leaves 1e-6 of its right-hand side, so a step should leave 1e-12; 2e-10 is what the product rounds to.
TEST(Refinement, EndsWhereTheProductIsNotExact) {
  EXPECT_EQ(refine_with({1e-6, 2e-10, 1e-10, 9e-11}, {.rounding = 1e-14, .enough = 1e-9}).steps, 1);
  EXPECT_EQ(refine_with({1e-6, 2e-10, 1e-10, 9e-11}, {.rounding = 1e-14}).steps,
            3);  // all that can be had is asked for
  EXPECT_EQ(refine_with({1e-6, 2e-8, 1e-10, 9e-11}, {.rounding = 1e-14, .enough = 1e-9}).steps,
            2);  // that is not enough
  EXPECT_EQ(refine_with({1e-3, 2e-8, 6e-9, 9e-17}, {.rounding = 1e-14, .enough = 1e-7, .scale = 1e3}).steps, 1);
}

TEST(Refinement, KeepsWhatAStepWouldMakeWorse) {
  const Refined got = refine_with({1e-6, 1e-5, 1e-7, 1e-4}, {.rounding = 1e-14});
  EXPECT_EQ(got.residual, 1e-7);
  EXPECT_EQ(got.z, 1);
}

}  // namespace
}  // namespace delassus
