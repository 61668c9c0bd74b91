// Environments with constraints of their own, and constraints that are switched off.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "delassus/operators/oracle.hpp"
#include "support/batch_case.hpp"

namespace delassus {
namespace {

using testing::BatchCase;
using testing::converted;
using testing::relative_difference;
using testing::same_bits;

using Exact = oracle::Matrix<long double>;

constexpr int kOwners = 27;
/// As in batch_verbs_test.cpp.
constexpr double kRowBound = 1e-11;

/// Some of the contacts of a scene, moved about: those of environment e.
std::vector<Constraint> own_constraints(const BatchCase<double>& c, int e) {
  samples::Random random(static_cast<std::uint64_t>(e), 3);
  std::vector<Constraint> out;
  for (std::size_t k = 0; k < c.constraints.size(); ++k) {
    if (k % 3 == static_cast<std::size_t>(e) % 3) continue;
    out.push_back(c.constraints[k]);
    if (auto* contact = std::get_if<PointContact>(&out.back())) {
      contact->a.offset.p += random.vector(0.05);
      contact->axes = contact_axes(random.direction());
    }
  }
  return out;
}

int rows_of(const std::vector<Constraint>& constraints) {
  return std::accumulate(constraints.begin(), constraints.end(), 0,
                         [](int sum, const Constraint& c) { return sum + row_count(c); });
}

/// The first `rows` numbers of an environment are these, the others zero.
void expect_row(const std::vector<double>& got, const std::vector<long double>& want) {
  const std::vector<double> head(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(want.size()));
  EXPECT_LT(relative_difference(head, want), kRowBound);
  EXPECT_TRUE(
      std::all_of(got.begin() + static_cast<std::ptrdiff_t>(want.size()), got.end(), [](double x) { return x == 0; }));
}

Exact head(const std::vector<double>& x, int rows) {
  return {rows, 1, std::vector<long double>(x.begin(), x.begin() + rows)};
}

TEST(BatchConstraints, EachEnvironmentItsOwn) {
  for (const char* name : {"go2-standing", "g1-standing", "cassie-standing", "random 4"}) {
    SCOPED_TRACE(name);
    BatchCase<double> c(name, kOwners);
    Batch<double> batch(c.model, kOwners, {.threads = 2});
    int most = 0;
    for (int e = 0; e < kOwners; ++e) {
      const std::vector<Constraint> own = own_constraints(c, e);
      batch.set_constraints(e, own);
      EXPECT_EQ(batch.rows(e), rows_of(own));
      EXPECT_EQ(batch.num_constraints(e), static_cast<int>(own.size()));
      most = std::max(most, batch.rows(e));
    }
    ASSERT_EQ(batch.max_rows(), most);
    EXPECT_EQ(batch.num_structures(), 3);
    c.xs.assign(static_cast<std::size_t>(kOwners) * most, 0.5);
    std::vector<double> y, kept, matrix;
    EXPECT_EQ(batch.apply_at(c.in(c.qs), c.in(c.xs), c.out(y, most)), 0);
    EXPECT_EQ(batch.update(c.in(c.qs)), 0);
    EXPECT_EQ(batch.apply(c.in(c.xs), c.out(kept, most)), 0);
    EXPECT_EQ(batch.dense(c.matrix(matrix, most)), 0);
    EXPECT_TRUE(same_bits(y, kept));
    for (const int e : {0, 1, 2, 14, 26}) {
      SCOPED_TRACE(e);
      const auto q = converted<long double>(c.of(c.qs, e));
      const Exact want = oracle::delassus_matrix<long double>(c.model, own_constraints(c, e), q);
      expect_row(c.of(y, e), (want * head(c.of(c.xs, e), want.rows())).entries());
      for (int r = 0; r < most; ++r) {
        const auto row = matrix.begin() + (static_cast<std::ptrdiff_t>(e) * most + r) * most;
        std::vector<long double> wanted(static_cast<std::size_t>(most), 0);
        for (int k = 0; k < want.rows() && r < want.rows(); ++k) wanted[k] = want(r, k);
        const auto size = static_cast<double>(want(0, 0));
        EXPECT_LT(relative_difference(std::vector<double>(row, row + most), wanted, size), kRowBound);
      }
    }
  }
}

/// An environment among others with other structures has the bits that it has alone.
TEST(BatchConstraints, NeighboursDoNotMatter) {
  const BatchCase<double> c("g1-standing", kOwners);
  Batch<double> batch(c.model, kOwners, {.threads = 1}), single(c.model, 1, {.threads = 1});
  for (int e = 0; e < kOwners; ++e) batch.set_constraints(e, own_constraints(c, e));
  const int m = batch.max_rows(), nq = c.model.nq();
  std::vector<double> x(static_cast<std::size_t>(kOwners) * m, 0.25), z;
  EXPECT_EQ(batch.solve_at(c.in(c.qs), 0.01, c.in(x), c.out(z, m)), 0);
  for (int e = 0; e < kOwners; ++e) {
    single.set_constraints(own_constraints(c, e));
    std::vector<double> alone(single.max_rows());
    const int rows = single.max_rows();
    EXPECT_EQ(single.solve_at({c.qs.data() + e * nq, 1, nq}, 0.01, {x.data(), 1, rows}, {alone.data(), 1, rows}), 0);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), z.begin() + e * m)) << e;
  }
}

