// What the condensed tree costs beside LCABA, that it takes no memory once it has been planned, and what it says to bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <iomanip>
#include <limits>
#include <memory>
#include <sstream>

#include "delassus/math/counted.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/operators/condensed.hpp"
#include "delassus/operators/lcaba.hpp"
#include "operators/condensed/plan.hpp"
#include "scenes/generated.hpp"
#include "scenes/recipes.hpp"
#include "support/allocation_count.hpp"
#include "support/command.hpp"
#include "support/compare.hpp"
#include "support/configured.hpp"
#include "support/embedded_robots.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

using testing::allocations_of;
using testing::Configured;

constexpr ConstraintForm kForms[] = {ConstraintForm::kCheapest, ConstraintForm::kStiffness,
                                     ConstraintForm::kLoopMultipliers, ConstraintForm::kAllMultipliers};

/// A random system; constraints in several sets, the first of which holds the most.
struct System {
  explicit System(int seed, int count = 10)
      : model(samples::random_model(seed)),
        constraints(samples::random_constraints(model, seed, count)),
        state(samples::random_state(model, seed)) {}
  template <class T = double>
  Configured<T> with(int count) const {
    return {model, {constraints.begin(), constraints.begin() + count}, testing::converted<T>(state.q)};
  }
  Model model;
  std::vector<Constraint> constraints;
  samples::State state;
};

// -------------------------------------------------------------------------------------------- allocation

template <class T>
void call_everything(const Configured<T>& at, CondensedDelassus<T>& op, std::vector<T>& x, std::vector<T>& y,
                     std::vector<T>& panel, const std::vector<T>& blocks, std::vector<T>& response) {
  const int m = at.rows.num_rows();
  const VectorView<T> in(x.data(), m), out(y.data(), m);
  EXPECT_TRUE(op.factor({at.model, at.kin, at.rows}).ok());
  op.apply(VectorView<const T>(x.data(), m), out);
  op.joint_response(VectorView<const T>(x.data(), m), response);
  op.diagonal(out);
  op.dense(MatrixView<T>(panel.data(), m, m));
  op.apply_panel(MatrixView<const T>(panel.data(), m, m), MatrixView<T>(panel.data(), m, m));
  for (const T mu : {T(1), T(1e-3)}) {
    static_cast<void>(op.update_damping(mu));
    static_cast<void>(op.solve(VectorView<const T>(x.data(), m), out));
  }
  for (T& e : x) e = T(1);
  static_cast<void>(op.update_damping(VectorView<const T>(x.data(), m)));
  static_cast<void>(op.solve(VectorView<const T>(x.data(), m), in));
  for (T& e : x) e = T(1);
  int entries = 0;
  for (const RowSpan& span : at.rows.spans) entries += span.rows * span.rows;
  static_cast<void>(op.update_damping(Damping<T>::blocks(VectorView<const T>(blocks.data(), entries))));
  static_cast<void>(op.solve_panel(MatrixView<const T>(panel.data(), m, m), MatrixView<T>(panel.data(), m, m)));
}

/// Neither the stages nor structures that are not larger than the first allocate. (What is larger differs between forms and
/// orders: fewer constraints may need a longer chain, so that room for all is found by visiting all once.)
template <class T>
void expect_no_allocation() {
  for (int seed = 0; seed < 20; ++seed) {
    const System s(seed);
    const Configured<T> all = s.with<T>(10), few = s.with<T>(3), none = s.with<T>(0);
    const int m = all.rows.num_rows();
    std::vector<T> x(m, T(1)), y(m), response(s.model.nv()), panel(static_cast<std::size_t>(m) * m, T(1)), blocks;
    for (const RowSpan& span : all.rows.spans) {
      for (int k = 0; k < span.rows * span.rows; ++k) blocks.push_back(k % (span.rows + 1) == 0 ? T(1) : T(0));
    }
    for (const ConstraintForm form : kForms) {
      CondensedOptions options;
      options.form = form;
      CondensedDelassus<T> op(s.model, all.rows, options);
      EXPECT_EQ(allocations_of([&] { call_everything(all, op, x, y, panel, blocks, response); }), 0);
      op.update_structure(s.model, few.rows);
      op.update_structure(s.model, none.rows);
      EXPECT_EQ(allocations_of([&] {
                  for (const auto* rows : {&few, &all, &none, &all}) {
                    op.update_structure(s.model, rows->rows);
                    call_everything(*rows, op, x, y, panel, blocks, response);
                  }
                }),
                0)
          << "seed " << seed << ", form " << static_cast<int>(form);
    }
  }
}
TEST(CondensedAllocation, NoneInDouble) { expect_no_allocation<double>(); }
TEST(CondensedAllocation, NoneInFloat) { expect_no_allocation<float>(); }

