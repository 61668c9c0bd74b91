// Throughput: many states of one robot, in lanes and on threads, against loops over them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/measure/scene.hpp"
#include "bench/measure/timed_call.hpp"

namespace delassus::cli {

/// All from q.
enum class BatchVerb : std::uint8_t { kProduct, kDampedInverse, kMatrix, kForwardDynamics, kInverseDynamics };
inline constexpr std::array kBatchVerbs{BatchVerb::kProduct, BatchVerb::kDampedInverse, BatchVerb::kMatrix,
                                        BatchVerb::kForwardDynamics, BatchVerb::kInverseDynamics};

/// As files spell it.
constexpr std::string_view name_of(BatchVerb verb) {
  constexpr std::array<std::string_view, kBatchVerbs.size()> kNames{"product_from_q", "solve_from_q", "matrix_from_q",
                                                                    "forward_dynamics", "inverse_dynamics"};
  return kNames[static_cast<std::size_t>(verb)];
}
constexpr std::string_view title_of(BatchVerb verb) {
  constexpr std::array<std::string_view, kBatchVerbs.size()> kTitles{"product from q", "solve from q", "matrix from q",
                                                                     "forward dynamics", "inverse dynamics"};
  return kTitles[static_cast<std::size_t>(verb)];
}

/// One number for each verb, or nothing.
template <class Value>
struct ByBatchVerb : std::array<std::optional<Value>, kBatchVerbs.size()> {
  std::optional<Value>& operator[](BatchVerb verb) { return this->at(static_cast<std::size_t>(verb)); }
  const std::optional<Value>& operator[](BatchVerb verb) const { return this->at(static_cast<std::size_t>(verb)); }
};

/// Of all environments, one after the other in each array.
struct BatchStates {
  BatchStates(const std::string& name, const Scene& scene, int size);

  int size() const { return static_cast<int>(scene.q.size()); }

  BenchScene scene;  // with as many configurations as there are environments
  std::vector<double> v, tau, x;
};
/// R⁻¹ in damped inverses: the first of those that loops take in turns.
inline constexpr double kBatchDamping = 1e-4;
/// Matrices of a batch that take more bytes are left out.
inline constexpr std::size_t kMostMatrixBytes = std::size_t{1} << 29U;

/// Whoever computes all environments.
class BatchContender {
 public:
  BatchContender() = default;
  virtual ~BatchContender() = default;
  BatchContender(const BatchContender&) = delete;
  BatchContender& operator=(const BatchContender&) = delete;

  virtual bool has(BatchVerb verb) const = 0;
  /// All environments once. Throws an Error if one of them fails.
  virtual void call(BatchVerb verb) = 0;
};

struct BatchEntry {
  std::string name;    // "batch", "condensed loop", "limbs loop", "mj_forward loop", "Pinocchio loop"
  std::string scalar;  // "double" or "float"
  int threads;
  std::shared_ptr<BatchContender> contender;
};

struct BatchBenchOptions {
  std::vector<int> sizes, threads;
  bool with_float = false;
};

/// Batch<double>, and Batch<float> if asked for, on each number of threads; both share arrays. The states have to live as long.
std::vector<BatchEntry> lane_entries(const BatchStates& states, const BatchBenchOptions& options);
/// Loops over environments with one core and one state at a time.
std::vector<BatchEntry> loop_entries(const BatchStates& states);
/// Built where MuJoCo, or Pinocchio, is found. Each throws an Error if it cannot have this model.
BatchEntry mujoco_entry(const BatchStates& states);
BatchEntry pinocchio_entry(const BatchStates& states);

/// Operations of one environment, by the condensed tree in scalars.
ByBatchVerb<std::int64_t> count_batch(const BatchStates& states);

/// Doubles in a vector of a batch.
int batch_lanes(const Model& model);

struct BatchPoint {
  int size;
  std::string name, scalar;
  int threads;
  ByBatchVerb<double> environment_us;
  std::map<std::string, std::string> left_out;  // by verb, why
};

struct BatchResult {
  std::string name;
  int nv, rows;
  double peak_gflops;  // of a core, in double precision
  ByBatchVerb<std::int64_t> operations;
  std::vector<BatchPoint> points;
};

BatchResult measure_batch(const std::string& name, const Scene& scene, const BatchBenchOptions& options,
                          const Effort& effort, double peak_gflops);

std::string batch_head(int lanes, double peak_gflops);
std::string as_text(const BatchResult& result);
nlohmann::json as_json(const BatchResult& result);

/// Environments per second against their number: a line for each number of threads and each scalar.
void plot_batch(const nlohmann::json& report, const std::string& path);

}  // namespace delassus::cli
