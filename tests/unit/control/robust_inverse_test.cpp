#include "control/robust_inverse.hpp"

#include <cmath>
#include <functional>

#include "control/task_elimination.hpp"
#include "support/slope.hpp"
#include "support/task_oracle.hpp"

namespace delassus {
namespace {

using testing::column_of;
using testing::difference_of;
using testing::Exact;
using testing::identity;
using testing::relative_difference;
using testing::rows_of;
using Vector = std::vector<double>;

constexpr double kThreshold = 1e-3;

/// s V W Vᵀ s with all three known: V is a reflection, whose rows and columns have no zeros.
struct SpectrumOf {
  SpectrumOf(const std::vector<long double>& eigenvalues, const Vector& scales)
      : w(eigenvalues), s(scales), V(identity(static_cast<int>(w.size()))) {
    const int n = V.rows();
    const Exact u = column_of(testing::random_vector(n, n, 5));
    const long double square = (oracle::transposed(u) * u)(0, 0);
    V = V - (2 / square) * (u * oracle::transposed(u));
  }

  /// s⁻¹ V f(W) Vᵀ s⁻¹, or with s outside.
  Exact compose(const std::function<long double(long double)>& f, int power) const {
    Exact out = V;
    for (int r = 0; r < V.rows(); ++r) {
      for (int c = 0; c < V.cols(); ++c) out(r, c) *= f(w[c]);
    }
    out = out * oracle::transposed(V);
    for (int r = 0; r < V.rows(); ++r) {
      for (int c = 0; c < V.cols(); ++c) out(r, c) *= std::pow(static_cast<long double>(s[r]) * s[c], power);
    }
    return out;
  }
  Vector matrix() const {
    const Exact D = compose([](long double x) { return x; }, 1);
    return {D.entries().begin(), D.entries().end()};
  }

