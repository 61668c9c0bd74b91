// OperatorObject: an Operator as Python holds it, with its lock and what a copy is made from.
//
// No function of it touches a Python object, so all run without the GIL, under its mutex.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

#include "delassus/operators/operator.hpp"
#include "delassus/operators/planner.hpp"
#include "errors.hpp"

namespace delassus::python {

using AlgorithmOptions = std::variant<std::monostate, CondensedOptions, LcabaOptions>;

/// A damping with its numbers.
struct StoredDamping {
  Damping<double>::Kind kind = Damping<double>::Kind::kScalar;
  std::vector<double> values;
  Damping<double> view() const;
};

struct OperatorObject {
  OperatorObject(std::shared_ptr<Model> its_model, std::span<const Constraint> constraints, Algorithm algorithm,
                 const AlgorithmOptions& its_options);
  /// Of code that compile() has made.
  OperatorObject(std::shared_ptr<Model> its_model, std::span<const Constraint> constraints,
                 GeneratedDelassus<double> code);

  // With the mutex held. Each throws an Error or a StatusError.

  void set_constraints(std::span<const Constraint> constraints);
  void update(VectorView<const double> q);
  void update_damping(const StoredDamping& damping);
  /// The operator, for arguments that were made for so many rows.
  Operator<double>& with_rows(int num_rows);
  /// The same of the one that has verbs of its own, which need a damping.
  const KktDelassus<double>& kkt_with_rows(int num_rows, const char* verb);
  /// Lends it to a solver, which damps it as it likes. Afterwards it has the damping that it had.
  Status lend(int num_rows, const std::function<Status(Operator<double>&)>& work);
  void require_ok(const Status& status) const;

  const std::shared_ptr<Model> model;  // the object that Python gave
  const AlgorithmOptions options;
  std::optional<OperatorPlan> plan;  // that chose the algorithm, if one did
  std::mutex mutex;
  Operator<double> op;
  StoredDamping damping;  // if it is damped
  std::atomic<int> rows;  // read by other threads that prepare their arguments
};

}  // namespace delassus::python
