// Contacts that would have to pull, slip, twist or tip: forces with known answers, and a humanoid whose feet hold more than ground does.
#include "delassus/control/held_contacts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "delassus/constraints/constrained_model.hpp"
#include "delassus/control/operational_controller.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/scenes/load_named.hpp"

namespace delassus {
namespace {

using Vector = std::vector<double>;

constexpr double kContactRounding = 1e-10;  // N and Nm, of forces of some hundred

Model make_box() {
  ModelBuilder builder("box");
  builder.add_body("box", kWorld, {"free", JointKind::kFree}, box_inertial(10, {{0.1, 0.05, 0.02}}));
  return builder.make_model();
}

/// A box on a plate of 0.2 m by 0.1 m, with friction of 0.5 and a torsion of 2 cm, welded or touching.
class OnAPlate : public ::testing::Test {
 protected:
  explicit OnAPlate(double turn = 0) : q_(model_.neutral()) {
    q_[5] = std::sin(turn / 2);
    q_[6] = std::cos(turn / 2);
  }

  /// What rows of a constraint with these forces would need.
  template <class T = double>
  ContactExcess judge(const Constraint& held, const std::vector<Support>& supports, const Vector& force) {
    const std::vector<Constraint> list{held};
    State<T> state(model_, list);
    const std::vector<T> q(q_.begin(), q_.end()), v(static_cast<std::size_t>(model_.nv()));
    EXPECT_TRUE(state.update(q, v).ok());
    const std::vector<T> rows(force.begin(), force.end());
    return HeldContacts<T>(model_, list, supports).judge(state, rows);
  }
  /// Of the weld: force, then moment, about the box's origin.
  template <class T = double>
  ContactExcess judge(const Vector& force) {
    return judge<T>(weld(), {plate_}, force);
  }
  Constraint weld() const {
    LoopClosure out = make_weld("foot", attach(model_, "box"), {0, Pose<double>::identity()});
    out.axes = LoopAxes::kWorldAxes;
    return out;
  }
  void expect(const ContactExcess& got, ContactFault fault, double beyond, double tolerance = kContactRounding) {
    EXPECT_EQ(got.fault, fault);
    EXPECT_EQ(got.held, fault == ContactFault::kNone ? -1 : 0);
    EXPECT_NEAR(got.beyond, beyond, tolerance);
  }

