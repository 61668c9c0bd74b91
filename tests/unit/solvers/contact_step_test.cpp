// What bodies do over one time step, where that is known on paper.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "delassus/model/builder.hpp"
#include "support/contact_solve.hpp"

namespace delassus::testing {
namespace {

using Vector = std::vector<double>;

constexpr double kDt = kContactStep, kFall = 9.81 * kDt;  // what a body that falls gains
constexpr double kMu = 0.5;
/// What solvers are asked for, and what a velocity of a block may then be off by: it is that of its contacts, of which there are four.
constexpr double kAsked = 1e-12, kNear = 1e-11;

/// The velocity after the step: g of the block's own degrees of freedom is not there, so v + dt a + M⁻¹Jᵀλ.
Vector velocity_after(const ContactCase& c, const Vector& before, const Vector& lambda) {
  const Exact push = oracle::solve_positive(c.M, column_of(c.felt(lambda)));
  Vector out = before;
  for (int k = 0; k < c.model.nv(); ++k) out[static_cast<std::size_t>(k)] += static_cast<double>(push(k, 0));
  out[5] -= kFall;
  return out;
}

/// Calls check(velocity after, forces) for every solver.
template <class Then>
void step(const BlockOptions& options, const Vector& before, ContactLaw law, Then&& check) {
  const ContactCase c = make_block(options, before, law);
  for (const ContactSolver solver : kContactSolvers) {
    SCOPED_TRACE(name_of(solver));
    const ContactOutcome got = solve_contact(c, solver, {.tolerance = kAsked, .iterations = 20000});
    ASSERT_TRUE(got.status.ok());
    check(velocity_after(c, before, got.lambda), got.lambda);
  }
}

void expect_near(const Vector& got, const Vector& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], want[k], kNear) << k;
}

/// Sliding friction takes μ g dt, no more and no less; nothing lifts off and nothing tips.
TEST(ContactStep, BlocksThatSlideSlowDownByFriction) {
  const double v = 0.3, after = v - kMu * kFall;
  step({}, {0, 0, 0, v, 0, 0}, ContactLaw::kCoulomb, [&](const Vector& got, const Vector&) {
    expect_near(got, {0, 0, 0, after, 0, 0});
  });
  step({}, {0, 0, 0, -0.6 * v, 0.8 * v, 0}, ContactLaw::kCoulomb, [&](const Vector& got, const Vector&) {
    expect_near(got, {0, 0, 0, -0.6 * after, 0.8 * after, 0});
  });
}

TEST(ContactStep, BlocksThatFrictionCanHoldStop) {
  step({}, {0, 0, 0, 0.9 * kMu * kFall, 0, 0}, ContactLaw::kCoulomb, [&](const Vector& got, const Vector& lambda) {
    expect_near(got, Vector(6));
    double normal = 0;
    for (std::size_t k = 0; k < lambda.size(); k += 3) normal += lambda[k];
    EXPECT_NEAR(normal, 2 * kFall, 2 * kNear);  // the block's weight
  });
}

/// The convex law: σ_n = μ σ_t while a contact slides, so that the block takes off. N = m (μ v + g dt) / (1 + μ²).
TEST(ContactStep, ConvexBlocksThatSlideLiftOff) {
  const double v = 0.3, normal = (kMu * v + kFall) / (1 + kMu * kMu), after = v - kMu * normal;
  step({.below = 0}, {0, 0, 0, v, 0, 0}, ContactLaw::kConvex, [&](const Vector& got, const Vector&) {
    expect_near(got, {0, 0, 0, after, 0, kMu * after});
  });
  // One that stops does not.
  step({.below = 0}, {0, 0, 0, 0.9 * kMu * kFall, 0, 0}, ContactLaw::kConvex,
       [&](const Vector& got, const Vector&) { expect_near(got, Vector(6)); });
}

TEST(ContactStep, BlocksThatLeaveAreNotHeld) {
  const Vector before{0.1, 0, 0.2, 0.3, 0, 1};
  for (const ContactLaw law : {ContactLaw::kCoulomb, ContactLaw::kConvex}) {
    step({}, before, law, [&](const Vector&, const Vector& lambda) { EXPECT_EQ(lambda, Vector(12)); });
  }
}

/// I = 2/3 m h² for a cube: what is below counts nothing for its own axis.
constexpr double kInertiaPerMass = 2.0 / 3.0 * 0.25 * 0.25;

