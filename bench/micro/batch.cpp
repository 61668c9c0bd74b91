// Batches of environments from q: items_per_second counts environments.
#include <benchmark/benchmark.h>

#include <random>

#include "delassus/batch/batch.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/scenes/load_named.hpp"

namespace delassus {
namespace {

/// States near that of a scene, and vectors of rows, as structures of arrays.
template <class T>
struct BatchArrays {
  BatchArrays(const Scene& scene, int count, int m) : size(count), rows(m) {
    std::mt19937_64 engine(1);
    std::uniform_real_distribution<double> number(-0.1, 0.1);
    std::vector<double> step(scene.v.size()), at(scene.q.size());
    q.resize(at.size() * count);
    for (int e = 0; e < count; ++e) {
      for (double& s : step) s = number(engine);
      integrate(scene.model, VectorView<const double>(scene.q), VectorView<const double>(step), VectorView<double>(at));
      for (std::size_t k = 0; k < at.size(); ++k) q[k * count + e] = static_cast<T>(at[k]);
    }
    for (int k = 0; k < rows * count; ++k) x.push_back(static_cast<T>(number(engine)));
    y.resize(x.size());
  }
  BatchView<const T> in_q() const {
    return BatchView<const T>::by_component(q.data(), size, static_cast<int>(q.size()) / size);
  }
  BatchView<const T> in_x() const { return BatchView<const T>::by_component(x.data(), size, rows); }
  BatchView<T> out_y() { return BatchView<T>::by_component(y.data(), size, rows); }

  int size, rows;
  std::vector<T> q, x, y;
};

template <class T>
void batch_apply_at(benchmark::State& state, const std::string& name, int size, int threads) {
  const Scene scene = load_named(name);
  Batch<T> batch(scene.model, size, {.threads = threads});
  batch.set_constraints(scene.constraints);
  BatchArrays<T> arrays(scene, size, batch.max_rows());
  for (auto _ : state) benchmark::DoNotOptimize(batch.apply_at(arrays.in_q(), arrays.in_x(), arrays.out_y()));
  state.SetItemsProcessed(state.iterations() * size);
}

template <class T>
void batch_solve(benchmark::State& state, const std::string& name, int size, int threads) {
  const Scene scene = load_named(name);
  Batch<T> batch(scene.model, size, {.threads = threads});
  batch.set_constraints(scene.constraints);
  BatchArrays<T> arrays(scene, size, batch.max_rows());
  for (auto _ : state) {
    benchmark::DoNotOptimize(batch.solve_at(arrays.in_q(), T(0.01), arrays.in_x(), arrays.out_y()));
  }
  state.SetItemsProcessed(state.iterations() * size);
}

const bool kRegistered = [] {
  for (const char* scene : {"go2-standing", "g1-standing", "g1-fallen"}) {
    for (const int threads : {1, 2}) {
      const int size = threads == 1 ? 256 : 4096;
      const std::string end =
          std::string("/") + scene + "/" + std::to_string(size) + "/" + std::to_string(threads) + "_threads";
      const auto add = [&](const char* verb, auto* run) {
        benchmark::RegisterBenchmark((verb + end).c_str(), run, scene, size, threads)->UseRealTime();
      };
      add("batch_apply_at/double", batch_apply_at<double>);
      add("batch_apply_at/float", batch_apply_at<float>);
      add("batch_solve_at/double", batch_solve<double>);
    }
  }
  return true;
}();

}  // namespace
}  // namespace delassus
