// Values of parameters: random numbers by counting, grids, lists and ranges.
#include "sweep/law.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "delassus/math/error.hpp"
#include "sweep/philox.hpp"

namespace delassus {
namespace {

/// Known answers of Random123 for philox4x32-10.
TEST(Philox, KnownAnswers) {
  using Four = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Four{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t all = 0xffffffff;
  EXPECT_EQ(philox({all, all, all, all}, {all, all}), (Four{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Four{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, BitsBelongToSeedCaseAndName) {
  const std::uint64_t here = random_bits(1, 2, "friction");
  EXPECT_EQ(random_bits(1, 2, "friction"), here);
  EXPECT_NE(random_bits(2, 2, "friction"), here);
  EXPECT_NE(random_bits(1, 3, "friction"), here);
  EXPECT_NE(random_bits(1, 2, "height"), here);
  EXPECT_NE(random_bits(1, 2 + (std::uint64_t{1} << 32U), "friction"), here);  // no bit of the index is lost
}

/// The distribution function of the result is the probability that went in; erfc is right to some units in the last place, which the slope carries over.
TEST(InverseNormal, IsTheInverseOfTheDistribution) {
  for (const double p : {0x1p-53, 1e-12, 1e-6, 0.01, 0.2, 0.4999999, 0.5, 0.7, 0.999, 1 - 0x1p-53}) {
    const double x = inverse_normal(p);
    const double tail = std::min(p, 1 - p);
    EXPECT_NEAR(std::erfc(std::abs(x) / std::numbers::sqrt2) / 2 / tail, 1, 1e-13) << p;
    EXPECT_EQ(x > 0, p > 0.5) << p;
  }
  EXPECT_DOUBLE_EQ(inverse_normal(0.9750021048517795), 1.96);  // of a table
}

Law law_of(const std::string& text) {
  const nlohmann::json value = nlohmann::json::parse(text);
  const std::string file = "law.json";
  return read_law(io::JsonCursor(value, "", file));
}

double value(const Law& law, std::int64_t index, std::int64_t size = 10'000) {
  return value_of(law, "x", {7, index, size, index % static_cast<std::int64_t>(law.numbers.size())});
}

struct Moments {
  double mean = 0, variance = 0, least = 1e300, most = -1e300;
};
Moments moments_of(const Law& law) {
  constexpr int kDraws = 10'000;
  Moments out;
  for (int i = 0; i < kDraws; ++i) {
    const double x = value(law, i);
    out.mean += x / kDraws;
    out.variance += x * x / kDraws;
    out.least = std::min(out.least, x);
    out.most = std::max(out.most, x);
  }
  out.variance -= out.mean * out.mean;
  return out;
}

/// Bounds are four standard errors of 10 000 draws: fixed seeds, so that they hold always or never.
TEST(Law, DrawsHaveTheirMoments) {
  const Moments uniform = moments_of(law_of(R"({"uniform": [2, 5]})"));
  EXPECT_NEAR(uniform.mean, 3.5, 4 * std::sqrt(0.75 / 1e4));
  EXPECT_NEAR(uniform.variance, 0.75, 0.03);
  EXPECT_GE(uniform.least, 2);
  EXPECT_LT(uniform.most, 5);
  const Moments normal = moments_of(law_of(R"({"normal": {"mean": -1, "deviation": 2}})"));
  EXPECT_NEAR(normal.mean, -1, 4 * 2 / 100.0);
  EXPECT_NEAR(normal.variance, 4, 4 * 4 * std::sqrt(2 / 1e4));
  const Moments ratio = moments_of(law_of(R"({"log_uniform": [0.01, 100]})"));
  EXPECT_GE(ratio.least, 0.01);
  EXPECT_LE(ratio.most, 100);
  EXPECT_NEAR(ratio.mean, (100 - 0.01) / std::log(1e4), 4 * 20 / 100.0);
  const Moments choice = moments_of(law_of(R"({"choice": {"of": [1, 2, 3], "weights": [1, 0, 3]}})"));
  EXPECT_NEAR(choice.mean, 2.5, 4 * std::sqrt(0.75 / 1e4));
  EXPECT_NEAR(choice.variance, 0.75, 0.03);
}

TEST(Law, WhatHasNoWeightIsNeverChosen) {
  const Law law = law_of(R"({"choice": {"of": [1, 2, 3, 4], "weights": [0, 1, 0, 0]}})");
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(value(law, i), 2);
}

TEST(Law, StepsAreExactAtTheirEnds) {
  const Law grid = law_of(R"({"grid": {"from": 0.1, "to": 0.7, "count": 7}})");
  ASSERT_EQ(grid.numbers.size(), 7u);
  EXPECT_EQ(grid.numbers.front(), 0.1);
  EXPECT_EQ(grid.numbers.back(), 0.7);
  EXPECT_NEAR(grid.numbers[3], 0.4, 1e-15);
  const Law ratio = law_of(R"({"grid": {"from": 1, "to": 1000, "count": 4, "logarithmic": true}})");
  EXPECT_NEAR(ratio.numbers[2], 100, 1e-12);
  EXPECT_EQ(ratio.numbers.back(), 1000);
  const Law range = law_of(R"({"range": {"from": -1, "to": 3}})");
  EXPECT_EQ(value(range, 0, 5), -1);
  EXPECT_EQ(value(range, 2, 5), 1);
  EXPECT_EQ(value(range, 4, 5), 3);
  EXPECT_EQ(value(range, 0, 1), -1);
  EXPECT_EQ(value(law_of(R"({"list": [4, 5, 6]})"), 1, 3), 5);
  EXPECT_EQ(value(law_of("2.5"), 123), 2.5);
}

std::string complaint_of_law(const std::string& text) {
  try {
    law_of(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

/// Rounding of the logarithms leads beyond both ends of the first one, and a third of the way of the last one is its end.
TEST(Law, ValuesStayBetweenTheEnds) {
  for (const std::string text : {R"({"log_uniform": [0.1, 0.1000000000000001]})", R"({"uniform": [-5e-324, 5e-324]})",
                                 R"({"range": {"from": 7, "to": 6.999999999999999}})"}) {
    const Law law = law_of(text);
    const auto [least, most] = std::ranges::minmax(law.numbers);
    for (int i = 0; i < 200; ++i) {
      EXPECT_GE(value(law, i, 200), least) << text << i;
      EXPECT_LE(value(law, i, 200), most) << text << i;
    }
  }
}

TEST(Law, MistakesAreNamed) {
  EXPECT_EQ(complaint_of_law(R"({"uniform": [5, 2]})"),
            "law.json: /uniform: is empty: the first number has to be below the second");
  EXPECT_EQ(complaint_of_law(R"({"grid": []})"), "law.json: /grid: is empty; give at least one number");
  EXPECT_EQ(complaint_of_law(R"({"log_uniform": [0, 2]})"),
            "law.json: /log_uniform: needs numbers above zero, which have logarithms");
  EXPECT_EQ(complaint_of_law(R"({"normal": {"mean": 0, "deviation": 0}})"),
            "law.json: /normal/deviation: has to be above zero");
  EXPECT_EQ(complaint_of_law(R"({"choice": {"of": [1, 2], "weights": [0, 0]}})"),
            "law.json: /choice: has weights without a sum above zero");
  for (const char* law : {R"({"uniform": [-1e308, 1e308]})", R"({"range": {"from": 1e308, "to": -1e308}})",
                          R"({"grid": {"from": -1e308, "to": 1e308, "count": 3}})"})
    EXPECT_NE(complaint_of_law(law).find("is wider than the largest number"), std::string::npos) << law;
  EXPECT_NE(complaint_of_law(R"({"unifrom": [1, 2]})").find("did you mean 'uniform'?"), std::string::npos);
  EXPECT_NE(complaint_of_law(R"({"uniform": [1, 2], "list": [1]})").find("needs one law"), std::string::npos);
}

}  // namespace
}  // namespace delassus
