#include "math/cholesky.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "math/instantiate.hpp"
#include "support/compare.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

/// Sizes around the widths of tiles, and one of many tiles.
const std::vector<int> kSizes{0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16, 17, 31, 69};

/// B Bᵀ + I / 2, by columns. What stands above the diagonal nobody may read.
template <class T>
std::vector<T> random_matrix(int n, double above_diagonal) {
  samples::Random random(n, 3);
  std::vector<double> B(static_cast<std::size_t>(n) * n);
  for (double& x : B) x = random.uniform(-1, 1);
  std::vector<T> A(B.size(), T(above_diagonal));
  for (int c = 0; c < n; ++c) {
    for (int r = c; r < n; ++r) {
      double sum = r == c ? 0.5 : 0;
      for (int k = 0; k < n; ++k) sum += B[r * n + k] * B[c * n + k];
      A[c * n + r] = T(sum);
    }
  }
  return A;
}

template <class T>
struct Factored {
  explicit Factored(int n, double above_diagonal = 0)
      : size(n), A(random_matrix<T>(n, above_diagonal)), L(A), floor(n, T(0)) {
    EXPECT_TRUE(cholesky_in_place<T>(LowerView<T>{L.data(), n}, floor).ok());
  }
  LowerView<const T> lower() const { return {L.data(), size}; }
  /// Entry of L itself: its diagonal is stored inverted.
  T l(int r, int c) const { return r == c ? T(1) / L[c * size + c] : L[c * size + r]; }
  template <class X>
  void solve(T* x) const {
    solve_lower<X>(lower(), size, x);
    solve_lower_transposed<X>(lower(), size, x);
  }

  int size;
  std::vector<T> A, L, floor;
};

template <class T>
struct Cholesky : ::testing::Test {};
using PlainScalars = ::testing::Types<double, float>;
TYPED_TEST_SUITE(Cholesky, PlainScalars);

/// Higham, "Accuracy and Stability of Numerical Algorithms", theorem 10.3: |L Lᵀ - A| is below (n + 1) ε |L| |L|ᵀ, whose
/// entries are no larger than the diagonal of A; one ε more for inverting the diagonal here.
TYPED_TEST(Cholesky, FactorTimesItsTransposeIsTheMatrix) {
  using T = TypeParam;
  for (const int n : kSizes) {
    const Factored<T> f(n, std::numeric_limits<double>::quiet_NaN());
    double largest = 0;
    for (int r = 0; r < n; ++r) largest = std::max(largest, static_cast<double>(f.A[r * n + r]));
    const double tolerance = (n + 2) * static_cast<double>(std::numeric_limits<T>::epsilon()) * largest;
    for (int c = 0; c < n; ++c) {
      for (int r = c; r < n; ++r) {
        double sum = 0;
        for (int k = 0; k <= c; ++k) sum += static_cast<double>(f.l(r, k)) * static_cast<double>(f.l(c, k));
        EXPECT_NEAR(sum, f.A[c * n + r], tolerance) << n << " rows, entry " << r << ", " << c;
      }
    }
  }
}

/// Theorem 10.4 there: what is left of b is below 3 n ε |L| |L|ᵀ |x|, so n times the diagonal times x.
template <class T>
void expect_solved(const Factored<T>& f, const std::vector<T>& b, const std::vector<T>& x) {
  const int n = f.size;
  double diagonal = 0, largest = 0;
  for (int r = 0; r < n; ++r) diagonal = std::max(diagonal, static_cast<double>(f.A[r * n + r]));
  for (const T& e : x) largest = std::max(largest, std::abs(static_cast<double>(e)));
  const double tolerance = 3.0 * n * n * static_cast<double>(std::numeric_limits<T>::epsilon()) * diagonal * largest;
  for (int r = 0; r < n; ++r) {
    double sum = 0;
    for (int c = 0; c < n; ++c) {
      sum += static_cast<double>(f.A[std::min(r, c) * n + std::max(r, c)]) * static_cast<double>(x[c]);
    }
    EXPECT_NEAR(sum, b[r], tolerance) << n << " rows, row " << r;
  }
}

