// An operator of a matrix that is given.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

#include "delassus/operators/matrix_operator.hpp"

namespace delassus {
namespace {

const std::vector<RowSpan> kTwoSpans{{0, 0, 1, 0, 0, 0, 0}, {0, 1, 2, 0, 0, 0, 0}};
constexpr std::array<double, 9> kGiven{4, 99, 99, 1, 3, 99, 0, 1, 2};  // the lower triangle is read

static_assert(DelassusOperator<GivenDelassus<double>, double>);

TEST(GivenDelassus, HasTheVerbsOfItsMatrix) {
  GivenDelassus<double> op(MatrixView<const double>(kGiven.data(), 3, 3), kTwoSpans);
  ASSERT_EQ(op.rows(), 3);
  std::vector<double> y(3);
  EXPECT_TRUE(op.apply(std::vector<double>{1, 2, 3}, y).ok());
  EXPECT_EQ(y, (std::vector<double>{6, 10, 8}));
  op.diagonal(y);
  EXPECT_EQ(y, (std::vector<double>{4, 3, 2}));
  // Blocks of one and of two rows: with them the matrix is (5 1 0; 1 5 2; 0 2 5), by hand.
  ASSERT_TRUE(op.update_damping(Damping<double>::blocks(std::vector<double>{1, 2, 1, 1, 3})).ok());
  ASSERT_TRUE(op.solve(std::vector<double>{7, 17, 19}, y).ok());
  for (int r = 0; r < 3; ++r) EXPECT_NEAR(y[static_cast<std::size_t>(r)], r + 1, 1e-14);  // a condition of 4
  EXPECT_TRUE(op.joint_response(std::vector<double>{1, 2, 3}, std::vector<double>{}).ok());
  EXPECT_FALSE(op.joint_response(std::vector<double>{1, 2, 3}, y).ok());
}

TEST(GivenDelassus, SaysWhatMakesNoSense) {
  const auto make = [](const std::array<double, 9>& matrix, int columns, const std::vector<RowSpan>& spans) {
    try {
      GivenDelassus<double>(MatrixView<const double>(matrix.data(), 3, columns), spans);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  std::array<double, 9> infinite = kGiven;
  infinite[4] = std::numeric_limits<double>::infinity();
  EXPECT_NE(make(kGiven, 2, kTwoSpans).find("'matrix'"), std::string::npos);
  EXPECT_NE(make(kGiven, 3, {}).find("'spans'"), std::string::npos);
  EXPECT_EQ(make(infinite, 3, kTwoSpans), "argument 'matrix': row 1 is not finite");
  EXPECT_EQ(make(kGiven, 3, kTwoSpans), "");
}

}  // namespace
}  // namespace delassus
