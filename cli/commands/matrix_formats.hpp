// A Delassus matrix as text, as JSON and for NumPy.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/shell/delassus_matrix.hpp"

namespace delassus::cli {

/// A line for each row; 17 digits, from which every double is read back as it was.
std::string as_text(const MatrixResult& matrix);

nlohmann::json as_json(const MatrixResult& matrix, const Scene& scene);

/// NumPy's file format 1.0.
std::string as_npy(const MatrixResult& matrix);

}  // namespace delassus::cli
