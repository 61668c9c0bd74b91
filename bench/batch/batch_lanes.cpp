// Batches as contenders. Arrays are laid out by component, as batches like them most.
#include <fmt/format.h>

#include "bench/batch/batch.hpp"
#include "delassus/batch/batch.hpp"

namespace delassus::cli {
namespace {

/// What goes into verbs, and where results go; batches take turns with it.
template <class T>
struct BatchArrays {
  explicit BatchArrays(const BatchStates& states)
      : size(states.size()),
        rows(states.scene.rows),
        has_matrix(sizeof(T) * size * rows * rows <= kMostMatrixBytes),
        q(by_component(joined(states.scene.q))),
        v(by_component(states.v)),
        tau(by_component(states.tau)),
        x(by_component(states.x)),
        joints(v.size()),
        y(x.size()),
        matrix(has_matrix ? x.size() * rows : 0) {}

  static std::vector<double> joined(const std::vector<std::vector<double>>& parts) {
    std::vector<double> out;
    for (const std::vector<double>& part : parts) out.insert(out.end(), part.begin(), part.end());
    return out;
  }
  std::vector<T> by_component(const std::vector<double>& by_environment) const {
    const std::size_t count = size, components = by_environment.size() / count;
    std::vector<T> out(by_environment.size());
    for (std::size_t e = 0; e < count; ++e) {
      for (std::size_t k = 0; k < components; ++k) {
        out[k * count + e] = static_cast<T>(by_environment[e * components + k]);
      }
    }
    return out;
  }
  BatchView<const T> in(const std::vector<T>& values) const {
    return BatchView<const T>::by_component(values.data(), size, static_cast<int>(values.size()) / size);
  }
  BatchView<T> out(std::vector<T>& values) const {
    return BatchView<T>::by_component(values.data(), size, static_cast<int>(values.size()) / size);
  }
  BatchMatrixView<T> out_matrix() { return BatchMatrixView<T>::by_component(matrix.data(), size, rows, rows); }

  int size, rows;
  bool has_matrix;
  std::vector<T> q, v, tau, x;
  std::vector<T> joints, y, matrix;
};

template <class T>
class LaneContender final : public BatchContender {
 public:
  LaneContender(const BatchStates& states, std::shared_ptr<BatchArrays<T>> arrays, int threads)
      : arrays_(std::move(arrays)), batch_(states.scene.model, states.size(), {.threads = threads}) {
    batch_.set_constraints(states.scene.constraints);
  }

  bool has(BatchVerb verb) const override {
    if (verb == BatchVerb::kForwardDynamics || verb == BatchVerb::kInverseDynamics) return true;
    return arrays_->rows > 0 && (verb != BatchVerb::kMatrix || arrays_->has_matrix);
  }

  void call(BatchVerb verb) override {
    if (const int failed = run(verb); failed > 0) {
      throw Error(fmt::format("{} of {} environments have no result", failed, arrays_->size));
    }
  }

 private:
  int run(BatchVerb verb) {
    BatchArrays<T>& a = *arrays_;
    switch (verb) {
      case BatchVerb::kProduct:
        return batch_.apply_at(a.in(a.q), a.in(a.x), a.out(a.y));
      case BatchVerb::kDampedInverse:
        return batch_.solve_at(a.in(a.q), T(kBatchDamping), a.in(a.x), a.out(a.y));
      case BatchVerb::kMatrix:
        return batch_.dense(a.in(a.q), a.out_matrix());
      case BatchVerb::kForwardDynamics:
        return batch_.forward_dynamics(a.in(a.q), a.in(a.v), a.in(a.tau), a.out(a.joints));
      case BatchVerb::kInverseDynamics:
        return batch_.inverse_dynamics(a.in(a.q), a.in(a.v), a.in(a.tau), a.out(a.joints));
    }
    return 0;
  }

  std::shared_ptr<BatchArrays<T>> arrays_;
  Batch<T> batch_;
};

template <class T>
void add_entries(const BatchStates& states, const std::vector<int>& threads, const char* scalar,
                 std::vector<BatchEntry>& out) {
  const auto arrays = std::make_shared<BatchArrays<T>>(states);
  for (const int count : threads) {
    out.push_back({"batch", scalar, count, std::make_shared<LaneContender<T>>(states, arrays, count)});
  }
}

}  // namespace

std::vector<BatchEntry> lane_entries(const BatchStates& states, const BatchBenchOptions& options) {
  std::vector<BatchEntry> out;
  add_entries<double>(states, options.threads, "double", out);
  if (options.with_float) add_entries<float>(states, options.threads, "float", out);
  return out;
}

int batch_lanes(const Model& model) { return Batch<double>(model, 1, {.threads = 1}).lanes(); }

}  // namespace delassus::cli
