// Operational-space control of many robots of one model, on threads (docs/batch.md). Each environment is an OperationalController of
// its own, with targets of its own and the scalar kernels.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "delassus/batch/batch_view.hpp"
#include "delassus/control/operational_controller.hpp"

namespace delassus {

/// float and double.
template <FloatingPoint T>
class BatchController {
 public:
  /// `size` controllers, all made alike. Threads as in BatchOptions. Throws an Error where OperationalController does.
  BatchController(const Model& model, int size, std::span<const TaskLevel> levels,
                  std::span<const Constraint> held = {}, const ControllerOptions& options = {},
                  const std::optional<Actuation>& actuation = {}, int threads = 0);
  BatchController(BatchController&&) noexcept;
  BatchController& operator=(BatchController&&) noexcept;
  ~BatchController();

  int size() const;
  int threads() const;
  /// One of them, to set its targets.
  OperationalController<T>& environment(int index);
  const OperationalController<T>& environment(int index) const;

  /// Joint forces of all: q is (B, nq), v and tau (B, nv). Returns how many have a status that is not ok. Where one leaves no forces, tau
  /// is NaN.
  int compute(BatchIn<T> q, BatchIn<T> v, BatchOut<T> tau);
  /// Of the last compute, one per environment.
  std::span<const ControlStatus> statuses() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

extern template class BatchController<float>;
extern template class BatchController<double>;

}  // namespace delassus