/// A set of contacts that loses some never needs more than before.
TEST(CondensedAllocation, NoneForFewerContacts) {
  for (const char* name : {"swimmer:20", "box-stack:10", "box-pyramid:3", "stem:5x3", "k2loops:4"}) {
    const ConstrainedModel s = make_generated_scene(name);
    const Configured<double> all(s.model, s.constraints, s.q);
    CondensedDelassus<double> op(s.model, all.rows);
    for (std::size_t count = s.constraints.size(); count-- > 0;) {
      const Configured<double> fewer(s.model, {s.constraints.begin(), s.constraints.begin() + count}, s.q);
      EXPECT_EQ(allocations_of([&] {
                  EXPECT_TRUE(op.factor({s.model, fewer.kin, fewer.rows}).ok());
                }),
                0)
          << name << ", " << count << " constraints";
    }
  }
}

// ---------------------------------------------------------------------------------------------- capacity

/// Contacts of a quadruped with the ground and between its legs, as many as wanted, other ones for each seed.
std::vector<Constraint> random_contacts(const Model& model, int count, int seed) {
  samples::Random random(11, static_cast<std::uint64_t>(seed));
  const auto link = [&] { return model.body_frame(static_cast<int>(random.uniform(0, 12.99))); };
  std::vector<Constraint> out;
  for (int k = 0; k < count; ++k) {
    PointContact c;
    c.name = "contact" + std::to_string(k);
    c.a = {link(), translation(random.uniform(-0.1, 0.1), 0, -0.1)};
    const int other = link();
    if (random.uniform(0, 1) < 0.3 && model.frame(other).link != model.frame(c.a.frame).link) c.b = other;
    out.emplace_back(c);
  }
  return out;
}

TEST(CondensedCapacity, ContactsComeAndGoWithoutMemory) {
  constexpr int kContacts = 12;
  const Scene scene = testing::embedded_robot("go2");
  CondensedOptions options;
  options.capacity = room_for(kContacts);
  CondensedDelassus<double> op(scene.model, options);
  const std::size_t bytes = op.bytes();
  for (int seed = 0; seed < 300; ++seed) {
    const Configured<double> at(scene.model, random_contacts(scene.model, 1 + seed % kContacts, seed), scene.q);
    std::vector<double> x(at.rows.num_rows(), 1.0), y(at.rows.num_rows());
    EXPECT_EQ(allocations_of([&] {
                op.update_structure(scene.model, at.rows);
                EXPECT_TRUE(op.factor({scene.model, at.kin, at.rows}).ok());
                op.apply(x, y);
                EXPECT_TRUE(op.update_damping(1e-3).ok());
                EXPECT_TRUE(op.solve(x, y).ok());
              }),
              0)
        << "seed " << seed;
  }
  EXPECT_EQ(op.bytes(), bytes);
}

TEST(CondensedCapacity, MoreIsAnErrorAndTheOperatorGoesOn) {
  const Scene scene = testing::embedded_robot("go2");
  CondensedOptions options;
  options.capacity = room_for(4);
  CondensedDelassus<double> op(scene.model, options);
  const Configured<double> four(scene.model, random_contacts(scene.model, 4, 1), scene.q);
  const Configured<double> five(scene.model, random_contacts(scene.model, 5, 1), scene.q);
  std::vector<double> x(12, 1.0), before(12), after(12);
  ASSERT_TRUE(op.factor({scene.model, four.kin, four.rows}).ok());
  op.apply(x, before);
  EXPECT_EQ(op.factor({scene.model, five.kin, five.rows}), (Status{Status::Code::kBadArgument, 0}));
  EXPECT_THAT([&] { op.update_structure(scene.model, five.rows); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("5 constraints")));
  op.apply(x, after);
  EXPECT_EQ(after, before);
}

