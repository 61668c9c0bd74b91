// Mechanisms whose Λ⁻¹ can be written down, for every algorithm that computes it.
#include <gtest/gtest.h>

#include "delassus/model/builder.hpp"
#include "delassus/operators/explicit_operator.hpp"
#include "support/configured.hpp"

namespace delassus {
namespace {

template <class Operator>
struct ExplicitAlgorithm : ::testing::Test {
  static void expect_matrix(const Model& model, const std::vector<Constraint>& constraints,
                            const std::vector<double>& want) {
    const testing::Configured<double> at(model, constraints, model.neutral());
    const std::vector<double> A = at.template matrix<Operator>();
    ASSERT_EQ(A.size(), want.size());
    for (std::size_t k = 0; k < A.size(); ++k) EXPECT_NEAR(A[k], want[k], 1e-14) << k;  // a handful of operations
  }
};
using Operators =
    ::testing::Types<DenseDelassus<double>, KjrDelassus<double>, ChangKhatibDelassus<double>, EfpaDelassus<double>>;
TYPED_TEST_SUITE(ExplicitAlgorithm, Operators);

PointContact contact(const Model& model, int body, const Vec3<double>& at) {
  PointContact c;
  c.name = "contact";
  c.a = {model.body_frame(body), translation(at[0], at[1], at[2])};
  return c;
}

/// Mass 2 and rotational inertia 0.5 about every axis of its centre.
const Inertial kBall{2, {{0, 0, 0}}, Sym3<double>::diagonal(0.5)};

/// Pushed beside its centre, a free ball also turns: 1/m + d²/I for the directions across d.
TYPED_TEST(ExplicitAlgorithm, FreeBody) {
  ModelBuilder b("ball");
  const int ball = b.add_body("ball", kWorld, joint(JointKind::kFree, "free"), kBall);
  const Model model = b.make_model();
  // Rows z, x, y.
  this->expect_matrix(model, {contact(model, ball, {{0.3, 0, 0}})},
                      {0.5 + 0.09 / 0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5 + 0.09 / 0.5});
}

/// Pendulums on joints of their own do not feel each other, and each tip moves in one direction only.
TYPED_TEST(ExplicitAlgorithm, SeveralRoots) {
  ModelBuilder b("pendulums");
  const int first = b.add_body("first", kWorld, revolute("one", {{0, 1, 0}}), kBall);
  const int second = b.add_body("second", kWorld, revolute("two", {{0, 1, 0}}, translation(5, 0, 0)), kBall);
  const Model model = b.make_model();
  std::vector<double> want(36);
  want[7 * 1] = 4.0 / 0.5;   // x of a point two below the axis
  want[7 * 3] = 0.25 / 0.5;  // z of a point half in front of it
  this->expect_matrix(model, {contact(model, first, {{0, 0, -2}}), contact(model, second, {{0.5, 0, 0}})}, want);
}

/// Rows on both joints of a pendulum that hangs from a cart: Λ⁻¹ is M⁻¹, and a row on the bob adds its lever.
TYPED_TEST(ExplicitAlgorithm, RowsOnJoints) {
  ModelBuilder b("cart");
  const Inertial bob{2, {{0, 0, -1}}, Sym3<double>::diagonal(0.5)};
  const int cart = b.add_body("cart", kWorld, prismatic("slide", {{1, 0, 0}}), kBall);
  const int rod = b.add_body("rod", cart, revolute("swing", {{0, 1, 0}}), bob);
  const Model model = b.make_model();
  // M = [[m1 + m2, -m2 l], [-m2 l, I + m2 l²]]: turning about y takes the bob to -x.
  const double a = 4, c = -2, d = 2.5, det = a * d - c * c;
  const double xx = d / det, xt = -c / det, tt = a / det;
  PointContact point = contact(model, rod, {{0, 0, -1}});
  point.kind = ContactKind::kFrictionless;
  point.axes = Mat3<double>{{1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const double tip = xx - 2 * xt + tt, tip_x = xx - xt, tip_t = xt - tt;
  this->expect_matrix(model, {JointFriction{"slide", 0}, point, JointFriction{"swing", 1}},
                      {xx, tip_x, xt, tip_x, tip, tip_t, xt, tip_t, tt});
}

/// A rod between two bodies moves with their difference: one row on two links.
TYPED_TEST(ExplicitAlgorithm, OneRowOnTwoLinks) {
  ModelBuilder b("sliders");
  const int first = b.add_body("first", kWorld, prismatic("one", {{1, 0, 0}}), kBall);
  const int second = b.add_body("second", first, prismatic("two", {{1, 0, 0}}, translation(3, 0, 0)), kBall);
  const Model model = b.make_model();
  const Distance rod{"rod", {model.body_frame(first)}, {model.body_frame(second)}, 3};
  // Two masses of 2 along a line: the distance feels 1/2 + 1/2.
  this->expect_matrix(model, {rod}, {1});
}

}  // namespace
}  // namespace delassus
