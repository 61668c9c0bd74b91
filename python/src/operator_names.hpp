// Algorithms and workloads as arguments.
#pragma once

#include "constraints.hpp"
#include "delassus/operators/algorithm.hpp"
#include "delassus/operators/operation_counts.hpp"

namespace delassus::python {

template <>
struct EnumNames<Algorithm> {
  static std::span<const std::string_view> names() { return names_by_function<Algorithm, kAllAlgorithms.size()>(); }
};

/// The matrix alone if it is None.
inline Workload workload_from(const py::object& workload) {
  if (workload.is_none()) return kMatrixAlone;
  const auto w = Convert<Workload>::from(workload, "workload");
  if (w.products < 0 || w.dampings < 0 || w.solves < 0) throw Error("argument 'workload' has a negative number");
  if (w.products + w.dampings + w.solves == 0 && !w.matrix) {
    throw Error("argument 'workload' asks for nothing; give products, dampings, solves or matrix=True");
  }
  return w;
}

}  // namespace delassus::python
