// After construction nothing allocates: not the stages, not a change of the contact set within its capacity.
#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "delassus/delassus.hpp"
#include "scenes/generated.hpp"
#include "support/allocation_count.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

using testing::allocations_of;

TEST(Allocation, CounterCounts) {
  // Called directly: a new-expression may be optimised away.
  EXPECT_EQ(allocations_of([] { ::operator delete(::operator new(100)); }), 1);
}

/// Memory that is reserved with the structure, or with the capacity, is all that a fallback to the explicit matrix needs.
TEST(Allocation, ReservedFallbacks) {
  int fallen = 0;  // rounding has a say in which do
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Model model = samples::random_model(seed);
    const samples::State s = samples::random_state(model, seed);
    std::vector<Constraint> constraints = samples::random_constraints(model, seed, 4);
    for (int k = 0; k < 2; ++k) constraints.emplace_back(CentreOfMass{"centre"});
    Kinematics<double> kin(model);
    ConstraintRows<double> rows;
    update_kinematics(model, s.q, kin);
    lower_structure(model, constraints, rows);
    ASSERT_TRUE(lower_values(model, kin, constraints, rows).ok());
    CondensedDelassus<double> op(model, rows, {.tolerance = 0, .fallback_rows = 256, .reserve_fallback = true});
    std::vector<double> b(static_cast<std::size_t>(rows.num_rows()), 1.0), z(b.size());
    b[0] = -1;
    for (const double damping : {1e-8, 1e-10, 1e-12}) {  // less and less of b can be answered
      EXPECT_EQ(allocations_of([&] {
                  if (op.factor({model, kin, rows}).ok() && op.update_damping(damping).ok())
                    static_cast<void>(op.solve(b, z));
                }),
                0);
      fallen += op.used_matrix() ? 1 : 0;
    }
  }
  EXPECT_GT(fallen, 0);
}