/// The moment of torsion is μ_τ N against the spin; that of rolling μ_r N.
TEST(ContactStep, TorsionAndRollingSlowDownSpins) {
  BlockOptions torsion{
      .set = {SetKind::kFrictionCone, 0, kMu, 0.02}, .kind = ContactKind::kTorsional, .corners = false};
  const double spin = 2, loss = kFall / kInertiaPerMass;
  step(torsion, {0, 0, spin, 0, 0, 0}, ContactLaw::kCoulomb, [&](const Vector& got, const Vector&) {
    expect_near(got, {0, 0, spin - 0.02 * loss, 0, 0, 0});
  });
  step(torsion, {0, 0, 0.01 * loss, 0, 0, 0}, ContactLaw::kCoulomb,
       [&](const Vector& got, const Vector&) { expect_near(got, Vector(6)); });
  BlockOptions rolling{.set = {SetKind::kFrictionCone, 0, kMu, 0.02, 0.003},
                       .kind = ContactKind::kRolling,
                       .corners = false,
                       .below = 0};
  step(rolling, {0, spin, 0, 0, 0, 0}, ContactLaw::kCoulomb, [&](const Vector& got, const Vector&) {
    expect_near(got, {0, spin - 0.003 * loss, 0, 0, 0, 0});
  });
}

/// Without coefficients of their own, the rows bear nothing.
TEST(ContactStep, SpinsWithoutTorsionGoOn) {
  for (const ContactKind kind : {ContactKind::kTorsional, ContactKind::kRolling}) {
    step({.kind = kind, .corners = false, .below = 0}, {0.5, 0, 2, 0, 0, 0}, ContactLaw::kCoulomb,
         [&](const Vector& got, const Vector&) {
           expect_near(got, {0.5, 0, 2, 0, 0, 0});
         });
  }
}

/// The friction that dissipates most within the ellipse: v' = v - N/m (μ_k² v'_k) / ‖μ v'‖.
TEST(ContactStep, AnisotropicFrictionTurnsTheMotion) {
  const double across = 0.2;
  BlockOptions options{.corners = false, .below = 0};
  options.set.mu_across = across;
  const Vector before{0, 0, 0, 0.3, 0.3, 0};
  step(options, before, ContactLaw::kCoulomb, [&](const Vector& got, const Vector&) {
    const double size = std::hypot(kMu * got[3], across * got[4]);
    EXPECT_NEAR(got[3], before[3] - kFall * kMu * kMu * got[3] / size, kNear);
    EXPECT_NEAR(got[4], before[4] - kFall * across * across * got[4] / size, kNear);
    EXPECT_GT(got[4], got[3]);
    EXPECT_NEAR(got[5], 0, kNear);
  });
}

/// A compliant contact gives way by R N: N = m g dt / (1 + m R).
TEST(ContactStep, CompliantContactsGiveWay) {
  const double mass = 2, R = 0.1, normal = mass * kFall / (1 + mass * R);
  ContactCase c = make_block({.mass = mass, .corners = false}, Vector(6), ContactLaw::kCoulomb);
  c.compliance = {R, R, R};
  for (const ContactSolver solver : kContactSolvers) {
    SCOPED_TRACE(name_of(solver));
    const ContactOutcome got = solve_contact(c, solver, {.tolerance = kAsked});
    EXPECT_NEAR(got.lambda[0], normal, mass * kNear);
    EXPECT_NEAR(got.sigma[0], 0, kNear);
    EXPECT_NEAR(velocity_after(c, Vector(6), got.lambda)[5], -R * normal, kNear);
  }
}

/// A slide of 2 kg with 3 N of dry friction and a stop: as much as it takes, within its bound; and no farther than there is room.
TEST(ContactStep, SlidesWithFrictionAndStops) {
  ModelBuilder builder("slide");
  builder.gravity({{0, 0, 0}});
  builder.add_body("slide", -1, prismatic("x", {{1, 0, 0}}), box_inertial(2, {{0.1, 0.1, 0.1}}));
  const double room = 1e-3, loss = 3 * kDt / 2;
  const std::vector<Constraint> list{JointFriction{"dry", 0, 0, {SetKind::kBox, 3}},
                                     JointLimit{"end", 0, 0, true, room}};
  struct {
    double before, after;
  } const cases[] = {{0.1, 0.1 - loss}, {-0.1, -0.1 + loss}, {0.5 * loss, 0}, {-0.5 * loss, 0}, {2, room / kDt}};
  for (const auto& [before, after] : cases) {
    const ContactCase c(builder.make_model(), list, {{0}, {before}, {0}});
    for (const ContactSolver solver : kContactSolvers) {
      SCOPED_TRACE(name_of(solver) + " from " + std::to_string(before));
      const ContactOutcome got = solve_contact(c, solver, {.tolerance = kAsked});
      ASSERT_TRUE(got.status.ok());
      EXPECT_NEAR(got.sigma[0], after, kNear);
    }
  }
}

}  // namespace
}  // namespace delassus::testing