TEST(CondensedCapacity, CouplingsAreLimitedToo) {
  const Scene scene = make_scene("boxes");
  const Configured<double> at(scene.model, scene.constraints, scene.q);
  CondensedOptions options;
  options.capacity = room_for(120);
  options.capacity.couplings = 5;
  CondensedDelassus<double> op(scene.model, options);
  EXPECT_THROW(op.update_structure(scene.model, at.rows), Error);
  const Configured<double> few(scene.model, {scene.constraints.begin(), scene.constraints.begin() + 4}, scene.q);
  EXPECT_TRUE(op.factor({scene.model, few.kin, few.rows}).ok());
}

// ---------------------------------------------------------------------------------------- symbolic phase

PointContact contact_at(const Model& model, int body, double x, ContactKind kind) {
  PointContact c;
  c.name = "contact" + std::to_string(x);
  c.a = {model.body_frame(body), translation(x, 0, 0)};
  c.kind = kind;
  return c;
}

TEST(CondensedSymbolic, SameCouplingsKeepTheOrder) {
  const ConstrainedModel s = make_generated_scene("box-stack:4");
  const Configured<double> all(s.model, s.constraints, s.q);
  CondensedDelassus<double> op(s.model, all.rows);
  const int runs = op.planner().symbolic_runs();
  // Another point on bodies that touch anyway.
  std::vector<Constraint> more = s.constraints;
  more.push_back(s.constraints.front());
  const Configured<double> again(s.model, more, s.q);
  ASSERT_NE(again.rows.num_rows(), all.rows.num_rows());
  ASSERT_TRUE(op.factor({s.model, again.kin, again.rows}).ok());
  EXPECT_EQ(op.planner().symbolic_runs(), runs);
  ASSERT_TRUE(op.factor({s.model, all.kin, all.rows}).ok());
  EXPECT_EQ(op.planner().symbolic_runs(), runs);
  // Boxes that did not touch before.
  more.emplace_back(make_ball("far", {s.model.body_frame(0)}, {s.model.body_frame(3)}));
  const Configured<double> other(s.model, more, s.q);
  ASSERT_TRUE(op.factor({s.model, other.kin, other.rows}).ok());
  EXPECT_EQ(op.planner().symbolic_runs(), runs + 1);
}

// --------------------------------------------------------------------------------------------- bad input

struct Ready {
  explicit Ready(int seed) : s(seed), at(s.with(10)), op(s.model, at.rows), m(at.rows.num_rows()), b(m, 1.0), z(m) {
    EXPECT_TRUE(op.factor({s.model, at.kin, at.rows}).ok());
    want = solve();
  }
  std::vector<double> solve() {
    std::vector<double> out(m);
    EXPECT_TRUE(op.update_damping(0.5).ok());
    EXPECT_TRUE(op.solve(b, out).ok());
    return out;
  }
  System s;
  Configured<double> at;
  CondensedDelassus<double> op;
  int m;
  std::vector<double> b, z, want;
};

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

TEST(CondensedBadInput, DampingThatIsNotPositive) {
  Ready r(7);
  for (const double bad : {0.0, -1.0, -0.0, kNan, kInfinity, -kInfinity}) {
    const Status::Code code = std::isfinite(bad) ? Status::Code::kNotPositive : Status::Code::kNotFinite;
    EXPECT_EQ(r.op.update_damping(bad), (Status{code, 0})) << bad;
    EXPECT_EQ(r.op.solve(r.b, r.z).code, Status::Code::kBadArgument);
    std::vector<double> diagonal(r.m, 1.0);
    diagonal[2] = bad;
    EXPECT_EQ(r.op.update_damping(diagonal), (Status{code, 2})) << bad;
    EXPECT_EQ(r.op.solve(r.b, r.z).code, Status::Code::kBadArgument);
    r.op.apply(r.b, r.z);  // products need none
    EXPECT_EQ(r.solve(), r.want);
  }
}

