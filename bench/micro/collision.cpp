// Contacts of two shapes, and of all shapes of a model.
#include <benchmark/benchmark.h>

#include <random>

#include "bench/micro/robots.hpp"
#include "delassus/collision/collision_world.hpp"
#include "scenes/boxes.hpp"

namespace delassus {
namespace {

constexpr double kMargin = 0.01;

/// Pairs in which the first shape rests on the second, a millimetre deep, moved and turned by a thousandth.
std::vector<std::pair<PlacedShape, PlacedShape>> resting(PlacedShape a, const PlacedShape& b, double height) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> small(-1e-3, 1e-3);
  const auto some = [&] { return Vec3<double>{{small(random), small(random), small(random)}}; };
  std::vector<std::pair<PlacedShape, PlacedShape>> pairs;
  const Mat3<double> R = a.pose.R;
  for (int k = 0; k < 64; ++k) {
    a.pose = {R * rotation_from_rpy(some()), Vec3<double>{{0, 0, height - 1e-3}} + 0.5 * some()};
    pairs.emplace_back(a, b);
  }
  return pairs;
}

struct Rest {
  ShapeKind above;
  bool lying;
  ShapeKind below;
};

void collide_resting(benchmark::State& state, const Rest& rest) {
  const Pose<double> origin = Pose<double>::identity();
  const Mat3<double> turned = rest.lying ? rotation_from_rpy({{1.5707963267948966, 0, 0}}) : origin.R;
  const PlacedShape above{rest.above, {{0.2, 0.3, 0.1}}, {turned, origin.p}};
  const PlacedShape below{rest.below, {{0.5, 0.4, 0.5}}, {turned, origin.p}};
  // Where the two touch along z: bisection on whether there are contacts.
  double low = 0, high = 2;
  Manifold m;
  while (high - low > 1e-9) {
    const double middle = 0.5 * (low + high);
    PlacedShape raised = above;
    raised.pose.p[2] = middle;
    collide(raised, below, 0, m);
    (m.count > 0 ? low : high) = middle;
  }
  const auto pairs = resting(above, below, low);
  std::size_t k = 0;
  for (auto _ : state) {
    collide(pairs[k].first, pairs[k].second, kMargin, m);
    benchmark::DoNotOptimize(m);
    k = (k + 1) % pairs.size();
  }
}

void update_world(benchmark::State& state, const Model& model, std::vector<double> q, double noise) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> some(0, noise);
  for (double& x : q) x += some(random);
  CollisionWorld world(model);
  Kinematics<double> kin(model);
  update_kinematics<double>(model, q, kin);
  for (auto _ : state) benchmark::DoNotOptimize(world.update(kin));
  state.counters["points"] = static_cast<double>(world.contacts().size());
}

const bool kRegistered = [] {
  using enum ShapeKind;
  const Rest rests[] = {{kBox, false, kPlane},     {kCylinder, false, kPlane},   {kBox, false, kBox},
                        {kCapsule, true, kBox},    {kCapsule, true, kCapsule},   {kCylinder, false, kBox},
                        {kCylinder, true, kBox},   {kCylinder, true, kCapsule},  {kCylinder, true, kCylinder},
                        {kEllipsoid, false, kBox}, {kSphere, false, kEllipsoid}, {kEllipsoid, false, kEllipsoid}};
  for (const Rest& rest : rests) {
    const std::string name = "collide/" + std::string(name_of(rest.above)) + (rest.lying ? "_lying" : "") + "_on_" +
                             std::string(name_of(rest.below));
    benchmark::RegisterBenchmark(name.c_str(), [rest](benchmark::State& s) { collide_resting(s, rest); });
  }
  benchmark::RegisterBenchmark("contacts/stack_of_30", [](benchmark::State& s) {
    const Model model(make_box_stack(30));
    update_world(s, model, model.neutral(), 1e-4);
  });
  benchmark::RegisterBenchmark("contacts/pyramid_of_30", [](benchmark::State& s) {
    const Model model(make_box_pyramid());
    update_world(s, model, model.neutral(), 1e-4);
  });
  benchmark::RegisterBenchmark("contacts/g1", [](benchmark::State& s) {
    const Scene scene = bench::robot("g1");
    update_world(s, scene.model, scene.q, 0);
  });
  return true;
}();

}  // namespace
}  // namespace delassus