  std::vector<long double> w;
  Vector s;
  Exact V;
};

RobustInverse<double> inverse_of(const Vector& D, const Vector& s, SingularHandling handling) {
  const int n = static_cast<int>(s.size());
  RobustInverse<double> out(n, {handling, kThreshold});
  out.factor(MatrixView<const double>(D.data(), n, n), s.data());
  return out;
}

Exact exact(const MatrixView<const double>& A) {
  Exact out(A.rows(), A.cols());
  for (int r = 0; r < A.rows(); ++r) {
    for (int c = 0; c < A.cols(); ++c) out(r, c) = A(r, c);
  }
  return out;
}

const Vector kScales{1, 30, 0.02, 4, 0.5};
const std::vector<long double> kRegular{1, 0.9L, 0.4L, 0.05L, 0.002L};
const std::vector<long double> kWeak{1, 0.6L, 0.05L, 3e-4L, 0};
constexpr SingularHandling kHandlings[] = {SingularHandling::kClamp, SingularHandling::kDamp,
                                           SingularHandling::kTruncate};

/// Rounding of D over the smallest yield, 2e-16 / 2e-3, and some for the sums.
TEST(RobustInverse, RegularIsTheInverseForAnyHandling) {
  const SpectrumOf given(kRegular, kScales);
  for (const SingularHandling handling : kHandlings) {
    const RobustInverse<double> got = inverse_of(given.matrix(), kScales, handling);
    EXPECT_LT(difference_of(exact(got.force()), given.compose([](long double w) { return 1 / w; }, -1)), 1e-12);
    EXPECT_EQ(exact(got.force()).entries(), exact(got.projection()).entries());
    EXPECT_TRUE(got.report().ok());
    EXPECT_EQ(got.report().row, -1);
    // A bound that is not below the smallest by more than the number of rows.
    EXPECT_LE(got.report().smallest, 0.002 * (1 + 1e-9));
    EXPECT_GE(got.report().smallest, 0.002 / 5);
  }
}

/// What each handling makes of a direction that yields w.
long double weight_of(SingularHandling handling, long double w, long double smallest) {
  const long double lack = 1 - smallest / kThreshold;
  if (handling == SingularHandling::kClamp) return 1 / std::max<long double>(w, kThreshold);
  if (handling == SingularHandling::kDamp) return 1 / (w + kThreshold * lack * lack);
  return w < kThreshold ? 0 : 1 / w;
}

/// Rounding of eigenvalues, 1e-16 of the largest, over those that are inverted: 3e-4 at the least.
constexpr double kOverWeakest = 1e-11;

TEST(RobustInverse, WeakDirectionsAreBoundedAsTheirHandlingSays) {
  for (const long double smallest : {0.0L, 1e-6L, 2e-4L}) {
    std::vector<long double> w = kWeak;
    w.back() = smallest;
    const SpectrumOf given(w, kScales);
    for (const SingularHandling handling : kHandlings) {
      const RobustInverse<double> got = inverse_of(given.matrix(), kScales, handling);
      const auto weight = [&](long double x) { return weight_of(handling, x, smallest); };
      EXPECT_LT(difference_of(exact(got.force()), given.compose(weight, -1)), kOverWeakest);
      EXPECT_EQ(got.report().weak, 2);
      EXPECT_NEAR(got.report().smallest, static_cast<double>(smallest), 1e-15);
      int row = 0;
      for (int r = 1; r < 5; ++r) row = std::abs(given.V(r, 4)) > std::abs(given.V(row, 4)) ? r : row;
      EXPECT_EQ(got.report().row, row);
    }
  }
}

/// Directions that yield at all are kept free of what is below, if only for the weakest by 1 / w; given up are those that are truncated.
TEST(RobustInverse, ProjectionIsAGeneralisedInverse) {
  for (const long double smallest : {0.0L, 1e-7L}) {
    std::vector<long double> w = kWeak;
    w.back() = smallest;
    const SpectrumOf given(w, Vector(5, 2.0));
    const Exact D{5, 5, testing::converted<long double>(given.matrix())};
    for (const SingularHandling handling : {SingularHandling::kClamp, SingularHandling::kDamp}) {
      const RobustInverse<double> got = inverse_of(given.matrix(), given.s, handling);
      EXPECT_LT(difference_of(D * exact(got.projection()) * D, D), 1e-9);  // 1e-16 over 1e-7
      EXPECT_GT(difference_of(D * exact(got.force()) * D, D), 1e-6) << "which the bounded one is not";
    }
  }
  const SpectrumOf given(kWeak, kScales);
  const RobustInverse<double> got = inverse_of(given.matrix(), kScales, SingularHandling::kTruncate);
  EXPECT_EQ(exact(got.force()).entries(), exact(got.projection()).entries());
}

/// Powers of two have no rounding: the same bits in other units.
TEST(RobustInverse, UnitsDoNotMatter) {
  const Vector units{1024, 1. / 64, 1, 2, 1 << 20};
  for (const auto& w : {kRegular, kWeak}) {
    const SpectrumOf given(w, kScales);
    Vector D = given.matrix(), s = kScales;
    for (int r = 0; r < 5; ++r) {
      s[r] *= units[r];
      for (int c = 0; c < 5; ++c) D[r * 5 + c] *= units[r] * units[c];
    }
    for (const SingularHandling handling : kHandlings) {
      const RobustInverse<double> plain = inverse_of(given.matrix(), kScales, handling);
      const RobustInverse<double> other = inverse_of(D, s, handling);
      EXPECT_EQ(plain.report().weak, other.report().weak);
      EXPECT_EQ(plain.report().smallest, other.report().smallest);
      EXPECT_EQ(plain.report().row, other.report().row);
      for (int r = 0; r < 5; ++r) {
        for (int c = 0; c < 5; ++c) EXPECT_EQ(plain.force()(r, c), units[r] * units[c] * other.force()(r, c));
      }
    }
  }
}

TEST(RobustInverse, NothingMovesAndNothingIsThere) {
  const Vector none(4, 0.0), s{2, 1};
  const RobustInverse<double> clamped = inverse_of(none, s, SingularHandling::kClamp);
  EXPECT_EQ(exact(clamped.force()).entries(), (std::vector<long double>{250, 0, 0, 1000}));
  EXPECT_EQ(clamped.report().weak, 2);
  EXPECT_EQ(exact(clamped.projection()).entries(), std::vector<long double>(4));
  EXPECT_EQ(exact(inverse_of(none, s, SingularHandling::kTruncate).force()).entries(), std::vector<long double>(4));
  EXPECT_TRUE(inverse_of({}, {}, SingularHandling::kClamp).report().ok());
}

/// What is no number is not made one, and is not said to be regular.
TEST(RobustInverse, NotANumberStaysNone) {
  for (const SingularHandling handling : kHandlings) {
    const RobustInverse<double> got = inverse_of(Vector(4, std::nan("")), {1, 1}, handling);
    EXPECT_FALSE(got.report().ok());
    EXPECT_TRUE(std::isnan(got.force()(0, 0)));
  }
}

/// Rows that are held may depend on each other, and are never weak.
TEST(RobustInverse, HeldRowsMayDependOnEachOther) {
  const SpectrumOf given({1, 0.6L, 1e-5L, 0, 0}, kScales);
  RobustInverse<double> held = RobustInverse<double>::make_held(5);
  const Vector D = given.matrix();
  held.factor(MatrixView<const double>(D.data(), 5, 5), kScales.data());
  const Exact A{5, 5, testing::converted<long double>(D)};
  EXPECT_LT(difference_of(A * exact(held.force()) * A, A), 1e-10);  // 1e-16 over 1e-5, and 1e-16 in D of what is none
  EXPECT_TRUE(held.report().ok());
  int used = 0;
  for (int r = 0; r < 5; ++r) used += held.force()(r, r) > 0 ? 1 : 0;
  EXPECT_EQ(used, 3);
}

/// Held rows, of which one comes twice, a level, one that wants a row of the first again or something that is hardly apart from it,
/// and one more.
struct Levels {
  static constexpr int kDofs = 9, kRows = 10;