template <class T>
void expect_no_allocation() {
  const Model model = samples::random_model(11);
  const samples::State s = samples::random_state(model, 11);
  const std::vector<Constraint> constraints = samples::random_constraints(model, 11, 6);
  const int nv = model.nv();
  std::vector<T> q(s.q.begin(), s.q.end()), v(s.v.begin(), s.v.end()), tau(s.tau.begin(), s.tau.end()), out(nv);
  std::vector<T> panel(static_cast<std::size_t>(nv) * 11, T(1)), M(static_cast<std::size_t>(nv) * nv);
  ForwardDynamics<T> work(model);
  InverseDynamics<T> inverse(model);
  CompositeInertia<T> composite(model);
  LinkMotions<T> motions(model);
  LinkForces<T> forces(model);
  SubtreeMasses<T> masses(model);
  ConstraintRows<T> rows;
  lower_structure(model, constraints, rows);  // the capacity for what follows
  const int m = rows.num_rows();
  std::vector<T> frame_J(static_cast<std::size_t>(6) * nv), centre_J(static_cast<std::size_t>(3) * nv);
  std::vector<T> moved(model.nq()), position(m), target(m);
  std::vector<T> y(m), x(m, T(1)), A(static_cast<std::size_t>(m) * m), J(static_cast<std::size_t>(m) * nv);
  std::vector<T> wide(static_cast<std::size_t>(m) * 11, T(1)), blocks;
  for (const RowSpan& span : rows.spans) {
    for (int r = 0; r < span.rows; ++r) {
      for (int c = 0; c < span.rows; ++c) blocks.push_back(T(r == c ? 1 : 0));
    }
  }
  const MatrixView<const T> columns(wide.data(), m, 5, 11, 1);
  const MatrixView<T> products(wide.data() + 6, m, 5, 11, 1);
  DenseDelassus<T> op(model, rows);

  EXPECT_EQ(allocations_of([&] {
              EXPECT_TRUE(aba<T>(model, q, v, tau, out, work).ok());
              rnea<T>(model, work.kin, work.vel, tau, out, inverse);
              bias_forces<T>(model, work.kin, work.vel, out, inverse);
              crba<T>(model, work.kin, MatrixView<T>(M.data(), nv, nv), composite);
              apply_inverse_inertia<T>(model, out, work);
              apply_inverse_inertia_panel<T>(model, MatrixView<T>(panel.data(), nv, 11), work);
            }),
            0);
  EXPECT_EQ(allocations_of([&] {
              for (int f = 0; f < static_cast<int>(model.frames().size()); ++f) {
                frame_pose<T>(model, work.kin, f);
                frame_velocity<T>(model, work.kin, work.vel, f);
                frame_drift<T>(model, work.kin, work.vel, f);
                frame_jacobian<T>(model, work.kin, f, JacobianAxes::kFrameAxes, MatrixView<T>(frame_J.data(), 6, nv));
              }
              centre_of_mass<T>(model, work.kin);
              centre_of_mass_jacobian<T>(model, work.kin, MatrixView<T>(centre_J.data(), 3, nv), masses);
              integrate(model, q, v, moved);
              difference(model, q, moved, out);
              normalise(model, moved);
            }),
            0);
  EXPECT_EQ(allocations_of([&] {
              // Contacts go and come back.
              lower_structure<T>(model, std::span(constraints).first(2), rows);
              EXPECT_TRUE(lower_values<T>(model, work.kin, std::span(constraints).first(2), rows).ok());
              EXPECT_TRUE(op.factor({model, work.kin, rows}).ok());
              lower_structure<T>(model, constraints, rows);
              EXPECT_TRUE(lower_values<T>(model, work.kin, constraints, rows).ok());
              constraint_drift<T>(model, work.kin, work.vel, constraints, rows, y);
              constraint_positions<T>(model, work.kin, constraints, rows, position);
              stabilised_target<T>(y, x, position, 100, 20, target);
              apply_jacobian<T>(model, work.kin, rows, out, y, motions);
              apply_jacobian_transpose<T>(model, work.kin, rows, y, out, forces);
              constraint_jacobian<T>(model, work.kin, rows, MatrixView<T>(J.data(), m, nv));
              EXPECT_TRUE(op.factor({model, work.kin, rows}).ok());
              op.apply(x, y);
              op.apply_panel(columns, products);
              EXPECT_TRUE(op.update_damping(T(1)).ok());
              EXPECT_TRUE(op.update_damping(x).ok());
              EXPECT_TRUE(op.update_damping(Damping<T>::blocks(blocks)).ok());
              EXPECT_TRUE(op.solve(x, y).ok());
              EXPECT_TRUE(op.solve_panel(columns, products).ok());
              op.joint_response(x, out);
              op.diagonal(y);
              op.dense(MatrixView<T>(A.data(), m, m));
            }),
            0);
}

TEST(Allocation, NoneInDouble) { expect_no_allocation<double>(); }
TEST(Allocation, NoneInFloat) { expect_no_allocation<float>(); }

/// Planned once, an operator takes other values without allocating; some of them, planned for the most rows, fewer and as
/// many again.
template <class Operator>
void expect_no_allocation_in_factor(bool fewer_rows) {
  for (int seed = 0; seed < 20; ++seed) {
    const Model model = samples::random_model(seed);
    const std::vector<Constraint> constraints = samples::random_constraints(model, seed, 8);
    Kinematics<double> kin(model);
    update_kinematics(model, samples::random_state(model, seed).q, kin);
    ConstraintRows<double> all, few;
    lower_structure(model, constraints, all);
    lower_structure(model, std::span(constraints).first(3), few);
    ASSERT_TRUE(lower_values(model, kin, constraints, all).ok());
    ASSERT_TRUE(lower_values(model, kin, std::span(constraints).first(3), few).ok());
    Operator op(model, all);
    std::vector<double> x(all.num_rows(), 1.0), response(model.nv());
    EXPECT_EQ(allocations_of([&] {
                EXPECT_TRUE(op.factor({model, kin, all}).ok());
                if (fewer_rows) {
                  EXPECT_TRUE(op.factor({model, kin, few}).ok());
                }
                EXPECT_TRUE(op.factor({model, kin, all}).ok());
                op.joint_response(x, response);
              }),
              0)
        << "seed " << seed;
  }
}
TEST(Allocation, NoneInFactorOfKjr) { expect_no_allocation_in_factor<KjrDelassus<double>>(true); }
TEST(Allocation, NoneInFactorOfChangKhatib) { expect_no_allocation_in_factor<ChangKhatibDelassus<double>>(true); }
TEST(Allocation, NoneInFactorOfLtl) { expect_no_allocation_in_factor<LtlDelassus<double>>(false); }
TEST(Allocation, NoneInFactorOfPvOsim) { expect_no_allocation_in_factor<PvOsimDelassus<double>>(false); }
TEST(Allocation, NoneInFactorOfPvOsimr) { expect_no_allocation_in_factor<PvOsimrDelassus<double>>(false); }
TEST(Allocation, NoneInFactorOfEfpa) { expect_no_allocation_in_factor<EfpaDelassus<double>>(true); }

