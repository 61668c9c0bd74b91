// Priorities of tasks the slow way: null spaces of size n × n, by the recursion of the textbooks, in long double.
#pragma once

#include <span>
#include <utility>

#include "support/oracle_case.hpp"

namespace delassus::testing {

inline Exact identity(int n) {
  Exact out(n, n);
  for (int k = 0; k < n; ++k) out(k, k) = 1;
  return out;
}

inline Exact rows_of(const Exact& A, int first, int count) {
  Exact out(count, A.cols());
  for (int r = 0; r < count; ++r) {
    for (int c = 0; c < A.cols(); ++c) out(r, c) = A(first + r, c);
  }
  return out;
}

inline double difference_of(const Exact& got, const Exact& want, double floor = 1e-300) {
  return relative_difference(got.entries(), want.entries(), floor);
}

/// Everything about a state by the oracle.
struct TaskReference {
  TaskReference(const Model& model, std::span<const Constraint> list, const samples::State& s) {
    const std::vector<Constraint> constraints(list.begin(), list.end());
    const auto q = converted<long double>(s.q), v = converted<long double>(s.v);
    M = oracle::inertia_matrix<long double>(model, q);
    h = column_of(oracle::bias_forces<long double>(model, q, v));
    weight = column_of(oracle::bias_forces<long double>(model, q, std::vector<long double>(v.size())));
    J = oracle::constraint_jacobian<long double>(model, constraints, q);
    drift = column_of(oracle::constraint_drift<long double>(model, constraints, q, v));
    position = column_of(oracle::constraint_position<long double>(model, constraints, q));
    velocity = J * column_of(v);
  }
  Exact M, h, weight, J, drift, position, velocity;
};

/// One level within what is left to it.
struct ExactLevel {
  Exact J, inverse_inertia, inertia, J_bar, N;
  Exact force;  // that holds its rows against all motions of the oracle, one column each
};

/// Levels are added from the top: J| = J N, Λ = (J| M⁻¹ J|ᵀ)⁻¹, J̄ = M⁻¹ J|ᵀ Λ, N ← N - J̄ J|. Along with N go some motions, one column
/// each: free at the beginning, and with every level such that its rows accelerate as they are asked to.
struct TaskOracle {
  TaskOracle(const Exact& M, const Exact& free)
      : inverse(oracle::solve_positive(M, identity(M.rows()))), N(identity(M.rows())), motions(free) {}

  /// Rows J, of which all can be moved, with J ν̇ = wanted.
  ExactLevel add(const Exact& J, const Exact& wanted) {
    ExactLevel out;
    out.J = J * N;
    const Exact response = inverse * oracle::transposed(out.J);
    out.inverse_inertia = out.J * response;
    out.inertia = oracle::solve_positive(out.inverse_inertia, identity(J.rows()));
    out.J_bar = response * out.inertia;
    out.force = out.inertia * (wanted - J * motions);
    motions = motions + response * out.force;
    N = N - out.J_bar * out.J;
    out.N = N;
    return out;
  }

  /// Rows that may depend on each other: one at a time, and those that add nothing left out.
  void hold(const Exact& J, const Exact& wanted) {
    const auto yield = [&](const Exact& x) { return (x * inverse * oracle::transposed(x))(0, 0); };
    long double most = 0;
    for (int r = 0; r < J.rows(); ++r) most = std::max(most, yield(rows_of(J, r, 1)));
    for (int r = 0; r < J.rows(); ++r) {
      const Exact row = rows_of(J, r, 1);
      // Measured against the softest row: a row that nothing moves has nothing but rounding to be measured by itself. What is left of
      // rows that depend on others is 5e-15 of that at most (contacts of a foot that the file rounds), and 9e-6 at least of rows that do not.
      if (yield(row * N) > 1e-11L * most) add(row, rows_of(wanted, r, 1));
    }
  }

  Exact inverse, N, motions;
};

}  // namespace delassus::testing
