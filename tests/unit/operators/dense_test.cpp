#include <gtest/gtest.h>

#include <cmath>

#include "delassus/constraints/lower.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/operators/explicit_operator.hpp"
#include "support/random_system.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

struct Lowered {
  Lowered(const Model& model, const std::vector<Constraint>& constraints, const std::vector<double>& q) : kin(model) {
    update_kinematics(model, q, kin);
    lower_structure(model, constraints, rows);
    EXPECT_TRUE(lower_values(model, kin, constraints, rows).ok());
  }
  Kinematics<double> kin;
  ConstraintRows<double> rows;
};

TEST(DenseDelassus, FactorForgetsTheDamping) {
  const samples::System s = samples::foot_with_four_points();
  const Lowered at(s.model, s.constraints, s.state.q);
  DenseDelassus<double> op(s.model, at.rows);
  const std::vector<double> x(12, 1.0);
  std::vector<double> y(12);
  ASSERT_TRUE(op.factor({s.model, at.kin, at.rows}).ok());
  ASSERT_TRUE(op.update_damping(x).ok());
  EXPECT_TRUE(op.solve(x, y).ok());
  ASSERT_TRUE(op.factor({s.model, at.kin, at.rows}).ok());
  EXPECT_EQ(op.solve(x, y), kTooEarly);
}

TEST(DenseDelassus, SolvesInPlaceButDoesNotMultiplyInPlace) {
  const samples::System s = samples::foot_with_four_points();
  const Lowered at(s.model, s.constraints, s.state.q);
  DenseDelassus<double> op(s.model, at.rows);
  std::vector<double> x(12, 1.0), y(12);
  ASSERT_TRUE(op.factor({s.model, at.kin, at.rows}).ok());
  ASSERT_TRUE(op.update_damping(x).ok());
  EXPECT_EQ(op.apply(y, y), (Status{Status::Code::kBadArgument, 1}));
  EXPECT_TRUE(std::isnan(y[0])) << "no product";
  EXPECT_TRUE(op.solve(x, y).ok());
  EXPECT_TRUE(op.solve(x, x).ok());
  EXPECT_EQ(x, y);
}

TEST(DenseDelassus, HasNoRowsAfterAFailure) {
  ModelBuilder b("light");
  const int arm = b.add_body("arm", kWorld, revolute("shoulder", {{0, 1, 0}}), box_inertial(1, {{0.1, 0.1, 0.1}}));
  b.add_body("ghost", arm, revolute("wrist", {{0, 1, 0}}), Inertial{});
  const Model singular = b.make_model();
  ModelDescription d = b.description();
  d.bodies[1].joints[0].dofs[0].armature = 1e-3;
  const Model regular(std::move(d));
  const std::vector<Constraint> friction{JointFriction{"a", 0}, JointFriction{"b", 1}};
  const Lowered at(regular, friction, regular.neutral());
  DenseDelassus<double> op(regular, at.rows);
  ASSERT_TRUE(op.factor({regular, at.kin, at.rows}).ok());
  EXPECT_EQ(op.rows(), 2);
  EXPECT_EQ(op.factor({singular, at.kin, at.rows}), (Status{Status::Code::kSingularJoint, 1}));
  EXPECT_EQ(op.rows(), 0);
  ASSERT_TRUE(op.factor({regular, at.kin, at.rows}).ok());  // and it stays usable
  EXPECT_EQ(op.rows(), 2);
}

/// Four points of a rigid foot are six rows. Where the pivots end is a matter of rounding; that they end is not.
void dependent_rows_need_damping(int seed) {
  const samples::System s = samples::foot_with_four_points();
  const Lowered at(s.model, s.constraints, samples::random_state(s.model, seed).q);
  DenseDelassus<double> op(s.model, at.rows);
  ASSERT_TRUE(op.factor({s.model, at.kin, at.rows}).ok());
  const Status status = op.update_damping(std::vector<double>(12, 0.0));
  EXPECT_EQ(status.code, Status::Code::kNotPositive);
  EXPECT_GE(status.index, 5);  // two points are five rows
  EXPECT_TRUE(op.update_damping(std::vector<double>(12, 1e-6)).ok());
}
TEST(DenseDelassus, DependentRowsNeedDamping) {
  testing::for_each_seed(0, testing::kLongSeeds, dependent_rows_need_damping);
}

}  // namespace
}  // namespace delassus
