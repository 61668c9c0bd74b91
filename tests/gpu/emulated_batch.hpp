// A batch whose kernels run emulated: plan, numbers and arguments as gpu::Batch has them.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "delassus/kinematics/kinematics.hpp"
#include "delassus/operators/oracle.hpp"
#include "gpu/emulated.hpp"
#include "gpu/gpu_robots.hpp"
#include "gpu/plan.hpp"
#include "support/random_system.hpp"

namespace delassus::gpu {

/// Dense arrays, one row per environment. What environment e holds depends on e alone.
template <class T>
struct EmulatedBatch {
  GpuRobot robot;
  Plan plan;
  int size;
  EmulatedRun<T> run_kernel;
  std::vector<T> numbers;
  std::vector<std::uint8_t> status;
  std::vector<T> q, v, a, x;

  EmulatedBatch(const std::string& name, int count)
      : robot(make_gpu_robot(name)),
        plan(make_plan(robot.model, robot.constraints)),
        size(count),
        run_kernel(emulated_run<T>(name)),
        numbers(plan.numbers.begin(), plan.numbers.end()),
        status(static_cast<std::size_t>(count), 77) {
    for (int e = 0; e < count; ++e) add_environment(e);
  }

  void add_environment(int e) {
    samples::Random random(static_cast<std::uint64_t>(e), 78);
    std::vector<double> step(robot.model.nv()), at(robot.model.nq());
    for (double& s : step) s = random.uniform(-0.5, 0.5);
    integrate(robot.model, VectorView<const double>(robot.q), VectorView<const double>(step), VectorView<double>(at));
    q.insert(q.end(), at.begin(), at.end());
    for (std::vector<T>* list : {&v, &a}) {
      for (int k = 0; k < robot.model.nv(); ++k) list->push_back(static_cast<T>(random.uniform(-2, 2)));
    }
    for (int r = 0; r < plan.rows; ++r) x.push_back(static_cast<T>(random.uniform(-1, 1)));
  }

  Array<const T> in(const std::vector<T>& list) const {
    return {list.data(), static_cast<long long>(list.size()) / size, 1};
  }
  Array<T> out(std::vector<T>& list, int components) const {
    list.assign(static_cast<std::size_t>(size * components), T(-7));
    return {list.data(), components, 1};
  }

  Arguments<T> arguments(const std::vector<T>& input, Array<T> output) {
    Arguments<T> out{};
    out.q = in(q), out.v = in(v), out.in = in(input), out.out = output;
    out.status = status.data(), out.numbers = numbers.data(), out.indices = plan.indices.data();
    for (int k = 0; k < 3; ++k) out.gravity[k] = static_cast<T>(robot.model.gravity()[k]);
    out.size = size;
    return out;
  }
  std::vector<T> run(Verb verb, const std::vector<T>& input, T damping = T(1)) {
    const bool of_rows = verb == Verb::kApply || verb == Verb::kSolve;
    std::vector<T> result;
    Arguments<T> list = arguments(input, out(result, of_rows ? plan.rows : robot.model.nv()));
    list.R = damping;
    run_kernel(verb, list);
    EXPECT_TRUE(Exchanges::in_step());
    return result;
  }
  /// (R + Λ⁻¹)⁻¹ b with refinements, as gpu::Batch::solve_at does it.
  std::vector<T> solve(const std::vector<T>& b, T damping, int refinements) {
    std::vector<T> z = run(Verb::kSolve, b, damping), residual;
    for (int k = 0; k < refinements; ++k) {
      Arguments<T> remainder = arguments(z, out(residual, plan.rows));
      remainder.target = in(b);
      remainder.R = damping;
      run_kernel(Verb::kApply, remainder);
      Arguments<T> correction = arguments(residual, {z.data(), plan.rows, 1});
      correction.R = damping;
      correction.add = 1;
      run_kernel(Verb::kSolve, correction);
    }
    return z;
  }
  /// Of rows: those that the robot has with `v`, so that what is held can be.
  std::vector<T> free_velocities() const {
    using Exact = oracle::Matrix<long double>;
    std::vector<T> list;
    for (int e = 0; e < size; ++e) {
      const std::vector<double> at = of(q, e), speed = of(v, e);
      const Exact J = oracle::constraint_jacobian<long double>(robot.model, robot.constraints,
                                                               std::vector<long double>(at.begin(), at.end()));
      const Exact g = J * Exact(J.cols(), 1, {speed.begin(), speed.end()});
      for (int r = 0; r < J.rows(); ++r) list.push_back(static_cast<T>(g(r, 0)));
    }
    return list;
  }

  /// Contact forces, from none.
  std::vector<T> contacts(const std::vector<T>& free_velocity, T tolerance, int iterations) {
    const std::vector<T> start(free_velocity.size());
    std::vector<T> lambda, outcomes;
    Arguments<T> list = arguments(start, out(lambda, plan.rows));
    list.target = in(free_velocity);
    list.outcome = out(outcomes, 2);
    list.R = 1, list.tolerance = tolerance, list.iterations = iterations;
    run_kernel(Verb::kContacts, list);
    outcome = outcomes;
    return lambda;
  }
  /// Of contacts(): residual and iterations of each environment.
  std::vector<T> outcome;

  /// The numbers of one environment, in double.
  std::vector<double> of(const std::vector<T>& list, int e) const {
    const auto n = static_cast<std::ptrdiff_t>(list.size()) / size;
    return {list.begin() + e * n, list.begin() + (e + 1) * n};
  }
};

}  // namespace delassus::gpu
