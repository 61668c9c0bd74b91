// Kernels on a card: the same numbers as emulated, and the promises that only threads can break. `make test-gpu` runs these.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "delassus/gpu/gpu.hpp"
#include "gpu/emulated_batch.hpp"
#include "support/compare.hpp"

namespace delassus::gpu {
namespace {

using delassus::testing::relative_difference;

/// Verbs of a batch on the device with the arrays of an emulated one.
template <class T>
struct OnCard {
  Device device;
  EmulatedBatch<T>& host;
  Batch<T> batch;
  Buffer<T> q, v;

  explicit OnCard(EmulatedBatch<T>& arrays)
      : host(arrays),
        batch(device, host.robot.model, host.size,
              {.constraints = host.robot.constraints, .contact_forces = host.plan.contact_fault.empty()}),
        q(device, host.q.size()),
        v(device, host.v.size()) {
    q.write(host.q);
    v.write(host.v);
  }

  BatchView<const T> view(const Buffer<T>& buffer) const {
    return buffer.view(host.size, static_cast<int>(buffer.size()) / host.size);
  }

  std::vector<T> run(Verb verb, const std::vector<T>& input, T damping = T(1), int refinements = 0) {
    Buffer<T> in(device, input.size()), out(device, input.size());
    in.write(input);
    const BatchView<T> result = out.view(host.size, static_cast<int>(input.size()) / host.size);
    if (verb == Verb::kInverseDynamics) batch.inverse_dynamics(view(q), view(v), view(in), result);
    if (verb == Verb::kForwardDynamics) batch.forward_dynamics(view(q), view(v), view(in), result);
    if (verb == Verb::kApply) batch.apply_at(view(q), view(in), result);
    if (verb == Verb::kSolve) batch.solve_at(view(q), damping, view(in), result, refinements);
    std::vector<T> numbers(input.size());
    out.read(numbers);
    return numbers;
  }

  /// From no forces.
  std::vector<T> contacts(const std::vector<T>& free_velocity, double tolerance, int iterations) {
    std::vector<T> lambda(free_velocity.size());
    Buffer<T> g(device, lambda.size()), forces(device, lambda.size());
    g.write(free_velocity);
    forces.write(lambda);
    batch.contact_solve(view(q), view(g), forces.view(host.size, host.plan.rows),
                        {.tolerance = tolerance, .iterations = iterations});
    forces.read(lambda);
    return lambda;
  }
};

constexpr Verb kVerbs[] = {Verb::kInverseDynamics, Verb::kForwardDynamics, Verb::kApply, Verb::kSolve};

template <class T>
const std::vector<T>& input_of(const EmulatedBatch<T>& batch, Verb verb) {
  return verb == Verb::kApply || verb == Verb::kSolve ? batch.x : batch.a;
}

template <class T>
class Card : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Device::count() == 0) GTEST_SKIP() << "no card";
  }
};
using Scalars = ::testing::Types<double, float>;
TYPED_TEST_SUITE(Card, Scalars);

TYPED_TEST(Card, EqualsTheEmulation) {
  using T = TypeParam;
  // The same operations in the same order: what differs are the last bits of roots, reciprocals, sines and cosines, which verbs that
  // solve enlarge by the condition of M.
  for (const std::string& name : gpu_robot_names()) {
    EmulatedBatch<T> host(name, 37);
    OnCard<T> card(host);
    for (const Verb verb : kVerbs) {
      SCOPED_TRACE(name + " " + std::to_string(static_cast<int>(verb)));
      const double bound = (std::is_same_v<T, float> ? 1e-5 : 1e-14) * (verb == Verb::kForwardDynamics ? 1000 : 30);
      const std::vector<T> want = host.run(verb, input_of(host, verb)), got = card.run(verb, input_of(host, verb));
      for (int e = 0; e < host.size; ++e) EXPECT_LT(relative_difference(host.of(got, e), host.of(want, e)), bound) << e;
      EXPECT_EQ(card.batch.count_bad(), 0);
    }
  }
}

