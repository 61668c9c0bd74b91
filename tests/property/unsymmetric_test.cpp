// Damping with unsymmetric blocks on the condensed tree: rows as unknowns, limb by limb. Against dense long-double matrices.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "delassus/operators/condensed.hpp"
#include "delassus/scenes/load_named.hpp"
#include "operators/condensed/dual_elimination.hpp"
#include "support/damped_case.hpp"
#include "support/quadruped.hpp"

namespace delassus {
namespace {

using testing::DampedCase;
using testing::SampleDamping;
using testing::unsymmetric_damping;

/// The condition number of Λ⁻¹ + R⁻¹ is at most some 1e4 with such damping, and pivots of LU without pivoting grow little beside it.
constexpr double kLeft = 1e-10;

double left_over(const DampedCase& c, const SampleDamping& damping, const std::vector<double>& z,
                 const std::vector<double>& b) {
  return testing::relative_difference((damping.added_to(c) * testing::column_of(z)).entries(), b);
}

/// Solves by elimination alone: neither refined nor by the matrix.
void expect_solves(const DampedCase& c) {
  CondensedOptions options;
  options.refinements = 0;
  options.fallback_rows = 0;
  CondensedDelassus<double> op(c.model, c.rows, options);
  ASSERT_TRUE(op.factor({c.model, c.kin, c.rows}).ok());
  for (int stream = 1; stream < 4; ++stream) {
    const SampleDamping damping = unsymmetric_damping(c, 0.1 * c.norm, stream);
    ASSERT_TRUE(op.update_damping(damping.view()).ok());
    const std::vector<double> b = c.random_vector(stream);
    std::vector<double> z(b.size());
    ASSERT_TRUE(op.solve(b, z).ok());
    EXPECT_LT(left_over(c, damping, z, b), kLeft);
  }
}

TEST(UnsymmetricDamping, OfRandomTreesAndLoops) {
  for (int seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    expect_solves(testing::any_random_case(seed));
  }
}

/// Feet, knees and the trunk itself, and contacts of one limb with another and with the trunk.
std::vector<Constraint> everywhere(const Model& model, int seed) {
  samples::Random random(static_cast<std::uint64_t>(seed), 91);
  std::vector<Constraint> list;
  for (int k = 0; k < 24; ++k) {
    PointContact c;
    c.name = "contact" + std::to_string(k);
    c.a = {random.integer(0, static_cast<int>(model.frames().size()) - 1), random.pose(0.3)};
    c.b = k % 3 == 0 ? random.integer(0, static_cast<int>(model.frames().size()) - 1) : 0;
    if (model.frame(c.a.frame).link == kWorld || model.frame(c.a.frame).link == model.frame(c.b).link) continue;
    c.axes = contact_axes(random.direction());
    list.emplace_back(c);
  }
  return list;
}

TEST(UnsymmetricDamping, OfLimbsOnATrunk) {
  const Model model = testing::quadruped(0);
  for (int seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    expect_solves({model, everywhere(model, seed), samples::random_state(model, seed)});
  }
}

/// Rows of different limbs are coupled by the six unknowns of the trunk alone.
TEST(UnsymmetricDamping, LimbsGoOneByOne) {
  const Model model = testing::quadruped(0);
  std::vector<Constraint> contacts = testing::feet(model);
  const std::vector<Constraint> once = contacts;
  contacts.insert(contacts.end(), once.begin(), once.end());  // 24 rows
  ConstraintRows<double> rows;
  lower_structure(model, contacts, rows);
  DualPlanner planner;
  DualPlan plan;
  planner.run(model, rows, plan);
  ASSERT_EQ(plan.groups.size(), 5u);
  for (int leg = 0; leg < 4; ++leg) {
    EXPECT_EQ(plan.groups[leg].count, 6);
    EXPECT_EQ(plan.groups[leg].below, 6);
  }
  EXPECT_EQ(plan.groups[4].trunk, 0);
  EXPECT_EQ(plan.groups[4].below, 0);
  EXPECT_EQ(plan.unknowns, 30);
}

/// The elimination itself, of the rows of a case in its configuration.
struct Elimination {
  explicit Elimination(const DampedCase& c) : op(c.model, c.rows) {
    EXPECT_TRUE(op.factor({c.model, c.kin, c.rows}).ok());
    dual.prepare(c.model, c.rows, op.plan(), op.configuration());
  }