TEST(CondensedBadInput, BlocksThatAreNotPositiveDefinite) {
  Ready r(7);
  const auto spans = r.at.rows.spans;
  int wide = 0;
  while (spans[wide].rows < 3) ++wide;
  std::vector<double> blocks;
  std::size_t first = 0;
  for (int e = 0; e < static_cast<int>(spans.size()); ++e) {
    if (e == wide) first = blocks.size();
    for (int k = 0; k < spans[e].rows * spans[e].rows; ++k) blocks.push_back(k % (spans[e].rows + 1) == 0 ? 1.0 : 0.0);
  }
  const int n = spans[wide].rows;
  EXPECT_TRUE(r.op.update_damping(Damping<double>::blocks(blocks)).ok());
  struct Bad {
    int row, column;
    double value;
  };
  // The second makes an eigenvalue -1; the third one that is zero.
  for (const Bad& bad : {Bad{1, 1, -1.0}, Bad{1, 0, 2.0}, Bad{2, 1, 1.0}, Bad{2, 2, 0.0}, Bad{2, 0, kNan},
                         Bad{n - 1, n - 1, kInfinity}, Bad{n - 1, 0, kInfinity}, Bad{0, 0, kNan}}) {
    std::vector<double> spoilt = blocks;
    spoilt[first + bad.row * n + bad.column] = bad.value;
    const Status::Code code = std::isfinite(bad.value) ? Status::Code::kNotPositive : Status::Code::kNotFinite;
    EXPECT_EQ(r.op.update_damping(Damping<double>::blocks(spoilt)), (Status{code, spans[wide].first_row}))
        << bad.row << " " << bad.column << " " << bad.value;
    EXPECT_EQ(r.op.solve(r.b, r.z).code, Status::Code::kBadArgument);
    EXPECT_EQ(r.solve(), r.want);
  }
}

TEST(CondensedBadInput, WrongSizes) {
  Ready r(7);
  std::vector<double> longer(r.m + 1, 1.0), shorter(r.m - 1, 1.0), response(r.s.model.nv());
  const MatrixView<double> wide(longer.data(), 1, r.m + 1);
  for (std::vector<double>* bad : {&longer, &shorter}) {
    EXPECT_EQ(r.op.apply(*bad, r.z).code, Status::Code::kBadArgument);
    EXPECT_EQ(r.op.apply(r.b, *bad).code, Status::Code::kBadArgument);
    EXPECT_EQ(r.op.joint_response(*bad, response).code, Status::Code::kBadArgument);
    EXPECT_EQ(r.op.diagonal(*bad).code, Status::Code::kBadArgument);
    EXPECT_EQ(r.op.update_damping(*bad).code, Status::Code::kBadArgument);
    EXPECT_EQ(r.op.update_damping(Damping<double>::blocks(*bad)).code, Status::Code::kBadArgument);
    EXPECT_TRUE(r.op.update_damping(1.0).ok());
    EXPECT_EQ(r.op.solve(*bad, r.z).code, Status::Code::kBadArgument);
    EXPECT_EQ(r.op.solve(r.b, *bad).code, Status::Code::kBadArgument);
  }
  EXPECT_EQ(r.op.joint_response(r.b, longer).code, Status::Code::kBadArgument);
  EXPECT_EQ(r.op.dense(wide).code, Status::Code::kBadArgument);
  EXPECT_EQ(r.op.apply_panel(wide, wide).code, Status::Code::kBadArgument);
  EXPECT_EQ(r.op.solve_panel(wide, wide).code, Status::Code::kBadArgument);
  std::vector<double> same = r.b;
  EXPECT_EQ(r.op.apply(same, same).code, Status::Code::kBadArgument);  // the product needs two vectors
  EXPECT_TRUE(std::isnan(same[0]));
  EXPECT_EQ(r.solve(), r.want);
}

