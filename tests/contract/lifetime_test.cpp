// What an object is made from may die afterwards. Each class is made from temporaries, which a sanitizer then knows to be gone, and
// gives the same numbers as one whose model and constraints are still there.
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "delassus/delassus.hpp"
#include "scenes/recipes.hpp"

namespace delassus {
namespace {

using Vector = std::vector<double>;

constexpr const char* kScene = "go2-standing";

Model model() { return make_scene(kScene).model; }
std::vector<Constraint> constraints() { return make_scene(kScene).constraints; }
Vector q() { return make_scene(kScene).q; }
Vector zeros() { return Vector(static_cast<std::size_t>(model().nv())); }

Vector ramp(int size) {
  Vector x(static_cast<std::size_t>(size));
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = 1.0 / static_cast<double>(k + 1);
  return x;
}

/// A state that nobody keeps.
State<double> state() {
  State<double> out(model(), constraints());
  EXPECT_TRUE(out.update(q(), zeros()).ok());
  return out;
}

template <class Op>
Vector numbers_of(Op& op) {
  Vector x = ramp(op.rows()), y(x.size()), z(x.size()), joints(zeros());
  op.apply(x, y);
  op.joint_response(x, joints);
  EXPECT_TRUE(op.update_damping(0.25).ok());
  EXPECT_TRUE(op.solve(x, z).ok());
  for (const Vector& part : {z, joints}) y.insert(y.end(), part.begin(), part.end());
  return y;
}

template <class Op>
class LifetimeOfOperators : public testing::Test {};
using Operators =
    testing::Types<DenseDelassus<double>, LtlDelassus<double>, KjrDelassus<double>, ChangKhatibDelassus<double>,
                   EfpaDelassus<double>, PvOsimDelassus<double>, PvOsimrDelassus<double>, KktDelassus<double>,
                   LcabaDelassus<double>, CondensedDelassus<double>, LimbDelassus<double>>;
TYPED_TEST_SUITE(LifetimeOfOperators, Operators);

TYPED_TEST(LifetimeOfOperators, NothingThatWasGivenIsNeeded) {
  TypeParam alone(state());
  EXPECT_TRUE(alone.factor(state()).ok());
  const State<double> kept = state();
  TypeParam beside(kept);
  EXPECT_TRUE(beside.factor(kept).ok());
  EXPECT_EQ(numbers_of(alone), numbers_of(beside));
}

/// Each has its own memory; what was moved from can be assigned to.
TYPED_TEST(LifetimeOfOperators, CopiesAndMovedOnesGoOn) {
  TypeParam first(state());
  ASSERT_TRUE(first.factor(state()).ok());
  const Vector expected = numbers_of(first);
  TypeParam copy = first;
  TypeParam moved = std::move(first);
  first = copy;
  EXPECT_TRUE(copy.update_damping(4.0).ok());
  EXPECT_EQ(numbers_of(moved), expected);
  EXPECT_EQ(numbers_of(first), expected);
  EXPECT_EQ(numbers_of(copy), expected);
}

/// delassus.hpp has explicit_method.hpp as well, by which nothing may be made that the library has.
TEST(Lifetime, MatricesOfPacks) {
  const PvOsimrDelassus<PackDoubles> op(model());
  EXPECT_EQ(op.rows(), 0);
}

TEST(Lifetime, ModelsShareWhatTheyAre) {
  auto first = std::make_unique<Model>(model());
  const Model second = *first;
  EXPECT_TRUE(second.is(*first));
  EXPECT_FALSE(second.is(model()));
  EXPECT_TRUE(second.branches_like(model()));
  const int links = first->num_links();
  first.reset();
  EXPECT_EQ(second.num_links(), links);
  EXPECT_EQ(second.find_frame("FL_foot"), model().find_frame("FL_foot"));
}

TEST(Lifetime, States) {
  State<double> alone(model(), constraints());
  ASSERT_TRUE(alone.update(q(), zeros()).ok());
  alone.set_constraints(std::vector<Constraint>(constraints()));
  ASSERT_TRUE(alone.update(q(), zeros()).ok());
  EXPECT_EQ(alone.rows().values, state().rows().values);
  EXPECT_EQ(alone.constraints().size(), constraints().size());
}

TEST(Lifetime, OperatorsOfOneObject) {
  Operator op(model(), constraints());
  ASSERT_TRUE(op.update(q()).ok());
  CondensedDelassus<double> typed(state());
  ASSERT_TRUE(typed.factor(state()).ok());
  EXPECT_EQ(numbers_of(op), numbers_of(typed));
}

/// What solves for accelerations.
template <class Dynamics>
Vector acceleration_of(Dynamics dynamics) {
  const State<double> at = state();
  EXPECT_TRUE(dynamics.factor(state()).ok());
  Vector a(zeros()), lambda(static_cast<std::size_t>(at.num_rows())), target(lambda.size());
  at.target(target);
  EXPECT_TRUE(dynamics.solve(state(), ramp(static_cast<int>(a.size())), target, a, lambda).ok());
  return a;
}

TEST(Lifetime, Dynamics) {
  const Model kept = model();
  EXPECT_EQ(acceleration_of(ConstrainedDynamics<double>(model())), acceleration_of(ConstrainedDynamics<double>(kept)));
  EXPECT_EQ(acceleration_of(ConstrainedAba<double>(model())), acceleration_of(ConstrainedAba<double>(kept)));
}

TEST(Lifetime, Assemblers) {
  Assembler<double> assembler(make_scene("cassie-standing").model,
                              make_equalities(make_scene("cassie-standing").constraints));
  Vector at = make_scene("cassie-standing").q;
  EXPECT_TRUE(assembler.assemble(at).ok());
}

TEST(Lifetime, Integrators) {
  Integrator integrator(make_scene("cassie-standing").model,
                        make_equalities(make_scene("cassie-standing").constraints));
  Vector at = make_scene("cassie-standing").q, v(static_cast<std::size_t>(make_scene("cassie-standing").model.nv()));
  EXPECT_TRUE(integrator.step(at, v, Vector(v.size())).ok());
}

TEST(Lifetime, Controllers) {
  const auto levels = [] {
    return std::vector<TaskLevel>{{.name = "posture", .tasks = {make_joint_task("hip", model(), "FL_hip_joint", 0.1)}}};
  };
  Vector tau(zeros());
  OperationalSpace<double> space(model(), levels(), constraints());
  EXPECT_TRUE(space.update(q(), zeros()).ok());
  OperationalController<double> controller(model(), levels(), constraints());
  EXPECT_TRUE(controller.compute(q(), zeros(), tau).leaves_forces());
}

TEST(Lifetime, Simulators) {
  const Scene kept = make_scene("cassie-standing");
  Simulator alone(Model(kept.model), make_equalities(make_scene("cassie-standing").constraints));
  Simulator beside(kept.model, make_equalities(kept.constraints));
  for (Simulator* simulator : {&alone, &beside}) {
    simulator->set_state(kept.q, Vector(static_cast<std::size_t>(kept.model.nv())));
    EXPECT_TRUE(simulator->step().ok());
  }
  EXPECT_EQ(alone.save().q, beside.save().q);
}

TEST(Lifetime, Batches) {
  Batch<double> batch(model(), 3);
  batch.set_constraints(constraints());
  Vector all, x(ramp(12)), y(36), one(12);
  for (int k = 0; k < 3; ++k) {
    const Vector at = q();
    all.insert(all.end(), at.begin(), at.end());
  }
  Vector in;
  for (int k = 0; k < 3; ++k) in.insert(in.end(), x.begin(), x.end());
  const int nq = static_cast<int>(q().size());
  EXPECT_EQ(batch.apply_at(BatchView<const double>(all.data(), 3, nq), BatchView<const double>(in.data(), 3, 12),
                           BatchView<double>(y.data(), 3, 12)),
            0);
  Operator op(model(), constraints());
  ASSERT_TRUE(op.update(q()).ok());
  op.apply(x, one);
  for (int r = 0; r < 12; ++r) EXPECT_NEAR(y[static_cast<std::size_t>(r)], one[static_cast<std::size_t>(r)], 1e-12);
}

}  // namespace
}  // namespace delassus
