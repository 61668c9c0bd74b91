// The same input gives the same bits, in a fresh workspace and in a used one.
#include <gtest/gtest.h>

#include "delassus/delassus.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

std::vector<double> matrix_and_acceleration(const Model& model, const std::vector<Constraint>& constraints,
                                            const samples::State& s, ForwardDynamics<double>& work) {
  std::vector<double> out(model.nv());
  EXPECT_TRUE(aba(model, s.q, s.v, s.tau, out, work).ok());
  ConstraintRows<double> rows;
  lower_structure(model, constraints, rows);
  EXPECT_TRUE(lower_values(model, work.kin, constraints, rows).ok());
  DenseDelassus<double> op(model);
  EXPECT_TRUE(op.factor(model, work.kin, rows).ok());
  const int m = op.rows();
  std::vector<double> A(static_cast<std::size_t>(m) * m);
  op.dense(MatrixView<double>(A.data(), m, m));
  out.insert(out.end(), A.begin(), A.end());
  return out;
}

TEST(Determinism, UsedWorkspacesGiveTheSameBits) {
  for (int seed = 0; seed < 20; ++seed) {
    const Model model = samples::random_model(seed);
    const auto constraints = samples::random_constraints(model, seed, 5);
    const samples::State s = samples::random_state(model, seed), other = samples::random_state(model, seed + 1000);
    ForwardDynamics<double> fresh(model), used(model);
    const std::vector<double> first = matrix_and_acceleration(model, constraints, s, fresh);
    matrix_and_acceleration(model, constraints, other, used);
    EXPECT_EQ(matrix_and_acceleration(model, constraints, s, used), first);
  }
}

}  // namespace
}  // namespace delassus