/// The first J̄ of a size takes memory for Λ, and no other does.
template <class Operator>
void expect_no_allocation_in_inverse() {
  const ConstrainedModel s = make_generated_scene("asimo-hf");
  const std::span<const Constraint> all(s.constraints), two = all.first(2);
  Kinematics<double> kin(s.model);
  update_kinematics(s.model, s.q, kin);
  ConstraintRows<double> rows, fewer;
  lower_structure(s.model, all, rows);
  lower_structure(s.model, two, fewer);
  ASSERT_TRUE(lower_values(s.model, kin, all, rows).ok());
  ASSERT_TRUE(lower_values(s.model, kin, two, fewer).ok());
  std::vector<double> out(static_cast<std::size_t>(s.model.nv()) * rows.num_rows());
  Operator op(s.model, rows), small(s.model, fewer);
  const auto inverse = [&](Operator& by, const ConstraintRows<double>& of) {
    EXPECT_TRUE(by.factor({s.model, kin, of}).ok());
    EXPECT_TRUE(by.consistent_inverse(MatrixView<double>(out.data(), s.model.nv(), of.num_rows())).ok());
  };
  inverse(op, rows);
  EXPECT_EQ(allocations_of([&] { inverse(op, rows); }), 0);
  // What is held is known, with Λ too.
  const std::int64_t asked = testing::allocated_bytes();
  const Operator copy(op);
  EXPECT_EQ(static_cast<std::int64_t>(copy.bytes()), testing::allocated_bytes() - asked);
  inverse(small, fewer);
  EXPECT_EQ(allocations_of([&] { inverse(small, fewer); }), 0);
}
TEST(Allocation, NoneInInverseByResponses) { expect_no_allocation_in_inverse<KjrDelassus<double>>(); }
TEST(Allocation, NoneInInverseOfLtl) { expect_no_allocation_in_inverse<LtlDelassus<double>>(); }
TEST(Allocation, NoneInInverseOfEfpa) { expect_no_allocation_in_inverse<EfpaDelassus<double>>(); }

/// All but joint_response, blocks of dampings and second solves, which are the library's, and take memory when first asked for.
TEST(Allocation, NoneInGeneratedCode) {
  const Scene scene = load_named("go2-standing");
  GeneratedDelassus<double> op = compile(scene.model, scene.constraints, {.keep = false});
  State<double> state(scene.model, scene.constraints);
  ASSERT_TRUE(state.update(scene.q).ok());
  const std::vector<double> x(12, 1.0), damping(12, 0.1);
  std::vector<double> y(12), matrix(144), response(static_cast<std::size_t>(scene.model.nv()));
  const auto verbs = [&] {
    op.apply(x, y);
    op.dense(MatrixView<double>(matrix.data(), 12, 12));
    EXPECT_TRUE(op.update_damping(0.1).ok() && op.update_damping(damping).ok());
    EXPECT_TRUE(op.solve(x, y).ok());
  };
  const auto both = [&] {
    EXPECT_TRUE(op.factor(state).ok());
    verbs();
    EXPECT_TRUE(op.update(scene.q, scene.constraints).ok());
    verbs();
  };
  both();
  EXPECT_EQ(op.in_code(), op.has_code()) << op.reason();
  if (op.has_code()) {
    EXPECT_EQ(allocations_of(both), 0);
  }
  op.joint_response(x, response);
  EXPECT_EQ(allocations_of([&] {
              EXPECT_TRUE(op.factor(state).ok());
              op.joint_response(x, response);
            }),
            0);
  const std::int64_t asked = testing::allocated_bytes();
  const GeneratedDelassus<double> copy(op);  // NOLINT: what a copy takes
  EXPECT_GE(testing::allocated_bytes() - asked, static_cast<std::int64_t>(copy.bytes()));
}

