// Steps on the manifold against the exponential of SE(3) in long double, on both sides of every switch to a series.
#include "delassus/kinematics/kinematics.hpp"

#include <gtest/gtest.h>

#include <array>

#include "delassus/model/builder.hpp"
#include "support/compare.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

using testing::converted;
using testing::relative_difference;

/// Displacements of this size: what is wrong in a coefficient of the screw shows against it.
constexpr double kFar = 1000;

/// A free joint between others, so that no index is zero and q and v do not run in step.
Model body_among_others() {
  ModelBuilder b("train");
  const Inertial inertial = box_inertial(1, {{0.1, 0.2, 0.3}});
  const int first = b.add_body("first", kWorld, joint(JointKind::kPlanar, "planar"), inertial);
  b.add_body("ball", first, joint(JointKind::kSpherical, "ball"), inertial);
  b.add_body("body", kWorld, joint(JointKind::kFree, "free"), inertial);
  b.add_body("last", first, revolute("last", {{0, 1, 0}}), inertial);
  return b.make_model();
}
constexpr int kPlanarQ = 0, kBallQ = 3, kFreeQ = 7, kLastQ = 14;
constexpr int kBallV = 3, kFreeV = 6;

using Matrix4 = std::array<std::array<long double, 4>, 4>;

Matrix4 product(const Matrix4& a, const Matrix4& b) {
  Matrix4 c{};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int k = 0; k < 4; ++k) c[i][j] += a[i][k] * b[k][j];
    }
  }
  return c;
}

/// exp of the twist (w, v) of body axes by its power series: 60 terms are exact to rounding for turns below four.
Matrix4 exponential(const Vec3<double>& w, const Vec3<double>& v) {
  const Matrix4 X{{{0, -w[2], w[1], v[0]}, {w[2], 0, -w[0], v[1]}, {-w[1], w[0], 0, v[2]}, {0, 0, 0, 0}}};
  Matrix4 sum{}, term{};
  for (int i = 0; i < 4; ++i) sum[i][i] = term[i][i] = 1;
  for (int n = 1; n <= 60; ++n) {
    term = product(term, X);
    for (auto& row : term) {
      for (long double& x : row) x /= n;
    }
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) sum[i][j] += term[i][j];
    }
  }
  return sum;
}

template <class T>
Matrix4 pose_at(const std::vector<T>& q, int position, int quaternion) {
  const Mat3<long double> R =
      rotation_of(Quaternion<long double>{{q[quaternion], q[quaternion + 1], q[quaternion + 2], q[quaternion + 3]}});
  Matrix4 out{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out[i][j] = R(i, j);
    if (position >= 0) out[i][3] = q[position + i];
  }
  out[3][3] = 1;
  return out;
}

Vec3<double> vector_at(const std::vector<double>& x, int i) { return {{x[i], x[i + 1], x[i + 2]}}; }

void expect_near(const Matrix4& got, const Matrix4& want, double turn, double displacement) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(static_cast<double>(got[i][j] - want[i][j]), 0, turn);
    EXPECT_NEAR(static_cast<double>(got[i][3] - want[i][3]), 0, displacement);
  }
}

struct Step {
  std::vector<double> q, v;
};

/// Turns of this angle, with displacements that are far longer; inputs are floats, so that both scalars see the same.
Step random_step(const Model& model, double angle, int seed) {
  samples::Random random(seed, 9);
  Step step{samples::random_state(model, seed).q, samples::random_state(model, seed).v};
  for (const int at : {kBallV, kFreeV}) {
    const Vec3<double> w = angle * random.direction();
    for (int k = 0; k < 3; ++k) step.v[at + k] = w[k];
  }
  const Vec3<double> travel = kFar * random.direction();
  for (int k = 0; k < 3; ++k) step.v[kFreeV + 3 + k] = travel[k], step.q[kFreeQ + k] = random.uniform(-1, 1);
  step.q = converted<double>(converted<float>(step.q));
  step.v = converted<double>(converted<float>(step.v));
  return step;
}

/// Series begin at 1e-3 (quaternions) and 1e-2 (screws).
const std::vector<double> kAngles{0, 1e-8, 0.9e-3, 1e-3, 1.1e-3, 0.009, 0.011, 0.1, 1, 3};

/// `rounding` of one operation: a few of them in a turn, and in the displacement relative to its length.
template <class T>
void steps_are_exponentials(double rounding) {
  const Model model = body_among_others();
  for (const double angle : kAngles) {
    for (int seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(::testing::Message() << "angle " << angle << ", seed " << seed);
      const Step step = random_step(model, angle, seed);
      const std::vector<T> q = converted<T>(step.q), v = converted<T>(step.v);
      std::vector<T> out(model.nq()), back(model.nv());
      integrate(model, q, v, out);
      const Matrix4 free = exponential(vector_at(step.v, kFreeV), vector_at(step.v, kFreeV + 3));
      expect_near(pose_at(out, kFreeQ, kFreeQ + 3), product(pose_at(step.q, kFreeQ, kFreeQ + 3), free), 8 * rounding,
                  8 * rounding * kFar);
      const Matrix4 ball = exponential(vector_at(step.v, kBallV), {{0, 0, 0}});
      expect_near(pose_at(out, -1, kBallQ), product(pose_at(step.q, -1, kBallQ), ball), 8 * rounding, 0);
      for (int k = 0; k < 3; ++k) EXPECT_EQ(out[kPlanarQ + k], q[kPlanarQ + k] + v[kPlanarQ + k]);

      // There and back. A turn near half a circle is the arc tangent of numbers that differ by rounding.
      difference(model, q, out, back);
      for (int k = 0; k < model.nv(); ++k) {
        const double scale = k >= kFreeV + 3 && k < kFreeV + 6 ? kFar : 4;
        EXPECT_NEAR(back[k], v[k], 16 * rounding * scale) << k;
      }

      std::vector<T> in_place = q;
      integrate(model, in_place, v, in_place);
      EXPECT_EQ(in_place, out);
    }
  }
}
TEST(Integrate, StepsAreExponentials) { steps_are_exponentials<double>(2.3e-16); }
TEST(Integrate, StepsInFloatAreExponentials) { steps_are_exponentials<float>(1.2e-7); }

template <class T>
void normalise_touches_quaternions_only() {
  const Model model = body_among_others();
  const Step step = random_step(model, 1, 4);
  const std::vector<T> unit = converted<T>(step.q);
  std::vector<T> q = unit;
  for (int k = 0; k < 4; ++k) q[kBallQ + k] *= 4, q[kFreeQ + 3 + k] *= T(0.25);
  normalise(model, q);
  for (int k = 0; k < model.nq(); ++k) {
    const bool in_quaternion = (k >= kBallQ && k < kBallQ + 4) || (k >= kFreeQ + 3 && k < kLastQ);
    // The unit quaternion itself was rounded to float; the others stay as they are.
    EXPECT_NEAR(q[k], unit[k], in_quaternion ? 2e-7 : 0.0) << k;
  }
  for (const int at : {kBallQ, kFreeQ + 3}) {
    const Quaternion<T> x{{q[at], q[at + 1], q[at + 2], q[at + 3]}};
    EXPECT_NEAR(dot(x, x), 1, 4 * std::numeric_limits<T>::epsilon());
  }
}
TEST(Normalise, TouchesQuaternionsOnly) {
  normalise_touches_quaternions_only<double>();
  normalise_touches_quaternions_only<float>();
}

}  // namespace
}  // namespace delassus
