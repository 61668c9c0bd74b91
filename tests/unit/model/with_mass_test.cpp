#include "delassus/model/builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "delassus/math/error.hpp"

namespace delassus {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A base that floats, an arm on it, a tool that is fixed to the arm, and a mark without mass.
Model make_arm(const Inertial& base, const Inertial& tool) {
  ModelBuilder b("arm");
  const int first = b.add_body("base", kWorld, joint(JointKind::kFree, "free"), base);
  const int arm = b.add_body("arm", first, revolute("hinge", {{0, 1, 0}}), box_inertial(1, {{0.2, 0.02, 0.02}}));
  b.add_fixed_body("tool", arm, translation(0.4, 0, 0), tool);
  b.add_fixed_body("mark", arm, translation(0.2, 0, 0));
  return b.make_model();
}

const Vec3<double> kHalf{{0.1, 0.2, 0.3}}, kAside{{0.01, 0.02, 0.03}};
const Inertial kTrunk = box_inertial(2, kHalf, kAside), kTool = sphere_inertial(3, 0.1);

TEST(WithMass, EqualsAModelThatIsWrittenWithTheNumbers) {
  const Model model = make_arm(kTrunk, kTool);
  // Powers of two scale without rounding.
  EXPECT_EQ(with_mass(model, 0, {.mass = 8}).description(),
            make_arm(box_inertial(8, kHalf, kAside), kTool).description());
  const Inertial other = box_inertial(5, {{0.3, 0.1, 0.2}}, {{0, 0, 0.1}});
  EXPECT_EQ(with_mass(model, 0, {5, other.com, other.inertia}).description(), make_arm(other, kTool).description());
  const Model heavier = with_mass(model, find_body(model, "tool"), {.mass = 6, .com = kAside});
  EXPECT_EQ(heavier.description(), make_arm(kTrunk, sphere_inertial(6, 0.1, kAside)).description());
  EXPECT_EQ(heavier.mass(), 2 + 1 + 6);
  EXPECT_EQ(heavier.link(1).inertia.mass, 1 + 6);  // what is fixed to a link is part of it
  EXPECT_TRUE(heavier.branches_like(model));
  EXPECT_EQ(model.mass(), 2 + 1 + 3);
}

TEST(WithMass, SaysWhatNoBodyCanHave) {
  const Model model = make_arm(kTrunk, kTool);
  const auto expect = [&](int body, const BodyMass& wanted, const char* words) {
    EXPECT_THAT([&] { with_mass(model, body, wanted); }, ThrowsMessage<Error>(HasSubstr(words))) << words;
  };
  for (const double mass : {0.0, -1.0, double{NAN}, kInfinity})
    expect(0, {.mass = mass}, "argument 'mass' of body 'base' is");
  expect(0, {.mass = 1, .com = Vec3<double>{{0, NAN, 0}}}, "body 'base' has a mass, centre of mass or inertia that");
  Sym3<double> inertia = Sym3<double>::diagonal(1);
  inertia(2, 2) = 2.1;
  expect(0, {.mass = 1, .inertia = inertia}, "body 'base' has moments of inertia that break the triangle inequality");
  inertia(2, 2) = -1;
  expect(0, {.mass = 1, .inertia = inertia}, "body 'base' has a negative moment of inertia");
  inertia = Sym3<double>::diagonal(1);
  inertia(1, 0) = 10;
  expect(0, {.mass = 1, .inertia = inertia}, "body 'base' has an inertia matrix that is not positive semidefinite");
  expect(3, {.mass = 1}, "body 'mark' has no mass that its inertia could grow with; give 'inertia'");
  EXPECT_EQ(with_mass(model, 3, {.mass = 1, .inertia = Sym3<double>::zero()}).mass(), 7);  // a point
  for (const int body : {-1, 4}) expect(body, {.mass = 1}, "model 'arm' has bodies 0 to 3");
}

TEST(WithMass, DoubtfulInertiasOfFilesMayGrow) {
  Inertial thin = kTrunk;
  thin.inertia = Sym3<double>::zero();
  thin.inertia(2, 2) = 1;  // 0 + 0 < 1: no distribution of mass has these moments
  EXPECT_EQ(with_mass(make_arm(thin, kTool), 0, {.mass = 4}).description().bodies[0].inertial.inertia(2, 2), 2);
}

TEST(FindBody, ByNameOrTheClosest) {
  const Model model = make_arm(kTrunk, kTool);
  EXPECT_EQ(find_body(model, "mark"), 3);
  EXPECT_THAT([&] { find_body(model, "tol"); },
              ThrowsMessage<Error>("model 'arm' has no body named 'tol' (did you mean 'tool'?)"));
  EXPECT_THROW(find_body(model, "world"), Error);
}

}  // namespace
}  // namespace delassus