/// A copy asks for exactly as much as there is to copy, so what it asks for is what it holds.
TEST(Allocation, OperatorsKnowHowMuchTheyHold) {
  std::array<std::size_t, kAllAlgorithms.size()> before{};
  for (const int count : {0, 2, 4, 8, 16}) {
    const Model model = samples::random_model(11);
    const std::vector<Constraint> constraints = samples::random_constraints(model, 11, count);
    ConstraintRows<double> rows;
    lower_structure(model, constraints, rows);
    for (const Algorithm algorithm : kAllAlgorithms) {
      const AnyDelassus<double> op(algorithm, model, rows);
      const std::int64_t asked = testing::allocated_bytes();
      const AnyDelassus<double> copy(op);  // NOLINT: what a copy takes
      EXPECT_EQ(static_cast<std::int64_t>(copy.bytes()), testing::allocated_bytes() - asked) << name_of(algorithm);
      EXPECT_GE(op.bytes(), copy.bytes());
      std::size_t& fewer = before[static_cast<std::size_t>(algorithm)];
      EXPECT_GT(op.bytes(), fewer) << "more constraints take more memory";
      fewer = op.bytes();
    }
  }
}

/// The most that the promise of reserve allows each kind: six rows on two links, or on as many joints.
TEST(Allocation, ReserveHoldsItsPromise) {
  const Model model = samples::random_model(3);
  const int last = static_cast<int>(model.frames().size()) - 1;
  PointContact contact{"contact", {last}, 1};
  contact.kind = ContactKind::kRolling;
  CustomRows custom;
  custom.rows = 6;
  custom.bodies = {{last, std::vector<double>(36, 1.0)}, {1, std::vector<double>(36, 1.0)}};
  custom.dofs = {{0, std::vector<double>(6, 1.0)}};
  int rated = 0;
  while (sizes_of(model.link(rated).kind).nq != model.link(rated).nv) ++rated;
  const std::vector<std::pair<Constraint, int>> kinds{{contact, 6},
                                                      {make_weld("loop", {last}, {1}), 6},
                                                      {Distance{"distance", {last}, {1}, 1}, 1},
                                                      {JointLimit{"limit", rated}, 1},
                                                      {JointFriction{"friction", 0}, 1},
                                                      {JointCoupling{"coupling", {{rated, 0, 1}, {rated, 0, 2}}}, 1},
                                                      {custom, 6}};
  constexpr int kCount = 40;
  for (const auto& [constraint, each] : kinds) {
    const std::vector<Constraint> constraints(kCount, constraint);
    ConstraintRows<double> rows;
    rows.reserve(kCount);
    EXPECT_EQ(allocations_of([&] { lower_structure(model, constraints, rows); }), 0) << kind_of(constraint);
    EXPECT_EQ(rows.num_rows(), kCount * each);
  }
  std::vector<Constraint> mixed;
  for (int k = 0; k < kCount; ++k) mixed.push_back(kinds[k % kinds.size()].first);
  ConstraintRows<double> rows;
  rows.reserve(kCount);
  EXPECT_EQ(allocations_of([&] { lower_structure(model, mixed, rows); }), 0);
}

}  // namespace
}  // namespace delassus
