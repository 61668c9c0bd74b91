// Λ⁻¹ of a scene by a named algorithm: the list that the command knows.
#pragma once

#include <string>
#include <vector>

#include "delassus/io/scene.hpp"
#include "delassus/operators/algorithm.hpp"

namespace delassus::cli {

struct MatrixResult {
  int rows = 0;
  std::vector<double> entries;  // row-major
};

/// Of all operators.
const std::vector<std::string>& algorithm_names();

/// Throws an Error if the algorithm is unknown or the scene singular.
MatrixResult delassus_matrix(const std::string& algorithm, const Model& model, const std::vector<double>& q,
                             const std::vector<Constraint>& constraints);

/// Throws an Error that describes the status if it is not ok.
void require_ok(const Status& status, const Model& model, const std::vector<Constraint>& constraints);

}  // namespace delassus::cli