TYPED_TEST(Card, BitsDependOnTheEnvironmentAlone) {
  using T = TypeParam;
  EmulatedBatch<T> large("g1", 4096), middle("g1", 37), one("g1", 1);
  OnCard<T> on_large(large), on_middle(middle), on_one(one);
  for (const Verb verb : kVerbs) {
    const std::vector<T> all = on_large.run(verb, input_of(large, verb));
    for (OnCard<T>* card : {&on_middle, &on_one}) {
      const std::vector<T> some = card->run(verb, input_of(card->host, verb));
      EXPECT_EQ(std::memcmp(all.data(), some.data(), some.size() * sizeof(T)), 0)
          << static_cast<int>(verb) << " of " << card->host.size;
    }
  }
}

TYPED_TEST(Card, ShuffledEnvironmentsKeepTheirBits) {
  using T = TypeParam;
  EmulatedBatch<T> host("cassie", 1001), shuffled("cassie", 1001);
  const auto moved = [&](const std::vector<T>& list, std::vector<T>& to) {
    const std::size_t n = list.size() / 1001;
    for (std::size_t e = 0; e < 1001; ++e) std::copy_n(&list[e * n], n, &to[(e * 17 + 5) % 1001 * n]);
  };
  moved(host.q, shuffled.q), moved(host.v, shuffled.v), moved(host.a, shuffled.a), moved(host.x, shuffled.x);
  OnCard<T> first(host), second(shuffled);
  for (const Verb verb : kVerbs) {
    const std::vector<T> a = first.run(verb, input_of(host, verb)), b = second.run(verb, input_of(shuffled, verb));
    std::vector<T> a_moved(a.size());
    moved(a, a_moved);
    EXPECT_EQ(std::memcmp(a_moved.data(), b.data(), b.size() * sizeof(T)), 0) << static_cast<int>(verb);
  }
}

TYPED_TEST(Card, WhatIsNotFiniteStaysWhereItIs) {
  using T = TypeParam;
  EmulatedBatch<T> host("go2", 100), spoilt("go2", 100);
  spoilt.q[static_cast<std::size_t>(50 * spoilt.robot.model.nq() + 8)] = std::numeric_limits<T>::infinity();
  OnCard<T> first(host), second(spoilt);
  for (const Verb verb : kVerbs) {
    const std::vector<T> a = first.run(verb, input_of(host, verb));
    std::vector<T> b = second.run(verb, input_of(spoilt, verb));
    EXPECT_EQ(second.batch.count_bad(), 1);
    EXPECT_EQ(second.batch.statuses()[50].code, Status::Code::kNotFinite);
    const std::size_t n = a.size() / 100;
    for (std::size_t k = 50 * n; k < 51 * n; ++k) {
      EXPECT_TRUE(std::isnan(b[k]));
      b[k] = a[k];
    }
    EXPECT_EQ(std::memcmp(a.data(), b.data(), b.size() * sizeof(T)), 0);
  }
}

TYPED_TEST(Card, RefinesAsTheEmulationDoes) {
  using T = TypeParam;
  EmulatedBatch<T> host("g1", 37);
  OnCard<T> card(host);
  const std::vector<T> b = host.run(Verb::kApply, host.x), want = host.solve(b, T(0.01), 2),
                       got = card.run(Verb::kSolve, b, T(0.01), 2);
  // Both are the solution but for rounding, times the condition of Λ⁻¹ + R.
  EXPECT_LT(relative_difference(got, want), (std::is_same_v<T, float> ? 1e-2 : 1e-11));
}

TYPED_TEST(Card, SolvesForContactForces) {
  using T = TypeParam;
  const T tolerance = std::is_same_v<T, float> ? T(1e-3) : T(1e-8);
  EmulatedBatch<T> host("g1", 37);
  OnCard<T> card(host);
  const std::vector<T> free = host.free_velocities(), want = host.contacts(free, tolerance, 5000);
  const std::vector<T> got = card.contacts(free, static_cast<double>(tolerance), 5000);
  EXPECT_EQ(card.batch.count_bad(), 0);
  for (const ContactOutcome& outcome : card.batch.contact_outcomes())
    EXPECT_LE(outcome.residual, 1.001 * static_cast<double>(tolerance));
  // Forces of redundant contacts differ where velocities do not.
  const std::vector<T> moved = host.run(Verb::kApply, got), other = host.run(Verb::kApply, want);
  for (std::size_t k = 0; k < moved.size(); ++k) EXPECT_NEAR(moved[k], other[k], 100 * tolerance);
}

