#include "cli/pages/matrix_cells.hpp"

#include <cmath>

namespace delassus::cli {

MatrixCells make_matrix_cells(const std::vector<double>& entries, int rows, int most) {
  MatrixCells out;
  out.block = rows > most ? (rows + most - 1) / most : 1;
  out.size = (rows + out.block - 1) / out.block;
  out.cells.resize(static_cast<std::size_t>(out.size) * out.size);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < rows; ++c) {
      double& cell = out.cells[static_cast<std::size_t>(r / out.block) * out.size + c / out.block];
      const double entry = entries[static_cast<std::size_t>(r) * rows + c];
      if (std::abs(entry) > std::abs(cell)) cell = entry;
    }
  }
  return out;
}

}  // namespace delassus::cli
