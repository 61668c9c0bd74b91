// A matrix as the cells of a drawing.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace delassus::cli {

/// `cells` row by row, `size` of them a side. Where a drawing could not show every entry, a cell stands for `block` ×
/// `block` entries and has the one of largest magnitude.
nlohmann::json matrix_cells(const std::vector<double>& entries, int rows);

}  // namespace delassus::cli
