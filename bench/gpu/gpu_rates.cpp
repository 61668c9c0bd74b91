#include "bench/gpu/gpu_rates.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <random>
#include <utility>

#include "delassus/batch/batch.hpp"
#include "delassus/kinematics/kinematics.hpp"

namespace delassus::cli {
namespace {

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Arrays of a batch on the device: postures around one, random motions and rows. Environments lie next to each other.
template <class T>
class GpuStates {
 public:
  GpuStates(const gpu::Device& device, const GpuCase& robot, int size, int rows)
      : size_(size),
        nq_(robot.model.nq()),
        nv_(robot.model.nv()),
        rows_(rows),
        q_(device, count(nq_)),
        v_(device, count(nv_)),
        a_(device, count(nv_)),
        x_(device, count(rows)),
        out_(device, count(std::max(nv_, rows))) {
    std::vector<T> q(count(nq_)), v(count(nv_)), x(count(rows));
    std::vector<double> step(nv_), at(nq_);
    for (int e = 0; e < size; ++e) {
      for (double& s : step) s = draw(0.3);
      integrate(robot.model, VectorView<const double>(robot.q), VectorView<const double>(step), VectorView<double>(at));
      put(at, e, q);
      for (double& s : step) s = draw(1);
      put(step, e, v);
      std::vector<double> forces(rows);
      for (double& s : forces) s = draw(1);
      put(forces, e, x);
    }
    q_.write(q), v_.write(v), a_.write(v), x_.write(x);
  }

  BatchView<T> q() const { return q_.view_by_component(size_, nq_); }
  BatchView<T> v() const { return v_.view_by_component(size_, nv_); }
  BatchView<T> a() const { return a_.view_by_component(size_, nv_); }
  BatchView<T> x() const { return x_.view_by_component(size_, rows_); }
  BatchView<T> out(int components) const { return out_.view_by_component(size_, components); }

  /// What environment e holds.
  std::vector<double> of(const gpu::Buffer<T>& buffer, int components, int e) const {
    std::vector<T> all(buffer.size());
    buffer.read(all);
    std::vector<double> one;
    for (int k = 0; k < components; ++k)
      one.push_back(static_cast<double>(all[count(k) + static_cast<std::size_t>(e)]));
    return one;
  }
  std::vector<double> q_of(int e) const { return of(q_, nq_, e); }
  std::vector<double> x_of(int e) const { return of(x_, rows_, e); }
  std::vector<double> out_of(int e) const { return of(out_, rows_, e); }

 private:
  std::size_t count(int components) const {
    return static_cast<std::size_t>(components) * static_cast<std::size_t>(size_);
  }
  double draw(double bound) { return std::uniform_real_distribution<double>(-bound, bound)(random_); }
  void put(const std::vector<double>& one, int e, std::vector<T>& all) const {
    for (std::size_t k = 0; k < one.size(); ++k)
      all[k * static_cast<std::size_t>(size_) + static_cast<std::size_t>(e)] = static_cast<T>(one[k]);
  }