  const Model model_ = make_box();
  Vector q_;
  // A point inside of the plate is no corner.
  const Support plate_{
      .held = "foot",
      .mu = 0.5,
      .mu_torsion = 0.02,
      .sole = {{{0.1, 0.05, 0}}, {{-0.1, -0.05, 0}}, {{0.02, 0, 0}}, {{-0.1, 0.05, 0}}, {{0.1, -0.05, 0}}}};
};

TEST_F(OnAPlate, WhatTheGroundCanGive) {
  expect(judge({0, 0, 100, 0, 0, 0}), ContactFault::kNone, 0);
  expect(judge({0, 0, 0, 0, 0, 0}), ContactFault::kNone, 0);
  expect(judge({29, -39, 100, 0, 0, 0}), ContactFault::kNone, 0);    // 48.6 along the ground, of 50
  expect(judge({0, 0, 100, 4.9, -9.9, 0}), ContactFault::kNone, 0);  // near a corner
  expect(judge({0, 0, 100, 0, 0, -1.9}), ContactFault::kNone, 0);    // torsion, of 2
  expect(judge({0, 40, 100, 0, -8, 3.2}), ContactFault::kNone, 0);   // no torsion about where it acts, 0.08 m along x
  expect(judge({50, 0, 100, 0, 10, 0}), ContactFault::kNone, 0);     // on all edges at once
}

TEST_F(OnAPlate, WhatItCannot) {
  expect(judge({0, 0, -4000, 0, 0, 0}), ContactFault::kPulls, 4000);
  expect(judge({30, 40, -20, 700, 0, 9}), ContactFault::kPulls, 20);  // before all else
  expect(judge({36, 48, 100, 0, 0, 0}), ContactFault::kSlips, 10);
  expect(judge({0, 0, 100, 0, 12, 0}), ContactFault::kTips, 2);
  expect(judge({0, 0, 100, 0, -13, 0}), ContactFault::kTips, 3);
  expect(judge({0, 0, 100, 7, 0, 0}), ContactFault::kTips, 2);
  expect(judge({0, 0, 600, 1342, 0, 0}), ContactFault::kTips, 1312);  // 30 Nm about a long edge
  expect(judge({0, 0, 100, 0, 0, 3}), ContactFault::kTwists, 1);
  expect(judge({0, 60, 100, 0, -8, 0}), ContactFault::kSlips, 10);  // and twists by 2.8
}

TEST_F(OnAPlate, InSinglePrecision) {
  expect(judge<float>({0, 0, 100, 0, 0, 0}), ContactFault::kNone, 0);
  expect(judge<float>({36, 48, 100, 0, 0, 0}), ContactFault::kSlips, 10, 1e-4);
  expect(judge<float>({0, 0, 100, 7, 0, 0}), ContactFault::kTips, 2, 1e-4);
}

class OnATurnedPlate : public OnAPlate {
 protected:
  OnATurnedPlate() : OnAPlate(std::numbers::pi / 2) {}
};

/// The sole turns with the box: what was 0.1 m is now 0.05.
TEST_F(OnATurnedPlate, TheSoleTurnsWithTheBody) {
  expect(judge({0, 0, 100, 0, 7, 0}), ContactFault::kTips, 2);
  expect(judge({0, 0, 100, 9.9, 0, 0}), ContactFault::kNone, 0);
}

/// A foot above its sole: the force along the ground tips it.
TEST_F(OnAPlate, ASoleBelowTheOrigin) {
  Support high = plate_;
  for (Vec3<double>& corner : high.sole) corner[2] -= 0.1;
  expect(judge(weld(), {high}, {40, 0, 100, 0, 0, 0}), ContactFault::kNone, 0);   // 4 Nm of 10
  expect(judge(weld(), {high}, {0, 49, 80, 0, 0, 0}), ContactFault::kTips, 0.9);  // 4.9 Nm of 4, and slips by 9 N
}

TEST_F(OnAPlate, ASlope) {
  Support slope = plate_;
  slope.normal = {{1, 0, 1}};
  const double s = std::sqrt(0.5);
  expect(judge(weld(), {slope}, {0, 0, 100, 0, 0, 0}), ContactFault::kSlips, 50 * s);  // 100 s along, 50 s held
  expect(judge(weld(), {slope}, {-200, 0, 100, 0, 0, 0}), ContactFault::kPulls, 100 * s);
}

/// What a contact has with it needs no support.
TEST_F(OnAPlate, ContactsHaveConesOfTheirOwn) {
  PointContact contact;
  contact.name = "foot";
  contact.a = attach(model_, "box");
  contact.kind = ContactKind::kRolling;
  contact.set = {.kind = SetKind::kFrictionCone, .mu = 0.5, .mu_torsion = 0.02, .mu_rolling = 0.1};
  const auto with = [&](const Vector& force) { return judge(contact, {}, force); };  // n t1 t2, about n t1 t2
  expect(with({100, 30, 0, 0, 0, 0}), ContactFault::kNone, 0);
  expect(with({-5, 0, 0, 0, 0, 0}), ContactFault::kPulls, 5);
  expect(with({100, 60, 0, 0, 0, 0}), ContactFault::kSlips, 10);
  expect(with({100, 0, 0, 3, 0, 0}), ContactFault::kTwists, 1);
  expect(with({100, 0, 0, 0, 0, 12}), ContactFault::kTips, 2);
  contact.set.mu = 0;
  expect(with({100, 1, 0, 0, 0, 0}), ContactFault::kSlips, 1);
  contact.set = {};  // any force, as it says
  expect(with({-100, 60, 0, 3, 0, 12}), ContactFault::kNone, 0);
}

TEST_F(OnAPlate, SupportsThatAreNone) {
  const std::vector<Constraint> held{weld(), Distance{"rope", attach(model_, "box"), {0, translation(1, 0, 0)}, 1}};
  const auto words = [&](Support support) {
    try {
      const HeldContacts<double> contacts(model_, held, {{std::move(support)}});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  EXPECT_EQ(words({.held = "hand"}), "support of 'hand' names no held constraint; there are: foot, rope");
  EXPECT_NE(words({.held = "rope"}).find("no contact and no loop"), std::string::npos);
  EXPECT_NE(words({.held = "foot", .mu = -1}).find("friction"), std::string::npos);
  EXPECT_NE(words({.held = "foot", .mu = std::nan("")}).find("friction"), std::string::npos);
  EXPECT_NE(words({.held = "foot", .sole = {{{0, 0, 0}}, {{1, 0, 0}}, {{2, 0, 0}}}}).find("no line"),
            std::string::npos);
  EXPECT_NE(words({.held = "foot", .sole = {{{0, 0, 0}}, {{1, 0, 0}}, {{0, NAN, 0}}}}).find("finite"),
            std::string::npos);
  EXPECT_NE(words({.held = "foot", .normal = {{0, 0, 0}}}).find("normal"), std::string::npos);
}

/// A humanoid with both feet welded to the ground, which holds whatever is asked of them.
class Humanoid : public ::testing::Test {
 protected:
  OperationalController<double> make(const std::vector<Support>& supports) {
    Kinematics<double> kin(g1_.model);
    update_kinematics(g1_.model, g1_.q, kin);
    const TaskLevel balance{"balance", {make_centre_of_mass_task("centre", centre_of_mass(g1_.model, kin))}};
    ControllerOptions options;
    options.supports = supports;
    OperationalController<double> out(g1_.model, {{balance}}, feet_, options);
    EXPECT_TRUE(out.set_posture(g1_.q).ok());
    return out;
  }
  /// The force on a foot along z, and the moment about its origin; rows are in the axes of the foot, which stand still.
  Vec3<double> part(const OperationalController<double>& controller, int foot, int first) const {
    Kinematics<double> kin(g1_.model);
    update_kinematics(g1_.model, g1_.q, kin);
    const int frame = g1_.model.find_frame(names_[static_cast<std::size_t>(foot)]);
    const double* f = controller.held_force().data() + 6 * foot + first;
    return frame_pose(g1_.model, kin, frame).R * Vec3<double>{{f[0], f[1], f[2]}};
  }

  const Scene g1_ = load_named("g1-standing");
  const std::vector<std::string> names_{"left_ankle_roll_link", "right_ankle_roll_link"};
  const std::vector<Constraint> feet_ = make_welds_to_world(g1_.model, g1_.q, names_);
  const std::vector<Support> supports_ = make_supports(g1_.model, g1_.q, feet_);
  const Vector rest_ = Vector(static_cast<std::size_t>(g1_.model.nv()));
  Vector tau_ = rest_;
};

TEST_F(Humanoid, SolesAreWhatTouchesTheGround) {
  ASSERT_EQ(supports_.size(), 2U);
  for (const Support& support : supports_) {
    EXPECT_EQ(support.sole.size(), 4U);
    EXPECT_EQ(support.mu, 1.0);  // of the shapes
  }
  EXPECT_EQ(supports_[1].held, name_of(feet_[1]));
}

TEST_F(Humanoid, StandsAsOneDoes) {
  OperationalController<double> controller = make(supports_);
  const ControlStatus status = controller.compute(g1_.q, rest_, tau_);
  EXPECT_TRUE(status.ok()) << describe(status, g1_.model, controller.space().tasks().constraints());
}

/// Thrown down faster than it falls: both feet pull with 4 kN, and nobody but a weld does that.
TEST_F(Humanoid, FeetThatPullWithFourKilonewtons) {
  const double down = -8000 / g1_.model.mass() + g1_.model.gravity()[2];
  for (const bool looked_at : {true, false}) {
    OperationalController<double> controller = make(looked_at ? supports_ : std::vector<Support>{});
    ASSERT_TRUE(controller.set_acceleration(controller.find_task("centre"), Vector{0, 0, down}).ok());
    const ControlStatus status = controller.compute(g1_.q, rest_, tau_);
    const double left = part(controller, 0, 0)[2], right = part(controller, 1, 0)[2];
    EXPECT_NEAR(left + right, -8000, 1e-6);  // newtons, of a solve with hundreds of kilograms metres
    EXPECT_TRUE(status.leaves_forces());
    EXPECT_EQ(status.code, Status::Code::kOk);
    if (!looked_at) {
      EXPECT_TRUE(status.ok()) << "a weld holds what it is asked for";
      continue;
    }
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(status.contact.fault, ContactFault::kPulls);
    EXPECT_EQ(status.contact.held, left < right ? 0 : 1);
    EXPECT_NEAR(status.contact.beyond, -std::min(left, right), 1e-9);
    EXPECT_GE(status.contact.beyond, 4000 - 1e-6);
    const std::string words = describe(status, g1_.model, controller.space().tasks().constraints());
    EXPECT_NE(words.find("'" + name_of(feet_[static_cast<std::size_t>(status.contact.held)]) + "' pulls with"),
              std::string::npos)
        << words;
  }
}

/// Feet that turn against each other with 1342 Nm, which is no motion at all.
TEST_F(Humanoid, FeetThatCarryAMoment) {
  OperationalController<double> controller = make(supports_);
  Vector wish(12);
  const double moment = 1342;
  wish[3] = moment, wish[9] = -moment;
  ASSERT_TRUE(controller.set_held_force(wish).ok());
  const ControlStatus status = controller.compute(g1_.q, rest_, tau_);
  EXPECT_EQ(status.code, Status::Code::kOk);
  EXPECT_EQ(status.contact.fault, ContactFault::kTips);
  double most = 0;
  for (const int foot : {0, 1}) most = std::max(most, norm(part(controller, foot, 3)));
  EXPECT_GT(most, 0.9 * moment);
  // A foot under half the weight holds its weight times some centimetres.
  EXPECT_GT(status.contact.beyond, most - 50);
  EXPECT_LT(status.contact.beyond, most);
}

}  // namespace
}  // namespace delassus
