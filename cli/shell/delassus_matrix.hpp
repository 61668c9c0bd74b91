// Λ⁻¹ of a scene by a named algorithm: the list that the command knows.
#pragma once

#include <string>
#include <vector>

#include "delassus/io/scene.hpp"
#include "delassus/operators/algorithm.hpp"

namespace delassus::cli {

struct MatrixResult {
  std::string algorithm;  // another than was asked for where there is no compiler for generated code
  int rows = 0;
  std::vector<double> entries;  // row-major
};

/// Of all operators that are made from a model alone.
const std::vector<std::string>& algorithm_names();
/// And of code that is compiled for a scene.
std::vector<std::string> algorithm_names_with_code();

/// Throws an Error if the algorithm is unknown or the scene singular.
MatrixResult delassus_matrix(const std::string& algorithm, const Model& model, const std::vector<double>& q,
                             const std::vector<Constraint>& constraints);

/// Throws an Error that describes the status if it is not ok.
void require_ok(const Status& status, const Model& model, const std::vector<Constraint>& constraints);

}  // namespace delassus::cli
