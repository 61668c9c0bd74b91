// BatchObject: what Python calls a Batch, without any Python in it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "delassus/batch/batch.hpp"

namespace delassus::python {

/// A batch of one of two types, and the constraints that its messages name. All but what is const needs the lock.
class BatchObject {
 public:
  enum class Precision { kDouble, kSingle };

  BatchObject(std::shared_ptr<Model> model, int size, Precision precision, const BatchOptions& options);

  void set_constraints(std::vector<Constraint> constraints);
  void set_constraints(int environment, std::vector<Constraint> constraints);
  /// Throws an Error if there is no such environment, as the next two do.
  const std::vector<Constraint>& constraints(int environment) const;
  int rows(int environment) const;
  /// The status of an environment in words; empty if it is ok.
  std::string message(int environment) const;

  int max_rows() const;
  std::span<const Status> statuses() const;

  const std::shared_ptr<Model> model;
  const int size;
  std::mutex mutex;
  std::variant<Batch<double>, Batch<float>> batch;

 private:
  std::vector<Constraint> common_;
  std::map<int, std::vector<Constraint>> own_;  // of environments that have other ones
};

}  // namespace delassus::python