/// Structures come and go, as those of robots that walk.
TEST(BatchConstraints, ChangeFromStepToStep) {
  const BatchCase<double> c("go2-standing", kOwners);
  Batch<double> batch(c.model, kOwners, {.threads = 1});
  for (int step = 0; step < 50; ++step) {
    samples::Random random(static_cast<std::uint64_t>(step), 8);
    std::vector<std::vector<Constraint>> own(kOwners);
    for (int e = 0; e < kOwners; ++e) {
      for (const Constraint& constraint : c.constraints) {
        if (random.chance(0.5)) own[e].push_back(constraint);
      }
      batch.set_constraints(e, own[e]);
    }
    const int m = batch.max_rows(), looked = step % kOwners;
    std::vector<double> x(static_cast<std::size_t>(kOwners) * m, 1), y;
    ASSERT_EQ(batch.apply_at(c.in(c.qs), c.in(x), c.out(y, m)), 0);
    const Exact want =
        oracle::delassus_matrix<long double>(c.model, own[looked], converted<long double>(c.of(c.qs, looked)));
    expect_row(c.of(y, looked), (want * Exact(want.rows(), 1, std::vector<long double>(want.rows(), 1))).entries());
  }
}

/// What is off gives zero, and the others what they give without it.
TEST(BatchConstraints, Inactive) {
  for (const char* name : {"go2-standing", "g1-standing", "cassie-standing", "random 4", "random 9"}) {
    SCOPED_TRACE(name);
    const BatchCase<double> c(name, kOwners);
    Batch<double> batch(c.model, kOwners, {.threads = 2});
    batch.set_constraints(c.constraints);
    const auto count = static_cast<int>(c.constraints.size());
    const int m = batch.max_rows();
    const auto flags = std::make_unique<bool[]>(static_cast<std::size_t>(kOwners) * count);
    for (int k = 0; k < kOwners * count; ++k) flags[k] = samples::Random(static_cast<std::uint64_t>(k), 5).chance(0.6);
    batch.set_active({flags.get(), kOwners, count});
    std::vector<double> x = c.xs, d = c.dampings, y, z, kept;
    // Inputs of what is off are not read.
    const auto for_each_row = [&](int e, auto&& f) {
      int row = 0;
      for (int k = 0; k < count; ++k) {
        for (int r = 0; r < row_count(c.constraints[k]); ++r) f(row++, flags[e * count + k]);
      }
    };
    for (int e = 0; e < kOwners; ++e) {
      for_each_row(e, [&](int row, bool active) {
        if (!active) x[e * m + row] = d[e * m + row] = std::numeric_limits<double>::quiet_NaN();
      });
    }
    EXPECT_EQ(batch.apply_at(c.in(c.qs), c.in(x), c.out(y, m)), 0);
    EXPECT_EQ(batch.solve_at(c.in(c.qs), BatchDamping<double>::per_row(c.in(d)), c.in(x), c.out(z, m)), 0);
    EXPECT_EQ(batch.update(c.in(c.qs)), 0);
    EXPECT_EQ(batch.apply(c.in(x), c.out(kept, m)), 0);
    EXPECT_TRUE(same_bits(y, kept));
    for (int e = 0; e < kOwners; e += 5) {
      std::vector<Constraint> on;
      for (int k = 0; k < count; ++k) {
        if (flags[e * count + k]) on.push_back(c.constraints[k]);
      }
      std::vector<double> x_on, y_on, z_on, d_on;
      for_each_row(e, [&](int row, bool active) {
        if (active) {
          x_on.push_back(x[e * m + row]);
          y_on.push_back(y[e * m + row]);
          z_on.push_back(z[e * m + row]);
          d_on.push_back(d[e * m + row]);
        } else {
          EXPECT_EQ(y[e * m + row], 0);
          EXPECT_EQ(z[e * m + row], 0);
        }
      });
      if (on.empty()) continue;
      Exact want = oracle::delassus_matrix<long double>(c.model, on, converted<long double>(c.of(c.qs, e)));
      const int rows = want.rows();
      EXPECT_LT(relative_difference(y_on, (want * head(x_on, rows)).entries()), kRowBound);
      for (int r = 0; r < rows; ++r) want(r, r) += static_cast<long double>(d_on[r]);
      // As CondensedOptions::tolerance promises.
      EXPECT_LT(relative_difference((want * head(z_on, rows)).entries(), x_on), 2e-7);
    }
  }
}

}  // namespace
}  // namespace delassus
