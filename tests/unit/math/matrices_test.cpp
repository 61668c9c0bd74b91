#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "delassus/math/rotation.hpp"
#include "delassus/math/view.hpp"
#include "math/articulated_inertia.hpp"
#include "math/ldlt.hpp"
#include "math/symmetric_eigen.hpp"
#include "support/compare.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

using testing::relative_difference;
constexpr double kRounding = 1e-14;  // a few dozen operations on numbers of size one

template <int R, int C>
Eigen::Matrix<double, R, C> to_eigen(const Mat<double, R, C>& m) {
  Eigen::Matrix<double, R, C> out;
  for (int r = 0; r < R; ++r) {
    for (int c = 0; c < C; ++c) out(r, c) = m(r, c);
  }
  return out;
}
template <int R, int C>
Mat<double, R, C> random_matrix(samples::Random& random) {
  Mat<double, R, C> m;
  for (double& x : m.a) x = random.uniform(-1, 1);
  return m;
}

TEST(Mat, ProductsEqualEigen) {
  samples::Random random(1);
  const auto A = random_matrix<4, 6>(random);
  const auto B = random_matrix<6, 3>(random);
  const auto C = random_matrix<4, 3>(random);
  EXPECT_LT((to_eigen(A * B) - to_eigen(A) * to_eigen(B)).norm(), kRounding);
  EXPECT_LT((to_eigen(transposed_times(A, C)) - to_eigen(A).transpose() * to_eigen(C)).norm(), kRounding);
  EXPECT_EQ(transposed(transposed(A)), A);
  EXPECT_EQ((A + A) - A, A);
}

template <int N>
Sym<double, N> random_positive(samples::Random& random) {
  const auto A = random_matrix<N, N>(random);
  const auto P = A * transposed(A);
  Sym<double, N> S;
  for (int r = 0; r < N; ++r) {
    for (int c = 0; c <= r; ++c) S(r, c) = P(r, c) + (r == c ? 0.1 : 0);
  }
  return S;
}

template <int N>
void ldlt_solves() {
  samples::Random random(N);
  const Sym<double, N> S = random_positive<N>(random);
  double margin = 0;
  const Ldlt<double, N> F = factor_ldlt(S, Vec<double, N>::filled(1e-14), margin);
  EXPECT_GT(margin, 0);
  auto x = random_matrix<N, 2>(random);
  const auto b = x;
  F.solve(x);
  EXPECT_LT((to_eigen(full(S) * x) - to_eigen(b)).norm(), 1e-12);  // condition number below 1e2
}
/// The same L, D⁻¹ and margin, but for rounding.
template <int N>
void pairs_agree() {
  samples::Random random(N);
  for (int k = 0; k < 20; ++k) {
    const Sym<double, N> S = random_positive<N>(random);
    const Vec<double, N> floor = Vec<double, N>::filled(0.01);
    double margin = 0, want = 0;
    const Ldlt<double, N> got = factor_ldlt_by_pairs(S, floor, margin), one = factor_ldlt(S, floor, want);
    EXPECT_NEAR(margin, want, kRounding);
    for (int i = 0; i < Sym<double, N>::kSize; ++i) {
      EXPECT_NEAR(got.factor.a[i], one.factor.a[i],
                  1e-11 * (1 + std::abs(one.factor.a[i])));  // condition number below 1e3
    }
  }
}
TEST(Ldlt, PairsOfPivotsAgreeWithSingleOnes) {
  pairs_agree<1>();
  pairs_agree<2>();
  pairs_agree<3>();
  pairs_agree<4>();
  pairs_agree<5>();
  pairs_agree<6>();
}

TEST(Ldlt, SolvesEveryJointWidth) {
  ldlt_solves<1>();
  ldlt_solves<2>();
  ldlt_solves<3>();
  ldlt_solves<6>();
}
TEST(Ldlt, MarginTellsSingularMatrices) {
  Sym<double, 2> S{{1, 1, 1}};
  double margin = 0;
  const Vec<double, 2> floor = Vec<double, 2>::filled(1e-14);
  factor_ldlt(S, floor, margin);
  EXPECT_LE(margin, 0);
  factor_ldlt_by_pairs(S, floor, margin);
  EXPECT_LE(margin, 0);
  S(1, 1) = 1 + 1e-9;
  factor_ldlt(S, floor, margin);
  EXPECT_GT(margin, 0);
  factor_ldlt_by_pairs(S, floor, margin);
  EXPECT_GT(margin, 0);
}