TEST(CondensedBadInput, NothingWithoutFactor) {
  Ready r(7);
  std::vector<double> none, response(r.s.model.nv());
  CondensedDelassus<double> bare(r.s.model), planned(r.s.model, r.at.rows);
  Ready failed(7);
  std::vector<double> nan(r.s.state.q.size(), kNan);
  Kinematics<double> bad(r.s.model);
  update_kinematics(r.s.model, nan, bad);
  EXPECT_FALSE(failed.op.factor({r.s.model, bad, r.at.rows}).ok());
  Configured<double> spoilt = r.at;
  spoilt.rows.values[0] = kNan;
  Ready spoilt_rows(7);
  EXPECT_EQ(spoilt_rows.op.factor({r.s.model, spoilt.kin, spoilt.rows}).code, Status::Code::kNotFinite);
  for (CondensedDelassus<double>* op : {&bare, &planned, &failed.op, &spoilt_rows.op}) {
    EXPECT_EQ(op->rows(), 0);
    op->apply(none, none);
    op->diagonal(none);
    EXPECT_EQ(op->apply(r.b, r.z).code, Status::Code::kBadArgument);
    EXPECT_EQ(op->joint_response(none, response).code, Status::Code::kBadArgument);
    EXPECT_EQ(op->solve(r.b, r.z).code, Status::Code::kBadArgument);
    EXPECT_TRUE(op->update_damping(1.0).ok());
    EXPECT_TRUE(op->update_damping(Damping<double>::blocks(none)).ok());
    EXPECT_TRUE(op->solve(none, none).ok());
    EXPECT_TRUE(op->solve_panel(MatrixView<const double>(nullptr, 0, 9), MatrixView<double>(nullptr, 0, 9)).ok());
    // Then as if nothing had happened.
    ASSERT_TRUE(op->factor({r.s.model, r.at.kin, r.at.rows}).ok());
    EXPECT_EQ(op->solve(r.b, r.z).code, Status::Code::kBadArgument);
    EXPECT_TRUE(op->update_damping(0.5).ok());
    EXPECT_TRUE(op->solve(r.b, r.z).ok());
    EXPECT_EQ(r.z, r.want);
  }
}

/// A damping does not outlive the configuration that it was for.
TEST(CondensedBadInput, FactorResetsTheDamping) {
  Ready r(7);
  ASSERT_TRUE(r.op.factor({r.s.model, r.at.kin, r.at.rows}).ok());
  EXPECT_EQ(r.op.solve(r.b, r.z).code, Status::Code::kBadArgument);
  r.op.update_structure(r.s.model, r.at.rows);
  EXPECT_EQ(r.op.rows(), 0);
}

/// Another structure than the planned one is planned for, and gives what a fresh operator does.
TEST(CondensedBadInput, StructureThatChangedWithoutUpdate) {
  Ready r(7);
  const Configured<double> few = r.s.with(4);
  const int m = few.rows.num_rows();
  std::vector<double> one(m, 1.0), got(m), fresh(m);
  ASSERT_TRUE(r.op.factor({r.s.model, few.kin, few.rows}).ok());
  EXPECT_EQ(r.op.rows(), m);
  r.op.apply(one, got);
  CondensedDelassus<double> op(r.s.model, few.rows);
  ASSERT_TRUE(op.factor({r.s.model, few.kin, few.rows}).ok());
  op.apply(one, fresh);
  EXPECT_EQ(got, fresh);
}

TEST(CondensedBadInput, OtherMechanisms) {
  const ConstrainedModel chain = make_generated_scene("chain:6"), box = make_generated_scene("box-stack:1");
  ASSERT_EQ(chain.model.nv(), box.model.nv());
  const Configured<double> on_chain(chain.model, chain.constraints, chain.q), on_box(box.model, box.constraints, box.q);
  CondensedDelassus<double> op(box.model, on_box.rows);
  EXPECT_EQ(op.factor({chain.model, on_chain.kin, on_chain.rows}).code, Status::Code::kBadArgument);
  EXPECT_THROW(op.update_structure(chain.model, on_chain.rows), Error);
  // Rows of a chain, on links that the box does not have.
  EXPECT_EQ(op.factor({box.model, on_box.kin, on_chain.rows}).code, Status::Code::kBadArgument);
  EXPECT_THROW(CondensedDelassus<double>(box.model, on_chain.rows), Error);
  EXPECT_TRUE(op.factor({box.model, on_box.kin, on_box.rows}).ok());
  EXPECT_TRUE(op.update_damping(1.0).ok());
}

