#include <gtest/gtest.h>

#include <cmath>

#include "math/instantiate.hpp"

namespace delassus {
namespace {

static_assert(Scalar<float> && Scalar<double> && Scalar<long double> && Scalar<Counted> && Scalar<DualDouble> &&
              Scalar<PackDouble4> && Scalar<PackDouble8> && Scalar<PackFloat8> && Scalar<PackFloat16>);

/// The reduction is exact for |x| <= 1e6; polynomial and final rounding leave 1.3 ulp of 1 (docs in sincos.hpp).
TEST(SinCos, DoubleIsWithinItsBound) {
  double worst = 0;
  for (double x = -1e6; x <= 1e6; x += 997.1234567) {
    double s, c;
    sincos(x, s, c);
    worst = std::max(worst, static_cast<double>(std::abs(s - std::sin(static_cast<long double>(x)))));
    worst = std::max(worst, static_cast<double>(std::abs(c - std::cos(static_cast<long double>(x)))));
  }
  for (double x = -7; x <= 7; x += 1.23e-4) {
    double s, c;
    sincos(x, s, c);
    worst = std::max(worst, static_cast<double>(std::abs(s - std::sin(static_cast<long double>(x)))));
    worst = std::max(worst, static_cast<double>(std::abs(c - std::cos(static_cast<long double>(x)))));
  }
  EXPECT_LT(worst, 3e-16);
}

TEST(SinCos, FloatIsWithinItsBound) {
  double worst = 0;
  for (float x = -1e3f; x <= 1e3f; x += 0.0123f) {
    float s, c;
    sincos(x, s, c);
    worst = std::max(worst, std::abs(double{s} - std::sin(double{x})));
    worst = std::max(worst, std::abs(double{c} - std::cos(double{x})));
  }
  EXPECT_LT(worst, 1.5e-7);
}

TEST(SinCos, LargeAnglesAndNonNumbersGoToTheLibrary) {
  double s, c;
  sincos(1e15, s, c);
  EXPECT_EQ(s, std::sin(1e15));
  sincos(std::nan(""), s, c);
  EXPECT_TRUE(std::isnan(s) && std::isnan(c));
  PackDouble4 x(0.5), ps, pc;
  x.set(2, 1e15);
  sincos(x, ps, pc);
  EXPECT_EQ(ps[2], std::sin(1e15));
  sincos(0.5, s, c);
  EXPECT_EQ(ps[0], s);
  EXPECT_EQ(pc[3], c);
}

TEST(Counted, CountsEachKind) {
  const OperationCount n = count_operations([] {
    Counted a(2), b(3), s, c;
    a = a + b;
    a -= b;
    a = a * b * b;
    a = -a / b;
    a = sqrt(a * a);
    sincos(a, s, c);
    a = select(a < b, a, b);
  });
  EXPECT_EQ(n, (OperationCount{2, 3, 1, 1, 2}));
  EXPECT_EQ(n.total(), 7);
}

TEST(Counted, NestedCountsDoNotMix) {
  const OperationCount outer = count_operations([] {
    Counted a(1);
    a = a + a;
    EXPECT_EQ(count_operations([&] { a = a * a; }), (OperationCount{0, 1, 0, 0, 0}));
  });
  EXPECT_EQ(outer, (OperationCount{1, 0, 0, 0, 0}));
}

TEST(Dual, KnowsTheRules) {
  const DualDouble x(0.7, 1.0);
  EXPECT_DOUBLE_EQ((x * x * x).derivative, 3 * 0.7 * 0.7);
  EXPECT_DOUBLE_EQ((DualDouble(1) / x).derivative, -1 / (0.7 * 0.7));
  EXPECT_DOUBLE_EQ(sqrt(x).derivative, 0.5 / std::sqrt(0.7));
  DualDouble s, c;
  sincos(x, s, c);
  EXPECT_DOUBLE_EQ(s.derivative, std::cos(0.7));
  EXPECT_DOUBLE_EQ(c.derivative, -std::sin(0.7));
}

TEST(Pack, SelectsLaneByLane) {
  PackDouble4 a(1.0), b(2.0);
  a.set(1, 5.0);
  const PackDouble4 smaller = min(a, b);
  EXPECT_EQ(smaller[0], 1);
  EXPECT_EQ(smaller[1], 2);
  EXPECT_TRUE(all_lanes(smaller < PackDouble4(2.5)));
  EXPECT_FALSE(all_lanes(a < b));
}

}  // namespace
}  // namespace delassus