RigidInertia<double> random_body(samples::Random& random) {
  RigidInertia<double> I{2.5, Vec3<double>::zero(), random_positive<3>(random)};
  return shifted(I, random.vector(1));
}

/// A B or A Bᵀ, n × n.
template <class T>
std::vector<long double> square_product(int n, const std::vector<T>& A, const std::vector<T>& B, bool transposed_b) {
  std::vector<long double> out(A.size(), 0.0L);
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) {
      for (int k = 0; k < n; ++k) {
        out[r * n + c] += static_cast<long double>(A[r * n + k]) * (transposed_b ? B[c * n + k] : B[k * n + c]);
      }
    }
  }
  return out;
}

/// V Vᵀ = 1 and V A = W V. Rotations are orthogonal to rounding, and each row meets some tens of them in each of its n pairs: errors of
/// all eigenvalues, zero ones too, are a small multiple of n ε of the largest.
template <class T>
void expect_eigen(int n, const std::vector<T>& A) {
  std::vector<T> W = A, V(A.size()), identity(A.size());
  symmetric_eigen(n, W.data(), V.data());
  const double bound = 8.0 * n * static_cast<double>(std::numeric_limits<T>::epsilon());
  for (int k = 0; k < n; ++k) identity[k * n + k] = T(1);
  EXPECT_LE(relative_difference(square_product(n, V, V, true), identity), bound) << n;
  std::vector<T> WV = V;
  for (int k = 0; k < n * n; ++k) WV[k] *= W[k / n * n + k / n];
  double size = 1e-300;
  for (const T x : A) size = std::max(size, std::abs(static_cast<double>(x)));
  EXPECT_LE(relative_difference(square_product(n, V, A, false), WV, size), bound) << n;
}

/// B Bᵀ with rank at most `rank`, in rows of units that differ by powers of `unit`.
template <class T>
std::vector<T> random_gram(int n, int rank, double unit) {
  samples::Random random(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(rank));
  std::vector<T> B(static_cast<std::size_t>(n * n)), out(B.size());
  for (int k = 0; k < n * n; ++k) B[k] = static_cast<T>(k % n < rank ? random.uniform(-1, 1) : 0);
  for (int k = 0; k < n * n; ++k) B[k] *= static_cast<T>(std::pow(unit, k / n % 7));
  const std::vector<long double> gram = square_product(n, B, B, true);
  std::copy(gram.begin(), gram.end(), out.begin());
  return out;
}

template <class T>
void expect_eigen_of_all_kinds() {
  for (int n = 1; n <= 18; ++n) {
    for (const int rank : {0, 1, n / 2, n}) expect_eigen<T>(n, random_gram<T>(n, rank, 1));
    expect_eigen<T>(n, random_gram<T>(n, n, 0.1));
    std::vector<T> indefinite = random_gram<T>(n, n, 1);
    const std::vector<T> less = random_gram<T>(n, n + 1, 1);
    for (std::size_t k = 0; k < less.size(); ++k) indefinite[k] -= less[k];
    expect_eigen<T>(n, indefinite);
  }
}
TEST(SymmetricEigen, DecomposesInDouble) { expect_eigen_of_all_kinds<double>(); }
TEST(SymmetricEigen, DecomposesInFloat) { expect_eigen_of_all_kinds<float>(); }

/// Moving the reference point of an inertia is moving the motion there and the force back.
TEST(Inertia, ShiftIsACongruence) {
  samples::Random random(5);
  const RigidInertia<double> I = random_body(random);
  ArticulatedInertia<double> H = articulated(I);
  const Force<double> U{random.vector(1), random.vector(1)};
  downdate(H, U, U);
  const Vec3<double> r = random.vector(1);
  const Motion<double> m{random.vector(1), random.vector(1)};  // about the new point
  const Force<double> rigid = shifted(I, r) * m, rigid_want = shifted(I * shifted(m, r), r);
  const Force<double> bent = shifted(H, r) * m, bent_want = shifted(H * shifted(m, r), r);
  EXPECT_LT(norm(rigid.moment - rigid_want.moment) + norm(rigid.force - rigid_want.force), kRounding * 10);
  EXPECT_LT(norm(bent.moment - bent_want.moment) + norm(bent.force - bent_want.force), kRounding * 10);
}

