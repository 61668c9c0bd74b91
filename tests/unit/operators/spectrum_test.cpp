#include "delassus/operators/matrix_operator.hpp"

#include <gtest/gtest.h>

#include "support/random_system.hpp"

namespace delassus {
namespace {

/// R diag(eigenvalues) Rᵀ.
std::vector<double> turned_diagonal(const Vec3<double>& eigenvalues, const Mat3<double>& R) {
  std::vector<double> A(9);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      for (int k = 0; k < 3; ++k) A[3 * r + c] += R(r, k) * eigenvalues[k] * R(c, k);
    }
  }
  return A;
}

TEST(Spectrum, RankCountsWhatIsAboveRounding) {
  samples::Random random(5);
  for (const Mat3<double>& R : {Mat3<double>::identity(), random.rotation()}) {
    const std::vector<double> A = turned_diagonal({{1e-9, 1, 1e-17}}, R);
    const Spectrum s = make_spectrum(MatrixView<const double>(A.data(), 3, 3));
    EXPECT_EQ(s.rank, 2);
    EXPECT_NEAR(s.largest, 1, 1e-14);
    EXPECT_NEAR(s.smallest, 0, 1e-15);
    // Rounding of the largest eigenvalue, 4e-16, against 1e-9.
    EXPECT_NEAR(s.condition, 1e9, 1e9 * 1e-6);
  }
}

TEST(Spectrum, OfNothingIsEmpty) {
  const Spectrum none = make_spectrum(MatrixView<const double>(nullptr, 0, 0));
  EXPECT_EQ(none.rank, 0);
  const std::vector<double> zero(4);
  const Spectrum s = make_spectrum(MatrixView<const double>(zero.data(), 2, 2));
  EXPECT_EQ(s.rank, 0);
  EXPECT_EQ(s.condition, 0);
}

}  // namespace
}  // namespace delassus
