#include "delassus/operators/kkt.hpp"

#include <gtest/gtest.h>

#include "delassus/model/builder.hpp"
#include "delassus/operators/matrix_free.hpp"
#include "support/configured.hpp"

namespace delassus {
namespace {

/// A dozen roundings of numbers up to three, times the condition number of M, which is ten.
constexpr double kRounding = 1e-14;

/// Two kilograms that slide along x on a slider that slides along x too, of one kilogram: rows on joints alone.
struct Sliders {
  Sliders() : model(make_model()), c(model, {friction("inner", 0), friction("outer", 1)}, {0.1, 0.2}) {}

  static Model make_model() {
    ModelBuilder b("sliders");
    const int inner = b.add_body("inner", kWorld, prismatic("a", {{1, 0, 0}}), box_inertial(1, {{0.1, 0.1, 0.1}}));
    b.add_body("outer", inner, prismatic("b", {{1, 0, 0}}), box_inertial(2, {{0.1, 0.1, 0.1}}));
    return b.make_model();
  }
  static Constraint friction(const char* name, int joint) { return JointFriction{name, joint}; }

  Model model;
  testing::Configured<double> c;
};

/// M = [[3, 2], [2, 2]], so M⁻¹ = [[1, -1], [-1, 3/2]], and J is the identity.
template <class Operator>
void expect_sliders(Operator&& op, const Sliders& s) {
  ASSERT_TRUE(op.factor({s.model, s.c.kin, s.c.rows}).ok());
  std::vector<double> A(4), y(2);
  op.dense(MatrixView<double>(A.data(), 2, 2));
  const double want[] = {1, -1, -1, 1.5};
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(A[k], want[k], kRounding);
  op.apply(std::vector<double>{1, 2}, y);
  EXPECT_NEAR(y[0], -1, kRounding);
  EXPECT_NEAR(y[1], 2, kRounding);
  op.joint_response(std::vector<double>{1, 2}, y);
  EXPECT_NEAR(y[0], -1, kRounding);
  EXPECT_NEAR(y[1], 2, kRounding);
}

TEST(KktDelassus, Sliders) {
  const Sliders s;
  KktDelassus<double> op(s.model);
  expect_sliders(op, s);
  // A damping of one on both: [[2, -1], [-1, 5/2]]⁻¹ = [[5/2, 1], [1, 2]] / 4.
  std::vector<double> z(2), acceleration(2);
  ASSERT_TRUE(op.update_damping(1.0).ok());
  ASSERT_TRUE(op.solve(std::vector<double>{4, 0}, z).ok());
  EXPECT_NEAR(z[0], 2.5, kRounding);
  EXPECT_NEAR(z[1], 1, kRounding);
  // Pulled with τ = (1, 0), which alone would give M⁻¹ τ = (1, -1), and held at b = 0: λ = -(3/8, -1/4).
  ASSERT_TRUE(op.solve_system(std::vector<double>{1, 0}, std::vector<double>{0, 0}, acceleration, z).ok());
  EXPECT_NEAR(z[0], -0.375, kRounding);
  EXPECT_NEAR(z[1], 0.25, kRounding);
  EXPECT_NEAR(acceleration[0], 0.375, kRounding);
  EXPECT_NEAR(acceleration[1], -0.25, kRounding);
}

TEST(MatrixFreeDelassus, Sliders) {
  const Sliders s;
  expect_sliders(MatrixFreeDelassus<double>(s.model, MatrixFreeForm::kThreeMaps), s);
  expect_sliders(MatrixFreeDelassus<double>(s.model), s);
}

}  // namespace
}  // namespace delassus
