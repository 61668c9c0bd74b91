#include "cli/tour/matrix_cells.hpp"

#include <algorithm>
#include <cmath>

#include "cli/tour/rounded.hpp"

namespace delassus::cli {

nlohmann::json matrix_cells(const std::vector<double>& entries, int rows) {
  constexpr int kMostCells = 144;
  const int block = (rows + kMostCells - 1) / kMostCells;
  const int size = (rows + block - 1) / block;
  std::vector<double> cells(static_cast<std::size_t>(size) * size);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < rows; ++c) {
      double& cell = cells[static_cast<std::size_t>(r / block) * size + c / block];
      const double entry = entries[static_cast<std::size_t>(r) * rows + c];
      if (std::abs(entry) > std::abs(cell)) cell = entry;
    }
  }
  std::ranges::transform(cells, cells.begin(), [](double x) { return rounded(x); });
  return {{"block", block}, {"size", size}, {"cells", cells}};
}

}  // namespace delassus::cli