  CondensedDelassus<double> op;
  DualElimination<double> dual;
};

std::vector<double> solve(const DampedCase& c, DualElimination<double>& dual) {
  std::vector<double> b = c.random_vector(5);
  dual.solve(c.rows, b.data(), b.data());
  return b;
}

/// With another damping of the rows of contacts, of all others, or with what is no number in the last row.
enum class Change { kNothing, kContacts, kLoops, kNaN };
SampleDamping changed(const DampedCase& c, SampleDamping damping, Change change) {
  double* block = damping.numbers.data();
  for (std::size_t e = 0; e < c.rows.spans.size(); ++e) {
    const int n = c.rows.spans[e].rows;
    const bool contact = std::holds_alternative<PointContact>(c.constraints[e]);
    if (contact ? change == Change::kContacts : change == Change::kLoops) block[0] *= 1 + 1e-15;  // the last bits
    block += n * n;
  }
  if (change == Change::kNaN) damping.numbers.back() = std::numeric_limits<double>::quiet_NaN();
  return damping;
}

/// What is kept is seen in no bit, whatever came before. Each of these begins behind what is kept where that holds.
TEST(UnsymmetricDamping, KeepsRowsWhoseDampingStays) {
  int kept = 0;
  for (int seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const DampedCase c = testing::random_limbs(seed);
    Elimination one(c);
    const bool keeps = one.dual.plan().kept > 0;
    const SampleDamping damping = unsymmetric_damping(c, 0.1 * c.norm, 1);
    const auto expect_damping = [&](Change change, bool behind) {
      const SampleDamping now = changed(c, damping, change);
      Elimination anew(c);
      ASSERT_TRUE(one.dual.damp(c.rows, now.view()).ok());
      ASSERT_TRUE(anew.dual.damp(c.rows, now.view()).ok());
      EXPECT_EQ(one.dual.began_behind_kept(), behind && keeps);
      EXPECT_FALSE(anew.dual.began_behind_kept());
      EXPECT_EQ(solve(c, one.dual), solve(c, anew.dual));
    };
    expect_damping(Change::kNothing, false);
    expect_damping(Change::kNothing, true);
    expect_damping(Change::kContacts, true);
    EXPECT_EQ(one.dual.damp(c.rows, changed(c, damping, Change::kNaN).view()).code, Status::Code::kNotFinite);
    expect_damping(Change::kContacts, true);
    expect_damping(Change::kLoops, false);
    expect_damping(Change::kNothing, false);
    one.dual.forget_configuration();
    one.dual.prepare(c.model, c.rows, one.op.plan(), one.op.configuration());
    expect_damping(Change::kNothing, false);
    one.dual.forget_structure();
    one.dual.prepare(c.model, c.rows, one.op.plan(), one.op.configuration());
    expect_damping(Change::kNothing, false);
    expect_damping(Change::kContacts, true);
    kept += keeps;
  }
  EXPECT_GT(kept, 10);
}

/// Chains of Cassie's legs meet within the legs, so that the robot is one limb: 12 rows of loops, and 12 of contacts.
TEST(UnsymmetricDamping, LoopsOfALimbGoFirst) {
  const Scene scene = load_named("cassie-standing");
  ConstraintRows<double> rows;
  lower_structure(scene.model, scene.constraints, rows);
  DualPlanner planner;
  DualPlan plan;
  planner.run(scene.model, rows, plan);
  ASSERT_EQ(plan.groups.size(), 2u);
  EXPECT_EQ(plan.kept, 1);
  EXPECT_EQ(plan.kept_unknowns, 12);
  EXPECT_TRUE(plan.groups[0].stays);
  EXPECT_FALSE(plan.groups[1].stays);
  EXPECT_EQ(plan.groups[0].below, 12);
}

/// Loops in a row, with contacts in between: were they first, they would couple all contacts.
TEST(UnsymmetricDamping, LoopsThatWouldCoupleOthersWait) {
  const DampedCase boxes = testing::clutter(4);
  std::vector<Constraint> list;
  for (const Constraint& c : boxes.constraints) {
    if (std::get<PointContact>(c).b == 0) list.push_back(c);
  }
  for (int i = 0; i + 1 < 4; ++i) {
    list.emplace_back(make_weld("weld" + std::to_string(i), {boxes.model.body_frame(i), translation(0.1, 0, 0)},
                                {boxes.model.body_frame(i + 1), translation(-0.1, 0, 0)}));
  }
  ConstraintRows<double> rows;
  lower_structure(boxes.model, list, rows);
  DualPlanner planner;
  DualPlan plan;
  planner.run(boxes.model, rows, plan);
  ASSERT_EQ(plan.groups.size(), 7u);
  EXPECT_EQ(plan.kept, 0);
}

TEST(UnsymmetricDamping, StatusesNameTheRow) {
  const Model model = testing::quadruped(0);
  const DampedCase c(model, testing::feet(model), samples::random_state(model, 1));
  CondensedDelassus<double> op(c.model, c.rows);
  ASSERT_TRUE(op.factor({c.model, c.kin, c.rows}).ok());
  SampleDamping damping = unsymmetric_damping(c, c.norm, 1);
  damping.numbers[9 + 4] = std::numeric_limits<double>::quiet_NaN();  // of the second constraint, its second row
  EXPECT_EQ(op.update_damping(damping.view()), (Status{Status::Code::kNotFinite, 4}));
  std::vector<double> z(c.m());
  EXPECT_FALSE(op.solve(z, z).ok());
  EXPECT_EQ(op.update_damping(Damping<double>::unsymmetric(std::vector<double>(3))).code, Status::Code::kBadArgument);
  ASSERT_TRUE(op.update_damping(0.1).ok());
  EXPECT_TRUE(op.solve(z, z).ok());
}

}  // namespace
}  // namespace delassus
