#include "math/lu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "math/instantiate.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

/// Sizes around the widths of tiles, and one of many tiles.
const std::vector<int> kLuSizes{0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16, 17, 31, 69};

/// By columns. Diagonally dominant, so that no pivot is small; every third diagonal entry is negative.
template <class T>
std::vector<T> random_square(int n) {
  samples::Random random(n, 5);
  std::vector<T> A(static_cast<std::size_t>(n) * n);
  for (T& x : A) x = static_cast<T>(random.uniform(-1, 1));
  for (int r = 0; r < n; ++r) A[r * n + r] += static_cast<T>(r % 3 == 0 ? -n : n);
  return A;
}

template <class T>
std::vector<T> random_right_side(int n) {
  samples::Random random(n, 6);
  std::vector<T> x(n);
  for (T& e : x) e = static_cast<T>(random.uniform(-1, 1));
  return x;
}

template <class T>
constexpr double kLuEpsilon = static_cast<double>(std::numeric_limits<T>::epsilon());

/// |L U - A| <= n ε |L| |U| (Higham, theorem 9.3), and here |L| |U| <= 2 |A| by rows, whose sums are below 2 n. So residuals of solves are
/// below 12 n² ε |x| (theorem 9.4).
template <class T>
void expect_right_side(const std::vector<T>& A, int n, const std::vector<T>& b, const std::vector<T>& x) {
  double most = 0;
  for (const T& e : x) most = std::max(most, std::abs(static_cast<double>(e)));
  for (int r = 0; r < n; ++r) {
    double sum = 0;
    for (int c = 0; c < n; ++c) sum += static_cast<double>(A[c * n + r]) * static_cast<double>(x[c]);
    EXPECT_NEAR(sum, b[r], 12.0 * n * n * kLuEpsilon<T> * most) << n << " rows, row " << r;
  }
}

template <class T>
struct Lu : ::testing::Test {};
TYPED_TEST_SUITE(Lu, decltype(::testing::Types<double, float>()));

TYPED_TEST(Lu, SolvesVectorsAndPanels) {
  using T = TypeParam;
  for (const int n : kLuSizes) {
    const std::vector<T> A = random_square<T>(n), b = random_right_side<T>(n);
    std::vector<T> F = A, x = b;
    ASSERT_EQ(lu_in_place<T>({F.data(), n}, n, n), n);
    solve_unit_lower<T, T>({F.data(), n}, n, n, x.data());
    solve_upper<T, T>({F.data(), n}, n, n, x.data());
    expect_right_side(A, n, b, x);

    // The vector as one of four, beside others.
    samples::Random random(n, 7);
    std::vector<T> panel(static_cast<std::size_t>(4) * n);
    for (int r = 0; r < n; ++r) {
      for (int k = 0; k < 4; ++k) panel[4 * r + k] = k == 2 ? b[r] : static_cast<T>(random.uniform(-1, 1));
    }
    solve_unit_lower<Pack<T, 4>, T>({F.data(), n}, n, n, panel.data());
    solve_upper<Pack<T, 4>, T>({F.data(), n}, n, n, panel.data());
    for (int r = 0; r < n; ++r) x[r] = panel[4 * r + 2];
    expect_right_side(A, n, b, x);
  }
}

/// Some pivots, then those of what is left: the same factors as all at once, and so the same solution.
TYPED_TEST(Lu, InTwoParts) {
  using T = TypeParam;
  for (const int n : kLuSizes) {
    for (const int pivots : {0, n / 3, n / 2, n - n / 4}) {
      const std::vector<T> A = random_square<T>(n), b = random_right_side<T>(n);
      std::vector<T> F = A, x = b;
      const LowerView<T> all{F.data(), n};
      ASSERT_EQ(lu_in_place<T>(all, n, pivots), pivots);
      const LowerView<T> rest = all.block(pivots, pivots);
      const int left = n - pivots;
      ASSERT_EQ(lu_in_place<T>(rest, left, left), left);
      const LowerView<const T> factor{F.data(), n}, schur{rest.data, n};
      solve_unit_lower<T, T>(factor, n, pivots, x.data());
      solve_unit_lower<T, T>(schur, left, left, x.data() + pivots);
      solve_upper<T, T>(schur, left, left, x.data() + pivots);
      solve_upper<T, T>(factor, n, pivots, x.data());
      expect_right_side(A, n, b, x);
    }
  }
}

TYPED_TEST(Lu, NamesTheFirstPivotWithoutInverse) {
  using T = TypeParam;
  for (const int n : {1, 4, 5, 13, 18}) {
    for (int bad = 0; bad < n; ++bad) {
      for (const T pivot : {T(0), std::numeric_limits<T>::quiet_NaN()}) {
        std::vector<T> A(static_cast<std::size_t>(n) * n);
        for (int r = 0; r < n; ++r) A[r * n + r] = r == bad ? pivot : T(-1);
        EXPECT_EQ(lu_in_place<T>({A.data(), n}, n, n), bad);
      }
    }
  }
}

/// One entry at a time: no operation more than the formulas have, but one to see that a pivot has an inverse.
TEST(LuScalars, CountsAreThoseOfTheFormulas) {
  constexpr int n = 13;
  std::vector<Counted> A = random_square<Counted>(n), x(n, Counted(1));
  const int products = n * (n - 1) * (2 * n - 1) / 6;  // Σ k² of the updates
  const OperationCount factor = count_operations([&] { EXPECT_EQ(lu_in_place<Counted>({A.data(), n}, n, n), n); });
  EXPECT_EQ(factor, (OperationCount{products + n, products + n * (n - 1) / 2, n}));
  const OperationCount solve = count_operations([&] {
    solve_unit_lower<Counted, Counted>({A.data(), n}, n, n, x.data());
    solve_upper<Counted, Counted>({A.data(), n}, n, n, x.data());
  });
  EXPECT_EQ(solve, (OperationCount{n * (n - 1), n * (n - 1) + n}));
}

}  // namespace
}  // namespace delassus
