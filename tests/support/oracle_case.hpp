// A constrained mechanism in one configuration, and what the long-double oracle says of it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "delassus/constraints/lower.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/operators/oracle.hpp"
#include "support/compare.hpp"
#include "support/random_system.hpp"

namespace delassus::testing {

using Exact = oracle::Matrix<long double>;

/// The largest row sum.
inline double norm_of(const Exact& A) {
  long double norm = 0;
  for (int r = 0; r < A.rows(); ++r) {
    long double sum = 0;
    for (int c = 0; c < A.cols(); ++c) sum += std::abs(A(r, c));
    norm = std::max(norm, sum);
  }
  return static_cast<double>(norm);
}

template <class T>
Exact column_of(const std::vector<T>& x) {
  return {static_cast<int>(x.size()), 1, converted<long double>(x)};
}

/// Rows and kinematics in the scalar T; the oracle takes the same numbers.
template <class T>
struct OracleCase {
  OracleCase(const Model& m, std::vector<Constraint> list, const samples::State& s)
      : model(m), constraints(std::move(list)), q(converted<T>(s.q)), kin(model) {
    update_kinematics<T>(model, q, kin);
    lower_structure(model, constraints, rows);
    EXPECT_TRUE(lower_values<T>(model, kin, constraints, rows).ok());
    const auto exact_q = converted<long double>(q);
    M = oracle::inertia_matrix<long double>(model, exact_q);
    J = oracle::constraint_jacobian<long double>(model, constraints, exact_q);
    matrix = oracle::delassus_matrix<long double>(model, constraints, exact_q);
    norm = norm_of(matrix);
  }

  int m() const { return rows.num_rows(); }
  /// Between -1 and 1; streams are independent.
  std::vector<T> random_vector(int size, int stream) const {
    samples::Random random(static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(stream));
    std::vector<T> x(size);
    for (T& e : x) e = static_cast<T>(random.uniform(-1, 1));
    return x;
  }
  /// Λ⁻¹ x for a random x: in the range of Λ⁻¹, as accelerations of constraints are.
  std::vector<T> reachable(int stream) const {
    const Exact b = matrix * column_of(random_vector(m(), stream));
    return {b.entries().begin(), b.entries().end()};
  }

  Model model;
  std::vector<Constraint> constraints;
  std::vector<T> q;
  Kinematics<T> kin;
  ConstraintRows<T> rows;
  Exact M, J, matrix;
  double norm = 0;  // of Λ⁻¹
};

/// All kinds of constraints; every fourth system states its first ones twice, so that rows are redundant.
template <class T = double>
OracleCase<T> random_case(int seed) {
  Model model = samples::random_model(seed);
  std::vector<Constraint> list = samples::random_constraints(model, seed, 1 + seed % 12);
  const std::vector<Constraint> again(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2 + 1));
  if (seed % 4 == 0) list.insert(list.end(), again.begin(), again.end());
  const samples::State state = samples::random_state(model, seed);
  return {model, std::move(list), state};
}

/// What an operator's products say, against the oracle, to `bound` of Λ⁻¹.
template <class T, class Operator>
void expect_products(const OracleCase<T>& c, const Operator& op, double bound) {
  const int m = c.m(), n = c.model.nv();
  std::vector<T> A(static_cast<std::size_t>(m) * m), diagonal(m), y(m), response(n);
  op.dense(MatrixView<T>(A.data(), m, m));
  EXPECT_LT(relative_difference(A, c.matrix.entries()), bound);
  op.diagonal(diagonal);
  for (int r = 0; r < m; ++r) {
    EXPECT_EQ(diagonal[r], A[r * m + r]);
    for (int k = 0; k < m; ++k) EXPECT_EQ(A[r * m + k], A[k * m + r]);
  }
  const std::vector<T> x = c.random_vector(m, 1);
  op.apply(x, y);
  const Exact want = c.matrix * column_of(x);
  EXPECT_LT(relative_difference(y, want.entries(), c.norm), bound);
  // J of the response is the product.
  op.joint_response(x, response);
  EXPECT_LT(relative_difference((c.J * column_of(response)).entries(), want.entries(), c.norm), bound);
}

/// Columns of a panel are products of their own, for panels of either layout; in place too.
template <class T, class Verb, class PanelVerb>
void expect_panel_equals_vectors(const OracleCase<T>& c, Verb&& verb, PanelVerb&& panel_verb) {
  constexpr int kColumns = 3;
  const int m = c.m();
  std::vector<T> want, by_columns, by_rows(static_cast<std::size_t>(m) * kColumns);
  for (int k = 0; k < kColumns; ++k) {
    const std::vector<T> x = c.random_vector(m, 10 + k);
    std::vector<T> y(m);
    verb(x, y);
    want.insert(want.end(), y.begin(), y.end());
    by_columns.insert(by_columns.end(), x.begin(), x.end());
    for (int r = 0; r < m; ++r) by_rows[r * kColumns + k] = x[r];
  }
  const MatrixView<T> columns(by_columns.data(), m, kColumns, 1, m);
  std::vector<T> out(by_rows.size());
  const MatrixView<T> result(out.data(), m, kColumns, 1, m);
  panel_verb(MatrixView<const T>(by_rows.data(), m, kColumns), result);
  EXPECT_LT(relative_difference(out, want), 64 * static_cast<double>(std::numeric_limits<T>::epsilon()));
  panel_verb(MatrixView<const T>(by_columns.data(), m, kColumns, 1, m), columns);
  EXPECT_EQ(by_columns, out);
}

}  // namespace delassus::testing