/// The model of an earlier call may be gone.
TEST(CondensedBadInput, NeedsNoModelButTheLast) {
  Ready r(5);
  auto first = std::make_unique<Model>(r.s.model);
  CondensedDelassus<double> op(*first, r.at.rows);
  ASSERT_TRUE(op.factor({*first, r.at.kin, r.at.rows}).ok());
  first.reset();
  ASSERT_TRUE(op.factor({r.s.model, r.at.kin, r.at.rows}).ok());
  ASSERT_TRUE(op.update_damping(0.5).ok());
  ASSERT_TRUE(op.solve(r.b, r.z).ok());
  EXPECT_EQ(r.z, r.want);
}

/// Models of one mechanism may differ in numbers: with armature a free joint is no free body.
TEST(CondensedBadInput, ArmatureOnAFreeJoint) {
  const auto box = [](double armature) {
    ModelBuilder b("box");
    JointDescription free = joint(JointKind::kFree, "free");
    for (auto& dof : free.dofs) dof.armature = armature;
    b.add_body("box", kWorld, free, box_inertial(1, {{0.1, 0.1, 0.1}}));
    return b.make_model();
  };
  const Model light = box(0), heavy = box(1000);
  const std::vector<Constraint> list{contact_at(light, 0, 0.1, ContactKind::kSliding)};
  const Configured<double> a(light, list, light.neutral()), b(heavy, list, heavy.neutral());
  CondensedDelassus<double> op(light, a.rows), fresh(heavy, b.rows);
  ASSERT_TRUE(op.factor({light, a.kin, a.rows}).ok());
  EXPECT_EQ(b.matrix(op), b.matrix(fresh));
}

// -------------------------------------------------------------------------------------- operation counts

struct Counts {
  std::int64_t product, solve, damping_and_solve;
};

template <class Operator, class Options>
Counts count(const Configured<Counted>& at, const Options& options) {
  const int m = at.rows.num_rows();
  std::vector<Counted> x(m, Counted(1)), y(m), damping(m, Counted(0.01));
  for (int r = 0; r < m; ++r) damping[r] = Counted(0.01 + 0.001 * r);
  Operator op(at.model, at.rows, options);
  EXPECT_TRUE(op.factor({at.model, at.kin, at.rows}).ok());
  Counts c{};
  c.product = count_operations([&] { op.apply(x, y); }).total();
  c.damping_and_solve = count_operations([&] {
                          EXPECT_TRUE(op.update_damping(damping).ok());
                          static_cast<void>(op.solve(x, y));
                        }).total();
  c.solve = count_operations([&] { static_cast<void>(op.solve(x, y)); }).total();
  return c;
}

/// The scenes of the paper's Table I, but for Cassie with friction: there each leg is a branch of 25 rows, which takes more operations, in lanes, in
/// less time, and whose solves need no refinement.
TEST(CondensedOperationCounts, NoMoreThanThePublishedForm) {
  std::ostringstream table;
  table << "scene                       product LCABA/condensed        solve               damping + solve\n";
  bool fewer = true;
  for (const char* name : {"go2-standing", "go2-standing-friction", "go2-fallen", "go2-fallen-friction",
                           "cassie-standing", "g1-standing", "g1-standing-friction", "g1-fallen", "g1-fallen-friction",
                           "boxes", "pyramid", "pyramid-robots", "swimmer:100", "g1-maximal"}) {
    const Scene s = make_scene(name);
    const std::vector<Counted> q(s.q.begin(), s.q.end());
    const Configured<Counted> at(s.model, s.constraints, q);
    LcabaOptions published;
    published.refinements = 0;
    CondensedOptions condensed;
    condensed.refinements = 0;
    const Counts a = count<LcabaDelassus<Counted>>(at, published), b = count<CondensedDelassus<Counted>>(at, condensed);
    table << std::left << std::setw(26) << name << std::right;
    for (const auto& [theirs, ours] : {std::pair{a.product, b.product}, std::pair{a.solve, b.solve},
                                       std::pair{a.damping_and_solve, b.damping_and_solve}}) {
      table << std::setw(9) << theirs << std::setw(9) << ours << std::setw(6) << std::setprecision(2) << std::fixed
            << static_cast<double>(theirs) / static_cast<double>(ours) << (ours <= theirs ? " " : "!");
      fewer = fewer && ours <= theirs;
    }
    table << "\n";
    if (std::string(name) == "go2-standing") {
      EXPECT_GE(a.product, 2 * b.product);
      EXPECT_GE(a.solve, 2 * b.solve);
      EXPECT_GE(a.damping_and_solve, 2 * b.damping_and_solve);
    }
  }
  EXPECT_TRUE(fewer) << table.str();
  if (::testing::Test::HasFailure()) std::fputs(table.str().c_str(), stderr);
}

