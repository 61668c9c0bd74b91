// What an environment gets depends on its own numbers alone, to the last bit.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "delassus/model/builder.hpp"
#include "support/batch_case.hpp"

namespace delassus {
namespace {

using testing::BatchCase;
using testing::same_bits;

constexpr int kMany = 1000;

/// All numbers that verbs in lanes give, by environment.
template <class T>
struct Results {
  std::vector<std::vector<T>> tables;
  std::vector<std::vector<Status>> statuses;
};

/// Arrays of the environments `list` of a case, in either order of storage.
template <class T>
class Arrays {
 public:
  Arrays(const BatchCase<T>& c, const std::vector<int>& list, bool by_component)
      : c_(c), list_(list), by_component_(by_component) {}

  BatchView<T> view(std::vector<T>& memory, int components) const {
    const auto size = static_cast<int>(list_.size());
    return by_component_ ? BatchView<T>::by_component(memory.data(), size, components)
                         : BatchView<T>(memory.data(), size, components);
  }
  BatchView<T> take(const std::vector<T>& from, std::vector<T>& memory) const {
    const int components = static_cast<int>(from.size()) / c_.size;
    memory.resize(list_.size() * components);
    BatchView<T> out = view(memory, components);
    for (int k = 0; k < out.size(); ++k) {
      for (int n = 0; n < components; ++n) out(k, n) = from[static_cast<std::size_t>(list_[k]) * components + n];
    }
    return out;
  }