TYPED_TEST(Card, ContactForcesDependOnTheEnvironmentAlone) {
  using T = TypeParam;
  // Environments of a warp end at different times, and one holds what is not finite.
  EmulatedBatch<T> many("g1", 203), one("g1", 1);
  OnCard<T> on_many(many), on_one(one);
  std::vector<T> free = many.free_velocities();
  const std::vector<T> all = on_many.contacts(free, 1e-3, 1000),
                       alone = on_one.contacts(one.free_velocities(), 1e-3, 1000);
  EXPECT_EQ(std::memcmp(all.data(), alone.data(), alone.size() * sizeof(T)), 0);
  const auto bad = static_cast<std::size_t>(9 * many.plan.rows);
  free[bad] = std::numeric_limits<T>::quiet_NaN();
  std::vector<T> spoilt = on_many.contacts(free, 1e-3, 1000);
  EXPECT_EQ(on_many.batch.statuses()[9].code, Status::Code::kNotFinite);
  for (std::size_t k = bad; k < bad + static_cast<std::size_t>(many.plan.rows); ++k) {
    EXPECT_TRUE(std::isnan(spoilt[k]));
    spoilt[k] = all[k];
  }
  EXPECT_EQ(std::memcmp(all.data(), spoilt.data(), all.size() * sizeof(T)), 0);
}

TYPED_TEST(Card, LayoutsAndDampingsMeanTheSame) {
  using T = TypeParam;
  EmulatedBatch<T> host("go2", 37);
  OnCard<T> card(host);
  const std::vector<T> want = card.run(Verb::kSolve, host.x, T(0.25));
  const int rows = host.plan.rows;
  std::vector<T> by_component(host.x.size());
  for (int e = 0; e < 37; ++e) {
    for (int r = 0; r < rows; ++r)
      by_component[static_cast<std::size_t>(r * 37 + e)] = host.x[static_cast<std::size_t>(e * rows + r)];
  }
  Buffer<T> b(card.device, by_component.size()), z(card.device, by_component.size()), each(card.device, 37);
  b.write(by_component);
  each.write(std::vector<T>(37, T(0.25)));
  card.batch.solve_at(card.view(card.q), BatchDamping<T>::per_environment(each.view(37, 1)),
                      b.view_by_component(37, rows), z.view_by_component(37, rows));
  std::vector<T> got(by_component.size());
  z.read(got);
  for (int e = 0; e < 37; ++e) {
    for (int r = 0; r < rows; ++r)
      EXPECT_EQ(got[static_cast<std::size_t>(r * 37 + e)], want[static_cast<std::size_t>(e * rows + r)]);
  }
}

TYPED_TEST(Card, NamesWrongArguments) {
  using T = TypeParam;
  EmulatedBatch<T> host("go2", 3);
  OnCard<T> card(host);
  Buffer<T> x(card.device, 36);
  const auto message = [](auto&& f) -> std::string {
    try {
      f();
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing was thrown";
  };
  EXPECT_NE(message([&] {
              card.batch.apply_at(card.view(card.q), x.view(3, 11), x.view(3, 12));
            }).find("argument 'x' has shape (3, 11)"),
            std::string::npos);
  EXPECT_NE(message([&] {
              card.batch.solve_at(card.view(card.q), T(0), x.view(3, 12), x.view(3, 12));
            }).find("has to be positive"),
            std::string::npos);
  EXPECT_NE(message([&] {
              card.batch.solve_at(card.view(card.q), T(1), x.view(3, 12), x.view(3, 12), 1);
            }).find("argument 'z' is 'b'"),
            std::string::npos);
  EXPECT_NE(message([&] { Batch<T> empty(card.device, host.robot.model, 0); }).find("'size' is 0"), std::string::npos);
  Batch<T> without(card.device, host.robot.model, 3, {.constraints = host.robot.constraints});
  EXPECT_NE(
      message([&] { without.contact_solve(card.view(card.q), x.view(3, 12), x.view(3, 12)); }).find("contact_forces"),
      std::string::npos);
  EmulatedBatch<T> loops("cassie", 1);
  EXPECT_NE(message([&] {
              Batch<T> cassie(card.device, loops.robot.model, 1,
                              {.constraints = loops.robot.constraints, .contact_forces = true});
            }).find("is a loop"),
            std::string::npos);
  EXPECT_NE(message([&] { Device none(1000); }).find("argument 'index' is 1000"), std::string::npos);
}

}  // namespace
}  // namespace delassus::gpu
