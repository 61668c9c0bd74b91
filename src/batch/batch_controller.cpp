#include "delassus/batch/batch_controller.hpp"

#include <algorithm>
#include <limits>

#include "batch/shapes.hpp"
#include "batch/threads.hpp"

namespace delassus {

template <FloatingPoint T>
class BatchController<T>::Parts {
 public:
  Parts(const Model& m, int size, std::span<const TaskLevel> levels, std::span<const Constraint> held,
        const ControllerOptions& options, const std::optional<Actuation>& actuation, int count)
      : model(m), threads(count), statuses(static_cast<std::size_t>(require_count(size))) {
    controllers.reserve(statuses.size());
    for (int e = 0; e < size; ++e) controllers.emplace_back(model, levels, held, options, actuation);
    work.resize(static_cast<std::size_t>(threads.count()), Work(model));
  }

  /// One state, for one thread.
  struct Work {
    explicit Work(const Model& model)
        : q(static_cast<std::size_t>(model.nq())), v(static_cast<std::size_t>(model.nv())), tau(v) {}
    std::vector<T> q, v, tau;
  };

  void compute(int e, Work& w, const BatchView<const T>& q, const BatchView<const T>& v, const BatchView<T>& tau) {
    for (int k = 0; k < model.nq(); ++k) w.q[k] = q(e, k);
    for (int k = 0; k < model.nv(); ++k) w.v[k] = v(e, k);
    const ControlStatus status = controllers[static_cast<std::size_t>(e)].compute(w.q, w.v, w.tau);
    statuses[static_cast<std::size_t>(e)] = status;
    const bool usable = status.leaves_forces();
    for (int k = 0; k < model.nv(); ++k) tau(e, k) = usable ? w.tau[k] : std::numeric_limits<T>::quiet_NaN();
  }

  Model model;
  BatchThreads threads;
  std::vector<ControlStatus> statuses;
  std::vector<OperationalController<T>> controllers;
  std::vector<Work> work;  // one per thread
};

template <FloatingPoint T>
BatchController<T>::BatchController(const Model& model, int size, std::span<const TaskLevel> levels,
                                    std::span<const Constraint> held, const ControllerOptions& options,
                                    const std::optional<Actuation>& actuation, int threads)
    : parts_(std::make_unique<Parts>(model, size, levels, held, options, actuation, threads)) {}
template <FloatingPoint T>
BatchController<T>::BatchController(BatchController&&) noexcept = default;
template <FloatingPoint T>
BatchController<T>& BatchController<T>::operator=(BatchController&&) noexcept = default;
template <FloatingPoint T>
BatchController<T>::~BatchController() = default;

template <FloatingPoint T>
int BatchController<T>::size() const {
  return static_cast<int>(parts_->controllers.size());
}
template <FloatingPoint T>
int BatchController<T>::threads() const {
  return parts_->threads.count();
}
template <FloatingPoint T>
std::span<const ControlStatus> BatchController<T>::statuses() const {
  return parts_->statuses;
}

template <FloatingPoint T>
OperationalController<T>& BatchController<T>::environment(int index) {
  require_environment(index, size());
  return parts_->controllers[static_cast<std::size_t>(index)];
}
template <FloatingPoint T>
const OperationalController<T>& BatchController<T>::environment(int index) const {
  require_environment(index, size());
  return parts_->controllers[static_cast<std::size_t>(index)];
}

template <FloatingPoint T>
int BatchController<T>::compute(BatchIn<T> q, BatchIn<T> v, BatchOut<T> tau) {
  Parts& p = *parts_;
  require_shape("q", q, size(), p.model.nq(), "nq coordinates each");
  require_shape("v", v, size(), p.model.nv(), "one number per degree of freedom");
  require_shape("tau", tau, size(), p.model.nv(), "one number per degree of freedom");
  p.threads.for_each(size(), 1,
                     [&](int thread, int e) { p.compute(e, p.work[static_cast<std::size_t>(thread)], q, v, tau); });
  return static_cast<int>(
      std::count_if(p.statuses.begin(), p.statuses.end(), [](const ControlStatus& status) { return !status.ok(); }));
}

template class BatchController<float>;
template class BatchController<double>;

}  // namespace delassus