 private:
  const BatchCase<T>& c_;
  const std::vector<int>& list_;
  bool by_component_;
};

/// Runs the environments `list` of a case.
template <class T>
Results<T> run(const BatchCase<T>& c, const std::vector<int>& list, int threads, bool by_component) {
  const Arrays<T> arrays(c, list, by_component);
  const auto size = static_cast<int>(list.size());
  std::vector<T> q_memory, v_memory, a_memory, x_memory, d_memory;
  const BatchView<T> q = arrays.take(c.qs, q_memory), v = arrays.take(c.vs, v_memory), a = arrays.take(c.as, a_memory),
                     x = arrays.take(c.xs, x_memory), d = arrays.take(c.dampings, d_memory);
  Batch<T> batch(c.model, size, {.threads = threads});
  batch.set_constraints(c.constraints);
  const int nv = c.model.nv(), m = batch.max_rows();
  Results<T> out;
  const auto table = [&](int components, const std::function<int(BatchView<T>)>& verb) {
    std::vector<T> memory(static_cast<std::size_t>(size) * components);
    const BatchView<T> result = arrays.view(memory, components);
    verb(result);
    std::vector<T> dense;
    for (int k = 0; k < size; ++k) {
      for (int n = 0; n < components; ++n) dense.push_back(result(k, n));
    }
    out.tables.push_back(dense);
    out.statuses.emplace_back(batch.statuses().begin(), batch.statuses().end());
  };
  const BatchDamping<T> loose(T(0.05)), tight(T(1e-5)), rows = BatchDamping<T>::per_row(d);
  table(nv, [&](BatchView<T> y) { return batch.inverse_dynamics(q, v, a, y); });
  table(nv, [&](BatchView<T> y) { return batch.forward_dynamics(q, v, a, y); });
  table(m, [&](BatchView<T> y) { return batch.apply_at(q, x, y); });
  for (const BatchDamping<T>& damping : {loose, tight, rows}) {
    table(m, [&](BatchView<T> z) { return batch.solve_at(q, damping, x, z); });
  }
  batch.update(q);
  table(m, [&](BatchView<T> y) { return batch.apply(x, y); });
  for (const BatchDamping<T>& damping : {tight, rows}) {
    batch.update_damping(damping);
    table(m, [&](BatchView<T> z) { return batch.solve(x, z); });
  }
  return out;
}

std::vector<int> range(int first, int count) {
  std::vector<int> out;
  for (int k = 0; k < count; ++k) out.push_back(first + k);
  return out;
}

/// Whether the environments `list` got what they got among all.
template <class T>
void expect_same(const Results<T>& all, const Results<T>& some, const std::vector<int>& list, int size) {
  ASSERT_EQ(all.tables.size(), some.tables.size());
  for (std::size_t t = 0; t < all.tables.size(); ++t) {
    const auto n = static_cast<std::ptrdiff_t>(all.tables[t].size()) / size;
    for (std::size_t k = 0; k < list.size(); ++k) {
      const auto from = all.tables[t].begin() + list[k] * n,
                 at = some.tables[t].begin() + static_cast<std::ptrdiff_t>(k) * n;
      EXPECT_TRUE(same_bits(std::vector<T>(from, from + n), std::vector<T>(at, at + n)))
          << "verb " << t << ", environment " << list[k];
      EXPECT_EQ(all.statuses[t][static_cast<std::size_t>(list[k])], some.statuses[t][k]) << "verb " << t;
    }
  }
}

template <class T>
void expect_independent(const BatchCase<T>& c) {
  const std::vector<int> everyone = range(0, c.size);
  const Results<T> all = run(c, everyone, 1, false);
  for (const int count : {1, 7, 8}) {
    const std::vector<int> list = range(3, count);
    expect_same(all, run(c, list, 1, false), list, c.size);
  }
  const std::vector<int> scattered{5, c.size - 1, 2, 5, 0, 17, 16, 15, 4};
  expect_same(all, run(c, scattered, 1, true), scattered, c.size);
  expect_same(all, run(c, everyone, 2, true), everyone, c.size);
}

TEST(BatchIndependence, Sizes1And7And8And1000) { expect_independent(BatchCase<double>("go2-standing", kMany)); }
TEST(BatchIndependence, Floats) { expect_independent(BatchCase<float>("go2-standing", kMany)); }
TEST(BatchIndependence, RedundantContacts) { expect_independent(BatchCase<double>("g1-standing", 60)); }
TEST(BatchIndependence, Loops) { expect_independent(BatchCase<double>("cassie-standing", 60)); }
TEST(BatchIndependence, AllKindsOfConstraints) {
  for (const char* name : {"random 1", "random 5", "random 8"}) {
    SCOPED_TRACE(name);
    expect_independent(BatchCase<double>(name, 40));
    expect_independent(BatchCase<float>(name, 40));
  }
}

/// A case in which one environment is spoilt: all others get the same bits as without.
template <class T>
void expect_contained(BatchCase<T> c, int bad, const std::function<void(BatchCase<T>&)>& spoil,
                      const std::vector<int>& failing) {
  const std::vector<int> everyone = range(0, c.size);
  const Results<T> before = run(c, everyone, 1, false);
  spoil(c);
  const Results<T> after = run(c, everyone, 1, false);
  std::vector<int> others;
  for (const int e : everyone) {
    if (e != bad) others.push_back(e);
  }
  for (std::size_t t = 0; t < before.tables.size(); ++t) {
    SCOPED_TRACE("verb " + std::to_string(t));
    const auto n = static_cast<std::ptrdiff_t>(before.tables[t].size()) / c.size;
    for (const int e : others) {
      EXPECT_TRUE(std::equal(before.tables[t].begin() + e * n, before.tables[t].begin() + (e + 1) * n,
                             after.tables[t].begin() + e * n))
          << e;
      EXPECT_EQ(before.statuses[t][e], after.statuses[t][e]) << e;
    }
    const bool fails = std::find(failing.begin(), failing.end(), static_cast<int>(t)) != failing.end();
    EXPECT_EQ(after.statuses[t][bad].ok(), !fails);
    for (std::ptrdiff_t k = 0; k < n; ++k) EXPECT_EQ(std::isnan(after.tables[t][bad * n + k]), fails);
  }
}

/// All verbs of run().
const std::vector<int> kAll{0, 1, 2, 3, 4, 5, 6, 7, 8};
const std::vector<int> kWithRows{2, 3, 4, 5, 6, 7, 8};

TEST(BatchIndependence, NanStaysWhereItIs) {
  const BatchCase<double> c("go2-standing", 20);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_contained<double>(
      c, 10, [&](auto& x) { x.qs[10 * x.model.nq() + 9] = nan; }, kAll);
  expect_contained<double>(
      c, 19, [&](auto& x) { x.xs[19 * x.batch_rows + 2] = nan; }, kWithRows);
  expect_contained<double>(c, 0, [&](auto& x) { x.as[0] = nan; }, {0, 1});
}

TEST(BatchIndependence, InfiniteStaysWhereItIs) {
  const double infinity = std::numeric_limits<double>::infinity();
  expect_contained<double>(BatchCase<double>("go2-standing", 9), 3,
                           [&](auto& x) { x.vs[3 * x.model.nv() + 1] = infinity; }, {0, 1});
}

/// Angles beyond what the vector kernel reduces take another way to their sine.
TEST(BatchIndependence, FarAnglesStayWhereTheyAre) {
  expect_contained<double>(BatchCase<double>("go2-standing", 16), 4, [](auto& x) { x.qs[4 * x.model.nq() + 8] = 3e7; },
                           {});
  expect_contained<float>(BatchCase<float>("go2-standing", 16), 4, [](auto& x) { x.qs[4 * x.model.nq() + 8] = 3e4F; },
                          {});
}

/// Gimbal lock: three joints without mass between them, of which the second lies at zero.
TEST(BatchIndependence, SingularStaysWhereItIs) {
  ModelBuilder builder("gimbal");
  builder.add_body("body", -1,
                   {revolute("yaw", {{0, 0, 1}}), revolute("pitch", {{0, 1, 0}}), revolute("roll", {{0, 0, 1}})},
                   box_inertial(2, {{0.1, 0.2, 0.3}}, {{0.1, 0, 0.2}}));
  const Model model = builder.make_model();
  PointContact contact;
  contact.a = {model.body_frame(0), translation(0.1, 0.2, 0.3)};
  const std::vector<Constraint> constraints{contact};
  constexpr int kSize = 11, kBad = 6;
  std::vector<double> q, x;
  for (int e = 0; e < kSize; ++e) {
    for (const double angle : {0.1 * e, e == kBad ? 0.0 : 0.5 + 0.1 * e, 0.3}) q.push_back(angle);
    for (int r = 0; r < 3; ++r) x.push_back(1 + 0.1 * e);
  }
  Batch<double> batch(model, kSize, {.threads = 1});
  batch.set_constraints(constraints);
  std::vector<double> y(x.size()), kept(x.size()), alone(3);
  const BatchView<const double> in_q(q.data(), kSize, 3), in_x(x.data(), kSize, 3);
  EXPECT_EQ(batch.apply_at(in_q, in_x, BatchView<double>(y.data(), kSize, 3)), 1);
  EXPECT_EQ(batch.update(in_q), 1);
  EXPECT_EQ(batch.apply(in_x, BatchView<double>(kept.data(), kSize, 3)), 1);
  Batch<double> single(model, 1, {.threads = 1});
  single.set_constraints(constraints);
  for (int e = 0; e < kSize; ++e) {
    const Status want = e == kBad ? Status{Status::Code::kSingularJoint, 0} : Status{};
    EXPECT_EQ(batch.statuses()[e], want);
    const int failures = single.apply_at({q.data() + 3 * e, 1, 3}, {x.data() + 3 * e, 1, 3}, {alone.data(), 1, 3});
    EXPECT_EQ(failures, e == kBad ? 1 : 0);
    for (int r = 0; r < 3; ++r) {
      EXPECT_EQ(std::isnan(y[3 * e + r]), e == kBad);
      EXPECT_TRUE(e == kBad || (y[3 * e + r] == alone[r] && kept[3 * e + r] == alone[r]));
    }
  }
}

}  // namespace
}  // namespace delassus