TEST(Inertia, ArticulatedEqualsRigidUntilDowndated) {
  samples::Random random(6);
  const RigidInertia<double> I = random_body(random);
  const Motion<double> m{random.vector(1), random.vector(1)};
  const Force<double> a = I * m, b = articulated(I) * m;
  EXPECT_LT(norm(a.moment - b.moment) + norm(a.force - b.force), kRounding);
  // Energy is that of a body with its centre of mass at c: ½ m |v + ω × c|² + ½ ω·I_c ω, and mass times that point.
  const Vec3<double> c = (1 / I.mass) * I.moment;
  const Vec3<double> v = m.linear + cross(m.angular, c);
  EXPECT_LT(norm(a.force - I.mass * v), kRounding * 10);
}

TEST(Rotation, QuaternionsAndMatricesAgree) {
  samples::Random random(7);
  for (int k = 0; k < 200; ++k) {
    const Quaternion<double> a = random.quaternion(), b = random.quaternion();
    const Mat3<double> product = rotation_of(quaternion_product(a, b)), R = rotation_of(a) * rotation_of(b);
    EXPECT_LT(relative_difference(std::span(product.a), std::span(R.a)), kRounding);
    const Mat3<double> again = rotation_of(quaternion_of(R));
    EXPECT_LT(relative_difference(std::span(again.a), std::span(R.a)), kRounding);
    const Vec3<double> turn = rotation_log(R);
    const Mat3<double> from_log = rotation_of(quaternion_exp(turn));
    EXPECT_LT(relative_difference(std::span(from_log.a), std::span(R.a)), kRounding);
    const Mat3<double> scaled_up = rotation_of(3.0 * a), unit = rotation_of(a);
    EXPECT_LT(relative_difference(std::span(scaled_up.a), std::span(unit.a)), kRounding);
  }
  // Half turns and tiny turns keep their digits.
  EXPECT_NEAR(norm(rotation_log(Mat3<double>{{1, 0, 0, 0, -1, 0, 0, 0, -1}})), M_PI, kRounding);
  const Vec3<double> tiny{{1e-9, -2e-9, 3e-9}};
  const Vec3<double> tiny_back = quaternion_log(quaternion_exp(tiny));
  EXPECT_LT(relative_difference(std::span(tiny_back.a), std::span(tiny.a)), kRounding);
}

TEST(Rotation, RpyIsFixedAxes) {
  // Roll 90° takes y to z; then yaw 90° takes x to y and leaves z.
  const Mat3<double> R = rotation_from_rpy({{M_PI / 2, 0, M_PI / 2}});
  EXPECT_NEAR(R(2, 1), 1, kRounding);
  EXPECT_NEAR(R(1, 0), 1, kRounding);
}

TEST(Rotation, AlignsZWithAnyAxis) {
  samples::Random random(8);
  for (int k = 0; k < 50; ++k) {
    // Straight down, ever closer to it, and anywhere.
    const double tilt = std::pow(10, -k);
    const Vec3<double> axis = k == 0    ? Vec3<double>{{0, 0, -1}}
                              : k <= 16 ? Vec3<double>{{std::sin(tilt), 0, -std::cos(tilt)}}
                                        : random.direction();
    const Mat3<double> R = rotation_from_z_to(axis);
    const Mat3<double> one = R * transposed(R), identity = Mat3<double>::identity();
    EXPECT_LT(norm(column(R, 2) - axis), kRounding);
    EXPECT_LT(relative_difference(std::span(one.a), std::span(identity.a)), kRounding);
  }
}

TEST(View, TakesEigenOfEitherOrderWithoutACopy) {
  Eigen::MatrixXd columns = Eigen::MatrixXd::Random(3, 4);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = columns;
  const MatrixView<double> a = columns, b = rows;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) EXPECT_EQ(a(r, c), b(r, c));
  }
  a(1, 2) = 7;
  EXPECT_EQ(columns(1, 2), 7);
  Eigen::VectorXd x = Eigen::VectorXd::Ones(5);
  const VectorView<const double> view = x;
  EXPECT_EQ(view.size(), 5);
  // A row of a column-major matrix is not contiguous, so it is no vector.
  static_assert(!std::is_constructible_v<VectorView<double>, decltype(columns.row(0))>);
}

}  // namespace
}  // namespace delassus
