// Time of each stage on the embedded robots, from joint angles to accelerations and contact rows.
#include <benchmark/benchmark.h>

#include <random>

#include "bench/micro/robots.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "math/instantiate.hpp"

namespace delassus {
namespace {

using bench::kStates;

template <class T>
void set_lane(T& x, int, double value) {
  x = T(value);
}
template <class T, int W>
void set_lane(Pack<T, W>& x, int lane, double value) {
  x.set(lane, static_cast<T>(value));
}
template <class T>
constexpr int kLanes = 1;
template <class T, int W>
constexpr int kLanes<Pack<T, W>> = W;

/// A robot, its workspaces and random states.
template <class T>
struct Setup {
  explicit Setup(const std::string& name)
      : scene(bench::robot(name)), model(scene.model), work(model), inverse(model), composite(model) {
    std::mt19937_64 engine(1);
    std::uniform_real_distribution<double> angle(-1, 1), force(-10, 10);
    for (int k = 0; k < kStates; ++k) {
      std::vector<T> q(model.nq()), v(model.nv()), tau(model.nv());
      for (int lane = 0; lane < kLanes<T>; ++lane) {
        for (T& x : q) set_lane(x, lane, angle(engine));
        for (T& x : v) set_lane(x, lane, angle(engine));
        for (T& x : tau) set_lane(x, lane, force(engine));
      }
      qs.push_back(q);
      vs.push_back(v);
      taus.push_back(tau);
    }
    out.resize(model.nv());
    M.resize(static_cast<std::size_t>(model.nv()) * model.nv());
  }
  /// Point contacts on every frame whose name says "foot".
  void add_contacts() {
    for (int f = 0; f < static_cast<int>(model.frames().size()); ++f) {
      PointContact c;
      c.a.frame = f;
      if (model.frame(f).name.find("foot") != std::string::npos) scene.constraints.emplace_back(c);
    }
    lower_structure(model, scene.constraints, rows);
  }
  void run_stages(int k) {
    update_kinematics<T>(model, qs[k], work.kin);
    update_velocities<T>(model, work.kin, vs[k], work.vel);
    if (!articulate(model, work.kin, work).ok()) throw Error("singular");
  }

  Scene scene;
  const Model& model;
  ForwardDynamics<T> work;
  InverseDynamics<T> inverse;
  CompositeInertia<T> composite;
  ConstraintRows<T> rows;
  std::vector<std::vector<T>> qs, vs, taus;
  std::vector<T> out, M;
};

template <class T, class Stage>
void measure(benchmark::State& state, Setup<T>& setup, Stage&& stage) {
  setup.run_stages(0);
  int k = 0;
  for (auto _ : state) {
    stage(k);
    benchmark::ClobberMemory();
    k = (k + 1) % kStates;
  }
  // Per environment, where lanes hold several.
  state.SetItemsProcessed(state.iterations() * kLanes<T>);
}

template <class T>
void register_robot(const std::string& name, const std::string& scalar) {
  const auto add = [&](const std::string& stage, auto&& make) {
    benchmark::RegisterBenchmark((stage + "/" + name + "/" + scalar).c_str(), [name, make](benchmark::State& state) {
      Setup<T> s(name);
      s.add_contacts();
      measure<T>(state, s, make(s));
    });
  };
  add("aba", [](Setup<T>& s) {
    return [&s](int k) { benchmark::DoNotOptimize(aba<T>(s.model, s.qs[k], s.vs[k], s.taus[k], s.out, s.work)); };
  });
  add("kinematics", [](Setup<T>& s) { return [&s](int k) { update_kinematics<T>(s.model, s.qs[k], s.work.kin); }; });
  add("velocities",
      [](Setup<T>& s) { return [&s](int k) { update_velocities<T>(s.model, s.work.kin, s.vs[k], s.work.vel); }; });
  add("articulate",
      [](Setup<T>& s) { return [&s](int) { benchmark::DoNotOptimize(articulate(s.model, s.work.kin, s.work)); }; });
  add("forward_dynamics", [](Setup<T>& s) {
    return [&s](int k) { forward_dynamics<T>(s.model, s.work.kin, s.work.vel, s.taus[k], s.out, s.work); };
  });
  add("lower_values", [](Setup<T>& s) {
    return [&s](int) { benchmark::DoNotOptimize(lower_values<T>(s.model, s.work.kin, s.scene.constraints, s.rows)); };
  });
  add("rnea", [](Setup<T>& s) {
    return [&s](int k) {
      update_kinematics<T>(s.model, s.qs[k], s.work.kin);
      update_velocities<T>(s.model, s.work.kin, s.vs[k], s.work.vel);
      rnea<T>(s.model, s.work.kin, s.work.vel, s.taus[k], s.out, s.inverse);
    };
  });
  add("crba", [](Setup<T>& s) {
    return [&s](int k) {
      update_kinematics<T>(s.model, s.qs[k], s.work.kin);
      crba<T>(s.model, s.work.kin, MatrixView<T>(s.M.data(), s.model.nv(), s.model.nv()), s.composite);
    };
  });
}

}  // namespace
}  // namespace delassus

int main(int argc, char** argv) {
  for (const char* name : {"go2", "g1"}) {
    delassus::register_robot<double>(name, "double");
    delassus::register_robot<float>(name, "float");
    delassus::register_robot<delassus::PackDoubles>(name, "lanes");
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