TYPED_TEST(Cholesky, SolvesVectorsAndPanels) {
  using T = TypeParam;
  for (const int n : kSizes) {
    const Factored<T> f(n);
    samples::Random random(n, 4);
    std::vector<T> b(n);
    for (T& e : b) e = static_cast<T>(random.uniform(-1, 1));
    std::vector<T> x = b;
    f.template solve<T>(x.data());
    expect_solved(f, b, x);

    // The vector as one of four, beside others.
    std::vector<T> panel(static_cast<std::size_t>(4) * n);
    for (int r = 0; r < n; ++r) {
      for (int k = 0; k < 4; ++k) panel[4 * r + k] = k == 2 ? b[r] : T(random.uniform(-1, 1));
    }
    f.template solve<Pack<T, 4>>(panel.data());
    for (int r = 0; r < n; ++r) x[r] = panel[4 * r + 2];
    expect_solved(f, b, x);
  }
}

/// Identity with one pivot at its floor.
TYPED_TEST(Cholesky, NamesTheFirstPivotThatIsNotAboveItsFloor) {
  using T = TypeParam;
  for (const int n : {1, 4, 5, 13, 18}) {
    for (int bad = 0; bad < n; ++bad) {
      for (const T pivot : {T(0.25), T(-1), std::numeric_limits<T>::quiet_NaN()}) {
        std::vector<T> A(static_cast<std::size_t>(n) * n), floor(n, T(0.25));
        for (int r = 0; r < n; ++r) A[r * n + r] = r == bad ? pivot : T(1);
        A[n * n - 1] = n - 1 == bad ? pivot : T(0.2);  // the last is bad as well, but not the first
        EXPECT_EQ(cholesky_in_place<T>(LowerView<T>{A.data(), n}, floor), (Status{Status::Code::kNotPositive, bad}));
      }
    }
  }
}

/// One entry at a time: no operation more than the formulas have.
TEST(CholeskyScalars, CountsAreThoseOfTheFormulas) {
  constexpr int n = 13;
  std::vector<Counted> A = random_matrix<Counted>(n, 0), floor(n, Counted(0)), x(n, Counted(1)), y(n);
  const std::vector<Counted> matrix = A;
  const OperationCount factor = count_operations([&] {
    EXPECT_TRUE(cholesky_in_place<Counted>(LowerView<Counted>{A.data(), n}, floor).ok());
  });
  EXPECT_EQ(factor, (OperationCount{n * (n * n - 1) / 6, n * (n * n - 1) / 6 + n * (n - 1) / 2, n, n}));
  const OperationCount solve = count_operations([&] {
    solve_lower<Counted>(LowerView<const Counted>{A.data(), n}, n, x.data());
    solve_lower_transposed<Counted>(LowerView<const Counted>{A.data(), n}, n, x.data());
  });
  EXPECT_EQ(solve, (OperationCount{n * (n - 1), n * (n - 1) + 2 * n}));
  const OperationCount product = count_operations([&] {
    multiply_columns<Counted>(LowerView<const Counted>{matrix.data(), n}, n, x.data(), y.data());
  });
  EXPECT_EQ(product, (OperationCount{n * n, n * n}));
}

/// Each lane of a scalar that is a pack is a matrix of its own; one that cannot be factored stops all.
TEST(CholeskyScalars, PackOfMatrices) {
  constexpr int n = 9;
  const Factored<PackDouble4> packs(n);
  const Factored<double> plain(n);
  std::vector<PackDouble4> x(n, PackDouble4(1.0));
  std::vector<double> y(n, 1.0);
  packs.solve<PackDouble4>(x.data());
  plain.solve<double>(y.data());
  // The condition number is below 100 (eigenvalues from 0.5 to 2 n), so rounding in another order below 100 n ε.
  for (int r = 0; r < n; ++r) EXPECT_NEAR(x[r][3], y[r], 100 * n * 2.3e-16);
  std::vector<PackDouble4> A = packs.A;
  A[4 * n + 4].set(2, -1);
  const std::vector<PackDouble4> floor(n, PackDouble4(0.0));
  EXPECT_EQ(cholesky_in_place<PackDouble4>(LowerView<PackDouble4>{A.data(), n}, floor),
            (Status{Status::Code::kNotPositive, 4}));
}

}  // namespace
}  // namespace delassus
