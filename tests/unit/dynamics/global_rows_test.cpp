// Constraints on very many links: the centre of mass among others.
#include "dynamics/global_rows.hpp"

#include <gtest/gtest.h>

#include "delassus/constraints/lower.hpp"
#include "delassus/operators/explicit_operator.hpp"
#include "delassus/operators/operation_counts.hpp"
#include "scenes/generated.hpp"
#include "support/compare.hpp"

namespace delassus {
namespace {

/// Hands and feet of an ASIMO-like tree, with the centre of mass before, between and after them.
ConstrainedModel with_centres() {
  ConstrainedModel s = make_generated_scene("asimo-hf");
  for (const int at : {0, 2, 6}) s.constraints.insert(s.constraints.begin() + at, CentreOfMass{"centre", {}});
  return s;
}

template <class Operator>
std::vector<double> matrix(const ConstrainedModel& s) {
  Kinematics<double> kin(s.model);
  ConstraintRows<double> rows;
  update_kinematics<double>(s.model, s.q, kin);
  lower_structure<double>(s.model, s.constraints, rows);
  EXPECT_TRUE(lower_values<double>(s.model, kin, s.constraints, rows).ok());
  Operator op(s.model, rows);
  EXPECT_TRUE(op.factor({s.model, kin, rows}).ok());
  std::vector<double> out(static_cast<std::size_t>(op.rows()) * op.rows());
  op.dense(MatrixView<double>(out.data(), op.rows(), op.rows()));
  return out;
}

TEST(GlobalRows, AreFoundByTheNumberOfLinks) {
  const ConstrainedModel s = with_centres();
  ConstraintRows<double> rows;
  lower_structure<double>(s.model, s.constraints, rows);
  EXPECT_EQ(find_global_constraints(s.model, rows), (std::vector<bool>{true, false, true, false, false, false, true}));
}

TEST(GlobalRows, MatrixEqualsTheDenseOne) {
  const ConstrainedModel s = with_centres();
  // Rounding of a well conditioned M: 40 degrees of freedom, condition number below 1e5.
  EXPECT_LT(testing::relative_difference(matrix<PvOsimrDelassus<double>>(s), matrix<DenseDelassus<double>>(s)), 1e-11);
}

/// For each of the three rows, two sweeps of about 50 operations a link, the wrenches of the row itself and the products
/// with all rows: 150 a link. Carried along, they would make a node of every link.
TEST(GlobalRows, CostTwoSweepsEach) {
  const ConstrainedModel without = make_generated_scene("asimo-hf");
  ConstrainedModel with = without;
  with.constraints.emplace_back(CentreOfMass{"centre", {}});
  const auto count = [](const ConstrainedModel& s) {
    return count_algorithm(Algorithm::kPvOsimr, CountedFrames::kWorldAxes, s.model, s.constraints, s.q).total.total();
  };
  EXPECT_LT(count(with) - count(without), 3 * 150 * with.model.num_links());
}

}  // namespace
}  // namespace delassus