  explicit Levels(long double apart) : J(kRows, kDofs), M(identity(kDofs)) {
    const Vector entries = testing::random_vector(kRows * kDofs, 1, 1), mix = testing::random_vector(81, 1, 2);
    for (int r = 0; r < kRows; ++r) {
      for (int c = 0; c < kDofs; ++c) J(r, c) = entries[static_cast<std::size_t>(r * kDofs + c)];
    }
    for (int c = 0; c < kDofs; ++c) {
      J(2, c) = J(0, c);
      J(6, c) = J(3, c) + J(1, c) + apart * J(6, c);
    }
    const Exact B{kDofs, kDofs, testing::converted<long double>(mix)};
    M = M + B * oracle::transposed(B);
    elimination.add_held(3);
    elimination.add(3, {});
    elimination.add(2, {});
    elimination.add(2, {});
    const Exact A = J * oracle::solve_positive(M, oracle::transposed(J));
    const Vector scale(kRows, std::sqrt(testing::norm_of(A)));
    for (int r = 0; r < kRows; ++r) {
      for (int c = 0; c < kRows; ++c) elimination.matrix()(r, c) = static_cast<double>(A(r, c));
    }
    elimination.factor(scale.data());
  }

  /// The recursion of null spaces with the inverses of each level, which are tested above: calls each with J|, N and M⁻¹ J|ᵀ.
  Exact motion(const Vector& wanted, const std::function<void(int, const Exact&, const Exact&)>& each) const {
    const Exact inverse = oracle::solve_positive(M, identity(kDofs));
    Exact N = identity(kDofs), nu(kDofs, 1);
    for (int k = 0; k < elimination.num_levels(); ++k) {
      const auto [first, m] = elimination.level(k);
      const Exact own = rows_of(J, first, m), left = own * N, response = inverse * oracle::transposed(left);
      RobustInverse<double> robust = k == 0 ? RobustInverse<double>::make_held(m) : RobustInverse<double>(m, {});
      const Exact D = left * response;
      const Vector entries(D.entries().begin(), D.entries().end());
      const Vector scale(static_cast<std::size_t>(m), std::sqrt(testing::norm_of(J * inverse * oracle::transposed(J))));
      robust.factor(MatrixView<const double>(entries.data(), m, m), scale.data());
      nu = nu + response * exact(robust.force()) * (rows_of(column_of(wanted), first, m) - own * nu);
      N = N - response * exact(robust.projection()) * left;
      each(k, left, N);
    }
    return nu;
  }

  Exact J, M;
  TaskElimination<double> elimination;
};

/// Bounds: J and M are random, of condition below a thousand; what is hardly apart yields 1e-4, and its inverse projects.
void expect_recursion(long double apart, double bound) {
  Levels s(apart);
  const Vector wanted = testing::random_vector(Levels::kRows, 1, 3), x = testing::random_vector(Levels::kDofs, 1, 4);
  const Exact Jx = s.J * column_of(x), inverse = oracle::solve_positive(s.M, identity(Levels::kDofs));
  const auto made = [&](const Vector& f) { return inverse * oracle::transposed(s.J) * column_of(f); };
  const auto each = [&](int k, const Exact& left, const Exact& N) {
    const auto [first, m] = s.elimination.level(k);
    const Exact D = left * inverse * oracle::transposed(left);
    EXPECT_LT(relative_difference(exact(s.elimination.inverse_inertia(k)).entries(), D.entries(), 1), bound);
    Vector f(Jx.entries().begin(), Jx.entries().end());
    s.elimination.project(k, f.data());
    EXPECT_LT(difference_of(column_of(x) - made(f), N * column_of(x), 1), bound) << "level " << k;
    f.assign(Jx.entries().begin(), Jx.entries().end());
    s.elimination.reduce(k, f.data());
    const Exact part = rows_of(column_of(f), first, m);
    EXPECT_LT(relative_difference(part.entries(), (left * column_of(x)).entries(), 1), bound) << "level " << k;
    f.assign(Levels::kRows, 7.0);  // what stands beyond the level does not count
    std::fill(f.begin(), f.begin() + first, 0.0);
    s.elimination.expand(k, f.data());
    const Exact force = oracle::transposed(left) * column_of(Vector(static_cast<std::size_t>(m), 7.0));
    EXPECT_LT(relative_difference((oracle::transposed(s.J) * column_of(f)).entries(), force.entries(), 1), bound);
  };
  const Exact want = s.motion(wanted, each);
  Vector f = wanted;
  s.elimination.solve(f.data());
  EXPECT_LT(difference_of(made(f), want), bound);
  EXPECT_EQ(s.elimination.report(1).weak, 0);
  EXPECT_EQ(s.elimination.report(2).weak, 1);
  EXPECT_EQ(s.elimination.report(3).weak, 0);
}
TEST(TaskElimination, IsTheRecursionOfNullSpaces) { expect_recursion(0, 1e-11); }
TEST(TaskElimination, KeepsWeakDirectionsFreeOfWhatIsBelow) { expect_recursion(0.02L, 1e-10); }

}  // namespace
}  // namespace delassus
