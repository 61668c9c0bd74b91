#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "delassus/constraints/lower.hpp"
#include "delassus/math/error.hpp"
#include "delassus/model/builder.hpp"

namespace delassus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A free box with its centre at the frame's origin.
Model box() {
  ModelBuilder b("box");
  b.add_body("box", kWorld, joint(JointKind::kFree, "root"), box_inertial(2, {{0.1, 0.2, 0.3}}));
  return b.make_model();
}

/// Row velocities of one constraint on the box at the origin, for the body twist (ω; v).
std::vector<double> row_velocities(const Constraint& c, const std::vector<double>& twist) {
  const Model model = box();
  Kinematics<double> kin(model);
  update_kinematics(model, model.neutral(), kin);
  ConstraintRows<double> rows;
  const std::vector<Constraint> list{c};
  lower_structure(model, list, rows);
  EXPECT_TRUE(lower_values(model, kin, list, rows).ok());
  std::vector<double> y(rows.num_rows());
  LinkMotions<double> work(model);
  apply_jacobian(model, kin, rows, twist, y, work);
  return y;
}

TEST(ContactAxes, AreRightHandedAlongTheNormal) {
  for (const Vec3<double>& normal : {Vec3<double>{{0, 0, 3}}, Vec3<double>{{0, 0, -1}}, Vec3<double>{{1, -2, 0.5}}}) {
    const Mat3<double> E = contact_axes(normal);
    const Vec3<double> n{{E(0, 0), E(0, 1), E(0, 2)}}, t1{{E(1, 0), E(1, 1), E(1, 2)}}, t2{{E(2, 0), E(2, 1), E(2, 2)}};
    EXPECT_NEAR(dot(n, normal), norm(normal), 1e-15);
    EXPECT_NEAR(norm(cross(n, t1) - t2), 0, 1e-15);
  }
  EXPECT_THAT([] { contact_axes({{0, 0, 0}}); }, ThrowsMessage<Error>(HasSubstr("'normal'")));
}

TEST(PointContact, RowsAreNormalTangentsAndRotations) {
  PointContact c;
  c.a = {1, translation(0.5, 0, 0)};
  c.axes = {{0, 0, 1, 1, 0, 0, 0, 1, 0}};
  const std::vector<double> twist{0.1, 0.2, 0.3, 1, 2, 3};  // at x = 0.5 the velocity is v + ω × (0.5, 0, 0)
  c.kind = ContactKind::kFrictionless;
  EXPECT_THAT(row_velocities(c, twist), ElementsAre(3 - 0.1));
  c.kind = ContactKind::kSliding;
  EXPECT_THAT(row_velocities(c, twist), ElementsAre(3 - 0.1, 1, 2 + 0.15));
  c.kind = ContactKind::kTorsional;
  EXPECT_THAT(row_velocities(c, twist), ElementsAre(3 - 0.1, 1, 2 + 0.15, 0.3));
  c.kind = ContactKind::kRolling;
  EXPECT_THAT(row_velocities(c, twist), ElementsAre(3 - 0.1, 1, 2 + 0.15, 0.3, 0.1, 0.2));
}

TEST(LoopClosure, FreeAxesLeaveTheirRowsOut) {
  const std::vector<double> twist{0.1, 0.2, 0.3, 1, 2, 3};
  LoopClosure loop = make_weld("w", {1}, {0});
  EXPECT_THAT(row_velocities(loop, twist), ElementsAre(1, 2, 3, 0.1, 0.2, 0.3));
  loop.free_linear = 0b010;
  loop.free_angular = 0b100;
  EXPECT_THAT(row_velocities(loop, twist), ElementsAre(1, 3, 0.1, 0.2));
  loop.free_linear = 0b111;
  loop.free_angular = 0b011;  // a universal joint whose arms are x and y: only the turn about z is held
  EXPECT_THAT(row_velocities(loop, twist), ElementsAre(0.3));
  EXPECT_THAT(row_velocities(make_ball("b", {1}, {0}), twist), ElementsAre(1, 2, 3));
}

TEST(LoopClosure, SecondBodyActsWithTheOppositeSign) {
  const std::vector<double> twist{0.1, 0.2, 0.3, 1, 2, 3};
  EXPECT_THAT(row_velocities(make_ball("b", {0}, {1}), twist), ElementsAre(-1, -2, -3));
}

TEST(CentreOfMass, HasTheWholeMass) {
  const std::vector<double> twist{0.1, 0.2, 0.3, 1, 2, 3};
  EXPECT_THAT(row_velocities(CentreOfMass{}, twist), ElementsAre(1, 2, 3));
}

TEST(Rows, KeepTheOrderOfInsertion) {
  const Model model = box();
  ConstraintRows<double> rows;
  const std::vector<Constraint> list{make_ball("b", {1}, {0}), PointContact{"c", {1}}, JointFriction{"f", 0}};
  lower_structure(model, list, rows);
  EXPECT_EQ(rows.num_rows(), 7);
  EXPECT_EQ(rows.spans[1].first_row, 3);
  EXPECT_EQ(rows.spans[2].first_row, 6);
  EXPECT_EQ(rows.sets[2].kind, SetKind::kBox);
  lower_structure(model, std::vector<Constraint>{}, rows);
  EXPECT_EQ(rows.num_rows(), 0);
}

}  // namespace
}  // namespace delassus