/// Nodes, groups and operations as docs/algorithms/condensed.md has them; a damping is the second, one number for all rows.
std::string row_of_the_page(const Configured<Counted>& at, Condense condense) {
  CondensedOptions options;
  options.refinements = 0;
  options.condense = condense;
  CondensedDelassus<Counted> op(at.model, at.rows, options);
  const int m = at.rows.num_rows();
  std::vector<Counted> x(m, Counted(1)), y(m);
  const auto counted = [](auto&& work) { return std::to_string(count_operations(work).total()); };
  const std::string factor = counted([&] { EXPECT_TRUE(op.factor({at.model, at.kin, at.rows}).ok()); });
  const std::string product = counted([&] { op.apply(x, y); });
  EXPECT_TRUE(op.update_damping(Counted(0.01)).ok());
  const std::string damping = counted([&] { EXPECT_TRUE(op.update_damping(Counted(0.02)).ok()); });
  const std::string solve = counted([&] { static_cast<void>(op.solve(x, y)); });
  const std::size_t groups = op.plan().groups.list.size() + op.plan().branches.list.size();
  return "| " + std::to_string(op.plan().nodes.size()) + " | " + (groups ? std::to_string(groups) + " " : "") + "| " +
         factor + " | " + product + " | " + damping + " | " + solve + " |";
}

TEST(CondensedOperationCounts, AreThoseOfThePage) {
  const std::string page = testing::read_bytes(DELASSUS_SOURCE_DIR "/docs/algorithms/condensed.md");
  for (const char* name : {"go2-standing", "cassie-standing", "g1-standing", "g1-fallen", "boxes", "pyramid"}) {
    const Scene s = make_scene(name);
    const Configured<Counted> at(s.model, s.constraints, std::vector<Counted>(s.q.begin(), s.q.end()));
    const std::string head = "(`" + std::string(name) + "`) | " + std::to_string(at.rows.num_rows()) + " ";
    EXPECT_THAT(page, ::testing::HasSubstr(head + row_of_the_page(at, Condense::kTips) + "\n"));
    EXPECT_THAT(page, ::testing::HasSubstr("nothing carried | " + row_of_the_page(at, Condense::kNothing) + "\n"))
        << name;
  }
}

/// Links that feel no constraint cost nothing after factor, nor does a longer leg.
TEST(CondensedOperationCounts, CarriedChainsAreFree) {
  const auto counts = [](int links) {
    ModelBuilder b("monopod");
    int parent = b.add_body("trunk", kWorld, joint(JointKind::kFree, "free"), box_inertial(7, {{0.2, 0.1, 0.05}}));
    for (int i = 0; i < links; ++i) {
      parent = b.add_body(
          "leg" + std::to_string(i), parent,
          revolute("joint" + std::to_string(i), {{i % 2 ? 1.0 : 0.0, i % 2 ? 0.0 : 1.0, 0}}, translation(0, 0, -0.2)),
          box_inertial(0.5, {{0.03, 0.03, 0.1}}, {{0, 0, -0.1}}));
    }
    const Model model = b.make_model();
    const Configured<Counted> at(model, {contact_at(model, links, 0.1, ContactKind::kSliding)},
                                 std::vector<Counted>(model.nq(), Counted(0.1)));
    CondensedOptions options;
    options.refinements = 0;
    return count<CondensedDelassus<Counted>>(at, options);
  };
  const Counts three = counts(3), nine = counts(9);
  EXPECT_EQ(three.product, nine.product);
  EXPECT_EQ(three.solve, nine.solve);
  EXPECT_EQ(three.damping_and_solve, nine.damping_and_solve);
}

}  // namespace
}  // namespace delassus