  std::mt19937_64 random_{7};
  int size_, nq_, nv_, rows_;
  gpu::Buffer<T> q_, v_, a_, x_, out_;
};

/// Launches a second: as many as take a few milliseconds, median of some runs.
double launches_per_second(const gpu::Device& device, int repetitions, const std::function<void()>& launch) {
  const auto time = [&](int launches) {
    device.synchronize();
    const double start = seconds();
    for (int k = 0; k < launches; ++k) launch();
    device.synchronize();
    return seconds() - start;
  };
  time(3);
  constexpr double kRun = 5e-3;
  const int launches = std::clamp(static_cast<int>(kRun / (time(10) / 10)), 5, 500);
  std::vector<double> runs;
  for (int k = 0; k < repetitions; ++k) runs.push_back(time(launches));
  std::nth_element(runs.begin(), runs.begin() + repetitions / 2, runs.end());
  return launches / runs[static_cast<std::size_t>(repetitions / 2)];
}

/// A batch that solves for contact forces too, unless the robot has constraints with which none can be.
template <class T>
std::pair<gpu::Batch<T>, bool> make_batch(const gpu::Device& device, const GpuCase& robot, int size,
                                          const std::string& cache) {
  gpu::BatchOptions options{.constraints = robot.constraints, .contact_forces = true, .cache = cache};
  try {
    return {gpu::Batch<T>(device, robot.model, size, options), true};
  } catch (const Error&) {
    options.contact_forces = false;
    return {gpu::Batch<T>(device, robot.model, size, options), false};
  }
}

/// Of the product of some environments, against the CPU.
template <class T>
double product_error(const GpuCase& robot, const GpuStates<T>& states, int size, int rows) {
  double worst = 0;
  Batch<double> host(robot.model, 1, {.threads = 1});
  host.set_constraints(robot.constraints);
  for (const int e : {0, size / 3, size - 1}) {
    const std::vector<double> q = states.q_of(e), x = states.x_of(e), got = states.out_of(e);
    std::vector<double> want(static_cast<std::size_t>(rows));
    host.apply_at({q.data(), 1, robot.model.nq()}, {x.data(), 1, rows}, {want.data(), 1, rows});
    double largest = 0, difference = 0;
    for (std::size_t k = 0; k < want.size(); ++k) {
      largest = std::max(largest, std::abs(want[k]));
      difference = std::max(difference, std::abs(want[k] - got[k]));
    }
    worst = std::max(worst, difference / largest);
  }
  return worst;
}

}  // namespace

template <class T>
GpuResult measure_gpu(const gpu::Device& device, const GpuCase& robot, const std::vector<int>& sizes, int repetitions,
                      const std::string& cache) {
  GpuResult result;
  for (const int size : sizes) {
    const double start = seconds();
    auto made = make_batch<T>(device, robot, size, cache);
    gpu::Batch<T>& batch = made.first;
    if (result.construct_s == 0) result.construct_s = seconds() - start, result.compiled = batch.compiled();
    result.lanes = batch.lanes(), result.rows = batch.rows();
    const int nq = robot.model.nq(), nv = robot.model.nv(), rows = batch.rows();
    const GpuStates<T> s(device, robot, size, rows);
    const auto add = [&](const char* verb, int numbers, const std::function<void()>& launch) {
      result.rates.push_back({verb, size, size * launches_per_second(device, repetitions, launch),
                              static_cast<double>(sizeof(T)) * numbers});
    };
    add("inverse dynamics", nq + 3 * nv, [&] { batch.inverse_dynamics(s.q(), s.v(), s.a(), s.out(nv)); });
    add("forward dynamics", nq + 3 * nv, [&] { batch.forward_dynamics(s.q(), s.v(), s.a(), s.out(nv)); });
    if (rows == 0) continue;
    add("solve from q", nq + 2 * rows, [&] { batch.solve_at(s.q(), T(0.1), s.x(), s.out(rows)); });
    add("product from q", nq + 2 * rows, [&] { batch.apply_at(s.q(), s.x(), s.out(rows)); });
    result.worst_error = std::max(result.worst_error, product_error(robot, s, size, rows));
    if (!made.second) continue;
    // No law is obeyed to this tolerance, so that all environments take all steps.
    const gpu::ContactOptions steps{.tolerance = 1e-15, .iterations = 50};
    add("50 contact steps", nq + 3 * rows, [&] { batch.contact_solve(s.q(), s.x(), s.out(rows), steps); });
  }
  return result;
}

template GpuResult measure_gpu<float>(const gpu::Device&, const GpuCase&, const std::vector<int>&, int,
                                      const std::string&);
template GpuResult measure_gpu<double>(const gpu::Device&, const GpuCase&, const std::vector<int>&, int,
                                       const std::string&);

}  // namespace delassus::cli
