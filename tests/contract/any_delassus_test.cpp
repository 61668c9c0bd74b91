// An operator chosen at run time does what the one of its type does.
#include <gtest/gtest.h>

#include "delassus/delassus.hpp"
#include "scenes/recipes.hpp"

namespace delassus {
namespace {

/// Everything that the verbs of an operator give.
template <class Op>
std::vector<double> all_numbers(Op& op, const Scene& scene, Kinematics<double>& kin, ConstraintRows<double>& rows) {
  constexpr int kColumns = 3;
  update_kinematics(scene.model, scene.q, kin);
  EXPECT_TRUE(lower_values(scene.model, kin, scene.constraints, rows).ok());
  EXPECT_TRUE(op.factor({scene.model, kin, rows}).ok());
  const int m = op.rows();
  EXPECT_EQ(m, rows.num_rows());
  std::vector<double> in(static_cast<std::size_t>(m) * kColumns), out;
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = 1.0 / static_cast<double>(k + 1);
  const VectorView<const double> x(in.data(), m);
  const MatrixView<const double> panel(in.data(), m, kColumns);
  const auto keep = [&](int size, auto&& verb) {
    std::vector<double> result(size);
    verb(result);
    out.insert(out.end(), result.begin(), result.end());
  };
  keep(m, [&](auto& y) { op.apply(x, y); });
  keep(m * kColumns, [&](auto& y) { op.apply_panel(panel, MatrixView<double>(y.data(), m, kColumns)); });
  keep(scene.model.nv(), [&](auto& y) { op.joint_response(x, y); });
  EXPECT_TRUE(op.update_damping(Damping<double>(0.25)).ok());
  keep(m, [&](auto& z) { EXPECT_TRUE(op.solve(x, z).ok()); });
  keep(m * kColumns,
       [&](auto& z) { EXPECT_TRUE(op.solve_panel(panel, MatrixView<double>(z.data(), m, kColumns)).ok()); });
  keep(m * m, [&](auto& A) { op.dense(MatrixView<double>(A.data(), m, m)); });
  keep(m, [&](auto& d) { op.diagonal(d); });
  out.push_back(static_cast<double>(op.bytes()));
  return out;
}

template <class Op>
void expect_same(Algorithm algorithm) {
  for (const char* name : {"go2-fallen-friction", "cassie-standing"}) {
    const Scene scene = make_scene(name);
    Kinematics<double> kin(scene.model);
    ConstraintRows<double> rows;
    lower_structure(scene.model, scene.constraints, rows);
    Op typed(scene.model, rows);
    AnyDelassus<double> any(algorithm, scene.model, rows);
    EXPECT_EQ(any.algorithm(), algorithm);
    EXPECT_EQ(all_numbers(any, scene, kin, rows), all_numbers(typed, scene, kin, rows)) << name_of(algorithm) << name;
  }
}

TEST(AnyDelassus, GivesTheNumbersOfEachType) {
  expect_same<DenseDelassus<double>>(Algorithm::kDense);
  expect_same<LtlDelassus<double>>(Algorithm::kLtl);
  expect_same<KjrDelassus<double>>(Algorithm::kKjr);
  expect_same<ChangKhatibDelassus<double>>(Algorithm::kChangKhatib);
  expect_same<EfpaDelassus<double>>(Algorithm::kEfpa);
  expect_same<PvOsimDelassus<double>>(Algorithm::kPvOsim);
  expect_same<PvOsimrDelassus<double>>(Algorithm::kPvOsimr);
  expect_same<KktDelassus<double>>(Algorithm::kKkt);
  expect_same<LcabaDelassus<double>>(Algorithm::kLcaba);
  expect_same<CondensedDelassus<double>>(Algorithm::kCondensed);
  expect_same<LimbDelassus<double>>(Algorithm::kLimbs);
  expect_same<MatrixFreeDelassus<double>>(Algorithm::kMatrixFree);
  expect_same<ThreeMapsDelassus<double>>(Algorithm::kThreeMaps);
  expect_same<GeneratedDelassus<double>>(Algorithm::kGenerated);  // without code
}

TEST(AnyDelassus, TakesAnOperatorWithItsOptions) {
  const Scene scene = make_scene("go2-standing");
  ConstraintRows<double> rows;
  lower_structure(scene.model, scene.constraints, rows);
  const AnyDelassus<double> op(CondensedDelassus<double>(scene.model, rows, {.condense = Condense::kNothing}));
  EXPECT_EQ(op.algorithm(), Algorithm::kCondensed);
  EXPECT_NE(op.bytes(), AnyDelassus<double>(Algorithm::kCondensed, scene.model, rows).bytes());
}

}  // namespace
}  // namespace delassus
